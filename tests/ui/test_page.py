"""The built page in a real browser, under its policy, against a service that a test scripts."""

from __future__ import annotations

import json
import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.requirement import requirement
from tests.ui import stories
from tests.ui.acting import open_page, until
from tests.ui.conftest import Watched
from tests.ui.fake_service import PAGE, SESSION, TOKEN, FakeService


@requirement("page.one-file")
def test_one_file_with_one_script_and_one_style() -> None:
    html = PAGE.read_text(encoding="utf-8")
    markup = re.sub(r"(<(script|style)[^>]*>).*?(</\2>)", r"\1\3", html, flags=re.DOTALL)
    assert re.findall(r"<(?:script|style)[^>]*>", markup) == ["<style>", '<script type="module">']
    assert re.findall(r"\s(?:src|href)=\"(?!data:)", markup) == []
    assert re.findall(r"\s(?:on\w+|style)=", markup) == []
    assert "\r" not in html
    assert len(html.encode()) < 150_000


@requirement("auth.fragment")
def test_takes_the_key_out_of_the_address_bar(page: Page, service: FakeService) -> None:
    open_page(page, service)
    assert page.url == f"{service.url}/v1/ui/chat"
    assert page.evaluate("history.length") <= 2
    page.reload()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    streams = service.asked("GET", "/events")
    assert [one.token for one in streams] == [TOKEN, TOKEN]
    assert all(TOKEN not in one.path + json.dumps(one.query) for one in service.requests)


@requirement("auth.fragment")
def test_works_where_storage_is_blocked(context: BrowserContext, watched: Watched, service: FakeService) -> None:
    context.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
    )
    open_page(watched.page, service)
    assert watched.page.url == f"{service.url}/v1/ui/chat"
    assert watched.complaints == []


def test_without_a_key_says_where_to_get_one(page: Page, service: FakeService) -> None:
    page.goto(f"{service.url}/v1/ui/chat")
    expect(page.get_by_role("heading", name="Open the chat from Lightroom")).to_be_visible()
    assert service.asked("GET", "/events") == []


