"""A token that cannot slip into a log."""

from __future__ import annotations

import hmac
from typing import NoReturn

__all__ = ("Secret",)


class Secret:
    """A text that repr, str, format, pickle and tracebacks never show; only ``reveal`` gives it out."""

    __slots__ = ("_value",)

    def __init__(self, value: str | Secret) -> None:
        self._value: str = value.reveal() if isinstance(value, Secret) else value
        if not self._value or not self._value.isascii() or not self._value.isprintable():
            raise ValueError("a token is a non-empty text of printable ASCII characters")

    def reveal(self) -> str:
        """The text itself. Put it into a request, never into a message."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(<hidden>)"

    def __str__(self) -> str:
        return "<hidden>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value, other._value)

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not written anywhere")
