"""A matcher whose strings have no limits, kept to those of its schema by counting the characters of the open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from safelight.engines.grammar.parts import with_parts
from safelight.engines.grammar.places import further

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from safelight.engines.grammar.pieces import Pieces
    from safelight.engines.grammar.places import Place
    from safelight.engines.grammar.seam import Matcher

__all__ = ("Capped", "uncapped")

_CAPS: Final = ("minLength", "maxLength")


class Capped:
    """Implements ``Matcher``."""

    def __init__(self, matcher: Matcher, pieces: Pieces, place: Place) -> None:
        self._matcher = matcher
        self._pieces = pieces
        self._places = [place]
        """One for every token so far, and the beginning."""

    def fill(self, bits: NDArray[np.int32]) -> None:
        self._matcher.fill(bits)
        np.bitwise_and(bits, self._pieces.allowed(self._places[-1]), out=bits)

    def accept(self, token: int) -> None:
        self._matcher.accept(token)
        self._go(token)

    def forced(self) -> list[int]:
        tokens = self._matcher.forced()
        for token in tokens:
            self._go(token)
        return tokens

    def rollback(self, tokens: int) -> None:
        self._matcher.rollback(tokens)
        del self._places[len(self._places) - tokens :]

    @property
    def finished(self) -> bool:
        return self._matcher.finished

    def _go(self, token: int) -> None:
        self._places.append(further(self._places[-1], self._pieces.texts[token]))


def uncapped(node: dict[str, Any]) -> dict[str, Any]:
    """The schema in normal form without the limits of its strings."""
    found = with_parts(node, uncapped)
    return {name: value for name, value in found.items() if name not in _CAPS}
