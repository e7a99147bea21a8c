"""Reconnecting with ``?after=`` over HTTP at every position of a recorded chat gives the same state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.requirement import requirement

SCRIPT = [
    {"reasoning": "I look.", "calls": [{"tool": "search_photos", "arguments": {"rating_max": 5}}]},
    {"reasoning": "I rate.", "calls": [{"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 4}}]},
    {"reasoning": "I say so.", "text": "They have **four** stars — alle Möwen 🐦."},
]

Event = dict[str, Any]


async def stream_until(live: Live, session_id: str, after: int, last: int) -> list[Event]:
    """The numbered events of one connection, up to and with a number."""
    seen: list[Event] = []
    url = f"/v1/chat/sessions/{session_id}/events"
    if after >= last:
        return seen
    async with live.http.stream("GET", url, params={"after": str(after)}) as answer:
        async for line in lines_of(answer):
            if line.startswith("data: "):
                event = json.loads(line[6:])
                if "seq" in event:
                    seen.append(event)
                    if event["seq"] >= last:
                        return seen
    raise AssertionError("the stream ended early")


async def lines_of(answer: httpx.Response) -> AsyncIterator[str]:
    """Lines ended by a line feed alone, as the stream has them."""
    rest = b""
    async for chunk in answer.aiter_raw():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8")


async def record(folder: Path) -> tuple[list[Event], list[list[Event]]]:
    """A chat with a search, a question that is denied and an answer; then what each position gets on reconnecting."""
    script = folder / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    async with (
        asyncio.timeout(60),
        live_service(folder, f"scripted:{script}") as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=n % 6) for n in range(1, 9)]),
    ):
        chat = await live.open_chat()
        session_id = chat["session_id"]
        base = f"/v1/chat/sessions/{session_id}"
        await live.http.post(f"{base}/messages", json={"text": "Give the gulls four stars"})
        call_id = ""
        while not call_id:
            waiting = (await live.http.get(f"{base}/approvals")).json()["approvals"]
            call_id = waiting[0]["call_id"] if waiting else ""
        await live.http.post(f"{base}/approvals/{call_id}", json={"decision": "deny", "note": "not these"})
        state = (await live.http.get(base)).json()
        while state["busy"]:
            state = (await live.http.get(base)).json()
        whole = await stream_until(live, session_id, 0, state["head"])
        return whole, [await stream_until(live, session_id, k, state["head"]) for k in range(state["head"] + 1)]


def fold(state: dict[str, Any], event: Event) -> dict[str, Any]:
    """What a page keeps: duplicates change nothing, a gap is an error."""
    if event["seq"] <= state["seq"]:
        return state
    assert event["seq"] == state["seq"] + 1
    state = {**state, "seq": event["seq"]}
    kind = event["type"]
    if kind == "busy":
        return {**state, "busy": event["busy"]}
    if "call_id" in event:
        calls: dict[str, list[Event]] = state["calls"]
        return {**state, "calls": {**calls, event["call_id"]: [*calls.get(event["call_id"], []), event]}}
    return {**state, "items": [*state["items"], event]}


EMPTY: dict[str, Any] = {"seq": 0, "busy": False, "calls": {}, "items": []}


def state_of(*parts: list[Event]) -> dict[str, Any]:
    state = EMPTY
    for part in parts:
        for event in part:
            state = fold(state, event)
    return state


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Event], list[list[Event]]]:
    return asyncio.run(record(tmp_path_factory.mktemp("recorded")))


@requirement("event.numbered", "event.replay-property")
def test_every_position_gets_exactly_the_rest(recorded: tuple[list[Event], list[list[Event]]]) -> None:
    """open-webui/open-webui PR#26320, open-webui/open-webui#26315: the page waited for an end that it had missed."""
    whole, rests = recorded
    assert [event["seq"] for event in whole] == list(range(1, len(whole) + 1))
    for position, rest in enumerate(rests):
        assert rest == whole[position:]


@requirement("event.replay-property")
@given(data=st.data())
def test_any_chain_of_reconnects_gives_the_same_state(
    recorded: tuple[list[Event], list[list[Event]]], data: st.DataObject
) -> None:
    whole, rests = recorded
    parts: list[list[Event]] = []
    at = 0
    for _ in range(data.draw(st.integers(0, 6), label="dropped connections")):
        read = data.draw(st.integers(0, len(rests[at])), label="events read before the cut")
        parts.append(rests[at][:read])
        at = data.draw(st.integers(0, at + read), label="after")
    parts.append(rests[at])
    assert state_of(*parts) == state_of(whole)
