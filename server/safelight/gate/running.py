"""What a tool has at hand while it runs: the journal for what it changes, a way to tell how far it is, and one to see
a step through."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from safelight.gate.journal import ChangeKind, ChangeRecord, Journal

__all__ = ("Progress", "RunningCall", "to_its_end")

T = TypeVar("T")

_seen_through: Final[set[asyncio.Task[Any]]] = set()
"""The event loop itself holds its tasks only weakly."""

Progress: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Told how many photos of how many are through. Does not raise when nobody listens any more."""


class RunningCall:
    """One call that passed the gate. ``by`` says who made it, for the journal."""

    def __init__(self, tool: str, by: str, journal: Journal, progress: Progress | None = None) -> None:
        self.tool = tool
        self.by = by
        self._journal = journal
        self._progress = progress

    def change(
        self, catalog_id: str, kind: ChangeKind, subject: dict[str, Any] | None = None, undoes: str | None = None
    ) -> ChangeRecord:
        """A change that this call is going to make."""
        return self._journal.begin(
            tool=self.tool, by=self.by, catalog_id=catalog_id, kind=kind, subject=subject, undoes=undoes
        )

    async def progress(self, done: int, total: int) -> None:
        """Tell whoever waits that ``done`` of ``total`` photos are through."""
        if self._progress is not None:
            await self._progress(done, total)


async def to_its_end(step: Coroutine[Any, Any, T]) -> T:
    """Do a step that must not be left half done: a caller who is cancelled leaves at once, and the step goes on."""
    task = asyncio.create_task(step)
    _seen_through.add(task)
    task.add_done_callback(_seen_through.discard)
    return await asyncio.shield(task)
