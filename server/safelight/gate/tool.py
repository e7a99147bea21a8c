"""What the gate knows of a tool: enough to decide, to show what would change, and to run it once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from safelight.conversation.parts import Image

if TYPE_CHECKING:
    from safelight.gate.running import RunningCall
    from safelight.wire.base import ToolSpec
    from safelight.wire.models import Preview

__all__ = ("GatedTool", "ToolAnswer")


class ToolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool came to. ``content`` holds to the tool's output schema; ``ok`` is false when nothing was achieved
    (e.g. a write that failed for every photo), and then ``content`` still tells what happened per photo."""

    content: dict[str, Any]
    ok: bool = True
    images: tuple[Image, ...] = ()


class GatedTool(Protocol):
    """A tool behind the gate. ``arguments`` have passed its input schema. All methods may raise ``ToolError``."""

    spec: ToolSpec

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """How many photos a call would act on; None where the tool acts on no photos."""
        ...

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call with the photos that it means now written down, so that it means no others later, whatever is
        selected then. Counts, previews and runs as the call itself would at this moment."""
        ...

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """Before and after of the first 20 photos, computed without changing anything; None where there is none."""
        ...

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Run the call. Only the gate calls this. What changes the catalog is written down through ``call``."""
        ...
