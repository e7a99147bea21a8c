"""A chat on the wire tells each thing with exactly the fields that the contract lists for it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import re
from collections import defaultdict
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from safelight.chat.limits import ChatLimits
from safelight.gate.permissions import PermissionBook
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.chat.pages import streamed
from tests.live import CONTRACT, Live, live_service
from tests.requirement import requirement

SCRIPT = [
    {
        "calls": [{"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 4}}]
    },  # there is no set yet: an error
    {"reasoning": "I look.", "calls": [{"tool": "search_photos", "arguments": {"rating_max": 5}}]},
    {"calls": [{"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 4}}]},
    {
        "calls": [
            {"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 4}},
            {"tool": "undo_change", "arguments": {"change_id": "${change_id}"}},
            {"tool": "index_photos"},
            {"tool": "set_rating", "arguments": {"set": "${set_id}", "rating": 1}},
        ]
    },
    {"reasoning": "All is done. " * 5, "text": "Rated, and taken back. " * 20, "delay_ms": 1_000},
    {"text": "This one never comes to its end. " * 200, "delay_ms": 60_000},
]

DOCUMENTED = {
    "user_message": {"text"},
    "delta": {"kind", "text"},
    "assistant_turn": {"reasoning", "text"},
    "tool_call": {"call_id", "tool", "title", "class", "arguments", "photos"},
    "approval_needed": {"call_id", "reason"},
    "tool_running": {"call_id"},
    "tool_done": {"call_id", "ok", "text", "set_id", "count", "warnings", "images"},
    "tool_skipped": {"call_id", "reason"},
    "warning": {"message"},
    "error": {"code", "message"},
    "stopped": set[str](),
    "busy": {"busy"},
    "usage": {"prompt_tokens", "context_window"},
}
"""The agent chat's documented types and fields."""

ELSEWHERE = {"cleared", "prefill"}
"""Told where another model begins a chat anew, and while a model on this computer reads (test_prefill)."""

OF_THE_INBOX = {"tool_call": {"by"}, "hello": {"first"}}
"""Fields that only the inbox has: its calls are an agent's, and its oldest events are erased."""

Told = dict[str, Any]


def contract_table() -> dict[str, tuple[str, set[str]]]:
    """Delivery and fields of each type, as the contract's table has them."""
    rows = re.findall(
        r"^\| (\w+) \| (live|numbered) \| (.*?)\|$", CONTRACT["components"]["schemas"]["Event"]["description"], re.M
    )
    return {name: (delivery, set(re.findall(r"\w+", fields))) for name, delivery, fields in rows}


def schema_of(kind: str) -> dict[str, Any]:
    mapping = CONTRACT["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    return CONTRACT["components"]["schemas"][mapping[kind].rpartition("/")[2]]


@requirement("event.types")
def test_the_table_of_events_and_their_schemas_say_the_same() -> None:
    table = contract_table()
    assert table.keys() == CONTRACT["components"]["schemas"]["Event"]["discriminator"]["mapping"].keys()
    for kind, (delivery, fields) in table.items():
        schema = schema_of(kind)
        assert schema["properties"].keys() - {"type", "seq"} == fields, kind
        assert schema["x-delivery"] == delivery, kind
    for kind, fields in DOCUMENTED.items():
        assert fields <= table[kind][1], kind


@requirement("event.types", "event.resync")
async def test_a_chat_tells_every_type_of_event_with_its_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PermissionBook, "always", _full_disk)
    told = defaultdict[str, list[Told]](list)
    for event in await _story(tmp_path):
        told[event["type"]].append(event)
    table = contract_table()
    assert told.keys() == table.keys() - ELSEWHERE
    for kind, events in told.items():
        delivery, fields = table[kind]
        expected = fields - OF_THE_INBOX.get(kind, set())
        numbered = {"seq"} if delivery == "numbered" else set[str]()
        must = {*schema_of(kind)["required"]}
        for event in events:
            assert must <= event.keys() <= expected | numbered | {"type"}, event
            assert DOCUMENTED.get(kind, set()) <= event.keys(), event
        assert {name for event in events for name in event} == expected | numbered | {"type"}, kind
    assert {event["reason"]["kind"] for event in told["approval_needed"]} == {"mode", "bulk"}
    assert {event["kind"] for event in told["delta"]} == {"reasoning", "text"}
    assert {event["reason"] for event in told["tool_skipped"]} == {"repeated_call", "not_allowed"}
    assert {event["reason"] for event in told["unqueued"]} == {"delivered", "removed", "returned"}


