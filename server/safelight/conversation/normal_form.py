"""The normal form of a call's arguments: what two calls are compared by, and what a digest is taken of (pure)."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

__all__ = ("canonical", "digest_of")


def canonical(value: Any) -> bytes:
    """Canonical JSON: keys sorted at every level, no blanks, UTF-8. Values that JSON cannot hold raise ``TypeError``
    or ``UnicodeEncodeError``."""
    return msgspec.json.encode(value, order="sorted")


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON, hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()
