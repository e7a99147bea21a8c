"""What the page says and offers when something ends: a run is stopped, a change taken back, a question expired."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.requirement import requirement
from tests.ui.acting import open_page, until
from tests.ui.conftest import Watched
from tests.ui.fake_service import FakeService

LATER = "2026-11-30T18:30:00Z"
REPORT = {
    "applied": ["p2", "p8"],
    "failed": [{"photo_id": "p9", "reason": "It was changed since, so it was left as it is."}],
    "not_attempted": [],
    "change_id": "h2",
}


def _ask(service: FakeService, decisions: list[str], **more: object) -> None:
    service.event("busy", busy=True)
    _call(service, "c1")
    reason = {"kind": "mode"}
    service.event("approval_needed", call_id="c1", reason=reason, preview=None, decisions=decisions, **more)


def _call(service: FakeService, call_id: str) -> None:
    service.event(
        "tool_call",
        call_id=call_id,
        tool="set_rating",
        title="Rate photos",
        **{"class": "destructive"},
        arguments={"rating": 5},
        photos=3,
    )


@requirement("page.approval")
def test_only_the_answers_that_are_possible_are_offered(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    _ask(service, ["once", "deny"], always=None, expires=LATER)
    expect(main.get_by_role("button", name="Allow once")).to_be_visible()
    expect(main.get_by_role("button", name="Don't allow")).to_be_visible()
    expect(main.get_by_role("button", name="in this chat")).to_have_count(0)
    expect(main.get_by_role("button", name="Always")).to_have_count(0)
    expect(main.get_by_text("Without an answer until Nov 30, 2026")).to_be_visible()


@requirement("page.approval")
def test_why_a_question_has_expired_is_told(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    _ask(service, ["once", "deny"])
    note = "nobody was at the page for 10 minutes"
    service.event("approval_resolved", call_id="c1", outcome="expired", by="service", arguments=None, note=note)
    service.event("tool_skipped", call_id="c1", reason="not_allowed")
    expect(main.get_by_text(f"Nobody answered in time, so it was not done: {note}")).to_be_visible()


@requirement("page.cards")
@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("read_only", "Safelight may only look just now."),
        ("agents_off", "AI agents are turned off in Lightroom."),
        ("last_step", "the model had no step left."),
    ],
)
def test_why_a_call_did_not_run_is_told(page: Page, service: FakeService, reason: str, words: str) -> None:
    main = open_page(page, service)
    _call(service, "c1")
    service.event("tool_skipped", call_id="c1", reason=reason)
    expect(main.get_by_text(words)).to_be_visible()


def _stop_with_two_that_wait(service: FakeService, page: Page) -> None:
    service.returned = [{"message_id": "m2", "text": "and the gulls"}, {"message_id": "m3", "text": "and the boats"}]
    service.event("busy", busy=True)
    for message in service.returned:
        service.event("queued", **message)
    page.get_by_role("button", name="Stop").click()
    until(lambda: service.asked("POST", "/stop"))
    for message in service.returned:
        service.event("unqueued", message_id=message["message_id"], reason="returned")
    service.event("stopped", reason="user")
    service.event("busy", busy=False)


def test_messages_that_waited_come_back_into_an_empty_message(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    _stop_with_two_that_wait(service, page)
    expect(page.get_by_label("Your message")).to_have_value("and the gulls\n\nand the boats")
    expect(main.get_by_text("Not sent, because the model was stopped:")).to_have_count(2)
    expect(page.get_by_text("In the queue")).to_have_count(0)


def test_messages_that_waited_are_offered_where_something_is_being_written(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    message = page.get_by_label("Your message")
    message.fill("Wait,")
    _stop_with_two_that_wait(service, page)
    main.get_by_role("button", name="Put back into your message").last.press("Enter")
    expect(message).to_have_value("Wait,\n\nand the boats")
    expect(message).to_be_focused()


def test_a_service_that_was_ended_is_told(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    service.event("stopped", reason="service")
    expect(main.get_by_text("Safelight was ended here.")).to_be_visible()


@requirement("page.cards")
def test_a_change_is_taken_back_once_and_every_page_shows_it(
    context: BrowserContext, page: Page, service: FakeService
) -> None:
    main = open_page(page, service)
    other = Watched(context.new_page())
    other_main = open_page(other.page, service)
    service.event("change", change_id="h1", tool="set_rating", photos=3)
    service.undos["h1"] = REPORT
    undo = main.get_by_role("button", name="Undo")
    expect(other_main.get_by_role("button", name="Undo")).to_be_visible()
    undo.press("Enter")
    until(lambda: service.asked("POST", "/v1/changes/h1/undo"))
    service.event("change", change_id="h2", tool="undo_change", photos=2, undoes="h1")
    expect(main.get_by_text("1 photo left as now. It was changed since")).to_be_visible()
    expect(page.get_by_label("Your message")).to_be_focused()
    for each in (main, other_main):
        expect(each.get_by_text("Undone.")).to_be_visible()
        expect(each.get_by_role("button", name="Undo")).to_have_count(0)
        expect(each.get_by_text("2 photos put back in Lightroom as before.").first).to_be_visible()
    assert len(service.asked("POST", "/v1/changes/h1/undo")) == 1
    assert other.complaints == []


@requirement("page.cards")
def test_a_change_that_cannot_be_taken_back_says_why(watched: Watched, service: FakeService) -> None:
    main = open_page(watched.page, service)
    service.event("change", change_id="h1", tool="set_rating", photos=3)
    main.get_by_role("button", name="Undo").click()
    expect(main.get_by_text("Nothing of this change is left to take back.")).to_be_visible()
    expect(main.get_by_role("button", name="Undo")).to_have_count(0)
