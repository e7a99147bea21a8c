"""What the gate asks of every tool besides running it: the photos that a call reaches, now and later."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from safelight.tools.targets import TargetNames, count_target, frozen, resolve_target, target_of
from safelight.tools.write import change_photos, preview_of

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall
    from safelight.gate.tool import ToolAnswer
    from safelight.tools.write import ChunkWriter
    from safelight.wire.models import Preview

__all__ = ("ChangesPhotos", "OnNoPhotos", "OnPhotos")


class OnNoPhotos:
    """A tool that reaches no photos: nothing to count, to keep still or to show beforehand."""

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """None: it acts on no photos."""
        del arguments
        return None

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call."""
        return arguments

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """None: no photo changes."""
        del arguments
        return None


class OnPhotos:
    """A tool that takes exactly one of ``set`` and ``photo_ids``."""

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """How many photos the target has now. Raises as ``target_of`` and ``resolve_target`` do."""
        return await count_target(self._catalogs, target_of(TargetNames.among(arguments)))

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call on the photos that its target has now."""
        return await frozen(self._catalogs, arguments)

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """None, unless the tool can tell what would change."""
        del arguments
        return None


class ChangesPhotos(OnPhotos, ABC):
    """A tool that changes each of its photos, as its ``writer`` does it: the same plan is shown before and then carried
    out."""

    @abstractmethod
    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> ChunkWriter:
        """What changes the photos. Raises ``ToolError`` for arguments that make no sense together."""

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """Before and after of the first 20 photos."""
        target = target_of(TargetNames.among(arguments))
        catalog = await self._catalogs.present()
        writer = await self.writer(catalog, arguments)
        return await preview_of(writer, (await resolve_target(self._catalogs, catalog, target)).photo_ids)

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Change the photos and report on each. Raises as ``change_photos``, ``target_of`` and ``resolve_target``."""
        target = target_of(TargetNames.among(arguments))
        catalog = await self._catalogs.present()
        writer = await self.writer(catalog, arguments)
        resolved = await resolve_target(self._catalogs, catalog, target)
        return await change_photos(writer, catalog.catalog_id, resolved.photo_ids, call, warnings=resolved.warnings)
