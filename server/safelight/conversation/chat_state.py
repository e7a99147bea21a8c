"""What a chat's page shows, as a fold of the chat's events (pure). ``ui/src/state.ts`` folds the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, cast

import msgspec

from safelight.conversation.normal_form import canonical
from safelight.wire.models import (
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    AssistantTurnEvent,
    BusyEvent,
    ChangeEvent,
    ClearedEvent,
    DeltaEvent,
    ErrorEvent,
    Event,
    HelloEvent,
    JobEvent,
    Preview,
    QueuedEvent,
    ResyncEvent,
    SnapshotEvent,
    StoppedEvent,
    ToolCallEvent,
    ToolDoneEvent,
    ToolRunningEvent,
    ToolSkippedEvent,
    UnqueuedEvent,
    UsageEvent,
    UserMessageEvent,
    WarningEvent,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = (
    "CallEntry",
    "CallStatus",
    "ChangeEntry",
    "ChatState",
    "Entry",
    "ReturnedEntry",
    "RunningText",
    "fold",
    "folded",
    "open_calls",
    "open_questions",
)

CallStatus: TypeAlias = Literal["announced", "waiting", "running", "done", "failed", "skipped"]

T = TypeVar("T")

_ENDED: Final = frozenset({"done", "failed", "skipped"})


class CallEntry(msgspec.Struct, frozen=True):
    """A call with all that became of it: ``question`` while one is open, ``arguments`` as they count now, ``changed``
    when others run than were proposed."""

    call: ToolCallEvent
    status: CallStatus = "announced"
    question: ApprovalNeededEvent | None = None
    preview: Preview | None = None
    resolved: ApprovalResolvedEvent | None = None
    changed: bool = False
    result: ToolDoneEvent | None = None
    skipped: ToolSkippedEvent | None = None

    @property
    def arguments(self) -> dict[str, object]:
        given = None if self.resolved is None else self.resolved.arguments
        return self.call.arguments if given is None else given


class ChangeEntry(msgspec.Struct, frozen=True):
    """A change of the catalog; ``undone`` when a later one took it back."""

    change: ChangeEvent
    undone: bool = False


class ReturnedEntry(msgspec.Struct, frozen=True):
    """A message that waited and was given back; ``seq`` is the number of the event that gave it back."""

    seq: int
    message_id: str
    text: str


Entry: TypeAlias = (
    UserMessageEvent
    | AssistantTurnEvent
    | CallEntry
    | ChangeEntry
    | JobEvent
    | ReturnedEntry
    | WarningEvent
    | ErrorEvent
    | StoppedEvent
    | ClearedEvent
)


class RunningText(msgspec.Struct, frozen=True):
    """The turn that is being streamed; ``offset`` is the number of its code points so far."""

    reasoning: str = ""
    text: str = ""
    offset: int = 0


class ChatState(msgspec.Struct, frozen=True):
    """All that a page shows. ``head`` is the number of the last event that counted, ``missing`` the number that a
    reader must ask for because a later one came before it, ``resync`` why the stream ended. A job stands where it
    began, with its newest figures."""

    head: int = 0
    entries: tuple[Entry, ...] = ()
    queue: tuple[QueuedEvent, ...] = ()
    busy: bool = False
    usage: UsageEvent | None = None
    running: RunningText | None = None
    missing: int | None = None
    resync: ResyncEvent | None = None


class _Growing(list[Any]):
    """Entries that are changed in place, where no state on the way is kept: to copy them at each event would take the
    square of the time."""


def folded(events: Iterable[Event]) -> ChatState:
    """The state that the events make, from the start. Time is linear in their number."""
    state = ChatState(entries=cast("tuple[Entry, ...]", _Growing()))
    for event in events:
        state = fold(state, event)
    return msgspec.structs.replace(state, entries=tuple(state.entries))


def fold(state: ChatState, event: Event) -> ChatState:
    """The state after one more event. A numbered event that was there already changes nothing; one that comes too early
    is refused, and only ``missing`` tells of it. A piece of the running turn counts as far as it is new, and not at all
    when what stands before it is not there."""
    match event:
        case HelloEvent():  # a snapshot follows when a turn is running
            return msgspec.structs.replace(state, running=None, resync=None)
        case SnapshotEvent():
            return _with_snapshot(state, event)
        case DeltaEvent():
            return _with_piece(state, event)
        case ResyncEvent():
            return msgspec.structs.replace(state, resync=event)
        case _ if event.seq <= state.head:
            return state
        case _ if event.seq > state.head + 1:
            return msgspec.structs.replace(state, missing=state.head + 1)
        case _:
            return _numbered(msgspec.structs.replace(state, head=event.seq, missing=None), event)


def open_questions(state: ChatState) -> tuple[CallEntry, ...]:
    """The calls that wait for an answer, oldest first."""
    return tuple(entry for entry in state.entries if isinstance(entry, CallEntry) and entry.question is not None)


def open_calls(state: ChatState) -> tuple[CallEntry, ...]:
    """The calls of which nobody knows yet how they end, oldest first."""
    return tuple(entry for entry in state.entries if isinstance(entry, CallEntry) and entry.status not in _ENDED)


# --- the running turn -----------------------------------------------------------------------------------------


def _with_snapshot(state: ChatState, event: SnapshotEvent) -> ChatState:
    if state.running is not None and event.offset <= state.running.offset:
        return state
    running = RunningText(reasoning=event.reasoning, text=event.text, offset=event.offset)
    return msgspec.structs.replace(state, running=running)


def _with_piece(state: ChatState, event: DeltaEvent) -> ChatState:
    now = state.running or RunningText()
    new = event.text[now.offset - event.offset :] if event.offset <= now.offset else ""
    if not new:
        return state
    running = RunningText(
        reasoning=now.reasoning + (new if event.kind == "reasoning" else ""),
        text=now.text + (new if event.kind == "text" else ""),
        offset=now.offset + len(new),
    )
    return msgspec.structs.replace(state, running=running)


# --- numbered events ------------------------------------------------------------------------------------------


def _numbered(state: ChatState, event: Event) -> ChatState:
    match event:
        case UserMessageEvent() | QueuedEvent() | UnqueuedEvent():
            return _with_message(state, event)
        case BusyEvent():
            return msgspec.structs.replace(state, busy=event.busy, running=None)
        case AssistantTurnEvent() | ErrorEvent() | StoppedEvent():
            return _shown(msgspec.structs.replace(state, running=None), event)
        case ToolCallEvent():
            return _shown(state, CallEntry(call=event))
        case ChangeEvent():
            return _with_change(state, event)
        case JobEvent():
            return _with_job(state, event)
        case UsageEvent():
            return msgspec.structs.replace(state, usage=event)
        case WarningEvent():
            return _shown(state, event)
        case ClearedEvent():
            return ChatState(head=event.seq, entries=(event,))
        case _:
            return _with_call(state, event)


def _shown(state: ChatState, entry: Entry) -> ChatState:
    if isinstance(growing := cast("object", state.entries), _Growing):
        growing.append(entry)
        return state
    return msgspec.structs.replace(state, entries=(*state.entries, entry))


def _with_message(state: ChatState, event: UserMessageEvent | QueuedEvent | UnqueuedEvent) -> ChatState:
    place = _newest(state.queue, lambda queued: queued.message_id == event.message_id)
    if isinstance(event, QueuedEvent):
        queue = (*state.queue, event) if place is None else _with_item(state.queue, place, event)
        return msgspec.structs.replace(state, queue=queue)
    waited = None if place is None else state.queue[place]
    state = msgspec.structs.replace(state, queue=tuple(queued for queued in state.queue if queued is not waited))
    if isinstance(event, UserMessageEvent):
        return _shown(state, event)
    if event.reason != "returned" or waited is None:
        return state
    return _shown(state, ReturnedEntry(event.seq, waited.message_id, waited.text))


def _with_call(state: ChatState, event: Event) -> ChatState:
    """The newest call of that id with what the event says of it; nothing changes where there is no such call."""
    if not isinstance(
        event, ApprovalNeededEvent | ApprovalResolvedEvent | ToolRunningEvent | ToolDoneEvent | ToolSkippedEvent
    ):
        return state
    call_id = event.call_id
    place = _newest(state.entries, lambda entry: isinstance(entry, CallEntry) and entry.call.call_id == call_id)
    before = None if place is None else state.entries[place]
    if place is None or not isinstance(before, CallEntry):
        return state
    after = _call_after(before, event)
    return msgspec.structs.replace(state, entries=_with_item(state.entries, place, after))


def _call_after(
    entry: CallEntry,
    event: ApprovalNeededEvent | ApprovalResolvedEvent | ToolRunningEvent | ToolDoneEvent | ToolSkippedEvent,
) -> CallEntry:
    match event:
        case ApprovalNeededEvent():
            return msgspec.structs.replace(entry, status="waiting", question=event, preview=event.preview)
        case ApprovalResolvedEvent():
            changed = event.arguments is not None and canonical(event.arguments) != canonical(entry.call.arguments)
            status: CallStatus = "announced" if entry.status == "waiting" else entry.status
            return msgspec.structs.replace(entry, status=status, question=None, resolved=event, changed=changed)
        case ToolRunningEvent():
            return msgspec.structs.replace(entry, status="running", question=None)
        case ToolDoneEvent():
            return msgspec.structs.replace(entry, status="done" if event.ok else "failed", question=None, result=event)
        case ToolSkippedEvent():
            return msgspec.structs.replace(entry, status="skipped", question=None, skipped=event)


def _with_change(state: ChatState, event: ChangeEvent) -> ChatState:
    """A change that takes another back marks it as undone; taking that one back in turn brings the first to life."""
    entries, undone, taken_back = state.entries, True, event.undoes
    for place in range(len(entries) - 1, -1, -1) if taken_back else ():
        before = entries[place]
        if isinstance(before, ChangeEntry) and before.change.change_id == taken_back:
            entries = _with_item(entries, place, ChangeEntry(before.change, undone))
            undone, taken_back = not undone, before.change.undoes
    return _shown(msgspec.structs.replace(state, entries=entries), ChangeEntry(event))


def _with_job(state: ChatState, event: JobEvent) -> ChatState:
    place = _newest(state.entries, lambda entry: isinstance(entry, JobEvent) and entry.job_id == event.job_id)
    before = None if place is None else state.entries[place]
    if place is None or not isinstance(before, JobEvent):
        return _shown(state, event)
    job = msgspec.structs.replace(event, seq=before.seq)
    return msgspec.structs.replace(state, entries=_with_item(state.entries, place, job))


def _newest(items: tuple[T, ...], fits: Callable[[T], bool]) -> int | None:
    return next((place for place in range(len(items) - 1, -1, -1) if fits(items[place])), None)


def _with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    if isinstance(growing := cast("object", items), _Growing):
        growing[place] = item
        return items
    return (*items[:place], item, *items[place + 1 :])
