"""Shows a chat's events: in words on the terminal, or each as one line of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from safelight.cli.turn_text import TurnText
from safelight.cli.words import (
    argument_lines,
    call_line,
    done_lines,
    question_lines,
    resolved_line,
    safe,
    skipped_line,
)
from safelight_client import StreamedEvent, encode_event, models

if TYPE_CHECKING:
    from safelight.cli.terminal import Terminal

__all__ = ("Display", "JsonDisplay", "WordsDisplay")


class Display(Protocol):
    """Where events and questions are shown."""

    def show(self, event: StreamedEvent) -> None: ...

    def ask(self, call: models.ToolCallEvent, asked: models.ApprovalNeededEvent) -> None: ...

    def end(self) -> None: ...


class JsonDisplay:
    """Each event is one line of JSON on standard output; questions go to the terminal where a person is asked."""

    def __init__(self, out: BinaryIO, terminal: Terminal, *, show_questions: bool) -> None:
        self._out = out
        self._terminal = terminal
        self._show_questions = show_questions

    def show(self, event: StreamedEvent) -> None:
        self._out.write(encode_event(event) + b"\n")
        self._out.flush()

    def ask(self, call: models.ToolCallEvent, asked: models.ApprovalNeededEvent) -> None:
        if self._show_questions:
            for line in question_lines(call, asked):
                self._terminal.line(line)

    def end(self) -> None:
        """Nothing is left open."""


class WordsDisplay:
    """The answer streams to standard output; reasoning, cards and questions stand on standard error."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._turn = TurnText()
        self._arguments: dict[str, dict[str, Any]] = {}

    def show(self, event: StreamedEvent) -> None:
        for piece in self._turn.take(event):
            if piece.anew:
                self._terminal.close_line()
            (self._terminal.thinking if piece.kind == "reasoning" else self._terminal.answer)(piece.text)
        for line in self._lines(event):
            self._terminal.line(line)
        if isinstance(event, models.AssistantTurnEvent | models.StoppedEvent | models.ErrorEvent):
            self._terminal.close_line()

    def ask(self, call: models.ToolCallEvent, asked: models.ApprovalNeededEvent) -> None:
        for line in question_lines(call, asked):
            self._terminal.line(line)

    def end(self) -> None:
        self._terminal.close_line()

    def _lines(self, event: StreamedEvent) -> list[str]:
        match event:
            case models.ToolCallEvent(call_id=call_id, arguments=arguments):
                self._arguments[call_id] = arguments
                return [call_line(event), *_indented(argument_lines(arguments))]
            case models.ApprovalResolvedEvent(call_id=call_id):
                return _indented([resolved_line(event, self._arguments.get(call_id))])
            case models.ToolDoneEvent():
                return _indented(done_lines(event))
            case models.ToolSkippedEvent():
                return _indented([skipped_line(event)])
            case models.QueuedEvent():
                return ["The message waits until the chat is free."]
            case models.WarningEvent(message=message):
                return [f"Warning: {safe(message)}"]
            case _:
                return []


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