def _full_disk(book: PermissionBook, tool: str, place: Path | None) -> bool:
    del book, tool, place
    raise OSError(errno.ENOSPC, "No space left on device")


async def _story(folder: Path) -> list[Told]:
    """All that the readers of one chat are told, in which whatever can happen does."""
    script = folder / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    told: list[Told] = []
    tools: dict[str, str] = {}
    async with (
        asyncio.timeout(60),
        live_service(folder, f"scripted:{script}", limits=ChatLimits(approval_expiry_s=60)) as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=n % 3) for n in range(1, 251)]),
    ):
        chat = _Chat(live, str((await live.open_chat())["session_id"]))
        await chat.post("messages", text="Rate them.")
        async with contextlib.aclosing(streamed(live, chat.session_id, 0)) as events:
            async for event in events:
                told.append(event)
                if event["type"] == "tool_call":
                    tools[event["call_id"]] = event["tool"]
                elif event["type"] == "approval_needed":
                    await chat.answer(event, tools[event["call_id"]])
                elif event["type"] == "error":
                    await chat.post("messages", text="Try again.")
                elif event["type"] == "delta":
                    told += await chat.in_mid_turn(event)
                elif event["type"] == "stopped":
                    break
        told += [event async for event in streamed(live, chat.session_id, 99_999)]
    return told


class _Chat:
    """What the person does in the story."""

    def __init__(self, live: Live, session_id: str) -> None:
        self.session_id = session_id
        self._live = live
        self._base = f"/v1/chat/sessions/{session_id}"
        self._joined = False

    async def post(self, path: str, **body: Any) -> Told:
        answer = await self._live.http.post(f"{self._base}/{path}", json=body or None)
        assert answer.is_success, answer.text
        return answer.json()

    async def answer(self, question: Told, tool: str) -> None:
        """The first call of a tool opens it for more, as far as that goes; many photos are too many."""
        first = {"index_photos": "always", "set_rating": "chat"}.get(tool, "once")
        decision = "deny" if question["reason"]["kind"] == "bulk" else first
        assert decision in question["decisions"]
        await self.post(f"approvals/{question['call_id']}", decision=decision)

    async def in_mid_turn(self, piece: Told) -> list[Told]:
        """In the one turn somebody else joins, and messages wait; in the other the person stops the model."""
        if piece["offset"] > 0 and not self._joined:
            self._joined = True
            return await self._queue()
        if piece["offset"] == 0 and piece["text"].startswith("This"):
            await self._stop()
        return []

    async def _queue(self) -> list[Told]:
        message_id = (await self.post("messages", text="Never mind."))["message_id"]
        assert (await self._live.http.delete(f"{self._base}/queue/{message_id}")).is_success
        await self.post("messages", text="Go on.")
        async with contextlib.aclosing(streamed(self._live, self.session_id, 0)) as joined:
            return [event async for event in _up_to_the_snapshot(joined)]

    async def _stop(self) -> None:
        waiting = await self.post("messages", text="And then?")
        returned = (await self.post("stop"))["returned"]
        assert returned == [{"message_id": waiting["message_id"], "text": "And then?"}]


async def _up_to_the_snapshot(events: AsyncGenerator[Told]) -> AsyncGenerator[Told]:
    """What is live of that: the numbered events are told to the other reader too."""
    async for event in events:
        if "seq" not in event:
            yield event
        if event["type"] == "snapshot":
            return
