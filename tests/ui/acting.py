"""What nearly every test of the page does first and next."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.ui.fake_service import FakeService

__all__ = ("open_page", "until")


def open_page(page: Page, service: FakeService) -> Locator:
    """Open the chat's page and wait until it is connected; gives the conversation."""
    page.goto(service.page_url)
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    return page.get_by_role("main")


def until(true: Callable[[], object], seconds: float = 8) -> None:
    """Wait for something that happens in the service, not on the page."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)
