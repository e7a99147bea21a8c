"""Runs tasks as a person would: through the whole service, with a simulated Lightroom of its own for each task."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.catalog.catalogs import catalog_folder
from safelight.catalog.database import Database
from safelight.catalog.result_sets import ResultSets
from safelight.catalog.schema import MIGRATIONS
from safelight.errors import StartRefused
from safelight.evaluation.judge import Done, Verdict, broken, judge
from safelight.evaluation.state import state_of
from safelight.evaluation.tasks import Task
from safelight.lightroom import SimulatedLightroom, drawn_catalog
from safelight_client import SafelightClient, models

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from safelight.app import Application
    from safelight.wire.models import BridgeHello
    from safelight_client.chat import Chat

__all__ = ("Exchange", "Ran", "Stage", "Step")

_PHOTOS: Final = 60
_CONNECT_S: Final = 20.0
_MESSAGE_S: Final = 180.0
_LISTING: Final = frozenset({"search_photos", "get_photos", "find_similar"})


class Step(msgspec.Struct, kw_only=True):
    """A call and what came of it, for a trace."""

    tool: str
    arguments: dict[str, Any]
    ok: bool = False
    result: str = ""
    set_id: str | None = None


class Exchange(msgspec.Struct, kw_only=True):
    """A message and all that followed."""

    request: str
    steps: list[Step] = []
    reasoning: list[str] = []
    reply: str = ""
    errors: list[str] = []


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A task that was run: what happened, the verdict, and the seconds that its messages took."""

    task: Task
    exchanges: tuple[Exchange, ...]
    verdict: Verdict
    seconds: float


class Stage:
    """A running service on which one task after the other is played; the model stays loaded."""

    def __init__(self, application: Application, url: str, token: str, data_dir: Path, model: str) -> None:
        self._url = url
        self._token = token
        self._data_dir = data_dir
        self._model = model
        self._hellos: asyncio.Queue[BridgeHello] = asyncio.Queue()
        application.service.bridge.observe(self._hellos.put_nowait)

    async def warm(self) -> None:
        """Loads the model, so that the first task does not pay for it."""
        async with self._lightroom(), SafelightClient(self._url, agent_token=self._token) as client:
            await self._ask(await client.start_chat(self._model), "Hello")

    async def play(self, task: Task) -> Ran:
        """Run a task on a fresh catalog; every question is answered with yes. Raises ``StartRefused`` when the task
        does not fit the catalog."""
        async with self._lightroom() as (lightroom, catalog_id):
            before = state_of(lightroom.catalog)
            if (why := broken(task, before)) is not None:
                raise StartRefused(f"The tasks cannot be used: {why}.")
            began = time.perf_counter()
            async with SafelightClient(self._url, agent_token=self._token) as client:
                chat = await client.start_chat(self._model)
                exchanges = [await self._ask(chat, request) for request in task.requests]
            seconds = time.perf_counter() - began
            after = state_of(lightroom.catalog)
        steps = [step for exchange in exchanges for step in exchange.steps]
        done = Done(
            calls=tuple(tuple(step.tool for step in exchange.steps) for exchange in exchanges),
            found=await self._found(catalog_id, steps),
            shown=after.selection if any(step.tool == "show_photos" and step.ok for step in steps) else None,
            reply=exchanges[-1].reply,
        )
        verdict = judge(task, before, after, done)
        return Ran(task=task, exchanges=tuple(exchanges), verdict=verdict, seconds=seconds)

    @contextlib.asynccontextmanager
    async def _lightroom(self) -> AsyncGenerator[tuple[SimulatedLightroom, str]]:
        lightroom = SimulatedLightroom(drawn_catalog(_PHOTOS), data_folder=self._data_dir)
        await asyncio.to_thread(lightroom.start)
        try:
            try:
                async with asyncio.timeout(_CONNECT_S):
                    hello = await self._hellos.get()
            except TimeoutError:
                raise StartRefused("The plug-in in the simulated Lightroom did not connect.") from None
            yield lightroom, hello.catalog_id
        finally:
            await asyncio.to_thread(lightroom.close)

    async def _ask(self, chat: Chat, request: str) -> Exchange:
        exchange = Exchange(request=request)
        steps: dict[str, Step] = {}
        try:
            async with asyncio.timeout(_MESSAGE_S), contextlib.aclosing(chat.run(request)) as events:
                async for event in events:
                    match event:
                        case models.ToolCallEvent():
                            steps[event.call_id] = Step(tool=event.tool, arguments=event.arguments)
                            exchange.steps.append(steps[event.call_id])
                        case models.ToolDoneEvent():
                            step = steps[event.call_id]
                            step.ok, step.result, step.set_id = event.ok, event.text, event.set_id
                        case models.AssistantTurnEvent():
                            exchange.reasoning.append(event.reasoning)
                            exchange.reply = event.text
                        case models.ErrorEvent():
                            exchange.errors.append(event.message)
                        case models.ApprovalNeededEvent():
                            await chat.answer(event.call_id, "once")
                        case _:
                            pass
        except TimeoutError:
            exchange.errors.append("It took too long.")
            await chat.stop()
        return exchange

    async def _found(self, catalog_id: str, steps: Sequence[Step]) -> frozenset[str] | None:
        listed = [step.set_id for step in steps if step.ok and step.tool in _LISTING]
        if not listed or listed[-1] is None:
            return None
        database = Database(catalog_folder(self._data_dir, catalog_id) / "index.db", MIGRATIONS)
        try:
            stored = await ResultSets(database).load(listed[-1])
        finally:
            await database.close()
        return None if stored is None else frozenset(stored.photo_ids)
