"""What a model's memory holds of a conversation: tokens, and pictures as whole chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ("Held", "ImageChunk", "Unit", "positions", "runs", "tokens_of")


class ImageChunk(msgspec.Struct, frozen=True):
    """One picture as the model reads it, or a part of one. Equal ``content`` (a hash of the picture, and which part)
    means an equal picture; the next unit stands ``positions`` places behind it. It takes the room of ``tokens``, which
    may be more."""

    content: str
    positions: int
    tokens: int


Unit: TypeAlias = int | ImageChunk
"""A token, or a picture. A picture is held whole or not at all."""


class Held:
    """The units that are evaluated, in order."""

    def __init__(self) -> None:
        self._units: list[Unit] = []
        self._positions = 0

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(self._units)

    @property
    def positions(self) -> int:
        """The place that the next unit takes."""
        return self._positions

    def __len__(self) -> int:
        return len(self._units)

    def shared(self, wanted: Sequence[Unit]) -> int:
        """How many units at the beginning of ``wanted`` are held."""
        count = 0
        for held, unit in zip(self._units, wanted, strict=False):
            if held != unit:
                break
            count += 1
        return count

    def add(self, units: Iterable[Unit]) -> None:
        """Says that ``units`` are evaluated behind what is held."""
        added = list(units)
        self._units += added
        self._positions += positions(added)

    def cut(self, length: int) -> int:
        """Keeps the first ``length`` units; the places that these take."""
        self._positions -= positions(self._units[length:])
        del self._units[length:]
        return self._positions


def positions(units: Iterable[Unit]) -> int:
    """The places that ``units`` take."""
    return sum(unit.positions if isinstance(unit, ImageChunk) else 1 for unit in units)


def tokens_of(units: Iterable[Unit]) -> int:
    """The room that ``units`` take in the model's window."""
    return sum(unit.tokens if isinstance(unit, ImageChunk) else 1 for unit in units)


def runs(units: Iterable[Unit]) -> Iterator[list[int] | ImageChunk]:
    """The tokens that stand together, and the pictures in between."""
    tokens: list[int] = []
    for unit in units:
        if isinstance(unit, int):
            tokens.append(unit)
            continue
        if tokens:
            yield tokens
            tokens = []
        yield unit
    if tokens:
        yield tokens
