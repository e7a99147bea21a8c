"""Requests with a key are done once: who sends one again is given the first answer again."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final, TypeAlias

from safelight.chat.keyed_store import Answered, FirstAnswer, KeyedRequest, RecentAnswers, finding, keeping
from safelight.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any

    from safelight.catalog.database import Database
    from safelight.chat.log import Write

    Keep: TypeAlias = Callable[[Answered], Write]
    """From the answer, the write that keeps it."""

__all__ = ("KeyedAnswers",)

PATIENCE_S: Final = 25.0
"""How long a repeated request waits for the first; less than a client waits for an answer."""

_OTHER: Final = (
    "This Idempotency-Key was used for another request. Make up a new key for each thing that you want done."
)
_UNDER_WAY: Final = "The first request with this Idempotency-Key is still being worked on. Send it again later."


class KeyedAnswers:
    """One for the whole service. A request that fails is not remembered, so it may be tried again; those that came
    while it was being worked on fail with it. ``database`` is the one that the chats live in."""

    def __init__(
        self, database: Database, *, clock: Callable[[], float] = time.monotonic, patience_s: float = PATIENCE_S
    ) -> None:
        self._database = database
        self._recent = RecentAnswers(clock)
        self._patience_s = patience_s
        self._working: dict[tuple[str, str, str], tuple[str, asyncio.Task[FirstAnswer]]] = {}

    async def once(self, request: KeyedRequest, work: Callable[[], Awaitable[Answered]]) -> Answered:
        """The first answer to this request, remembered in memory. ``work`` goes on when the caller is cancelled.

        Raises:
            Conflict: idempotency_conflict, the key was used for another request; idempotency_pending, the first is
                still being worked on and a repetition has waited long enough.
        """

        async def perform() -> FirstAnswer:
            first = self._recent.find(request)
            if first is not None:
                return first
            answered = await work()
            self._recent.keep(request, answered)
            return FirstAnswer(request.digest, answered)

        return await self._single(request, perform)

    async def once_kept(self, request: KeyedRequest, work: Callable[[Keep], Awaitable[Answered]]) -> Answered:
        """The first answer to this request, kept with the owner's chat. ``work`` makes the write that keeps its answer
        part of the transaction of what it does. It goes on when the caller is cancelled. Raises as ``once``."""

        async def perform() -> FirstAnswer:
            first = await self._database.run(finding(request))
            if first is not None:
                return first
            return FirstAnswer(request.digest, await work(lambda answered: keeping(request, answered)))

        return await self._single(request, perform)

    def forget(self, owner: str) -> None:
        """Forget the answers in memory to requests about a chat that has been erased; the others went with it."""
        self._recent.forget(owner)

    async def _single(self, request: KeyedRequest, perform: Callable[[], Coroutine[Any, Any, FirstAnswer]]) -> Answered:
        place = (request.owner, request.action, request.key)
        try:
            async with asyncio.timeout(self._patience_s):
                same = await self._under_way(place, request.digest)
        except TimeoutError:
            raise Conflict(_UNDER_WAY, code="idempotency_pending") from None
        if same is None:
            task = asyncio.create_task(perform())
            self._working[place] = (request.digest, task)
            task.add_done_callback(lambda _: self._working.pop(place, None))
            first = await asyncio.shield(task)
        else:
            first = same.result()
        if first.digest != request.digest:
            raise Conflict(_OTHER, code="idempotency_conflict")
        return first.answered

    async def _under_way(self, place: tuple[str, str, str], digest: str) -> asyncio.Task[FirstAnswer] | None:
        """Wait until nothing is being worked on with this key, or the same request has been, which is returned. One
        with another digest says nothing about this: it may be the one that does not fit."""
        while place in self._working:
            theirs, task = self._working[place]
            await asyncio.wait({task})
            if theirs == digest:
                return task
        return None
