"""Lightroom is killed in the middle of a chat's writes and started again: no write is done twice, what is not known is
called so, and the chat goes on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import pytest

from safelight.lightroom import SimulatedLightroom, drawn_catalog
from safelight.lightroom.catalog import Catalog
from safelight.lightroom.metadata import LightroomRefusal
from tests.e2e.crash import AUTO_ALL, running
from tests.live import Live, live_service
from tests.requirement import requirement

Place = Literal["as the gate opens", "at a photo", "as the gate closes", "when it is closed"]
PLACES: Final[tuple[Place, ...]] = ("as the gate opens", "at a photo", "as the gate closes", "when it is closed")
PHOTOS: Final = 12


class Frail:
    """A catalog in whose gates Lightroom can be killed; it counts the values that were written, and kept."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.kept: Counter[tuple[int, str]] = Counter()
        self.lightroom: SimulatedLightroom | None = None
        self._place: Place | None = None
        self._photos_left = 0
        self._open: list[tuple[int, str]] = []
        self._change, self._open_gate, self._close_gate = catalog.change_photo, catalog.open_gate, catalog.close_gate
        catalog.change_photo = self._changed
        catalog.open_gate = self._opened
        catalog.close_gate = self._closed

    def kill_at(self, place: Place, photo: int) -> None:
        self._place, self._photos_left = place, photo

    def _opened(self, name: str | None) -> None:
        self._open = []
        self._open_gate(name)
        if name is not None and self._place == "as the gate opens":
            self._kill()

    def _changed(self, local_id: int, **values: Any) -> None:
        if "title" in values:
            self._photos_left -= 1
            if self._place == "at a photo" and self._photos_left == 0:
                self._kill()
            self._open.append((local_id, values["title"]))
        self._change(local_id, **values)

    def _closed(self, *, commit: bool) -> None:
        if self._open and self._place == "as the gate closes":
            self._kill()
        if commit:
            self.kept.update(self._open)
        written, self._open = self._open, []
        self._close_gate(commit=commit)
        if written and self._place == "when it is closed":
            self._kill()

    def _kill(self) -> None:
        """The program ends in the middle of this call: what it would have done next does not happen."""
        self._place, self._open = None, []
        assert self.lightroom is not None
        self.lightroom.kill()
        raise LightroomRefusal("killed")


@requirement("limit.crash")
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 60))])
async def test_a_write_in_which_lightroom_is_killed_is_done_once_at_most_and_the_chat_goes_on(
    tmp_path: Path, seed: int
) -> None:
    dice = Random(seed)
    frail = Frail(drawn_catalog(PHOTOS))
    photo_ids = [photo.uuid for photo in frail.catalog.photos()]
    calls = [
        {"tool": "set_metadata", "arguments": {"photo_ids": dice.sample(photo_ids, PHOTOS // 2), "title": f"title {n}"}}
        for n in range(3)
    ]
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"calls": calls}, {"text": "Done."}, {"calls": [last(photo_ids)]}]), encoding="utf-8")
    data_dir = tmp_path / "data"
    async with live_service(data_dir, f"scripted:{script}") as live:
        (data_dir / "runtime.json").write_text(json.dumps({"url": live.url}), encoding="utf-8")
        killed = asyncio.Event()
        frail.lightroom = _running(frail.catalog, data_dir, killed.set)
        try:
            assert await live.application.service.bridge.wait_connected(20)
            chat = await live.open_chat()
            path = f"/v1/chat/sessions/{chat['session_id']}"
            assert (await live.http.put(f"{path}/permissions", json=AUTO_ALL)).status_code == 200
            frail.kill_at(PLACES[seed % len(PLACES)], dice.randint(1, PHOTOS))
            await live.http.post(f"{path}/messages", json={"text": "Titles"})
            await asyncio.wait_for(killed.wait(), 20)
            frail.lightroom = running(frail.catalog, data_dir)
            await idle(live, path, 1)
            await live.http.post(f"{path}/messages", json={"text": "One more"})
            events = await idle(live, path, 2)
        finally:
            await asyncio.to_thread(frail.lightroom.close)
        check_calls(events, frail)
        await check_journal(live, frail)


def last(photo_ids: list[str]) -> dict[str, Any]:
    return {"tool": "set_metadata", "arguments": {"photo_ids": photo_ids, "title": "title of all"}}


def _running(catalog: Catalog, data_dir: Path, when_killed: Callable[[], None]) -> SimulatedLightroom:
    """Lightroom that tells this thread's event loop when it is killed."""
    loop, lightroom = asyncio.get_running_loop(), running(catalog, data_dir)
    kill = lightroom.kill

    def killed() -> None:
        kill()
        loop.call_soon_threadsafe(when_killed)

    lightroom.kill = killed
    return lightroom


async def idle(live: Live, path: str, times: int) -> list[dict[str, Any]]:
    """All numbered events up to where the chat has become idle so often."""
    events: list[dict[str, Any]] = []
    async with asyncio.timeout(60), live.http.stream("GET", f"{path}/events") as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("data: "):
                continue
            event = json.loads(line.removeprefix("data: "))
            events += [event] if "seq" in event else []
            if event["type"] == "busy" and not event["busy"]:
                times -= 1
                if times == 0:
                    return events
    raise AssertionError("the stream ended")


def check_calls(events: list[dict[str, Any]], frail: Frail) -> None:
    """Each call has its one end; nothing was written twice; the call after the kill did all of its work."""
    called = [event["call_id"] for event in events if event["type"] == "tool_call"]
    ended = [event["call_id"] for event in events if event["type"] in {"tool_done", "tool_skipped"}]
    assert Counter(ended) == Counter(called)
    assert len(called) == 4
    assert max(frail.kept.values(), default=1) == 1
    done = [event for event in events if event["type"] == "tool_done"]
    assert done[-1]["ok"], done[-1]
    assert {photo.title for photo in frail.catalog.photos()} == {"title of all"}


async def check_journal(live: Live, frail: Frail) -> None:
    """The journal knows of everything that was kept, and calls done only what was."""
    written = {(frail.catalog.by_id(local_id).uuid, title) for local_id, title in frail.kept}
    states: dict[tuple[str, str], str] = {}
    for change in (await live.http.get("/v1/changes")).json()["changes"]:
        for item in (await live.http.get(f"/v1/changes/{change['change_id']}")).json()["items"]:
            states[item["item_id"], item["after"]["title"]] = item["state"]
    assert {key for key, state in states.items() if state == "done"} <= written
    assert written <= {key for key, state in states.items() if state in {"done", "unknown"}}
