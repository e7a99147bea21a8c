"""A chat whose every party goes on in random order: pages, the loop, and a plug-in that records what it carries out."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

from safelight.chat.limits import ChatLimits
from safelight.conversation.parts import AssistantTurn, ToolCall
from safelight.errors import BridgeError, SafelightError
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    BusyEvent,
    Event,
    ToolCallEvent,
    ToolDoneEvent,
    ToolRunningEvent,
    ToolSkippedEvent,
)
from tests.chat.rig import PlayedModel, Rig, SpyTool, parse_frames, reply, serving_rig

__all__ = ("Party", "PlugIn", "World", "check", "lived", "rating", "turns_of")


class PlugIn:
    """Lightroom's side: takes one command at a time and carries it out, unless its read-only switch is on.
    ``selected`` is how many photos are selected; ``forbidden`` says at any moment what must not even be sent."""

    def __init__(self, trace: list[str]) -> None:
        self.selected = 1
        self.read_only = False
        self.carried_out: list[tuple[str, dict[str, Any]]] = []
        self.forbidden: Callable[[str], bool] = lambda tool: False
        self._trace = trace
        self._commands: asyncio.Queue[tuple[str, dict[str, Any], asyncio.Future[None]]] = asyncio.Queue()

    async def send(self, tool: str, arguments: dict[str, Any]) -> None:
        assert not self.forbidden(tool), f"{tool} was sent although it was not allowed any more"
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commands.put_nowait((tool, arguments, answer))
        await answer

    async def serve(self) -> None:
        while True:
            tool, arguments, answer = await self._commands.get()
            await asyncio.sleep(0)
            if self.read_only:
                self._trace.append(f"plug-in refuses {arguments.get('n')}")
                answer.set_exception(BridgeError("READ_ONLY", "The read-only switch is on, so nothing was changed."))
                continue
            self._trace.append(f"plug-in does {arguments.get('n')}")
            self.carried_out.append((tool, arguments))
            answer.set_result(None)


class PlugInTool(SpyTool):
    """A tool that aims at the photos that are selected, and reaches them through the plug-in. Frozen, a call has their
    number written down."""

    def __init__(self, name: str, plugin: PlugIn, *, destructive: bool) -> None:
        super().__init__(name, destructive=destructive)
        self._plugin = plugin

    async def count(self, arguments: dict[str, Any]) -> int | None:
        await asyncio.sleep(0)
        return arguments.get("photos", self._plugin.selected)

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"photos": self._plugin.selected} | arguments

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        await self._plugin.send(self.spec.name, arguments)
        return ToolAnswer(content={"did": self.spec.name})


class World:
    """The chat, what its one reader has seen, and in which order the parties went on."""

    def __init__(self, rig: Rig, plugin: PlugIn, dice: random.Random, trace: list[str]) -> None:
        self.rig = rig
        self.plugin = plugin
        self.dice = dice
        self.trace = trace
        self.seen: list[Event] = []
        self._changed = asyncio.Condition()

    async def read(self) -> None:
        async with contextlib.aclosing(self.rig.session.log.follow(None)) as chunks:
            async for chunk in chunks:
                self.seen += [event for event, numbered in parse_frames(chunk) if numbered]
                async with self._changed:
                    self._changed.notify_all()

    async def until(self, holds: Callable[[list[Event]], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: holds(self.seen))

    async def hesitate(self, most: int = 30) -> None:
        for _ in range(self.dice.randint(0, most)):
            await asyncio.sleep(0)

    async def page(self, name: str, answer_to: Callable[[str], ApprovalAnswer | None]) -> None:
        """Answers each question once, as soon as it comes and goes on; None leaves it alone. What is refused is like
        being too late."""
        answered: set[int] = set()
        while True:
            await self.until(lambda seen: len(_questions(seen)) > len(answered))
            event = next(event for event in _questions(self.seen) if event.seq not in answered)
            answered.add(event.seq)
            if (answer := answer_to(event.call_id)) is None:
                continue
            try:
                await self.rig.session.answer(event.call_id, answer, "page")
            except SafelightError as error:
                self.trace.append(f"{name} is told {error.code} for {event.call_id}")
            else:
                self.trace.append(f"{name} answers {answer.decision} to {event.call_id}")


Party: TypeAlias = Callable[[World], Coroutine[Any, Any, None]]


async def lived(
    folder: Path, seed: int, turns: list[AssistantTurn], parties: list[Party], limits: ChatLimits | None = None
) -> World:
    """One message, from the first event to the last, with these parties about. What they raise is raised here."""
    trace: list[str] = []
    plugin = PlugIn(trace)
    tools = {
        "rate": PlugInTool("rate", plugin, destructive=True),
        "show": PlugInTool("show", plugin, destructive=False),
    }
    model = PlayedModel([*turns, reply("Done.")])
    async with serving_rig(folder, model, tools, limits=limits or ChatLimits()) as rig:
        world = World(rig, plugin, random.Random(seed), trace)
        async with _about(world, [plugin.serve(), world.read(), *(party(world) for party in parties)]):
            await rig.session.send("go")
            await world.until(_is_over)
    return world


@contextlib.asynccontextmanager
async def _about(world: World, parties: list[Coroutine[Any, Any, None]]) -> AsyncGenerator[None]:
    tasks = [asyncio.create_task(party) for party in parties]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(end, Exception):
                raise end


def rating(n: int, tool: str = "rate") -> ToolCall:
    """A call of its own by its ``n``."""
    return ToolCall(call_id=f"c{n}", tool=tool, arguments={"n": n})


def turns_of(seed: int) -> list[AssistantTurn]:
    """Two or three turns of one to three calls that have to ask."""
    dice = random.Random(seed)
    numbers = iter(range(100))
    return [
        AssistantTurn(
            calls=tuple(rating(next(numbers), dice.choice(["rate", "show"])) for _ in range(dice.randint(1, 3)))
        )
        for _ in range(dice.randint(2, 3))
    ]


def check(world: World) -> dict[str, str]:
    """What holds whatever happened: each call ends once, each question ends once, and the plug-in has carried out
    exactly the calls that were allowed and told to be done, once each, with the arguments that were told to run.
    Returns each call's fate."""
    fates: dict[str, str] = {}
    runs: list[tuple[str, dict[str, Any]]] = []
    for call in [event for event in world.seen if isinstance(event, ToolCallEvent)]:
        own = [event for event in world.seen if getattr(event, "call_id", None) == call.call_id]
        asked = [event for event in own if isinstance(event, ApprovalNeededEvent)]
        resolved = [event for event in own if isinstance(event, ApprovalResolvedEvent)]
        running = [event for event in own if isinstance(event, ToolRunningEvent)]
        (end,) = [event for event in own if isinstance(event, (ToolDoneEvent, ToolSkippedEvent))]
        assert len(asked) == len(resolved), f"{call.call_id}: each question ends once"
        fates[call.call_id] = end.reason if isinstance(end, ToolSkippedEvent) else "done"
        if isinstance(end, ToolSkippedEvent):
            continue
        assert end.ok and len(running) == 1
        effective = running[0].arguments
        assert isinstance(effective, dict)
        decided = resolved[-1].arguments if resolved else call.arguments
        assert decided is not None, f"{call.call_id} ran although the last answer was no"
        assert {name: effective[name] for name in decided} == decided
        runs.append((call.tool, effective))
    in_order = sorted(world.plugin.carried_out, key=repr)
    assert in_order == sorted(runs, key=repr), "what ran is not what was allowed"
    return fates


def _questions(seen: list[Event]) -> list[ApprovalNeededEvent]:
    return [event for event in seen if isinstance(event, ApprovalNeededEvent)]


def _is_over(seen: list[Event]) -> bool:
    return bool(seen) and isinstance(seen[-1], BusyEvent) and not seen[-1].busy
