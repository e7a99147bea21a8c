"""Photos as a tool's answer shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.wire.bridge_models import PhotoRecord

__all__ = ("compact", "detailed", "missing_photos")

OURS: Final = frozenset(["path", "edited"])
"""Fields of a record that are not for models."""

DETAILS: Final = frozenset(["camera", "lens", "iso", "width", "height", "file_format"])
SHOWN_MISSING: Final = 5


def detailed(record: PhotoRecord) -> dict[str, Any]:
    """Everything that is set, as the contract's Photo."""
    return {k: v for k, v in msgspec.to_builtins(record).items() if k not in OURS and v not in ("", [])}


def compact(record: PhotoRecord) -> dict[str, Any]:
    """What tells photos apart in a list: no technical details, no "is not a virtual copy"."""
    return {k: v for k, v in detailed(record).items() if k not in DETAILS and (k, v) != ("virtual_copy", False)}


def missing_photos(photo_ids: Sequence[str]) -> list[str]:
    """Sentences about ids that the catalog does not know; none for none."""
    if not photo_ids:
        return []
    named = ", ".join(photo_ids[:SHOWN_MISSING])
    rest = len(photo_ids) - SHOWN_MISSING
    more = f" and {rest} more" if rest > 0 else ""
    return [f"Not in the open catalog: {named}{more}. Search again for the photos that you mean."]
