"""Tokens and keys: a type that hides them, how they are made, stored and compared."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, Literal

__all__ = ("PREFIXES", "Secret", "TokenKind", "digest", "new_token", "same_digest")

TokenKind = Literal["agent", "chat", "app"]

PREFIXES: Final[dict[TokenKind, str]] = {"agent": "sla_", "chat": "slc_", "app": "slp_"}
"""How a token of each kind begins, so that a leaked one can be recognised."""


class Secret:
    """A text that never shows itself: ``str``, ``repr`` and formatting give asterisks. ``reveal`` gives the text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret('***')"

    __str__ = __repr__


def new_token(kind: TokenKind) -> Secret:
    """A fresh token with 256 random bits."""
    return Secret(PREFIXES[kind] + secrets.token_urlsafe(32))


def digest(token: str) -> str:
    """What is stored of a token. Tokens are random, so a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same_digest(one: str, other: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())
