"""Ten requests in plain words to the demo's model, with a double of the tools: what it reaches, greedily.

The numbers are what the model does, not what it should do; they may only rise.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from safelight.conversation.parts import History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.models.chat_model import TurnDone, TurnRequest
from safelight.models.source import Models
from tests.models.offers import OFFERS
from tests.models.ten_requests import RIGHT_ARGUMENTS, RIGHT_TOOLS, WANTED, fits
from tests.requirement import requirement

SYSTEM: Final = "You are Safelight. You help a photographer with the photos in a Lightroom catalog."
FACTS: Final = "Today is Monday, 2026-11-30. 3 photos are selected."
BOUND: Final = 300.0


class Reached(msgspec.Struct):
    """What the model did for a request."""

    request: str
    calls: list[ToolCall]
    reply: str


def result_of(call: ToolCall) -> str:
    if call.tool in ("search_photos", "get_photos"):
        photos = [{"photo_id": f"5C1B-{i}", "file_name": f"IMG_{4000 + i}.CR2", "rating": 5} for i in range(12)]
        return msgspec.json.encode({"set_id": "set_5f2c", "count": 23, "photos": photos}).decode()
    if call.tool == "get_status":
        return '{"connected":true,"catalog":"Holiday","photo_count":240,"selected_count":3,"read_only":false}'
    if call.tool == "create_collection":
        return json.dumps({"collection_id": "c9", "name": call.arguments["collection"], "kind": "collection"})
    return '{"applied":["p1","p2","p3"],"failed":[],"not_attempted":[]}'


async def run(models: Models, request: str) -> Reached:
    """A run as a chat does it, with at most three turns."""
    reached = Reached(request=request, calls=[], reply="")
    history: History = (UserMessage(text=request, context=FACTS),)
    for step in range(3):
        asked = TurnRequest(system=SYSTEM, tools=OFFERS, history=history, may_call=step < 2)
        done = [piece async for piece in models.resolve("llama:smollm2-135m").turn(asked)][-1]
        assert isinstance(done, TurnDone)
        assert done.finish in ("stop", "calls"), f"{request!r}: the answer has not the agreed shape"
        history = (*history, done.turn)
        reached.reply = done.turn.text
        if not done.turn.calls:
            break
        reached.calls += done.turn.calls
        history += (
            ToolResults(
                results=tuple(
                    ToolResult(call_id=call.call_id, tool=call.tool, outcome="success", text=result_of(call))
                    for call in done.turn.calls
                )
            ),
        )
    return reached


@pytest.fixture
async def models(tmp_path: Path) -> AsyncIterator[Models]:
    models = Models(tmp_path, environment={})
    yield models
    await models.close()


@requirement("local.answer-shape")
@pytest.mark.long  # the same requests go through the whole service in tests/e2e/test_ten_requests.py
async def test_the_demos_model_does_what_ten_plain_requests_ask(
    models: Models,
) -> None:
    right_tools, right_arguments = 0, 0
    table: list[str] = []
    async with asyncio.timeout(BOUND):
        for wanted in WANTED:
            reached = await run(models, wanted.request)
            assert reached.reply, f"{wanted.request!r} was never answered"
            right_tool = bool(reached.calls) and reached.calls[0].tool in wanted.tools
            right_tools += right_tool
            right_arguments += right_tool and fits(reached.calls[0].arguments, wanted)
            made = ", ".join(f"{call.tool} {json.dumps(call.arguments)}" for call in reached.calls)
            table.append(f"{wanted.request} -> {made} -> {reached.reply}")
    print("\n".join(table))
    assert right_tools >= RIGHT_TOOLS, table
    assert right_arguments >= RIGHT_ARGUMENTS, table
