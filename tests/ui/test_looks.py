"""Screenshots of the main states, in dark and light, wide and narrow; axe finds nothing on any of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.requirement import requirement
from tests.ui import stories
from tests.ui.conftest import WATCH, Watched
from tests.ui.fake_service import PAGE, FakeService

OUTPUT = Path(__file__).parents[1] / "output" / "ui"
AXE = PAGE.parent / "node_modules" / "axe-core" / "axe.min.js"


def _welcome(_service: FakeService, page: Page) -> None:
    expect(page.get_by_role("heading", name="What shall we do")).to_be_visible()


def _conversation(service: FakeService, page: Page) -> None:
    service.sends_to = None
    stories.whole(service)
    expect(page.locator(".notice", has_text="You stopped the model here.")).to_be_visible()


def _question(service: FakeService, page: Page) -> None:
    stories.search(service)
    stories.ask_rating(service)
    service.event("queued", message_id="m9", text="And then show me the ones without a title, please.")
    expect(page.get_by_role("button", name="Allow once")).to_be_visible()


def _bulk(service: FakeService, page: Page) -> None:
    stories.ask_rating(service, reason={"kind": "bulk", "photos": 412, "limit": 200}, preview=False)
    expect(page.get_by_role("button", name="Allow once")).to_be_visible()


def _streaming(service: FakeService, page: Page) -> None:
    service.event("user_message", message_id="m1", text="What do my best photos have in common?")
    service.event("busy", busy=True)
    service.live(
        "delta",
        kind="reasoning",
        text="I should look at what the five-star photos share: light, lens, place.",
        offset=0,
    )
    service.live("delta", kind="text", text="Most of them were taken **in the last hour of light**, and", offset=69)
    expect(page.get_by_role("main").get_by_text("in the last hour of light")).to_be_visible()


def _taken_back(service: FakeService, page: Page) -> None:
    service.event("change", change_id="h1", tool="set_rating", photos=3)
    service.event("change", change_id="h2", tool="undo_change", photos=3, undoes="h1")
    service.event("queued", message_id="m2", text="And then show me the ones without a title, please.")
    service.event("unqueued", message_id="m2", reason="returned")
    service.event("stopped", reason="user")
    stories.ask_rating(service, preview=False)
    expect(page.get_by_role("main").get_by_text("You stopped the model here.")).to_be_visible()


def _ended(service: FakeService, page: Page) -> None:
    stories.search(service)
    expect(page.get_by_role("main").get_by_text("Shall I give")).to_be_visible()
    service.ended = True
    service.drop()
    expect(page.get_by_role("heading", name="This chat has ended")).to_be_visible()


def _photo(service: FakeService, page: Page) -> None:
    stories.search(service)
    page.get_by_role("button", name="Show DSC_0410.NEF larger").click()
    expect(page.get_by_role("dialog").get_by_role("img", name="DSC_0410.NEF")).to_be_visible()


def _inbox(_service: FakeService, page: Page) -> None:
    expect(page.get_by_role("heading", name="No agent has asked anything yet")).to_be_visible()


def _asked_by_agent(service: FakeService, page: Page) -> None:
    stories.ask_by_agent(service, "c1")
    service.event("approval_resolved", call_id="c1", outcome="deny", by="client", arguments=None, note="Not these.")
    service.event("tool_skipped", call_id="c1", reason="not_allowed")
    stories.ask_by_agent(service)
    expect(page.get_by_role("button", name="Always allow")).to_be_visible()


STATES: dict[str, Callable[[FakeService, Page], None]] = {
    "welcome": _welcome,
    "conversation": _conversation,
    "question": _question,
    "bulk": _bulk,
    "streaming": _streaming,
    "taken-back": _taken_back,
    "ended": _ended,
    "photo": _photo,
    "inbox": _inbox,
    "asked-by-agent": _asked_by_agent,
}


@requirement("page.accessible")
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("state", STATES)
def test_state(
    browser: Browser, service: FakeService, state: str, width: int, scheme: Literal["dark", "light"]
) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci in ui/")
    if state == "streaming":
        service.sends_to = "OpenAI"
    context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme, locale="en-GB")
    try:
        context.add_init_script(WATCH)
        watched = Watched(context.new_page())
        page = watched.page
        page.goto(service.inbox_url if state in ("inbox", "asked-by-agent") else service.page_url)
        expect(page.get_by_text("Connected", exact=True)).to_be_visible()
        STATES[state](service, page)
        page.wait_for_timeout(350)  # pictures
        OUTPUT.mkdir(parents=True, exist_ok=True)
        whole = state in ("conversation", "question")
        if whole:
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(150)
        page.screenshot(path=OUTPUT / f"{state}-{width}-{scheme}.png", full_page=whole)
        assert _axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        assert watched.violations() == []
    finally:
        context.close()


@requirement("page.accessible")
def test_zoom_to_200_percent(browser: Browser, service: FakeService) -> None:
    """Zooming a 1280 x 720 window to 200 % leaves 640 x 360 CSS pixels."""
    context = browser.new_context(viewport={"width": 640, "height": 360}, device_scale_factor=2)
    try:
        page = context.new_page()
        page.goto(service.page_url)
        _question(service, page)
        button = page.get_by_role("button", name="Don't allow")
        button.scroll_into_view_if_needed()
        page.screenshot(path=OUTPUT / "question-zoomed.png")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = button.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.textContent", [x, y]) == "Don't allow", (
            "something lies on it"
        )
    finally:
        context.close()


def _axe(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {[node['html'][:160] + ' ' + node['failureSummary'] for node in one['nodes']]}"
        for one in found["violations"]
    ]
