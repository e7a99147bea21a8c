"""The page folds a chat's events to the very state that the service folds them to."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from safelight.conversation.chat_state import CallEntry, ChangeEntry, ChatState, ReturnedEntry, folded
from safelight.wire.models import DeltaEvent, Event, JobEvent, PrefillEvent, SnapshotEvent, UserMessageEvent
from tests.conversation.event_logs import numbered_only, seen_by_one_who_joins, written_log
from tests.requirement import requirement
from tests.ui.fake_service import PAGE

UI = PAGE.parent
SCRIPT = Path(__file__).with_name("fold_logs.mjs")
LOGS = 400


@requirement("event.replay-property")
def test_the_page_and_the_service_fold_the_same_events_to_the_same_state(tmp_path: Path) -> None:
    if shutil.which("node") is None or not (UI / "node_modules" / "vite").exists():
        pytest.skip("needs Node.js and its packages: npm ci in ui/")
    streams = [_stream(Random(f"page and service {seed}")) for seed in range(LOGS)]
    logs, states = tmp_path / "logs.jsonl", tmp_path / "states.jsonl"
    logs.write_bytes(b"\n".join(msgspec.json.encode(stream) for stream in streams))
    subprocess.run(["node", SCRIPT, UI, logs, states], check=True, timeout=120)
    of_the_page = [json.loads(line) for line in states.read_text("utf-8").split("\n")]
    assert len(of_the_page) == LOGS
    assert {kind for state in of_the_page for kind in _kinds(state)} >= _KINDS_OF_ENTRIES | {"question", "text"}
    for seed, (stream, state) in enumerate(zip(streams, of_the_page, strict=True)):
        assert _of_page(state) == _of_service(folded(stream)), f"seed {seed}"


def _stream(random: Random) -> list[Event]:
    """What a reader gets who joins somewhere: up to some moment, with doubles, gaps and pieces that overlap."""
    told = written_log(random)
    place = random.randint(0, len(told))
    erased = random.randint(0, len(numbered_only(told[:place]))) if random.random() < 0.3 else 0
    seen = seen_by_one_who_joins(told, place, erased=erased)
    seen = seen[: random.randint(1, len(seen))]
    got: list[Event] = []
    for event in seen:
        if random.random() < 0.1:
            got.append(PrefillEvent(done=random.randint(0, 4_000), total=4_000))
        got.append(event)
        past = [*numbered_only(got), *(old for old in got[-3:] if isinstance(old, DeltaEvent | SnapshotEvent))]
        if past and random.random() < 0.2:
            got.append(random.choice(past))
        if isinstance(event, DeltaEvent) and random.random() < 0.3:
            cut = random.randint(0, len(event.text))
            part = DeltaEvent(kind=event.kind, text=event.text[cut:] + "!", offset=event.offset + cut)
            got.append(part if random.random() < 0.5 else msgspec.structs.replace(part, offset=event.offset + 99))
    if random.random() < 0.1:
        got.append(PrefillEvent(done=random.randint(0, 4_000), total=4_000))
    if random.random() < 0.2:
        del got[random.randrange(len(got))]
    return got


_KINDS_OF_ENTRIES = {
    *("user", "turn", "call", "change", "job", "returned", "warning", "error", "stopped", "cleared"),
    *("announced", "waiting", "running", "done", "failed", "skipped"),
}


def _kinds(state: dict[str, Any]) -> list[str]:
    """What there is to compare in a state."""
    calls = [item for item in state["items"] if item["kind"] == "call"]
    asks = ["question"] if any(call["question"] for call in calls) else []
    text = ["text"] if state["running"] and state["running"]["text"] else []
    return [*(item["kind"] for item in state["items"]), *(call["status"] for call in calls), *asks, *text]


# --- one form for both ----------------------------------------------------------------------------------------


def _of_service(state: ChatState) -> dict[str, Any]:
    form = {
        "head": state.head,
        "entries": [_entry_of_service(entry) for entry in state.entries],
        "queue": [[queued.message_id, queued.text] for queued in state.queue],
        "busy": state.busy,
        "usage": state.usage and _plain(state.usage, "prompt_tokens", "completion_tokens", "context_window"),
        "running": state.running and [state.running.reasoning, state.running.text, state.running.offset],
        "reading": state.reading and [state.reading.done, state.reading.total],
    }
    return json.loads(msgspec.json.encode(form))


def _entry_of_service(entry: Any) -> Any:
    if isinstance(entry, CallEntry):
        call, resolved, result = entry.call, entry.resolved, entry.result
        return {
            "kind": "call",
            **_plain(call, "seq", "call_id", "tool", "title", "photos"),
            "class": call.class_,
            "by": None if call.by is msgspec.UNSET else call.by,
            "status": entry.status,
            "proposed": call.arguments,
            "arguments": entry.arguments,
            "question": entry.question,
            "preview": entry.preview,
            "resolved": resolved and [resolved.outcome, resolved.by, resolved.note, entry.changed],
            "result": result and _plain(result, "ok", "text", "set_id", "count", "warnings", "images"),
            "skipped": entry.skipped and entry.skipped.reason,
        }
    if isinstance(entry, ChangeEntry):
        undoes = None if entry.change.undoes is msgspec.UNSET else entry.change.undoes
        own = _plain(entry.change, "seq", "change_id", "tool", "photos")
        return {"kind": "change", **own, "undoes": undoes, "undone": entry.undone}
    if isinstance(entry, ReturnedEntry):
        return {"kind": "returned", **_plain(entry, "seq", "message_id", "text")}
    fields = msgspec.to_builtins(entry)
    if isinstance(entry, JobEvent):
        fields["work"] = fields.pop("kind")
    if isinstance(entry, UserMessageEvent):
        del fields["message_id"]  # the page needs it for the queue alone
    return {"kind": fields.pop("type"), **fields}


def _plain(value: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


_KINDS = {"user": "user_message", "turn": "assistant_turn"}
_IDS = {"call": "call_id", "change": "change_id", "returned": "message_id", "job": "job_id"}


def _of_page(state: dict[str, Any]) -> dict[str, Any]:
    usage, running = state["usage"], state["running"]
    return {
        "head": state["seq"],
        "entries": [_entry_of_page(item) for item in state["items"]],
        "queue": [[queued["id"], queued["text"]] for queued in state["queue"]],
        "busy": state["busy"],
        "usage": usage and {name: usage[name] for name in ("prompt_tokens", "completion_tokens", "context_window")},
        "running": running and [running["reasoning"], running["text"], running["offset"]],
        "reading": state["reading"] and [state["reading"]["done"], state["reading"]["total"]],
    }


def _entry_of_page(item: dict[str, Any]) -> dict[str, Any]:
    kind = item["kind"]
    entry = {_IDS[kind] if name == "id" else name: value for name, value in item.items()}
    entry["kind"] = _KINDS.get(kind, kind)
    if kind == "call":
        resolved = entry["resolved"]
        entry["resolved"] = resolved and [resolved[name] for name in ("outcome", "by", "note", "changed")]
    return entry
