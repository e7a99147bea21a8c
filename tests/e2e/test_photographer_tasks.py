"""A photographer's day, done by an agent at /mcp and done in a chat: the same tools, the same end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from safelight.lightroom.catalog import Catalog
from tests.e2e.photographer_tasks import EXPORT, TASKS, Task
from tests.e2e.studio import AUTO_ALL, agent_of, studio
from tests.live import Live
from tests.requirement import requirement


def filled(value: Any, last: dict[str, Any], folder: Path) -> Any:
    """The arguments with what earlier answers gave."""
    if isinstance(value, dict):
        return {key: filled(item, last, folder) for key, item in cast("dict[str, Any]", value).items()}
    if value == "${photo_ids}":
        return [photo["photo_id"] for photo in last["photos"]]
    if isinstance(value, str) and value.startswith("${"):
        return str(folder / "export") if value == EXPORT else last[value[2:-1]]
    return value


async def by_mcp(live: Live, tasks: Sequence[Task], catalog: Catalog, folder: Path) -> None:
    async with agent_of(live) as agent:
        last: dict[str, Any] = {}
        for task in tasks:
            answers: list[dict[str, Any]] = []
            for tool, arguments in task.calls:
                answers.append(await agent.call(tool, **filled(arguments, last, folder)))
                last |= answers[-1]
            task.check(catalog, answers)


async def by_chat(live: Live, tasks: Sequence[Task], catalog: Catalog, folder: Path) -> None:
    turns: list[dict[str, Any]] = []
    for task in tasks:
        turns += [
            {"calls": [{"tool": tool, "arguments": filled_in_advance(arguments, folder)}]}
            for tool, arguments in task.calls
        ]
        turns.append({"text": f"Done: {task.wish}"})
    script = folder / "script.json"
    script.write_text(json.dumps(turns), encoding="utf-8")
    chat = await live.open_chat(model=f"scripted:{script}")
    path = f"/v1/chat/sessions/{chat['session_id']}"
    assert (await live.http.put(f"{path}/permissions", json=AUTO_ALL)).status_code == 200
    after = 0
    for task in tasks:
        assert (await live.http.post(f"{path}/messages", json={"text": task.wish})).status_code == 202
        events = await until_idle(live, path, after)
        after = events[-1]["seq"]
        done = [event for event in events if event["type"] == "tool_done"]
        assert [event["ok"] for event in done] == [True] * len(task.calls), (task.wish, events)
        task.check(catalog, [json.loads(event["text"]) for event in done])


def filled_in_advance(arguments: dict[str, Any], folder: Path) -> dict[str, Any]:
    return {k: str(folder / "export") if v == EXPORT else v for k, v in arguments.items()}


async def until_idle(live: Live, path: str, after: int) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(60), live.http.stream("GET", f"{path}/events?after={after}") as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("data: "):
                continue
            event = json.loads(line.removeprefix("data: "))
            if "seq" in event:
                events.append(event)
            if event["type"] == "busy" and not event["busy"]:
                return events
    raise AssertionError("the stream ended before the work did")


def state(catalog: Catalog) -> dict[str, Any]:
    """What a photographer would see of it, without the ids and times that differ between any two runs."""
    photos = sorted(
        (
            (photo.file_name, photo.copy_name, photo.title, photo.rating, photo.pick, photo.label, photo.creator)
            + (sorted(catalog.keywords.path(keyword) for keyword in photo.keywords),)
            + (json.dumps(photo.develop, sort_keys=True), len(photo.snapshots), photo.gps)
            for photo in catalog.photos()
        ),
        key=repr,
    )
    collections = {
        one.name: (one.kind, sorted(catalog.by_id(number).file_name for number in one.photo_ids))
        for one in catalog.collections()
    }
    return {"photos": photos, "collections": collections, "selected": len(catalog.selection)}


@requirement("mcp.endpoint", "tool.list-read", "tool.list-change", "tool.list-destructive", "tool.result-sets")
async def test_a_photographers_day_ends_the_same_by_mcp_and_by_chat(tmp_path: Path) -> None:
    ends: list[dict[str, Any]] = []
    for name, work in (("mcp", by_mcp), ("chat", by_chat)):
        folder = tmp_path / name
        folder.mkdir()
        async with studio(folder) as (live, lightroom):
            await work(live, TASKS, lightroom.catalog, folder)
            ends.append(state(lightroom.catalog))
        assert len(list((folder / "export").iterdir())) == 3
    assert ends[0] == ends[1]


@pytest.mark.parametrize("kind", ["read", "change", "destructive"])
def test_the_day_holds_tools_of_every_class(kind: str) -> None:
    from safelight.gate.decision import class_of
    from safelight.wire.tool_table import TOOLS

    used = {tool for task in TASKS for tool, _ in task.calls}
    assert len(TASKS) >= 25
    assert [name for name in used if class_of(TOOLS[name]) == kind]
