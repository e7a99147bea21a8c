"""What a grammar library does for ``Guide``, whichever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ("GrammarBackend", "Matcher")


class Matcher(Protocol):
    """One answer's way through a compiled grammar. Every method raises ``ModelError``, in words, when the grammar can
    go on no more; after that none may be called."""

    def fill(self, bits: NDArray[np.int32]) -> None:
        """Writes which tokens may come next, one bit a token, the lowest bit first."""
        ...

    def accept(self, token: int) -> None:
        """Goes on after ``token``."""
        ...

    def forced(self) -> list[int]:
        """Goes on past the tokens that must follow now, and returns them."""
        ...

    def rollback(self, tokens: int) -> None:
        """Takes the last ``tokens`` back, accepted and forced ones alike."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the answer is whole."""
        ...


class GrammarBackend(Protocol):
    """A grammar library with one vocabulary."""

    def compile(self, schema: dict[str, Any]) -> Compiled:
        """The grammar of a JSON Schema in normal form whose strings have no limits. Raises ``ModelError``."""
        ...


class Compiled(Protocol):
    """A grammar. Starting an answer costs next to nothing."""

    def start(self) -> Matcher:
        """A matcher that has accepted nothing."""
        ...
