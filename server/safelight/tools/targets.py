"""Which photos a call is about: exactly one of ``set`` and ``photo_ids``, never "everything" by omission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from safelight.errors import ToolError

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs, OpenCatalog

__all__ = (
    "Page",
    "PagedArguments",
    "Resolved",
    "Target",
    "TargetArguments",
    "TargetNames",
    "count_target",
    "frozen",
    "page_of",
    "resolve_target",
    "target_of",
)


class Live(msgspec.Struct, frozen=True):
    """What Lightroom shows now."""

    source: Literal["selection", "view"]


class Stored(msgspec.Struct, frozen=True):
    """An earlier result."""

    set_id: str


class Listed(msgspec.Struct, frozen=True):
    """Single photos, each once."""

    photo_ids: tuple[str, ...]


Target: TypeAlias = Live | Stored | Listed


class TargetArguments(Protocol):
    """The two arguments that every tool on photos has."""

    @property
    def set(self) -> str | UnsetType: ...
    @property
    def photo_ids(self) -> list[str] | UnsetType: ...


class TargetNames(msgspec.Struct, frozen=True):
    """Those two of the arguments of any such tool."""

    set: str | UnsetType
    photo_ids: list[str] | UnsetType

    @classmethod
    def among(cls, arguments: dict[str, Any]) -> TargetNames:
        """As they stand in arguments that have passed the tool's schema."""
        return cls(set=arguments.get("set", UNSET), photo_ids=arguments.get("photo_ids", UNSET))


class PagedArguments(TargetArguments, Protocol):
    """A target, and the part of it that is wanted."""

    @property
    def limit(self) -> int | UnsetType: ...
    @property
    def offset(self) -> int | UnsetType: ...


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """The photos as of now, each once, in order. ``set_id`` when they are a stored set. Listed ids are unchecked."""

    photo_ids: tuple[str, ...]
    set_id: str | None = None
    warnings: tuple[str, ...] = ()


def target_of(arguments: TargetArguments) -> Target:
    """What is meant. Raises ``ToolError`` NO_TARGET or BOTH_TARGETS."""
    if arguments.set is not UNSET and arguments.photo_ids is not UNSET:
        raise ToolError("BOTH_TARGETS", "Give either set or photo_ids, not both.")
    if arguments.photo_ids is not UNSET:
        return Listed(tuple(dict.fromkeys(arguments.photo_ids)))
    if arguments.set is UNSET:
        raise ToolError(
            "NO_TARGET",
            'Say which photos: set "selection" (selected in Lightroom), "view" (all photos now shown) or the set_id of '
            "an earlier result, or photo_ids.",
        )
    name = arguments.set.strip()
    if name == "selection":
        return Live("selection")
    return Live("view") if name == "view" else Stored(name)


async def resolve_target(catalogs: Catalogs, catalog: OpenCatalog, target: Target) -> Resolved:
    """The photos of a target in ``catalog``.

    Raises ``ToolError`` SET_UNKNOWN or SET_STALE, ``BridgeError`` NO_SELECTION and those of the bridge.
    """
    match target:
        case Listed(photo_ids):
            return Resolved(photo_ids=photo_ids)
        case Live(source):
            listing = await catalog.source.photo_ids(source)
            return Resolved(photo_ids=listing.photo_ids)
        case Stored(set_id):
            stored = await catalog.sets.load(set_id)
            if stored is None:
                raise await _missing_set(catalogs, set_id)
            gone = stored.gone
            there = "photo of this set is" if gone == 1 else "photos of this set are"
            warnings = (f"{gone} {there} no longer in the catalog.",) if gone else ()
            return Resolved(photo_ids=stored.photo_ids, set_id=set_id, warnings=warnings)


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a target's photos, and how many there are in all."""

    photo_ids: tuple[str, ...]
    count: int
    warnings: tuple[str, ...]


async def page_of(catalogs: Catalogs, arguments: PagedArguments, usual: int) -> tuple[OpenCatalog, Page]:
    """The photos that ``limit`` (``usual`` when it is not given) and ``offset`` ask for, and the catalog that they are
    in. Raises as ``target_of`` and ``resolve_target`` do."""
    target = target_of(arguments)
    catalog = await catalogs.present()
    resolved = await resolve_target(catalogs, catalog, target)
    offset = 0 if arguments.offset is UNSET else arguments.offset
    limit = usual if arguments.limit is UNSET else arguments.limit
    page = resolved.photo_ids[offset : offset + limit]
    return catalog, Page(photo_ids=page, count=len(resolved.photo_ids), warnings=resolved.warnings)


async def count_target(catalogs: Catalogs, target: Target) -> int:
    """How many photos a target has now. Raises as ``resolve_target`` does."""
    catalog = await catalogs.present()
    if isinstance(target, Live):
        return await catalog.source.count(target.source)
    return len((await resolve_target(catalogs, catalog, target)).photo_ids)


async def frozen(catalogs: Catalogs, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a tool on photos with what ``set`` means now kept as a set of its own. A set that is stored
    already, and ids, stay. Raises as ``target_of`` and ``resolve_target`` do."""
    target = target_of(TargetNames.among(arguments))
    if not isinstance(target, Live):
        return arguments
    catalog = await catalogs.present()
    resolved = await resolve_target(catalogs, catalog, target)
    return {**arguments, "set": await catalog.sets.save(resolved.photo_ids)}


async def _missing_set(catalogs: Catalogs, set_id: str) -> ToolError:
    if await catalogs.set_is_elsewhere(set_id):
        return ToolError(
            "SET_STALE",
            f"The set {set_id} belongs to another catalog than the one that is open in Lightroom. Search again.",
        )
    return ToolError(
        "SET_UNKNOWN",
        f'There is no set {set_id}. Use the set_id of an earlier result, "selection" or "view", or search again.',
    )
