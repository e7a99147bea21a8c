"""Who calls a tool, as the gate sees them: what they may do, and who is asked on their behalf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from safelight.wire.models import ApprovalReason, Mode, Preview, Role, Rule, ToolClass

__all__ = ("Allowed", "Denied", "NobodyToAsk", "Principal", "Profile", "Question", "Reply")


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A principal's name in the journal, and its permissions at this moment."""

    by: str
    role: Role
    mode: Mode
    rules: dict[str, Rule]
    bulk_limit: int
    allowed_tools: frozenset[str] = frozenset()
    """Tools that the person allowed for the rest of this chat."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: exactly this call with exactly these arguments. ``wrong`` says what is wrong with arguments that
    somebody wants to put in their place, None when they would do. ``by`` is who calls, as the journal names them;
    ``bulk_limit`` is theirs, 0 where there is none."""

    call_id: str
    tool: str
    title: str
    tool_class: ToolClass
    arguments: dict[str, Any]
    photos: int | None
    reason: ApprovalReason
    preview: Preview | None
    wrong: Callable[[dict[str, Any]], str | None]
    by: str
    bulk_limit: int


class Allowed(msgspec.Struct, frozen=True, kw_only=True, tag="allowed"):
    """Somebody allowed the call. ``arguments`` are theirs where they changed them; the question found nothing wrong
    with them."""

    arguments: dict[str, Any] | None = None


class Denied(msgspec.Struct, frozen=True, kw_only=True, tag="denied"):
    """The person said no, or the question ended another way; ``text`` is for the model and tells which."""

    why: Literal["not_allowed", "stopped"]
    text: str


class NobodyToAsk(msgspec.Struct, frozen=True, tag="nobody"):
    """There is nobody who could be asked."""


Reply: TypeAlias = Allowed | Denied | NobodyToAsk


class Principal(Protocol):
    """A chat, an external agent, a caller."""

    def profile(self) -> Profile: ...

    async def ask(self, question: Question) -> Reply:
        """Put the question to whoever answers for this principal, and wait for the reply."""
        ...

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        """Told right before the tool runs, with the arguments that it runs with. May still refuse (stopped in the
        meantime)."""
        ...
