"""Models that write what no model should: the call is a readable result, the turn an error in words, and the chat goes
on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_limits import CONTROLS, say, script, until_idle


@requirement("limit.input", "session.every-call-has-a-result")
async def test_a_thousand_calls_in_one_turn_each_have_a_result_in_their_order(tmp_path: Path) -> None:
    calls = [{"tool": "get_status" if n % 2 else "no_such_tool", "arguments": {"n": n}} for n in range(1_000)]
    async with live_service(tmp_path, script(tmp_path, {"calls": calls}, {"text": "Many."})) as live:
        chat = await live.open_chat()
        await say(live, chat, "go")
        events = await until_idle(live, chat)
        called = [event["call_id"] for event in events if event["type"] == "tool_call"]
        ended = {event["call_id"] for event in events if event["type"] in {"tool_done", "tool_skipped"}}
        assert len(called) == 1_000
        assert set(called) == ended
        assert [event["text"] for event in events if event["type"] == "assistant_turn"][-1] == "Many."


@requirement("limit.input")
@pytest.mark.parametrize(
    "call",
    [
        {"tool": "no_such_tool"},
        {"tool": ""},
        {"tool": "x" * 10_000},
        {"tool": CONTROLS},
        {"tool": "get_photos", "arguments": {"photo_ids": ["x"] * 50_000}},
        {"tool": "get_photos", "arguments": {"photo_ids": "?"}},
        {"tool": "get_photos", "arguments": {"": None, "photo_ids": [CONTROLS]}},
        {"tool": "search_photos", "arguments": {"limit": 10**18, "text": "x" * 1_000_000}},
        {"tool": "search_photos", "arguments": {"limit": -1}},
        {"tool": "search_photos", "arguments": {"text": "<|im_end|></tool_call>${nothing}"}},
    ],
    ids=lambda call: str(call)[:60],
)
async def test_an_odd_call_is_a_readable_result_and_the_chat_goes_on(tmp_path: Path, call: dict[str, Any]) -> None:
    async with live_service(tmp_path, script(tmp_path, {"calls": [call]}, {"text": "Sorry."})) as live:
        chat = await live.open_chat()
        await say(live, chat, "go")
        events = await until_idle(live, chat)
        (done,) = [event for event in events if event["type"] == "tool_done"]
        assert done["ok"] is False
        assert done["text"].strip()
        # A call that is larger than the model's window is one that the model cannot be shown, which is said.
        errors = [event["code"] for event in events if event["type"] == "error"]
        assert errors == (["context_too_small"] if len(str(call)) > 100_000 else [])
        script(tmp_path)
        await say(live, chat, "again")
        assert [event["type"] for event in await until_idle(live, chat, 2)][-3:] == ["assistant_turn", "usage", "busy"]


@requirement("limit.input")
@pytest.mark.parametrize(
    "turn",
    [
        b'{"calls": [{"tool": "get_status", "arguments": [1]}]}',
        b'{"calls": [{"tool": "get_status", "arguments": "{}"}]}',
        b'{"calls": [{"tool": "get_status", "arguments": null}]}',
        b'{"calls": [{"tool": "get_status", "arguments": {"n": NaN}}]}',
        b'{"calls": [{"tool": "get_status", "arguments": {"n": ' + b"[" * 5_000 + b"]" * 5_000 + b"}}]}",
        b'{"text": "\\ud83d"}',
        b'{"text": "\xff"}',
        b'{"text": "cut',
    ],
    ids=lambda turn: str(turn)[:60],
)
async def test_a_model_that_cannot_be_read_is_an_error_in_words_and_the_chat_goes_on(
    tmp_path: Path, turn: bytes
) -> None:
    model = script(tmp_path)
    async with live_service(tmp_path, model) as live:
        chat = await live.open_chat()
        (tmp_path / "script.json").write_bytes(b"[" + turn + b"]")
        await say(live, chat, "go")
        (error,) = [event for event in await until_idle(live, chat) if event["type"] == "error"]
        assert error["code"] != "internal_error"
        assert error["message"].endswith(".")
        script(tmp_path)
        await say(live, chat, "again")
        assert (await until_idle(live, chat, 2))[-2]["type"] != "error"


@requirement("limit.input")
async def test_a_turn_of_half_a_megabyte_is_streamed_logged_and_replayed(tmp_path: Path) -> None:
    text, thought = "Ä🐦\u2028" * 20_000, "…" * 20_000
    async with live_service(tmp_path, script(tmp_path, {"text": text, "reasoning": thought})) as live:
        chat = await live.open_chat()
        await say(live, chat, "tell")
        events = await until_idle(live, chat)
        (turn,) = [event for event in events if event["type"] == "assistant_turn"]
        assert (turn["text"], turn["reasoning"]) == (text, thought)
