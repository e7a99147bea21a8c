"""What a restart leaves of a run that was going on: everything closed, nothing repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from safelight.chat.results import from_call_result
from safelight.chat.store import refusing_damage
from safelight.conversation.chat_state import CallEntry, ChatState, folded
from safelight.conversation.closing import closing_events
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResult
from safelight.conversation.prompt import CUT_OFF
from safelight.conversation.repair import interrupted
from safelight.wire.models import Event

if TYPE_CHECKING:
    from safelight.chat.session import ChatSession
    from safelight.chat.store import ChatStore

__all__ = ("close_cut_off_run",)

_NOT_RUN: Final = "This call did not run."


async def close_cut_off_run(session: ChatSession, store: ChatStore) -> None:
    """Complete the conversation of a chat in which a run was going on, and log what closes the run.
    ``Conflict`` where it is damaged."""
    logged = await session.log.read(0)
    with refusing_damage():
        state = folded(msgspec.json.decode(body, type=Event) for body in logged)
    closing = closing_events(state)
    last = session.history[-1] if session.history else None
    if isinstance(last, AssistantTurn) and last.calls:
        skipped = _skipped(state)
        results = [await _result(store, session.record.session_id, call, skipped) for call in last.calls]
        last = session.prompting.recorded(session.history, results)
        await session.say(last)
    if isinstance(last, AssistantTurn):
        await session.log.append_all(closing)
    else:
        await session.say(AssistantTurn(text=CUT_OFF), closing)


def _skipped(state: ChatState) -> set[str]:
    calls = (entry for entry in state.entries if isinstance(entry, CallEntry))
    return {entry.call.call_id for entry in calls if entry.status == "skipped"}


async def _result(store: ChatStore, session_id: str, call: ToolCall, skipped: set[str]) -> ToolResult:
    """What became of a call: one that ended before the cut has its result, of any other nobody knows."""
    kept = await store.result(session_id, call.call_id)
    if kept is not None:
        return from_call_result(kept)
    if call.call_id in skipped:
        return ToolResult(call_id=call.call_id, tool=call.tool, outcome="skipped", text=_NOT_RUN)
    return interrupted(call)
