"""Choosing the next token: what the settings leave is what can be drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from safelight.conversation.sampling import GREEDY, Sampling
from safelight.engines.chooser import Chooser

ROWS = st.lists(st.one_of(st.floats(-30, 30, width=32), st.just(-float("inf"))), min_size=1, max_size=40).filter(
    lambda row: max(row) > -float("inf")
)


def logits(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


@given(ROWS, st.floats(0.01, 5), st.floats(0, 1), st.floats(0, 1), st.integers(0, 2**32))
def test_only_what_the_settings_leave_is_ever_drawn(
    row: list[float], temperature: float, top_p: float, min_p: float, seed: int
) -> None:
    chooser = Chooser(Sampling(temperature=temperature, top_p=top_p, min_p=min_p, seed=seed))
    given_row = logits(*row)
    chosen = [chooser.choose(given_row) for _ in range(3)]
    assert list(given_row) == list(logits(*row))
    scaled = np.exp((given_row.astype(np.float64) - given_row.max()) / temperature)
    for token in chosen:
        assert row[token] > -float("inf")
        assert scaled[token] >= min_p * 0.999
        left = scaled[scaled >= min_p * 1.001]
        likelier = left[left > scaled[token] * 1.001].sum() / left.sum()
        assert likelier <= top_p + 1e-5


def test_greedy_takes_the_likeliest_and_so_does_a_top_p_of_nothing() -> None:
    row = logits(0.5, 2.0, -1.0, 1.9)
    assert Chooser(GREEDY).choose(row) == 1
    for seed in range(20):
        assert Chooser(Sampling(temperature=5.0, top_p=0.0, seed=seed)).choose(row) == 1
        assert Chooser(Sampling(temperature=5.0, min_p=1.0, seed=seed)).choose(row) == 1
        assert Chooser(Sampling(temperature=1e-6, seed=seed)).choose(row) == 1


def test_tokens_come_as_often_as_their_probability_says() -> None:
    chooser = Chooser(Sampling(temperature=1.0, seed=7))
    drawn = Counter(chooser.choose(np.log(logits(0.1, 0.2, 0.7))) for _ in range(4_000))
    assert [drawn[token] / 4_000 for token in range(3)] == pytest.approx([0.1, 0.2, 0.7], abs=0.03)


def test_an_equal_seed_draws_the_same_and_none_takes_chance() -> None:
    row = np.zeros(5_000, dtype=np.float32)

    def drawn(seed: int | None) -> list[int]:
        chooser = Chooser(Sampling(temperature=1.0, seed=seed))
        return [chooser.choose(row) for _ in range(5)]

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)
    assert drawn(None) != drawn(None)


def test_a_top_p_that_needs_most_of_a_large_flat_vocabulary_is_kept() -> None:
    row = np.zeros(5_000, dtype=np.float32)
    row[4_000:] = -20.0
    chooser = Chooser(Sampling(temperature=1.0, top_p=0.99, seed=1))
    drawn = {chooser.choose(row) for _ in range(300)}
    assert max(drawn) < 4_000
    assert len(drawn) > 200
