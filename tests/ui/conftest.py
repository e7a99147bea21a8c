"""A browser, the fake service, and a page that fails its test when the console or the policy complains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.ui.fake_service import PAGE, FakeService

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


class Watched:
    """A page with what went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def violations(self) -> list[str]:
        return self.page.evaluate("window.violations")


# Not for the session: while Playwright runs, its event loop would be in the way of tests that bring their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("needs Chromium at /usr/bin/chromium")
    assert PAGE.exists(), "ui/chat.html is not built"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        expect.set_options(timeout=8_000)
        yield browser
        browser.close()


@pytest.fixture
def service() -> Iterator[FakeService]:
    with FakeService() as service:
        yield service


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB", color_scheme="dark")
    context.add_init_script(WATCH)
    yield context
    context.close()


@pytest.fixture
def watched(context: BrowserContext) -> Watched:
    return Watched(context.new_page())


@pytest.fixture
def page(service: FakeService, watched: Watched) -> Iterator[Page]:
    """A page on which nothing may go wrong for as long as its service is there."""
    assert service.url
    yield watched.page
    assert watched.violations() == []
    assert watched.complaints == []
