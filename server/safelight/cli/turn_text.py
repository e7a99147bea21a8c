"""The text of the running turn: which of it has been shown, whatever the order in which it arrives."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from safelight_client import StreamedEvent, models

__all__ = ("Piece", "TurnText")

Kind: TypeAlias = Literal["reasoning", "text"]


class Piece(NamedTuple):
    """Text to show now. With ``anew`` it stands for the whole kind: what was shown before of it no longer holds."""

    kind: Kind
    text: str
    anew: bool = False


class TurnText:
    """Turns deltas, snapshots and whole turns into pieces, each character of a turn once."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._shown: dict[Kind, str] = {"reasoning": "", "text": ""}
        self._offset = 0

    def take(self, event: StreamedEvent) -> list[Piece]:
        """What the event adds to the screen."""
        match event:
            case models.DeltaEvent(kind=kind, text=text, offset=offset):
                # An earlier piece is known, a later one leaves a hole that only the whole turn can fill.
                if offset != self._offset:
                    return []
                self._offset += len(text)
                self._shown[kind] += text
                return [Piece(kind, text)] if text else []
            case models.SnapshotEvent(offset=offset):
                pieces = self._rest(event.reasoning, event.text)
                self._shown = {"reasoning": event.reasoning, "text": event.text}
                self._offset = offset
                return pieces
            case models.AssistantTurnEvent():
                pieces = self._rest(event.reasoning, event.text)
                self._begin()
                return pieces
            case models.StoppedEvent() | models.ErrorEvent():
                self._begin()
            case _:
                pass
        return []

    def _rest(self, reasoning: str, text: str) -> list[Piece]:
        pieces: list[Piece] = []
        whole: list[tuple[Kind, str]] = [("reasoning", reasoning), ("text", text)]
        for kind, now in whole:
            before = self._shown[kind]
            if now.startswith(before):
                pieces.append(Piece(kind, now[len(before) :]))
            else:
                pieces.append(Piece(kind, now, anew=True))
        return [piece for piece in pieces if piece.text]
