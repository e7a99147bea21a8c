"""What a chat's page shows, as a fold of the chat's events (pure). ``ui/src/state.ts`` folds the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

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
    PrefillEvent,
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
    from collections.abc import Callable, Iterable, Sequence

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

_OfCall: TypeAlias = ApprovalNeededEvent | ApprovalResolvedEvent | ToolRunningEvent | ToolDoneEvent | ToolSkippedEvent


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
    began, with its newest figures. ``reading`` stands from when a model says how far it has read until anything else
    comes."""

    head: int = 0
    entries: tuple[Entry, ...] = ()
    queue: tuple[QueuedEvent, ...] = ()
    busy: bool = False
    usage: UsageEvent | None = None
    running: RunningText | None = None
    reading: PrefillEvent | None = None
    missing: int | None = None
    resync: ResyncEvent | None = None


def folded(events: Iterable[Event]) -> ChatState:
    """The state that the events make, from the start. Time is linear in their number."""
    draft = _Draft(ChatState())
    for event in events:
        draft.apply(event)
    return draft.state()


def fold(state: ChatState, event: Event) -> ChatState:
    """The state after one more event. A numbered event that was there already changes nothing; one that comes too early
    is refused, and only ``missing`` tells of it; what a hello says is no longer kept is missed by nobody. A piece of
    the running turn counts as far as it is new, and not at all when what stands before it is not there."""
    draft = _Draft(state)
    return draft.state() if draft.apply(event) else state


def open_questions(state: ChatState) -> tuple[CallEntry, ...]:
    """The calls that wait for an answer, oldest first."""
    return tuple(entry for entry in state.entries if isinstance(entry, CallEntry) and entry.question is not None)


def open_calls(state: ChatState) -> tuple[CallEntry, ...]:
    """The calls of which nobody knows yet how they end, oldest first."""
    return tuple(entry for entry in state.entries if isinstance(entry, CallEntry) and entry.status not in _ENDED)


class _Draft:
    """A state in the making. Its entries and its queue are changed in place: to copy them at each event would take the
    square of the time."""

    def __init__(self, state: ChatState) -> None:
        self.head = state.head
        self.entries: list[Entry] = list(state.entries)
        self.queue = list(state.queue)
        self.busy = state.busy
        self.usage = state.usage
        self.running = state.running
        self.reading = state.reading
        self.missing = state.missing
        self.resync = state.resync

    def state(self) -> ChatState:
        """As it is now."""
        return ChatState(
            head=self.head,
            entries=tuple(self.entries),
            queue=tuple(self.queue),
            busy=self.busy,
            usage=self.usage,
            running=self.running,
            reading=self.reading,
            missing=self.missing,
            resync=self.resync,
        )

    def apply(self, event: Event) -> bool:
        """Take one more event in. Returns whether that changed anything."""
        match event:
            case HelloEvent():  # a snapshot follows when a turn is running
                self.running = self.reading = self.resync = None
                self._pass_over(0 if event.first is msgspec.UNSET else event.first - 1)
            case SnapshotEvent():
                return self._apply_snapshot(event)
            case DeltaEvent():
                return self._apply_piece(event)
            case PrefillEvent():
                self.reading = event
            case ResyncEvent():
                self.resync = event
            case _ if event.seq <= self.head:
                return False
            case _ if event.seq > self.head + 1:
                self.missing = self.head + 1
            case _:
                self.head, self.missing, self.reading = event.seq, None, None
                self._apply_numbered(event)
        return True

    def _pass_over(self, erased: int) -> None:
        """The events up to this number are no longer kept: nobody misses them."""
        if erased > self.head:
            self.head, self.missing = erased, None

    # --- the running turn -------------------------------------------------------------------------------------

    def _apply_snapshot(self, event: SnapshotEvent) -> bool:
        if self.running is not None and event.offset <= self.running.offset:
            return False
        self.reading = None
        self.running = RunningText(reasoning=event.reasoning, text=event.text, offset=event.offset)
        return True

    def _apply_piece(self, event: DeltaEvent) -> bool:
        now = self.running or RunningText()
        new = event.text[now.offset - event.offset :] if event.offset <= now.offset else ""
        if not new:
            return False
        self.reading = None
        self.running = RunningText(
            reasoning=now.reasoning + (new if event.kind == "reasoning" else ""),
            text=now.text + (new if event.kind == "text" else ""),
            offset=now.offset + len(new),
        )
        return True

    # --- numbered events --------------------------------------------------------------------------------------

    def _apply_numbered(self, event: Event) -> None:
        match event:
            case UserMessageEvent() | QueuedEvent() | UnqueuedEvent():
                self._apply_message(event)
            case BusyEvent():
                self.busy, self.running = event.busy, None
            case AssistantTurnEvent() | ErrorEvent() | StoppedEvent():
                self.running = None
                self.entries.append(event)
            case ToolCallEvent():
                self.entries.append(CallEntry(call=event))
            case ChangeEvent():
                self._apply_change(event)
            case JobEvent():
                self._apply_job(event)
            case UsageEvent():
                self.usage = event
            case WarningEvent():
                self.entries.append(event)
            case ClearedEvent():
                self._clear(event)
            case _:
                self._apply_to_call(event)

    def _apply_message(self, event: UserMessageEvent | QueuedEvent | UnqueuedEvent) -> None:
        place = _newest(self.queue, lambda queued: queued.message_id == event.message_id)
        if isinstance(event, QueuedEvent):
            if place is None:
                self.queue.append(event)
            else:
                self.queue[place] = event
            return
        waited = None if place is None else self.queue.pop(place)
        if isinstance(event, UserMessageEvent):
            self.entries.append(event)
        elif event.reason == "returned" and waited is not None:
            self.entries.append(ReturnedEntry(event.seq, waited.message_id, waited.text))

    def _apply_to_call(self, event: Event) -> None:
        """Put what the event says into the newest call of that id; nothing changes where there is no such call."""
        if not isinstance(event, _OfCall):
            return
        call_id = event.call_id
        place = _newest(self.entries, lambda entry: isinstance(entry, CallEntry) and entry.call.call_id == call_id)
        before = None if place is None else self.entries[place]
        if place is not None and isinstance(before, CallEntry):
            self.entries[place] = _call_after(before, event)

    def _apply_change(self, event: ChangeEvent) -> None:
        """A change that takes another back marks it as undone; taking that one back in turn brings the first to
        life."""
        undone, taken_back = True, event.undoes
        for place in range(len(self.entries) - 1, -1, -1) if taken_back else ():
            before = self.entries[place]
            if isinstance(before, ChangeEntry) and before.change.change_id == taken_back:
                self.entries[place] = ChangeEntry(before.change, undone)
                undone, taken_back = not undone, before.change.undoes
        self.entries.append(ChangeEntry(event))

    def _apply_job(self, event: JobEvent) -> None:
        place = _newest(self.entries, lambda entry: isinstance(entry, JobEvent) and entry.job_id == event.job_id)
        before = None if place is None else self.entries[place]
        if place is not None and isinstance(before, JobEvent):
            self.entries[place] = msgspec.structs.replace(event, seq=before.seq)
        else:
            self.entries.append(event)

    def _clear(self, event: ClearedEvent) -> None:
        self.entries[:] = [event]
        self.queue.clear()
        self.busy, self.usage, self.running, self.resync = False, None, None, None


def _call_after(entry: CallEntry, event: _OfCall) -> CallEntry:
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


def _newest(items: Sequence[T], fits: Callable[[T], bool]) -> int | None:
    return next((place for place in range(len(items) - 1, -1, -1) if fits(items[place])), None)
