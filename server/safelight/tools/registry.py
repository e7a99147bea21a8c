"""Every tool of the contract, ready for the gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from safelight.tools.collections import CreateCollection, CreateSmartCollection, DeleteCollection, ListCollections
from safelight.tools.details import GetPhotos
from safelight.tools.develop_tools import (
    AutoTone,
    CopyDevelopSettings,
    GetDevelopSettings,
    ResetDevelop,
    SetDevelopSettings,
)
from safelight.tools.export import ExportPhotos
from safelight.tools.indexing import IndexPhotos
from safelight.tools.keywords import EditKeywords
from safelight.tools.look import SearchPhotos
from safelight.tools.membership import AddToCollection, RemoveFromCollection
from safelight.tools.overview import CatalogOverview, ListKeywords
from safelight.tools.presets import ApplyPreset, ListPresets
from safelight.tools.show import ShowPhotos
from safelight.tools.similar import FindSimilar
from safelight.tools.status import BridgeTrace, GetStatus
from safelight.tools.undo import UndoChange
from safelight.tools.values import SetFlag, SetLabel, SetMetadata, SetRating
from safelight.tools.versions import CreateSnapshot, CreateVirtualCopies, ListSnapshots
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs
    from safelight.catalog.indexing import Indexing
    from safelight.catalog.meaning import Meaning
    from safelight.catalog.thumbnails import Thumbnails
    from safelight.gate.journal import Journal
    from safelight.gate.tool import GatedTool
    from safelight.jobs.jobs import Jobs
    from safelight.tools.search import PhotoSearch

__all__ = ("ToolParts", "build_tools", "for_people")


@dataclass(frozen=True, kw_only=True)
class ToolParts:
    """What tools work with. ``catalogs`` must observe the hellos of ``bridge``."""

    bridge: Bridge
    catalogs: Catalogs
    thumbnails: Thumbnails
    journal: Journal
    jobs: Jobs
    indexing: Indexing
    meaning: Meaning
    search: PhotoSearch


def build_tools(parts: ToolParts) -> dict[str, GatedTool]:
    """The tools by name, in the contract's order."""
    catalogs = parts.catalogs
    tools: tuple[GatedTool, ...] = (
        GetStatus(parts.bridge, catalogs, parts.jobs),
        CatalogOverview(catalogs),
        SearchPhotos(parts.search),
        GetPhotos(catalogs, parts.thumbnails),
        FindSimilar(catalogs, parts.meaning),
        ListCollections(catalogs),
        ListKeywords(catalogs),
        ListPresets(catalogs),
        GetDevelopSettings(catalogs),
        ListSnapshots(catalogs),
        ShowPhotos(catalogs),
        CreateCollection(catalogs),
        CreateSmartCollection(catalogs),
        AddToCollection(catalogs),
        RemoveFromCollection(catalogs),
        CreateSnapshot(catalogs),
        CreateVirtualCopies(catalogs),
        IndexPhotos(parts.indexing),
        ExportPhotos(catalogs, parts.jobs),
        SetRating(catalogs),
        SetFlag(catalogs),
        SetLabel(catalogs),
        SetMetadata(catalogs),
        EditKeywords(catalogs),
        SetDevelopSettings(catalogs),
        ApplyPreset(catalogs),
        CopyDevelopSettings(catalogs),
        AutoTone(catalogs),
        ResetDevelop(catalogs),
        DeleteCollection(catalogs),
        UndoChange(catalogs, parts.journal),
        BridgeTrace(parts.bridge),
    )
    named = {tool.spec.name: tool for tool in tools}
    return {name: named[name] for name in TOOLS if name in named}


def for_people(tools: Mapping[str, GatedTool]) -> dict[str, GatedTool]:
    """Without the tools for developers."""
    return {name: tool for name, tool in tools.items() if not tool.spec.developer}
