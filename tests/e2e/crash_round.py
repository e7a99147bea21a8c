"""One round of a crash test: chats with drawn scripts, a person who writes, answers and stops, and a kill."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from tests.e2e.crash import CountingLightroom, Event, KillPoint, Page, Service, quiet

__all__ = ("Died", "drawn_script", "run_and_kill")

LONGEST_S: Final = 1.5
"""A round in which something waits for an answer that nobody gives is killed then."""

_WORDS: Final = ("beach", "dog", "wedding", "snow", "boat", "city")


@dataclass(frozen=True)
class Died:
    """How a round ended: where it was to be killed, and what its pages saw last."""

    point: KillPoint
    last: str
    frames: int


def drawn_script(dice: Random, label: str, photo_ids: list[str]) -> list[dict[str, Any]]:
    """The turns of a chat: reads and writes, several a turn, no title twice; the last turn of each message speaks."""
    turns: list[dict[str, Any]] = []
    writes = 0
    for message in range(4):
        for step in range(dice.randint(0, 2)):
            calls: list[dict[str, Any]] = []
            for place in range(dice.choice((1, 1, 2, 3))):
                if dice.random() < 0.6:
                    writes += 1
                    given = {"photo_ids": [dice.choice(photo_ids)], "title": f"{label}w{writes}"}
                    calls.append({"tool": "set_metadata", "arguments": given})
                else:
                    given = {"text": dice.choice(_WORDS), "limit": 1 + 20 * message + 5 * step + place}
                    calls.append({"tool": "search_photos", "arguments": given})
            turns.append({"text": "I work. " * dice.randint(0, 3), "calls": calls, "delay_ms": dice.choice((0, 0, 60))})
        turns.append({"reasoning": "So. " * 5, "text": "It is done. " * 8, "delay_ms": dice.choice((0, 50, 200))})
    return turns


async def run_and_kill(
    service: Service, pages: list[Page], lightroom: CountingLightroom, dice: Random, label: str
) -> Died:
    """Let people talk in all pages at once, and kill the service at a drawn point."""
    point = KillPoint.drawn(dice)
    _arm(lightroom, service, point)
    people = [_Person(service, page, Random(f"{label}/{place}/{dice.random()}"), f"{label}.{place}", point)
              for place, page in enumerate(pages)]  # fmt: skip
    readers = [asyncio.create_task(person.look()) for person in people]
    busy = asyncio.gather(*(person.act() for person in people))
    try:
        limit = point.number if point.kind == "seconds" else LONGEST_S
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                await busy
    finally:
        service.bury()
        lightroom.before_write = lightroom.behind_write = lambda: None
        for reader in readers:
            # What had reached this computer before the kill was seen.
            with contextlib.suppress(httpx.TransportError):
                await asyncio.wait_for(reader, 10)
    return Died(point, service.last, service.frames)


def _arm(lightroom: CountingLightroom, service: Service, point: KillPoint) -> None:
    left = [point.number]

    def at_write() -> None:
        left[0] -= 1
        if left[0] == 0:
            service.kill()

    if point.kind == "before write":
        lightroom.before_write = at_write
    elif point.kind == "behind write":
        lightroom.behind_write = at_write


class _Person:
    """Somebody at the page of one chat."""

    def __init__(self, service: Service, page: Page, dice: Random, label: str, point: KillPoint) -> None:
        self._service = service
        self._page = page
        self._dice = dice
        self._label = label
        self._point = point
        self._asked: asyncio.Queue[str] = asyncio.Queue()
        self._arguments: dict[str, dict[str, Any]] = {}
        self._leaves_one = dice.random() < 0.25
        self._idle = asyncio.Event()
        self._idle.set()

    async def look(self) -> None:
        """Follow the stream to its end; kill the service when the frame comes that it is to be killed at."""
        try:
            async with contextlib.aclosing(self._page.follow(self._service, 0)) as events:
                async for event in events:
                    self._note(event)
                    if self._point.kind == "frames" and self._service.frames == self._point.number:
                        self._service.kill()
        finally:
            self._idle.set()

    def _note(self, event: Event) -> None:
        if event["type"] == "tool_call":
            self._arguments[event["call_id"]] = event["arguments"]
        elif event["type"] == "approval_needed":
            self._asked.put_nowait(event["call_id"])
        elif event["type"] == "busy" and event["busy"]:
            self._idle.clear()
        elif event["type"] == "busy":
            self._idle.set()

    async def act(self) -> None:
        """Write messages, and meanwhile answer what is asked and stop now and then, until all that is done."""
        answering = asyncio.create_task(_while_alive(self._answer))
        try:
            others: list[Coroutine[Any, Any, None]] = [_while_alive(self._stop)] if self._dice.random() < 0.3 else []
            await asyncio.gather(_while_alive(self._talk), *others)
            await self._idle.wait()
        finally:
            await quiet(answering)

    async def _talk(self) -> None:
        for number in range(self._dice.randint(2, 4)):
            key = f"{self._label}/{number}"
            self._idle.clear()
            await self._page.say(self._service, key, f"Message {key}")
            await self._pause(0.25)

    async def _stop(self) -> None:
        await self._pause(0.7)
        answer = await self._page.post(self._service, "/stop", key=f"{self._label}/stop")
        assert answer.status_code == 202, answer.text

    async def _answer(self) -> None:
        while True:
            call_id = await self._asked.get()
            if self._leaves_one:
                self._leaves_one = False
                continue
            await self._pause(0.05)
            body = self._drawn_answer(call_id)
            answer = await self._page.post(self._service, f"/approvals/{call_id}", body, f"{self._label}/{call_id}")
            # A stop may have been quicker.
            assert answer.status_code in {200, 409}, answer.text
            if answer.status_code == 200:
                self._page.answered[call_id] = body["decision"]

    def _drawn_answer(self, call_id: str) -> dict[str, Any]:
        drawn = self._dice.random()
        if drawn < 0.2:
            return {"decision": "deny", "note": "No."}
        given = self._arguments[call_id]
        if drawn < 0.4 and "title" in given:
            return {"decision": "once", "arguments": given | {"title": f"{given['title']} edited"}}
        return {"decision": "chat" if drawn > 0.9 else "once"}

    async def _pause(self, most: float) -> None:
        await asyncio.sleep(self._dice.uniform(0, most))


async def _while_alive(work: Callable[[], Awaitable[None]]) -> None:
    with contextlib.suppress(httpx.TransportError):
        await work()


def write_script(path: Path, turns: list[dict[str, Any]]) -> None:
    path.write_text(json.dumps(turns), encoding="utf-8")
