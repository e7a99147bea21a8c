"""``safelight chat --inbox``: what agents from outside ask, shown and answered on the terminal until Ctrl-C."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

from safelight.cli.conversation import first_error
from safelight.cli.questions import Answer
from safelight_client import Conflict, NotFound, models, seq_of

if TYPE_CHECKING:
    import argparse

    from safelight.cli.display import Display
    from safelight.cli.questions import Answerer
    from safelight_client import SafelightClient, StreamedEvent

__all__ = ("SAID_NO_TO_AGENTS", "WAITING", "attend", "misuse")

SAID_NO_TO_AGENTS: Final = Answer("deny", "The user answers every question of an agent with no for now.")
WAITING: Final = "The inbox is open: questions of agents from outside come here. Ctrl-C closes it."


def misuse(args: argparse.Namespace) -> str | None:
    """What is wrong with the options, in a sentence; None when they fit each other."""
    if args.inbox == (args.text is not None):
        return (
            "Give either a message or --inbox." if args.inbox else "Give a message, or --inbox for agents' questions."
        )
    of_a_chat = {"--model": args.model, "--mode": args.mode, "--demo": args.demo or None}
    given = [option for option, value in of_a_chat.items() if value is not None]
    return f"{given[0]} is of no use with --inbox: leave it out." if args.inbox and given else None


async def attend(client: SafelightClient, display: Display, answerer: Answerer) -> None:
    """Show what happens in the inbox, beginning with the questions that wait, and answer them one at a time. Goes on
    until it is cancelled, or the service closes the inbox for good.

    Raises:
        SafelightClientError: the service cannot be reached (any more) or refuses.
    """
    try:
        await _Attendance(client, display, answerer).go_on()
    except ExceptionGroup as group:
        raise first_error(group) from group
    finally:
        display.end()


class _Attendance:
    def __init__(self, client: SafelightClient, display: Display, answerer: Answerer) -> None:
        self._client = client
        self._display = display
        self._answerer = answerer
        self._calls: dict[str, models.ToolCallEvent] = {}
        self._answering: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def go_on(self) -> None:
        head: int | None = None
        earlier: dict[str, list[StreamedEvent]] = {}
        async with asyncio.TaskGroup() as group, aclosing(self._client.inbox.events()) as events:
            async for event in events:
                if isinstance(event, models.HelloEvent) and head is None:
                    head = event.head
                elif isinstance(event, models.ResyncEvent):
                    head = 0  # another log than before: all of it is new
                seq = seq_of(event)
                if seq is None or seq > (head or 0):
                    self._take(event, group)
                    continue
                _hold(event, earlier)
                if seq == head:
                    for held in earlier.values():
                        for open_event in held:
                            self._take(open_event, group)

    def _take(self, event: StreamedEvent, group: asyncio.TaskGroup) -> None:
        if isinstance(event, models.ApprovalResolvedEvent):
            answering = self._answering.pop(event.call_id, None)
            if answering is not None:
                answering.cancel()
        self._display.show(event)
        if isinstance(event, models.ToolCallEvent):
            self._calls[event.call_id] = event
        elif isinstance(event, models.ToolDoneEvent | models.ToolSkippedEvent):
            self._calls.pop(event.call_id, None)
        elif isinstance(event, models.ApprovalNeededEvent) and event.call_id in self._calls:
            self._answering[event.call_id] = group.create_task(self._answer(event))

    async def _answer(self, asked: models.ApprovalNeededEvent) -> None:
        async with self._one_at_a_time:
            self._display.ask(self._calls[asked.call_id], asked)
            given = await self._answerer.answer(asked)
            # Answered elsewhere meanwhile: the event that says so is on its way.
            with suppress(Conflict, NotFound):
                await self._client.inbox.answer(asked.call_id, given.decision, given.note)


def _hold(event: StreamedEvent, earlier: dict[str, list[StreamedEvent]]) -> None:
    """Keep what was told of the calls that are open; what is over nobody has to see again."""
    call_id = getattr(event, "call_id", None)
    if isinstance(event, models.ToolDoneEvent | models.ToolSkippedEvent):
        earlier.pop(event.call_id, None)
    elif isinstance(call_id, str):
        earlier.setdefault(call_id, []).append(event)
