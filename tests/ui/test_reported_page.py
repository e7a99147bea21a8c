"""What people reported of other agents' pages: a question that hides what it asks for."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.requirement import requirement
from tests.ui.acting import open_page
from tests.ui.fake_service import FakeService


@requirement("page.approval")
def test_a_question_shows_every_argument_to_its_last_character(page: Page, service: FakeService) -> None:
    """janhq/jan#5656: the box hid the arguments."""
    main = open_page(page, service)
    caption = "Boats in the harbour. " * 90 + "And the very end."
    service.event("user_message", message_id="m1", text="Describe them.")
    service.event("busy", busy=True)
    service.event(
        "tool_call",
        call_id="c1",
        tool="set_metadata",
        title="Change title and caption",
        **{"class": "destructive"},
        arguments={"set": "selection", "caption": caption},
        photos=3,
    )
    service.event(
        "approval_needed",
        call_id="c1",
        reason={"kind": "mode"},
        preview=None,
        decisions=["once", "chat", "always", "deny"],
        always=None,
    )
    expect(main.get_by_role("group", name="May this be done?")).to_be_visible()
    end = main.get_by_text("And the very end.")
    end.scroll_into_view_if_needed()
    expect(end).to_be_visible()
    assert "Boats in the harbour. " * 90 in " ".join(end.inner_text().split("\n")).replace("\u00a0", " ")
    box, screen = end.bounding_box(), page.viewport_size
    assert box is not None
    assert screen is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= screen["width"]
