"""What a model's memory holds: tokens, and pictures that are held whole or not at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from safelight.engines.held import Held, ImageChunk, Unit, positions, runs

UNITS = st.lists(
    st.one_of(
        st.integers(0, 3),
        st.builds(
            ImageChunk, content=st.sampled_from(["sea", "boat"]), positions=st.integers(1, 300), tokens=st.just(300)
        ),
    ),
    max_size=12,
)


@given(UNITS, UNITS)
def test_what_is_shared_is_equal_and_what_follows_it_differs(before: list[Unit], wanted: list[Unit]) -> None:
    held = Held()
    held.add(before)
    shared = held.shared(wanted)
    assert before[:shared] == wanted[:shared]
    assert shared == min(len(before), len(wanted)) or before[shared] != wanted[shared]
    assert held.cut(shared) == positions(wanted[:shared]) == held.positions
    held.add(wanted[shared:])
    assert list(held.units) == wanted
    assert held.positions == positions(wanted)
    assert len(held) == len(wanted)


@given(UNITS)
def test_runs_are_the_units_in_order_with_tokens_together(units: list[Unit]) -> None:
    found = list(runs(units))
    flat: list[Unit] = []
    for run in found:
        flat += [run] if isinstance(run, ImageChunk) else run
    assert flat == units
    assert [] not in found
    assert not any(isinstance(a, list) and isinstance(b, list) for a, b in zip(found, found[1:], strict=False))


def test_another_picture_of_the_same_size_is_not_shared() -> None:
    held = Held()
    held.add([1, ImageChunk("sea", 256, 256), 2])
    assert held.shared([1, ImageChunk("boat", 256, 256), 2]) == 1
    assert held.shared([1, ImageChunk("sea", 256, 256), 3]) == 2
    assert held.cut(2) == 257
    assert held.cut(1) == 1
