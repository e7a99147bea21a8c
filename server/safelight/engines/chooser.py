"""Picks the next token from a row of logits, as ``Sampling`` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from safelight.conversation.sampling import Sampling

__all__ = ("Chooser",)

_LIKELIEST: Final = 1_024
"""Sorting these is enough almost always; sorting a vocabulary of 262,144 takes longer than computing its logits."""


class Chooser:
    """Chooses the tokens of one answer. At least one logit of every row must be finite."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._random = np.random.default_rng(sampling.seed)

    def choose(self, logits: NDArray[np.float32]) -> int:
        """The next token's id. ``logits`` stay as they are."""
        sampling = self._sampling
        if sampling.temperature <= 0:
            return int(np.argmax(logits))
        with np.errstate(over="ignore"):
            shares = np.exp((logits - logits.max()) / np.float32(sampling.temperature))
        if sampling.min_p > 0:
            shares[shares < min(sampling.min_p, 1.0)] = 0
        if sampling.top_p < 1:
            _keep_likeliest(shares, sampling.top_p)
        sums: NDArray[np.float64] = np.cumsum(shares, dtype=np.float64)
        total = float(sums[-1])
        drawn = int(np.searchsorted(sums, self._random.random() * total, side="right"))
        # Rounding may draw the very end, behind which only forbidden tokens may stand.
        return min(drawn, int(np.searchsorted(sums, total)))


def _keep_likeliest(shares: NDArray[np.float32], part: float) -> None:
    """Sets to zero what is not among the likeliest that together have ``part`` of all."""
    wanted = part * float(shares.sum(dtype=np.float64))
    for count in (min(_LIKELIEST, shares.size), shares.size):
        likeliest = _likeliest(shares, count)
        sums: NDArray[np.float64] = np.cumsum(shares[likeliest], dtype=np.float64)
        if sums[-1] >= wanted:
            kept = likeliest[: int(np.searchsorted(sums, wanted)) + 1]
            values = shares[kept]
            shares[:] = 0
            shares[kept] = values
            return


def _likeliest(shares: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Where the ``count`` largest stand, the largest first."""
    places: NDArray[np.intp] = np.argpartition(shares, -count)[-count:]
    return places[np.argsort(shares[places])[::-1]]
