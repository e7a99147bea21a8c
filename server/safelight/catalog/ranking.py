"""Rankings by likeness: pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ("MOST", "fused", "nearest")

MOST: Final = 100
"""Photos that a ranking by likeness finds at most."""

ALIKE: Final = 0.03
"""Cosines that differ by less tell nothing: many photos may show the same."""

FLATTENS: Final = 60
"""The usual constant of reciprocal rank fusion: so little do the first places stand out."""


def nearest(scores: NDArray[Any], usual: float) -> NDArray[Any]:
    """The places of the best scores, best first, at most 100: of those that are nearer to the best than to the usual
    one, which is that of all photos on the average, or as good as the best. The best is always among them."""
    if not len(scores):
        return np.empty(0, np.intp)
    best = scores.max()
    kept = np.flatnonzero(scores >= best - max(ALIKE, (best - usual) / 2))
    return kept[np.argsort(-scores[kept], kind="stable")[:MOST]]


def fused(*rankings: Sequence[int]) -> list[int]:
    """One ranking of everything that stands in any, each number once, by reciprocal rank fusion: first what stands high
    in most of them. Of equals, what the earlier ranking puts first."""
    points: dict[int, float] = {}
    for ranking in rankings:
        for place, number in enumerate(ranking):
            points[number] = points.get(number, 0.0) + 1 / (FLATTENS + place + 1)
    return sorted(points, key=lambda number: -points[number])
