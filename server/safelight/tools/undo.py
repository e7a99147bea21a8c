"""The tool that takes a change back, from what the journal knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.errors import ToolError
from safelight.tools.arguments import parse
from safelight.tools.undoers import UNDOERS
from safelight.tools.write import Plan, change_photos, preview_of
from safelight.wire.tool_models import Failure, UndoChangeArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.journal import ChangeKind, Journal, JournalChange, JournalItem
    from safelight.gate.running import RunningCall
    from safelight.gate.tool import ToolAnswer
    from safelight.tools.undoers import Undoer
    from safelight.tools.write import ChunkOutcome, ChunkWriter, Planned
    from safelight.wire.models import Preview

__all__ = ("UndoChange",)

CHANGED_SINCE: Final = "It was changed since, so it was left as it is."


class UndoChange:
    """Takes back what is left of a change. That is a change too, and can be taken back itself."""

    spec = TOOLS["undo_change"]

    def __init__(self, catalogs: Catalogs, journal: Journal) -> None:
        self._catalogs = catalogs
        self._journal = journal

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """How many photos there are to take back, for a collection those that it held, or 1. Raises as ``run``."""
        change, _ = await self._undoable(arguments)
        subject = await self._journal.subject(change.change_id)
        return max(change.left, len(subject.get("photo_ids", ())))

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call: a change has its photos for ever."""
        return arguments

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """The first 20 that would be taken back, from what they are to what they were. Raises as ``run``."""
        change, catalog = await self._undoable(arguments)
        items = await self._left(change)
        return await preview_of(await self._writer(catalog, change, items), [item.item_id for item in items])

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Take it back and report on each.

        Raises ``ToolError`` CHANGE_UNKNOWN, CATALOG_CHANGED for a change of another catalog, CANNOT_UNDO with the
        reason, ALREADY_UNDONE, and what ``change_photos`` raises.
        """
        change, catalog = await self._undoable(arguments)
        items = await self._left(change)
        writer = await self._writer(catalog, change, items)
        return await change_photos(
            writer, catalog.catalog_id, [item.item_id for item in items], call, undoes=change.change_id
        )

    async def _undoable(self, arguments: dict[str, Any]) -> tuple[JournalChange, OpenCatalog]:
        change = await self._journal.change(parse(arguments, UndoChangeArguments).change_id.strip())
        if change.kind == "lasting":
            subject = await self._journal.subject(change.change_id)
            raise ToolError("CANNOT_UNDO", f"This change cannot be taken back. {subject['why']}")
        if not change.left:
            raise _nothing_left()
        catalog = await self._catalogs.present()
        if catalog.catalog_id != change.catalog_id:
            raise ToolError(
                "CATALOG_CHANGED",
                "This change was made in another catalog than the one that is open. Open that one in Lightroom first.",
            )
        return change, catalog

    async def _left(self, change: JournalChange) -> list[JournalItem]:
        items = await self._journal.items(change.change_id)
        if left := [item for item in items if item.state in ("done", "unknown")]:
            return left
        raise _nothing_left()  # another call has taken it back just now

    async def _writer(self, catalog: OpenCatalog, change: JournalChange, items: Sequence[JournalItem]) -> ChunkWriter:
        undoer = UNDOERS[change.kind]
        title = TOOLS[change.tool].title if change.tool in TOOLS else change.tool
        name = "Safelight: redo" if change.undoes else f"Safelight: undo {title}"[:80]
        writer = await undoer.writer(catalog, items, await self._journal.subject(change.change_id), name)
        return _UnlessChangedSince(writer, undoer, items)


def _nothing_left() -> ToolError:
    return ToolError("ALREADY_UNDONE", "Nothing of this change is left to take back.")


class _UnlessChangedSince:
    """A writer that leaves alone what is no longer as the change had left it."""

    def __init__(self, writer: ChunkWriter, undoer: Undoer, items: Sequence[JournalItem]) -> None:
        self.kind: ChangeKind = writer.kind
        self.subject = writer.subject
        self.chunk = writer.chunk
        self._writer = writer
        self._undoer = undoer
        self._left_as = {item.item_id: item.after for item in items}

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        plan = await self._writer.plan(photo_ids)
        changed = [p.photo_id for p in plan.todo if not self._undoer.same(p.before, self._left_as[p.photo_id])]
        return msgspec.structs.replace(
            plan,
            todo=tuple(p for p in plan.todo if p.photo_id not in changed),
            failed=(*plan.failed, *(Failure(photo_id=i, reason=CHANGED_SINCE) for i in changed)),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        return await self._writer.write(planned)

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        return await self._writer.applied_after_all(planned)
