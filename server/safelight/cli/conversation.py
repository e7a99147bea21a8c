"""One message from sending to the end of the work on it: events are shown, questions answered, Ctrl-C stops the run."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final, cast

from safelight.cli.outcome import Outcome
from safelight_client import Conflict, NotFound, SafelightClientError, models

if TYPE_CHECKING:
    from safelight.cli.display import Display
    from safelight.cli.questions import Answerer
    from safelight_client import Chat

__all__ = ("converse", "first_error")

STOP_S: Final = 5.0


async def converse(chat: Chat, text: str, display: Display, answerer: Answerer) -> Outcome:
    """Send the text and see the run through. Cancelled, it stops the run in the service before it gives way.

    Raises:
        SafelightClientError: the service cannot be reached (any more) or refuses.
    """
    try:
        return await _see_through(chat, text, display, answerer)
    except asyncio.CancelledError:
        display.end()
        with suppress(SafelightClientError, TimeoutError):
            async with asyncio.timeout(STOP_S):
                await chat.stop()
        raise
    except ExceptionGroup as group:
        raise first_error(cast("Exception", group)) from group
    finally:
        display.end()


async def _see_through(chat: Chat, text: str, display: Display, answerer: Answerer) -> Outcome:
    outcome = Outcome()
    calls: dict[str, models.ToolCallEvent] = {}
    answering: dict[str, asyncio.Task[None]] = {}
    one_at_a_time = asyncio.Lock()

    async def answer(asked: models.ApprovalNeededEvent) -> None:
        async with one_at_a_time:
            display.ask(calls[asked.call_id], asked)
            given = await answerer.answer(asked)
            # Answered elsewhere meanwhile: the event that says so is on its way.
            with suppress(Conflict, NotFound):
                await chat.answer(asked.call_id, given.decision, given.note)

    async with asyncio.TaskGroup() as group, aclosing(chat.run(text)) as events:
        async for event in events:
            outcome.note(event)
            if isinstance(event, models.ApprovalResolvedEvent):
                task = answering.pop(event.call_id, None)
                if task is not None:
                    task.cancel()
            display.show(event)
            if isinstance(event, models.ToolCallEvent):
                calls[event.call_id] = event
            elif isinstance(event, models.ApprovalNeededEvent) and event.call_id in calls:
                answering[event.call_id] = group.create_task(answer(event))
        for task in answering.values():
            task.cancel()
    return outcome


def first_error(error: Exception) -> Exception:
    """The error that ended the conversation; the others of its group follow from it."""
    while isinstance(error, ExceptionGroup):
        error = cast("ExceptionGroup[Exception]", error).exceptions[0]
    return error
