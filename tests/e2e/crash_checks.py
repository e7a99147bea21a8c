"""What must hold of a chat's log and of the catalog, whenever the service was killed (pure)."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tests.e2e.crash import Event

__all__ = ("check_closed", "check_messages", "titles_of", "writes_of")

_NOT_RUN: Final = {"not_allowed", "stopped", "repeated_call", "turned_off", "last_step", "incomplete"}


def of_type(events: list[Event], *types: str) -> list[Event]:
    return [event for event in events if event["type"] in types]


def check_closed(events: list[Event]) -> None:
    """Numbers without a gap, and nothing left open: each call, question and queued message has its one end, and the
    chat is idle."""
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    called = Counter(event["call_id"] for event in of_type(events, "tool_call"))
    assert Counter(event["call_id"] for event in of_type(events, "tool_done", "tool_skipped")) == called
    assert max(called.values(), default=1) == 1
    asked = Counter(event["call_id"] for event in of_type(events, "approval_needed"))
    assert Counter(event["call_id"] for event in of_type(events, "approval_resolved")) == asked
    queued = {event["message_id"] for event in of_type(events, "queued")}
    assert Counter(event["message_id"] for event in of_type(events, "unqueued")) == Counter(queued)
    busy = [event["busy"] for event in of_type(events, "busy")]
    assert busy == [place % 2 == 0 for place in range(len(busy))]
    assert busy[-1:] in ([], [False])
    _check_restarts(events)


def _check_restarts(events: list[Event]) -> None:
    """What a kill left open ends as cut off by it, right before the chat becomes idle; nothing of it runs later."""
    place = {event["seq"]: index for index, event in enumerate(events)}
    for event in of_type(events, "stopped"):
        if event["reason"] == "restart":
            following = events[place[event["seq"]] + 1]
            assert (following["type"], following.get("busy")) == ("busy", False)
    restarted = {e["call_id"]: e["seq"] for e in of_type(events, "approval_resolved") if e["outcome"] == "restarted"}
    ran = {event["call_id"] for event in of_type(events, "tool_running", "tool_done")}
    assert ran.isdisjoint(restarted)
    ends = {event["call_id"]: event for event in of_type(events, "tool_skipped")}
    assert {ends[call_id]["reason"] for call_id in restarted} <= {"interrupted"}


def check_messages(events: list[Event], texts: list[str]) -> None:
    """Each message is there exactly once; one that waited was delivered, taken out or given back."""
    ids: dict[str, set[str]] = {}
    for event in of_type(events, "user_message", "queued"):
        ids.setdefault(event["text"], set()).add(event["message_id"])
    assert {text: len(ids.get(text, ())) for text in texts} == dict.fromkeys(texts, 1)
    delivered = Counter(event["message_id"] for event in of_type(events, "user_message"))
    assert max(delivered.values(), default=1) == 1
    for event in of_type(events, "unqueued"):
        assert (event["reason"] == "delivered") == (event["message_id"] in delivered), event


def writes_of(events: list[Event], answered: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Each title that a chat was to write, with how often at least and at most it may have been written."""
    resolved = {event["call_id"]: event for event in of_type(events, "approval_resolved")}
    ends = {event["call_id"]: event for event in of_type(events, "tool_done", "tool_skipped")}
    bounds: dict[str, tuple[int, int]] = {}
    for call in of_type(events, "tool_call"):
        if (proposed := call["arguments"].get("title")) is None:
            continue
        resolution = resolved.get(call["call_id"])
        runs: dict[str, Any] = call["arguments"] if resolution is None else resolution["arguments"] or {}
        effective = runs.get("title", proposed)
        bounds[proposed] = (0, 0)
        bounds[effective] = _bounds(ends[call["call_id"]], resolution)
        if resolution is not None and (confirmed := answered.get(call["call_id"])) is not None:
            assert resolution["outcome"] == confirmed, "an answer that was confirmed was lost"
    return bounds


def _bounds(end: Event, resolution: Event | None) -> tuple[int, int]:
    if resolution is not None and resolution["arguments"] is None:
        return (0, 0)
    if end["type"] == "tool_skipped":
        assert end["reason"] in _NOT_RUN | {"interrupted"}
        return (0, 1) if end["reason"] == "interrupted" else (0, 0)
    # A call that failed, e.g. since Lightroom was not there yet, says so; what it reached is not told by its end.
    return (1, 1) if end["ok"] else (0, 1)


def titles_of(change: dict[str, Any]) -> set[str]:
    """The titles that a change of the journal gave."""
    return {item["after"]["title"] for item in change["items"] if "title" in item["after"]}
