"""Ten requests in plain words to the demo's own model on the whole service, and what each reached in the catalog.

The numbers are what the model does, not what it should do; they may only rise. A table of what it did goes to
``tests/output/ten_requests.md``.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec

from safelight_client import SafelightClient, models
from tests.e2e.demo import ROOT, running_demo
from tests.models.ten_requests import RIGHT_ARGUMENTS, RIGHT_TOOLS, WANTED, fits
from tests.requirement import requirement

PHOTOS_FOUND = 6


class Reached(msgspec.Struct):
    """What came of a request."""

    calls: list[models.ToolCallEvent] = []
    results: list[models.ToolDoneEvent] = []
    turns: list[models.AssistantTurnEvent] = []
    errors: list[str] = []


async def ask(client: SafelightClient, text: str) -> Reached:
    """A chat of its own for the request; every question is answered with yes."""
    reached = Reached()
    chat = await client.start_chat()
    async for event in chat.run(text):
        match event:
            case models.ToolCallEvent():
                reached.calls.append(event)
            case models.ToolDoneEvent():
                reached.results.append(event)
            case models.AssistantTurnEvent():
                reached.turns.append(event)
            case models.ErrorEvent(message=message):
                reached.errors.append(message)
            case models.ApprovalNeededEvent(call_id=call_id):
                await chat.answer(call_id, "once")
            case _:
                pass
    return reached


@requirement("local.answer-shape")
def test_ten_requests_reach_what_they_reached_before(tmp_path: Path) -> None:
    async def ask_all(url: str, token: str) -> list[Reached]:
        async with asyncio.timeout(280), SafelightClient(url, agent_token=token) as client:
            return [await ask(client, wanted.request) for wanted in WANTED]

    with running_demo(tmp_path) as ready:
        token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        all_reached = asyncio.run(ask_all(ready["url"], token))
    write_table(all_reached)
    for wanted, reached in zip(WANTED, all_reached, strict=True):
        assert reached.errors == [], wanted.request
        assert reached.turns[-1].text, f"{wanted.request}: no reply at the end"
        assert all(turn.reasoning for turn in reached.turns), f"{wanted.request}: a turn without its analysis"
    right = [w.request for w, r in zip(WANTED, all_reached, strict=True) if r.calls and r.calls[0].tool in w.tools]
    exact = [
        w.request
        for w, r in zip(WANTED, all_reached, strict=True)
        if r.calls and r.calls[0].tool in w.tools and fits(r.calls[0].arguments, w)
    ]
    found = [
        w.request
        for w, r in zip(WANTED, all_reached, strict=True)
        if w.tools == ("search_photos",) and any(d.count for d in r.results)
    ]
    assert len(right) >= RIGHT_TOOLS, right
    assert len(exact) >= RIGHT_ARGUMENTS, exact
    assert len(found) >= PHOTOS_FOUND, found


def write_table(all_reached: list[Reached]) -> None:
    lines = ["| request | calls | photos | reply |", "| --- | --- | --- | --- |"]
    for wanted, reached in zip(WANTED, all_reached, strict=True):
        calls = "; ".join(f"{call.tool} {shown(call.arguments)}" for call in reached.calls)
        counts = ", ".join(str(done.count) for done in reached.results if done.count is not None)
        lines.append(f"| {wanted.request} | {calls} | {counts} | {reached.turns[-1].text if reached.turns else ''} |")
    output = ROOT / "tests" / "output"
    output.mkdir(exist_ok=True)
    (output / "ten_requests.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def shown(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)
