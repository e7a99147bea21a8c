"""Legal logs of chats, drawn by chance: runs with turns, parallel calls, questions with every ending, stops,
restarts, queue edits, changes, undos and jobs - and the live pieces between, as a reader who was there saw them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, Literal

import msgspec
from hypothesis import strategies as st

from safelight.chat.frames import is_numbered, numbered
from safelight.wire.models import (
    AlwaysRule,
    ApprovalNeededEvent,
    ApprovalReason,
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
    PreviewPhoto,
    QueuedEvent,
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

__all__ = ("event_logs", "numbered_only", "seen_by_one_who_joins", "written_log")

_NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
_WORDS = ("coast", "Küste", "😀", "海", "five stars", "\n", "e\u0301", "𝒳", "  ", "'\"\\")
_TOOLS = ("search_photos", "set_rating", "undo_change", "undo_change")
_UNASKED = ("repeated_call", "turned_off", "read_only", "agents_off", "last_step", "incomplete")

_Sign = Literal["stopped", "restarted"]


def event_logs() -> st.SearchStrategy[list[Event]]:
    """Whole logs of chats, numbered from 1, with the pieces between as they were sent live."""
    return st.randoms(use_true_random=False).map(written_log)


def written_log(random: Random) -> list[Event]:
    """One log, made by the given chance alone."""
    writer = _Writer(random)
    if random.random() < 0.2:
        writer.log(ClearedEvent(seq=0))
    for _ in range(random.randint(1, 4)):
        writer.run()
    return writer.told


def numbered_only(told: list[Event]) -> list[Event]:
    """What is kept of a log."""
    return [event for event in told if is_numbered(event)]


def seen_by_one_who_joins(told: list[Event], place: int, after: int = 0, erased: int = 0) -> list[Event]:
    """What a reader gets who connects when ``told[:place]`` has happened and who has the events up to ``after``; those
    up to ``erased`` are no longer kept."""
    before = numbered_only(told[:place])
    first = erased + 1 if erased else msgspec.UNSET
    hello = HelloEvent(head=len(before), first=first, time=_NOW, keepalive_s=15)
    snapshot = _running_turn(told[:place])
    return [hello, *before[max(after, erased) :], *([] if snapshot is None else [snapshot]), *told[place:]]


def _running_turn(told: list[Event]) -> SnapshotEvent | None:
    """The turn of which pieces were sent last, unless it has ended."""
    reasoning, text, running = "", "", False
    for event in told:
        if isinstance(event, DeltaEvent):
            running = True
            reasoning += event.text if event.kind == "reasoning" else ""
            text += event.text if event.kind == "text" else ""
        elif isinstance(event, AssistantTurnEvent | StoppedEvent | ErrorEvent | BusyEvent):
            reasoning, text, running = "", "", False
    return SnapshotEvent(reasoning=reasoning, text=text, offset=len(reasoning) + len(text)) if running else None


@dataclass
class _Writer:
    random: Random
    told: list[Event] = field(default_factory=list[Event])
    queue: dict[str, str] = field(default_factory=dict[str, str])
    changes: list[str] = field(default_factory=list[str])
    jobs: dict[str, int] = field(default_factory=dict[str, int])
    head: int = 0
    ids: int = 0

    def log(self, event: Event) -> None:
        self.head += 1
        self.told.append(numbered(event, self.head))

    def new_id(self, kind: str) -> str:
        self.ids += 1
        return f"{kind}{self.ids}"

    def words(self, most: int = 4) -> str:
        return " ".join(self.random.choices(_WORDS, k=self.random.randint(0, most)))

    # --- runs -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        waiting = next(iter(self.queue), None)
        if waiting is None:
            message_id, text = self.new_id("msg"), self.words()
        else:
            message_id, text = waiting, self.queue.pop(waiting)
            self.log(UnqueuedEvent(seq=0, message_id=message_id, reason="delivered"))
        self.log(UserMessageEvent(seq=0, message_id=message_id, text=text))
        self.log(BusyEvent(seq=0, busy=True))
        for _ in range(self.random.randint(1, 3)):
            if not self.turn():
                return
            if not self.calls():
                return
        self.end(None)

    def end(self, sign: _Sign | None) -> None:
        """The run is over; a sign gives back what waits."""
        if sign is not None:
            for message_id in self.queue:
                self.log(UnqueuedEvent(seq=0, message_id=message_id, reason="returned"))
            self.queue.clear()
            self.log(StoppedEvent(seq=0, reason="restart" if sign == "restarted" else "user"))
        self.log(BusyEvent(seq=0, busy=False))

    def turn(self) -> bool:
        """A turn in pieces; False when the run has ended in it."""
        pieces: dict[str, str] = {"reasoning": "", "text": ""}
        for kind in ("reasoning", "text"):
            for _ in range(self.random.randint(0, 3)):
                piece = self.words()
                if not piece:
                    continue
                offset = len(pieces["reasoning"]) + len(pieces["text"])
                self.told.append(DeltaEvent(kind=kind, text=piece, offset=offset))
                pieces[kind] += piece
                self.meanwhile()
        chance = self.random.random()
        if chance < 0.1:
            self.log(ErrorEvent(seq=0, code="model_failed", message="The model does not answer."))
            self.log(BusyEvent(seq=0, busy=False))
            return False
        if chance < 0.25:
            self.end("stopped" if chance < 0.18 else "restarted")
            return False
        self.log(AssistantTurnEvent(seq=0, reasoning=pieces["reasoning"], text=pieces["text"]))
        used = [self.random.randint(0, 9_000) for _ in range(3)]
        self.log(
            UsageEvent(
                seq=0, prompt_tokens=used[0], completion_tokens=used[1], cached_tokens=used[2], context_window=32_768
            )
        )
        return True

    def meanwhile(self) -> None:
        """Things that happen beside a run."""
        chance = self.random.random()
        if chance < 0.08:
            message_id = self.new_id("msg")
            self.queue[message_id] = self.words()
            self.log(QueuedEvent(seq=0, message_id=message_id, text=self.queue[message_id]))
        elif chance < 0.12 and self.queue:
            message_id = self.random.choice([*self.queue])
            self.queue[message_id] = self.words()
            self.log(QueuedEvent(seq=0, message_id=message_id, text=self.queue[message_id]))
        elif chance < 0.16 and self.queue:
            message_id = self.random.choice([*self.queue])
            del self.queue[message_id]
            self.log(UnqueuedEvent(seq=0, message_id=message_id, reason="removed"))
        elif chance < 0.24:
            self.job()
        elif chance < 0.28:
            self.log(WarningEvent(seq=0, message=self.words()))

    def job(self) -> None:
        if not self.jobs or self.random.random() < 0.3:
            self.jobs[self.new_id("job")] = 0
        job_id = self.random.choice([*self.jobs])
        self.jobs[job_id] += 1
        done = self.jobs[job_id]
        state = "done" if done == 3 else self.random.choice(("running", "paused", "failed", "cancelled"))
        self.log(JobEvent(seq=0, job_id=job_id, kind="find_similar", state=state, done=done, total=3))
        if state in ("done", "failed", "cancelled"):
            del self.jobs[job_id]

    # --- calls ------------------------------------------------------------------------------------------------

    def calls(self) -> bool:
        """The calls of a turn side by side; False when the run has ended in them."""
        calls = [self.announced() for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        courses = {call.call_id: self.course(call) for call in calls}
        sign: _Sign | None = self.random.choices((None, "stopped", "restarted"), weights=(8, 1, 1))[0]
        left = self.random.randint(0, sum(len(course) for course in courses.values())) if sign else -1
        while any(courses.values()) and left != 0:
            left -= 1
            call_id = self.random.choice([call_id for call_id, course in courses.items() if course])
            self.log(courses[call_id].pop(0))
            self.meanwhile()
        if sign is None:
            return True
        self.cut(courses, sign)
        self.end(sign)
        return False

    def cut(self, courses: dict[str, list[Event]], sign: _Sign) -> None:
        """Close the calls whose course has not come to its end."""
        for call_id, course in courses.items():
            if not course or isinstance(course[0], ChangeEvent):
                continue  # the change of a call that ran is logged with it
            if isinstance(course[0], ApprovalResolvedEvent):
                self.log(_resolved(call_id, sign, "service"))
            if isinstance(course[0], ToolDoneEvent) and sign == "stopped":
                self.log(course[0])  # a tool that runs is let finish
            else:
                reason = "stopped" if sign == "stopped" else "interrupted"
                self.log(ToolSkippedEvent(seq=0, call_id=call_id, reason=reason))

    def announced(self) -> ToolCallEvent:
        tool = self.random.choice(_TOOLS)
        call = ToolCallEvent(
            seq=0,
            call_id=self.new_id("call"),
            tool=tool,
            title=tool.replace("_", " ").capitalize(),
            class_="read" if tool == "search_photos" else "destructive",
            arguments={"set": "selection", "words": self.words(), "rating": self.random.randint(0, 5)},
            photos=self.random.choice((None, 0, 1, 300)),
            by=self.random.choice((msgspec.UNSET, "agent Claude")),
        )
        self.log(call)
        return call

    def course(self, call: ToolCallEvent) -> list[Event]:
        """All that is logged of a call behind its announcement."""
        if self.random.random() < 0.2:
            return [ToolSkippedEvent(seq=0, call_id=call.call_id, reason=self.random.choice(_UNASKED))]
        if call.class_ == "read":
            return self.ran(call)
        questions: list[Event] = []
        for _ in range(self.random.choice((0, 1, 1, 1, 2))):
            outcome = self.random.choice(("once", "chat", "always", "deny", "expired"))
            questions.append(self.asked(call))
            if outcome in ("deny", "expired"):
                by = "page" if outcome == "deny" else "service"
                refused = _resolved(call.call_id, outcome, by, note=self.words() or None)
                return [*questions, refused, ToolSkippedEvent(seq=0, call_id=call.call_id, reason="not_allowed")]
            effective = self.random.choice((call.arguments, call.arguments | {"rating": 1}))
            questions.append(_resolved(call.call_id, outcome, self.random.choice(("page", "agent")), effective))
        return [*questions, *self.ran(call)]

    def asked(self, call: ToolCallEvent) -> ApprovalNeededEvent:
        photo = PreviewPhoto(photo_id="p1", file_name="a.jpg", before={"rating": 0}, after={"rating": 5})
        bulk = call.photos == 300
        return ApprovalNeededEvent(
            seq=0,
            call_id=call.call_id,
            reason=ApprovalReason(kind="bulk", photos=300, limit=200) if bulk else ApprovalReason(kind="mode"),
            preview=self.random.choice((None, Preview(photos=[photo], more=2))),
            decisions=["once", "chat", "deny"] if bulk else ["once", "chat", "always", "deny"],
            always=None if bulk else AlwaysRule(tool=call.tool, rule="allow", text="It runs without a question."),
            expires=self.random.choice((_NOW, msgspec.UNSET)),
        )

    def ran(self, call: ToolCallEvent) -> list[Event]:
        ok = self.random.random() < 0.8
        done = ToolDoneEvent(
            seq=0,
            call_id=call.call_id,
            ok=ok,
            text=self.words(),
            set_id=self.random.choice((None, "set1")),
            count=self.random.choice((None, 0, 24)),
            warnings=["2 photos are offline."] if self.random.random() < 0.2 else [],
            images=self.random.randint(0, 2),
        )
        events: list[Event] = [ToolRunningEvent(seq=0, call_id=call.call_id), done]
        if ok and call.class_ != "read":
            undoes: Any = self.random.choice(self.changes[-2:]) if self.changes and call.tool == "undo_change" else None
            self.changes.append(self.new_id("change"))
            events.append(
                ChangeEvent(seq=0, change_id=self.changes[-1], tool=call.tool, photos=3, undoes=undoes or msgspec.UNSET)
            )
        return events


def _resolved(
    call_id: str, outcome: Any, by: Any, arguments: dict[str, Any] | None = None, note: str | None = None
) -> ApprovalResolvedEvent:
    return ApprovalResolvedEvent(seq=0, call_id=call_id, outcome=outcome, by=by, arguments=arguments, note=note)