@requirement("page.turns")
def test_streams_a_turn_and_folds_its_reasoning(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    service.event("user_message", message_id="m1", text="Hello")
    service.event("busy", busy=True)
    service.live("delta", kind="reasoning", text="They greet.", offset=0)
    expect(main.get_by_text("They greet.")).to_be_visible()
    expect(main.get_by_text("Thinking:")).to_be_visible()
    expect(main.locator("[aria-busy=true]")).to_have_count(1)
    service.live("delta", kind="text", text="Good **eve", offset=11)
    service.live("delta", kind="text", text="ning**", offset=21)
    expect(main.locator("strong")).to_have_text("evening")
    expect(page.locator("[aria-live=polite]")).to_be_empty()
    service.event("assistant_turn", reasoning="They greet.", text="Good **evening**.")
    service.event("busy", busy=False)
    expect(main.locator("[aria-busy=true]")).to_have_count(0)
    expect(main.get_by_text("They greet.")).to_be_hidden()
    expect(page.locator("[aria-live=polite]")).to_have_text("Safelight: Good evening.")


def test_joins_a_running_turn_by_its_snapshot(page: Page, service: FakeService) -> None:
    service.event("busy", busy=True)
    service.snapshot = {"reasoning": "", "text": "Once upon", "offset": 9}
    main = open_page(page, service)
    service.live("delta", kind="text", text=" upon", offset=4)
    service.live("delta", kind="text", text=" a time", offset=9)
    expect(main.locator(".markdown")).to_have_text("Once upon a time")


@requirement("page.stream")
def test_connects_again_after_a_dropped_stream(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    stories.search(service)
    expect(main.get_by_text("Shall I give")).to_be_visible()
    service.drop()
    until(lambda: len(service.asked("GET", "/events")) == 2)
    assert service.asked("GET", "/events")[1].query == {"after": [str(service.head)]}
    service.event("warning", message="after the drop")
    expect(main.get_by_text("after the drop")).to_be_visible()
    drawn = main.locator("article header, .user, .details, .markdown, .notice")
    before = drawn.all_inner_texts()
    assert len(before) > 5
    page.reload()
    expect(main.get_by_text("after the drop")).to_be_visible()
    assert service.asked("GET", "/events")[2].query == {}
    assert drawn.all_inner_texts() == before


@requirement("page.stream")
def test_begins_anew_when_the_service_lost_its_log(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    service.event("warning", message="the first")
    service.event("warning", message="the second")
    expect(main.get_by_text("the second")).to_be_visible()
    service.forget(1)
    service.drop()
    expect(main.get_by_text("the second")).to_have_count(0)
    expect(main.get_by_text("the first")).to_have_count(1)


@requirement("page.stream")
def test_notices_a_silent_connection(page: Page, service: FakeService) -> None:
    service.keepalive_s = 0.2
    open_page(page, service)
    page.wait_for_timeout(1200)
    assert len(service.asked("GET", "/events")) == 1, "comments are a sign of life"
    service.silent = True
    until(lambda: len(service.asked("GET", "/events")) >= 2)


def test_says_when_the_connection_is_lost(watched: Watched, service: FakeService) -> None:
    page = watched.page
    open_page(page, service)
    service.unreachable = True
    service.drop()
    expect(page.get_by_text("Connection lost – trying again")).to_be_visible()
    page.get_by_label("Your message").fill("Are you there?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Not sent. Safelight does not answer.")
    expect(page.get_by_label("Your message")).to_have_value("Are you there?")
    service.unreachable = False
    expect(page.get_by_text("Connected", exact=True)).to_be_visible(timeout=15_000)


def test_says_when_the_chat_has_ended(watched: Watched, service: FakeService) -> None:
    page = watched.page
    open_page(page, service)
    service.ended = True
    service.drop()
    expect(page.get_by_role("heading", name="This chat has ended or its key no longer works")).to_be_visible()
    expect(page.get_by_label("Your message")).to_be_hidden()
    asked = len(service.asked("GET", "/events"))
    page.wait_for_timeout(1500)
    assert len(service.asked("GET", "/events")) == asked


def test_sends_by_enter_and_breaks_lines_by_shift(page: Page, service: FakeService) -> None:
    open_page(page, service)
    box = page.get_by_label("Your message")
    expect(box).to_be_focused()
    page.keyboard.type("Find the gulls")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("and the pier")
    page.keyboard.press("Enter")
    expect(box).to_have_value("")
    assert [one.body for one in service.asked("POST", "/messages")] == [{"text": "Find the gulls\nand the pier"}]
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert len(service.asked("POST", "/messages")) == 1, "an empty message is none"


def test_two_quick_enters_send_one_message(page: Page, service: FakeService) -> None:
    open_page(page, service)
    page.get_by_label("Your message").fill("Once")
    page.evaluate(
        """() => { for (const _ of [1, 2, 3]) document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true})); }"""
    )
    expect(page.get_by_label("Your message")).to_have_value("")
    assert len(service.asked("POST", "/messages")) == 1


def test_what_was_written_when_the_chat_ended_stays(watched: Watched, service: FakeService) -> None:
    page = watched.page
    open_page(page, service)
    page.get_by_label("Your message").fill("A long thought")
    service.ended = True
    service.drop()
    expect(page.get_by_role("heading", name="This chat has ended")).to_be_visible()
    expect(page.get_by_label("Your message")).to_have_value("A long thought")


def test_an_example_is_written_not_sent(page: Page, service: FakeService) -> None:
    open_page(page, service)
    page.get_by_role("button", name="Give the selected photos three stars").click()
    expect(page.get_by_label("Your message")).to_have_value("Give the selected photos three stars")
    assert service.asked("POST", "/messages") == []


def test_stops_and_takes_messages_out_of_the_queue(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    service.event("busy", busy=True)
    service.event("queued", message_id="m7", text="And the pier")
    page.get_by_role("button", name="Remove from the queue: And the pier").click()
    until(lambda: service.asked("DELETE", "/queue/m7"))
    service.event("unqueued", message_id="m7")
    expect(page.get_by_text("And the pier")).to_have_count(0)
    service.live("delta", kind="text", text="Half a sent", offset=0)
    expect(main.get_by_text("Half a sent")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    until(lambda: service.asked("POST", "/stop"))
    service.event("stopped", reason="user")
    service.event("busy", busy=False)
    expect(main.get_by_text("You stopped the model here.")).to_be_visible()
    expect(main.get_by_text("Half a sent")).to_have_count(0)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_follows_the_end_but_leaves_a_reader_alone(page: Page, service: FakeService) -> None:
    main = open_page(page, service)
    for number in range(30):
        service.event("assistant_turn", reasoning="", text=f"Paragraph {number}\n\nand more")
    expect(main.get_by_text("Paragraph 29")).to_be_in_viewport()
    page.mouse.wheel(0, -3000)
    newest = page.get_by_role("button", name="Newest below")
    expect(newest).to_be_visible()
    service.event("assistant_turn", reasoning="", text="Paragraph 30")
    expect(main.get_by_text("Paragraph 30")).not_to_be_in_viewport()
    newest.click()
    expect(main.get_by_text("Paragraph 30")).to_be_in_viewport()


def test_a_long_chat_draws_its_end_first(page: Page, service: FakeService) -> None:
    for number in range(400):
        service.event("user_message", message_id=f"m{number}", text=f"Message {number}.")
    main = open_page(page, service)
    expect(main.get_by_text("Message 399.")).to_be_visible()
    expect(main.locator(".user")).to_have_count(150)
    page.get_by_role("button", name="Show 250 earlier entries").click()
    expect(main.locator(".user")).to_have_count(300)


def test_another_address_in_the_same_tab_counts(page: Page, service: FakeService) -> None:
    page.goto(f"{service.url}/v1/ui/chat")
    expect(page.get_by_role("heading", name="Open the chat from Lightroom")).to_be_visible()
    page.evaluate("hash => { location.hash = hash; }", f"session={SESSION}&token={TOKEN}")
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    assert "#" not in page.url
