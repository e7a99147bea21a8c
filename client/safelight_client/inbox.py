"""The questions of agents from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from safelight_client._answers import Decision, as_answer
from safelight_client._follow import follow_stream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from safelight_client import models
    from safelight_client._calls import Calls
    from safelight_client._events import StreamedEvent

__all__ = ("Inbox",)


class Inbox:
    """What agents from outside ask, and the answers. Whoever reads ``events`` counts as somebody who can answer."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def questions(self) -> list[models.Approval]:
        """The questions that wait for an answer."""
        return (await self._calls.list_inbox()).approvals

    def events(self, after: int = 0, *, patience_s: float | None = 60.0) -> AsyncGenerator[StreamedEvent, None]:
        """The inbox's events from number ``after`` on: each numbered one once and in order, live ones as they come.

        Connects again by itself; raises what ``SafelightClient.follow`` raises.
        """

        def connect(last: int) -> AsyncGenerator[StreamedEvent, None]:
            return self._calls.follow_inbox(after=str(last) if last else None)

        return follow_stream(connect, after, patience_s=patience_s)

    async def answer(
        self,
        call_id: str,
        decision: Decision,
        note: str | None = None,
        arguments: dict[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApprovalAnswered:
        """Answer a question. Raises ``Conflict`` or ``NotFound`` when it waits no longer."""
        body = as_answer(decision, note, arguments)
        return await self._calls.answer_inbox(call_id, body, idempotency_key=idempotency_key)
