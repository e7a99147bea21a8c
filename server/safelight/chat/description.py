"""What the list of chats says of one (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from safelight.wire.models import Chat

if TYPE_CHECKING:
    from safelight.chat.connections import Connections
    from safelight.chat.standing import Standing
    from safelight.chat.store import ChatRecord

__all__ = ("described",)


def described(
    record: ChatRecord, standing: Standing, connections: Connections, *, head: int, busy: bool, questions: int
) -> Chat:
    """The chat as the contract shows it."""
    return Chat(
        session_id=record.session_id,
        model=record.model,
        created=record.created,
        last_active=standing.last_active,
        title=standing.title,
        busy=busy,
        questions=questions,
        needs_connections=list(connections.lost),
        head=head,
        mode=msgspec.UNSET if record.mode is None else record.mode,
        sends_to=record.sends_to,
    )
