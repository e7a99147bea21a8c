"""The page on the real service: the plug-in's Lua, a simulated catalog, a scripted model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.demo import running_demo
from tests.requirement import requirement
from tests.ui.acting import until
from tests.ui.conftest import Watched

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 90_000
"""The demo's model loads, reads its prompt and answers, on however busy a machine."""

PICTURES = ROOT / "tests" / "output"


def script(name: str) -> str:
    return f"scripted:tests/data/{name}"


def opened(page: Page, ready: dict[str, Any]) -> Locator:
    page.goto(ready["page_url"])
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    return page.get_by_role("main")


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def answer(conversation: Locator) -> Locator:
    """What the demo's own model says at the end."""
    return conversation.get_by_text(re.compile(r"Photos found: \d+"))


def drawn(page: Page, count: int) -> None:
    """Wait until so many pictures are there, whole."""
    whole = "[...document.images].every((image) => image.complete && image.naturalWidth > 0)"
    until(lambda: page.evaluate(f"document.images.length >= {count} && {whole}"))


@requirement("page.stream", "page.cards", "page.photos", "page.turns", "auth.fragment")
def test_a_photographer_asks_for_the_five_star_photos_and_sees_them(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    with running_demo(tmp_path) as ready:
        conversation = opened(page, ready)
        assert "#" not in page.url
        say(page, "Show me the five-star photos")
        card = conversation.get_by_role("article", name="Search photos")
        expect(card).to_be_visible(timeout=PATIENCE_MS)
        expect(answer(conversation)).to_be_visible(timeout=PATIENCE_MS)
        expect(card.get_by_role("button", name=re.compile("^Show .* larger$")).first).to_be_visible()
        drawn(page, 9)
        PICTURES.mkdir(exist_ok=True)
        page.screenshot(path=PICTURES / "five-star.png")
        before = conversation.inner_text()
        page.reload()
        expect(answer(conversation)).to_be_visible()
        drawn(page, 9)
        assert conversation.inner_text() == before
        assert watched.violations() == []
        assert watched.complaints == []


@requirement("page.approval")
@pytest.mark.parametrize("allow", [True, False], ids=["allowed", "not allowed"])
def test_a_change_waits_for_the_person_and_does_what_they_say(watched: Watched, tmp_path: Path, allow: bool) -> None:
    page = watched.page
    with running_demo(tmp_path, "--model", script("rate.json")) as ready:
        conversation = opened(page, ready)
        say(page, "Give the selected photos five stars")
        expect(page.get_by_role("group", name="May this be done?")).to_be_visible()
        drawn(page, 3)
        page.screenshot(path=PICTURES / f"question-{'yes' if allow else 'no'}.png")
        page.get_by_role("button", name="Allow once" if allow else "Don't allow").click()
        expect(conversation.get_by_text("The selected photos now have five stars.")).to_be_visible()
        card = conversation.get_by_role("article", name="Rate photos")
        expect(card.get_by_text("Allowed once" if allow else "Not allowed").first).to_be_visible()
        page.screenshot(path=PICTURES / f"answered-{'yes' if allow else 'no'}.png")
        assert watched.violations() == []
        assert watched.complaints == []


def test_two_pages_of_one_chat_show_the_same(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    with running_demo(tmp_path, "--model", script("rate.json")) as ready:
        conversation = opened(page, ready)
        other = context.new_page()
        mirrored = opened(other, ready)
        say(page, "Give the selected photos five stars")
        question = other.get_by_role("group", name="May this be done?")
        expect(question).to_be_visible()
        other.get_by_role("button", name="Don't allow").click()
        for shown in (conversation, mirrored):
            expect(shown.get_by_text("The selected photos now have five stars.")).to_be_visible()
        assert mirrored.inner_text() == conversation.inner_text()
