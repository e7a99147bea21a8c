"""The running turn's text: each character is shown once, whichever events a reader gets."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from safelight.cli.turn_text import Piece, TurnText
from safelight_client import StreamedEvent, models


def pieces(events: list[StreamedEvent]) -> list[Piece]:
    turn = TurnText()
    return [piece for event in events for piece in turn.take(event)]


def together(shown: list[Piece], kind: str) -> str:
    text = ""
    for piece in shown:
        if piece.kind == kind:
            text = piece.text if piece.anew else text + piece.text
    return text


def deltas(reasoning: str, text: str, cuts: list[int]) -> list[StreamedEvent]:
    """The turn streamed in pieces: reasoning first."""
    events: list[StreamedEvent] = []
    places = sorted({0, len(reasoning), len(reasoning + text), *(cut % (len(reasoning + text) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        kind = "reasoning" if start < len(reasoning) else "text"
        events.append(models.DeltaEvent(kind=kind, text=(reasoning + text)[start:end], offset=start))
    return events


def snapshot(reasoning: str, text: str, offset: int) -> models.SnapshotEvent:
    seen = (reasoning[:offset], text[: max(0, offset - len(reasoning))])
    return models.SnapshotEvent(reasoning=seen[0], text=seen[1], offset=offset)


words = st.text(max_size=12)


@given(words, words, st.lists(st.integers(0, 99), max_size=6), st.data())
def test_each_character_is_shown_once_over_losses_repeats_and_snapshots(
    reasoning: str, text: str, cuts: list[int], data: st.DataObject
) -> None:
    whole = deltas(reasoning, text, cuts)
    lost_from = data.draw(st.integers(0, len(whole)))
    back_at = data.draw(st.integers(lost_from, len(whole)))
    repeated_from = data.draw(st.integers(0, back_at))
    offset = sum(len(event.text) for event in whole[:back_at] if isinstance(event, models.DeltaEvent))
    seen = [*whole[:lost_from], snapshot(reasoning, text, offset), *whole[repeated_from:]]
    turn = models.AssistantTurnEvent(seq=1, reasoning=reasoning, text=text)
    shown = pieces([*seen, turn])
    assert not any(piece.anew for piece in shown)
    assert together(shown, "reasoning") == reasoning
    assert together(shown, "text") == text
    assert together(pieces(list(seen)), "text") == text


def test_a_hole_is_filled_by_the_whole_turn() -> None:
    hole = [models.DeltaEvent(kind="text", text="a", offset=0), models.DeltaEvent(kind="text", text="c", offset=2)]
    turn = models.AssistantTurnEvent(seq=1, reasoning="", text="abc")
    assert pieces([*hole, turn]) == [Piece("text", "a"), Piece("text", "bc")]


def test_a_turn_that_became_another_is_shown_anew() -> None:
    delta = models.DeltaEvent(kind="text", text="No", offset=0)
    turn = models.AssistantTurnEvent(seq=1, reasoning="", text="Yes")
    assert pieces([delta, turn, delta]) == [Piece("text", "No"), Piece("text", "Yes", anew=True), Piece("text", "No")]


def test_a_stopped_turn_leaves_nothing_behind() -> None:
    delta = models.DeltaEvent(kind="text", text="No", offset=0)
    stopped = models.StoppedEvent(seq=1, reason="user")
    assert pieces([delta, stopped, delta]) == [Piece("text", "No"), Piece("text", "No")]
