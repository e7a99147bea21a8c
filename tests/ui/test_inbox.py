"""The page of the inbox: what agents from outside ask, shown and answered there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.demo import running_demo
from tests.requirement import requirement
from tests.ui import stories
from tests.ui.acting import until
from tests.ui.conftest import Watched
from tests.ui.fake_service import FakeService

PATIENCE_S = 60
PICTURES = Path(__file__).parents[1] / "output"


class Outside:
    """A running service, and an agent's program that works with it through MCP, in a thread of its own."""

    def __init__(self, http: httpx.Client, threads: ThreadPoolExecutor) -> None:
        self._http = http
        self._threads = threads
        self._token = self._posted("/v1/tokens", {"name": "Claude", "role": "owner"})["token"]
        self.page_url = self._posted("/v1/chat/sessions", {"view": "inbox"})["page_url"]

    def call(self, tool: str, **arguments: Any) -> Future[CallToolResult]:
        """A call that goes on by itself."""
        return self._threads.submit(asyncio.run, self._call(tool, arguments))

    def ratings(self) -> set[int | None]:
        """Of the selected photos, as the agent reads them."""
        content = self.call("get_photos", set="selection").result(PATIENCE_S).structured_content
        assert content is not None
        return {photo["rating"] for photo in content["photos"]}

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        headers = {"authorization": f"Bearer {self._token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http,
            Client(streamable_http_client(f"{self._http.base_url}/mcp", http_client=http)) as client,
        ):
            return await client.call_tool(tool, arguments)

    def _posted(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()


@contextmanager
def outside(folder: Path) -> Generator[Outside]:
    # The threads outlast the service: at its end it ends the calls that still wait.
    with ThreadPoolExecutor() as threads, running_demo(folder, "--model", "scripted:tests/data/rate.json") as ready:
        url = f"http://{urlsplit(str(ready['page_url'])).netloc}"
        token = (folder / "agent-token").read_text(encoding="ascii").strip()
        with httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=20) as http:
            yield Outside(http, threads)


def opened(page: Page, url: str) -> Locator:
    page.goto(url)
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    return page.get_by_role("main")


@requirement("mcp.approvals", "change.journal", "page.approval")
def test_a_question_of_an_agent_is_shown_allowed_by_keyboard_and_taken_back(
    context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    page, other = watched.page, context.new_page()
    with outside(tmp_path) as service:
        inbox, mirrored = opened(page, service.page_url), opened(other, service.page_url)
        before = service.ratings()
        assert before != {5}
        expect(inbox.get_by_role("heading", name="No agent has asked anything yet")).to_be_visible()
        call = service.call("set_rating", set="selection", rating=5)
        question = inbox.get_by_role("group", name="May this be done?")
        expect(question).to_be_focused()
        expect(inbox.get_by_text("Asked by agent Claude")).to_be_visible()
        expect(question.get_by_text("for all agents from outside")).to_be_visible()
        expect(question.get_by_role("button", name="Allow in this chat")).to_have_count(0)
        until(lambda: page.evaluate("[...document.images].filter((image) => image.naturalWidth > 0).length >= 3"))
        PICTURES.mkdir(exist_ok=True)
        page.screenshot(path=PICTURES / "inbox-question.png")
        assert not call.done()
        allow = question.get_by_role("button", name="Allow once")
        for _ in range(8):
            page.keyboard.press("Tab")
            if allow.evaluate("(button) => button === document.activeElement"):
                break
        page.keyboard.press("Enter")
        assert not call.result(PATIENCE_S).is_error
        assert service.ratings() == {5}
        for shown in (inbox, mirrored):
            card = shown.get_by_role("article", name="Rate photos")
            expect(card.get_by_text("Allowed once")).to_be_visible()
            expect(card.get_by_role("button", name="larger")).to_have_count(3)
            expect(card.get_by_text("Answer in full")).to_have_count(0)
        expect(inbox.get_by_role("paragraph").filter(has_text="3 photos changed in Lightroom")).to_be_visible()
        undo = inbox.get_by_role("button", name="Undo")
        undo.focus()
        page.keyboard.press("Enter")
        expect(undo).to_have_count(0)
        expect(inbox).to_be_focused()
        assert service.ratings() == before
        for shown in (inbox, mirrored):
            expect(shown.get_by_text("Undone.")).to_be_visible()
            expect(shown.get_by_role("button", name="Redo")).to_be_visible()
        assert mirrored.inner_text() == inbox.inner_text()
        page.screenshot(path=PICTURES / "inbox-answered.png")
        assert watched.violations() == []
        assert watched.complaints == []


@requirement("mcp.approvals")
def test_a_refusal_reaches_the_agent_with_what_the_person_says(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    with outside(tmp_path) as service:
        inbox = opened(page, service.page_url)
        before = service.ratings()
        call = service.call("set_rating", set="selection", rating=1)
        inbox.get_by_label("Say why (optional)").fill("only the best three")
        page.keyboard.press("Enter")
        result = call.result(PATIENCE_S)
        assert result.is_error
        assert "only the best three" in json.dumps([block.model_dump() for block in result.content])
        expect(inbox.get_by_text("Not allowed: only the best three")).to_be_visible()
        assert service.ratings() == before
        assert watched.violations() == []
        assert watched.complaints == []


def test_it_asks_nothing_of_the_chat_and_offers_nowhere_to_write(page: Page, service: FakeService) -> None:
    inbox = opened(page, service.inbox_url)
    expect(page.get_by_role("heading", level=1, name="Questions from other agents")).to_be_visible()
    assert "#" not in page.url
    expect(page.get_by_role("textbox")).to_have_count(0)
    stories.ask_by_agent(service)
    inbox.get_by_role("button", name="Always allow").click()
    until(lambda: service.asked("POST", "/v1/inbox/c2"))
    assert service.asked("POST", "/v1/inbox/c2")[0].body == {"decision": "always"}
    service.event("approval_resolved", call_id="c2", outcome="always", by="page", arguments=None)
    service.event("tool_running", call_id="c2")
    content = {"applied": ["p2"], "failed": [{"photo_id": "p8", "reason": "Offline."}], "not_attempted": []}
    text = json.dumps(content)
    service.event("tool_done", call_id="c2", ok=True, text=text, set_id=None, count=None, warnings=[], images=0)
    expect(inbox.get_by_text("1 photo not changed: Offline.")).to_be_visible()
    expect(inbox.get_by_role("button", name="Show DSC_0412.NEF larger")).to_be_visible()
    page.reload()
    expect(inbox.get_by_text("Always allowed")).to_be_visible()
    asked = {one.path for one in service.requests if "/photos/" not in one.path}
    assert asked == {"/v1/ui/chat", "/v1/inbox/events", "/v1/inbox/c2"}


def test_it_goes_on_with_the_oldest_event_that_is_kept(page: Page, service: FakeService) -> None:
    for number in range(5):
        service.event("warning", message=f"warning {number}")
    service.erase(3)
    inbox = opened(page, service.inbox_url)
    expect(inbox.get_by_text("warning 3")).to_be_visible()
    expect(inbox.get_by_text("warning 4")).to_be_visible()
    assert len(service.asked("GET", "/events")) == 1, "what is no longer kept is no gap"


def test_says_when_its_key_no_longer_works(watched: Watched, service: FakeService) -> None:
    page = watched.page
    opened(page, service.inbox_url)
    service.ended = True
    service.drop()
    expect(page.get_by_role("heading", name="The key of this page no longer works")).to_be_visible()
