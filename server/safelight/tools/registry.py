"""Every tool of the contract, ready for the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from safelight.tools.collections import AddToCollection, CreateCollection
from safelight.tools.look import GetPhotos, GetStatus, SearchPhotos
from safelight.tools.show import ShowPhotos
from safelight.tools.values import SetMetadata, SetRating

if TYPE_CHECKING:
    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs
    from safelight.gate.tool import GatedTool

__all__ = ("build_tools",)


def build_tools(bridge: Bridge, catalogs: Catalogs) -> dict[str, GatedTool]:
    """The tools by name, in the contract's order. ``catalogs`` must observe the hellos of ``bridge``."""
    tools: tuple[GatedTool, ...] = (
        GetStatus(bridge),
        SearchPhotos(catalogs),
        GetPhotos(catalogs),
        ShowPhotos(catalogs),
        CreateCollection(catalogs),
        AddToCollection(catalogs),
        SetRating(catalogs),
        SetMetadata(catalogs),
    )
    return {tool.spec.name: tool for tool in tools}
