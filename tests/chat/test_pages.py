"""All pages of a chat show the same over HTTP, however they come and go."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from safelight.conversation.chat_state import CallEntry, ChangeEntry, ChatState
from safelight.wire.models import ApprovalNeededEvent, BusyEvent, DeltaEvent, Event
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.chat.pages import Page
from tests.live import Live, live_service
from tests.requirement import requirement

SCRIPT = [
    {"reasoning": "I look.", "calls": [{"tool": "search_photos", "arguments": {"rating_max": 5}}], "delay_ms": 50},
    {
        "reasoning": "I rate, and look around meanwhile. " * 5,
        "calls": [
            {"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 4}},
            {"tool": "get_status"},
            {"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 5}},
        ],
        "delay_ms": 150,
    },
    {"reasoning": "Back.", "calls": [{"tool": "undo_change", "arguments": {"change_id": "${change_id}"}}]},
    {"reasoning": "Küste 🐦 " * 20, "text": "They have **four** stars — alle Möwen 🐦. " * 20, "delay_ms": 600},
    {"text": "And now they are all told. " * 20, "delay_ms": 300},
]
PAGES = 4


@requirement("event.numbered", "event.delta", "event.running-snapshot", "event.replay-property")
async def test_pages_that_join_leave_and_come_back_show_the_same_at_every_number(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    async with (
        asyncio.timeout(60),
        live_service(tmp_path, f"scripted:{script}") as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=n % 3) for n in range(1, 9)]),
    ):
        session_id = str((await live.open_chat())["session_id"])
        steady = Page(live, session_id)
        pages = [Page(live, session_id) for _ in range(PAGES)]
        over = asyncio.Event()
        visiting = [
            asyncio.create_task(_visits(page, Random(f"visitor {number}"), over)) for number, page in enumerate(pages)
        ]
        await _chat(live, session_id, steady)
        over.set()
        await asyncio.gather(*visiting)
    _is_the_whole_story(steady.state)
    for page in pages:
        assert page.at.items() <= steady.at.items()
        assert page.state == steady.state
    assert sum(page.joins_in_mid_turn for page in pages) >= PAGES


async def _visits(page: Page, random: Random, over: asyncio.Event) -> None:
    """Look in again and again, now as a page that knows where it was and now as a new one; at the end, read it all."""
    while not over.is_set():
        if random.random() < 0.3:
            page.reload()
        left = random.randint(1, 40)
        async with contextlib.aclosing(page.follow()) as events:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(random.random() / 3):
                    async for _ in events:
                        left -= 1
                        if left == 0:
                            break
    async with contextlib.aclosing(page.follow()) as events:
        head = (await anext(events)).head  # type: ignore[union-attr]  # the first event of a stream is hello
        while page.state.head < head:
            await anext(events)


async def _chat(live: Live, session_id: str, page: Page) -> None:
    """A person who allows what is asked, and meanwhile lets messages wait, changes one and takes one out."""
    base = f"/v1/chat/sessions/{session_id}"
    await live.http.post(f"{base}/messages", json={"text": "Give the gulls four stars"})
    queued = False
    async with contextlib.aclosing(page.follow()) as events:
        async for event in events:
            if isinstance(event, ApprovalNeededEvent):
                await live.http.post(f"{base}/approvals/{event.call_id}", json={"decision": "once"})
            if isinstance(event, DeltaEvent) and event.kind == "text" and not queued:
                queued = True
                await _let_messages_wait(live, base)
            if _is_the_end(event) and queued and not page.state.queue:
                return


async def _let_messages_wait(live: Live, base: str) -> None:
    for text in ("never mind", "Tell me moer"):
        answer = (await live.http.post(f"{base}/messages", json={"text": text})).json()
        url = f"{base}/queue/{answer['message_id']}"
        answered = await (live.http.delete(url) if text == "never mind" else live.http.put(url, json={"text": "More"}))
        assert answered.is_success, answered.text


async def _until(page: Page, happened: Callable[[Event], bool]) -> None:
    async with contextlib.aclosing(page.follow()) as events:
        async for event in events:
            if happened(event):
                return


def _is_the_end(event: Event) -> bool:
    return isinstance(event, BusyEvent) and not event.busy


def _is_the_whole_story(state: ChatState) -> None:
    calls = [entry for entry in state.entries if isinstance(entry, CallEntry)]
    assert [entry.status for entry in calls] == ["done"] * 5
    changes = [entry for entry in state.entries if isinstance(entry, ChangeEntry)]
    assert sorted(entry.undone for entry in changes) == [False, False, True]
    assert changes[-1].change.undoes in {entry.change.change_id for entry in changes if entry.undone}


@requirement("event.numbered")
async def test_taking_a_change_back_from_a_page_shows_on_all_pages_of_that_chat(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    rate = {"tool": "set_rating", "arguments": {"set": "view", "rating": 4}}
    script.write_text(json.dumps([{"calls": [rate]}, {"text": "Rated."}]), encoding="utf-8")
    async with (
        asyncio.timeout(30),
        live_service(tmp_path, f"scripted:{script}") as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=1) for n in range(1, 4)]) as plugin,
    ):
        opened = await live.open_chat()
        base = f"/v1/chat/sessions/{opened['session_id']}"
        await live.http.put(f"{base}/permissions", json={"mode": "auto_all", "rules": {}, "bulk_limit": 0})
        page, other = Page(live, opened["session_id"]), Page(live, opened["session_id"])
        await live.http.post(f"{base}/messages", json={"text": "Four stars"})
        await _until(page, _is_the_end)
        (change,) = [entry for entry in page.state.entries if isinstance(entry, ChangeEntry)]
        assert not change.undone
        async with live.client(opened["chat_token"]) as of_the_page:
            url = f"/v1/changes/{change.change.change_id}/undo"
            report: dict[str, Any] = (await of_the_page.post(url)).json()
            again = await of_the_page.post(url)
        assert again.status_code == 409
        for one in (page, other):
            await _until(one, lambda event: getattr(event, "undoes", None) == change.change.change_id)
    assert page.state == other.state
    first, second = [entry for entry in page.state.entries if isinstance(entry, ChangeEntry)]
    assert (first.undone, second.undone) == (True, False)
    assert (second.change.change_id, second.change.photos) == (report["change_id"], 3)
    assert {record.rating for record in plugin.photos.values()} == {1}
