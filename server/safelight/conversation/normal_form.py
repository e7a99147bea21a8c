"""The normal form of a call's arguments: what two calls are compared by, and what a digest is taken of (pure)."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any, Final, cast

import msgspec

__all__ = ("canonical", "digest_of", "normalised")

_EXACT: Final = 2.0**53


def canonical(value: Any) -> bytes:
    """Canonical JSON: keys sorted at every level, no blanks, UTF-8. Values that JSON cannot hold raise ``TypeError``
    or ``UnicodeEncodeError``."""
    return msgspec.json.encode(value, order="sorted")


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON, hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def normalised(value: Any) -> Any:
    """The value with what is merely written otherwise written alike: 4.0 as 4, texts in Unicode NFC. Idempotent.

    With ``canonical`` the order of keys falls away too. Not equated, since a tool may tell them apart: a missing value,
    null and a default; "4" and 4; true and 1; capitals and blanks; the order of a list; keys that differ in any byte.
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {key: normalised(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [normalised(item) for item in cast("list[Any]", value)]
    return value
