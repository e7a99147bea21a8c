"""Rankings by likeness: what is cut off, and how two rankings become one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog.ranking import ALIKE, MOST, fused, nearest

SCORES = st.lists(st.floats(-1, 1, width=32), max_size=300)
RANKING = st.lists(st.integers(1, 40), unique=True)


@given(scores=SCORES, usual=st.floats(-1, 1))
def test_the_cut_keeps_the_best_in_order_and_nothing_that_is_nearer_to_the_usual(
    scores: list[float], usual: float
) -> None:
    values = np.array(scores, np.float32)
    kept: list[int] = nearest(values, usual).tolist()
    assert len(kept) == len(set(kept)) <= MOST
    assert bool(kept) == bool(scores)
    told = [scores[place] for place in kept]
    assert told == sorted(told, reverse=True)
    if kept:
        best = max(scores)
        assert told[0] == best
        far = max(ALIKE, (best - usual) / 2)
        assert all(best - score <= far + 1e-6 for score in told)
        left_out = set(range(len(scores))) - set(kept)
        if len(kept) < MOST:
            assert all(best - scores[place] >= far - 1e-6 for place in left_out)


def test_a_hundred_are_the_most_and_of_equals_the_first_stay_first() -> None:
    assert nearest(np.full(250, 0.5, np.float32), 0.5).tolist() == list(range(MOST))
    assert nearest(np.array([0.2, 0.9, 0.85, 0.3], np.float32), 0.25).tolist() == [1, 2]


@given(one=RANKING, other=RANKING)
def test_fusion_keeps_every_number_once_and_what_both_rankings_agree_on(one: list[int], other: list[int]) -> None:
    both = fused(one, other)
    assert sorted(both) == sorted({*one, *other})
    place = {number: at for at, number in enumerate(both)}
    for higher in one:
        for lower in one[one.index(higher) + 1 :]:
            if higher in other and lower in other and other.index(higher) < other.index(lower):
                assert place[higher] < place[lower]


@given(ranking=RANKING)
def test_fusion_of_one_ranking_changes_nothing(ranking: list[int]) -> None:
    assert fused(ranking) == ranking == fused(ranking, ranking) == fused(ranking, [])


def test_of_equals_the_earlier_ranking_decides() -> None:
    assert fused([1, 2], [2, 1]) == [1, 2]
    assert fused([2, 1], [1, 2]) == [2, 1]
