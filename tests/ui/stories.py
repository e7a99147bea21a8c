"""Conversations that the tests of the page play."""

from __future__ import annotations

import json
from typing import Any

from tests.ui.fake_service import FakeService

__all__ = ("ANSWER", "ask_by_agent", "ask_rating", "finish_rating", "search", "whole")

ANSWER = """I found **24 photos** of the coast from last Sunday. The sharpest ones:

1. `DSC_0412.NEF` – evening light on the pier
2. `DSC_0418.NEF` – gulls over the breakwater

| Stars | Photos |
| --- | ---: |
| ★★★★ | 9 |
| none | 15 |

Shall I give the first two *five stars*? More on [choosing photos](https://example.org/culling)."""

PHOTOS = [{"photo_id": f"p{n}", "file_name": f"DSC_{410 + n:04}.NEF", "rating": 4 if n % 3 else 0} for n in range(24)]


def search(service: FakeService, call_id: str = "c1") -> None:
    """A question, and the search that answers it."""
    service.event("user_message", message_id="m1", text="Show me the sharp ones from Sunday at the coast")
    service.event("busy", busy=True)
    service.event(
        "assistant_turn",
        reasoning="The user wants photos of the coast, taken on Sunday. I should search for them first.",
        text="",
    )
    service.event(
        "tool_call",
        call_id=call_id,
        tool="search_photos",
        title="Search photos",
        **{"class": "read"},
        arguments={"text": "coast", "captured_from": "2026-11-29", "captured_to": "2026-11-29", "sort": "newest"},
        photos=None,
    )
    service.event("tool_running", call_id=call_id)
    content = {"set_id": "set1", "count": len(PHOTOS), "photos": PHOTOS}
    text = json.dumps(content)
    service.results[call_id] = {
        "call_id": call_id,
        "tool": "search_photos",
        "ok": True,
        "text": text,
        "content": content,
        "warnings": [],
        "images": [],
    }
    service.event(
        "tool_done",
        call_id=call_id,
        ok=True,
        text=text[:200],
        set_id="set1",
        count=len(PHOTOS),
        warnings=["2 photos are offline."],
        images=0,
    )
    service.event("usage", prompt_tokens=3600, completion_tokens=240, cached_tokens=3000, context_window=32768)
    service.event("assistant_turn", reasoning="", text=ANSWER)
    service.event("busy", busy=False)


def ask_rating(
    service: FakeService, call_id: str = "c2", reason: dict[str, Any] | None = None, preview: bool = True
) -> None:
    """A change that waits for an answer."""
    service.event("user_message", message_id="m2", text="Yes, please.")
    service.event("busy", busy=True)
    _call_rating(service, call_id, photos=(reason or {}).get("photos", 3))
    _ask_rating(service, call_id, reason, preview=preview, **_answers(bulk=(reason or {}).get("kind") == "bulk"))


def ask_by_agent(service: FakeService, call_id: str = "c2") -> None:
    """A change that an agent from outside asks for."""
    answers = _answers(bulk=False)
    rule = answers["always"] | {"text": "Rate photos will run without asking for all agents, in every catalog."}
    _call_rating(service, call_id, photos=3, by="agent Claude")
    _ask_rating(service, call_id, None, preview=True, decisions=["once", "always", "deny"], always=rule)


def _call_rating(service: FakeService, call_id: str, **fields: Any) -> None:
    service.event(
        "tool_call",
        call_id=call_id,
        tool="set_rating",
        title="Rate photos",
        **{"class": "destructive"},
        arguments={"set": "selection", "rating": 5},
        **fields,
    )


def _ask_rating(
    service: FakeService, call_id: str, reason: dict[str, Any] | None, *, preview: bool, **answers: Any
) -> None:
    shown = [
        {"photo_id": "p2", "file_name": "DSC_0412.NEF", "before": {"rating": 4}, "after": {"rating": 5}},
        {"photo_id": "p8", "file_name": "DSC_0418.NEF", "before": {"rating": 0}, "after": {"rating": 5}},
        {"photo_id": "p9", "file_name": "DSC_0419.NEF", "before": {"rating": 5}, "after": {"rating": 5}},
    ]
    service.event(
        "approval_needed",
        call_id=call_id,
        reason=reason or {"kind": "mode"},
        preview={"photos": shown, "more": 0} if preview else None,
        **answers,
    )


def _answers(*, bulk: bool) -> dict[str, Any]:
    if bulk:
        return {"decisions": ["once", "chat", "deny"], "always": None}
    text = "Rate photos will run without asking in every chat on this catalog; more than 200 photos at once still ask."
    return {
        "decisions": ["once", "chat", "always", "deny"],
        "always": {"tool": "set_rating", "rule": "allow", "text": text},
    }


def finish_rating(service: FakeService, call_id: str = "c2") -> None:
    """The answer was once: the change runs and is told."""
    service.event(
        "approval_resolved", call_id=call_id, outcome="once", by="page", arguments={"set": "selection", "rating": 5}
    )
    service.event("tool_running", call_id=call_id)
    failed = [{"photo_id": "p9", "reason": "The photo's folder is offline."}]
    content = {"applied": ["p2", "p8"], "failed": failed, "not_attempted": []}
    service.results[call_id] = {
        "call_id": call_id,
        "tool": "set_rating",
        "ok": True,
        "text": json.dumps(content),
        "content": content,
        "warnings": [],
        "images": [],
    }
    service.event(
        "tool_done", call_id=call_id, ok=True, text=json.dumps(content), set_id=None, count=None, warnings=[], images=0
    )
    service.event("change", change_id="h1", tool="set_rating", photos=2)
    service.event("assistant_turn", reasoning="", text="Two of the three photos have five stars now.")
    service.event("busy", busy=False)


def whole(service: FakeService) -> None:
    """Everything that a conversation can hold."""
    search(service)
    ask_rating(service)
    finish_rating(service)
    service.event("user_message", message_id="m3", text="Now all 412 photos of the trip get the title “Coast”.")
    service.event("busy", busy=True)
    service.event(
        "tool_call",
        call_id="c3",
        tool="set_metadata",
        title="Change title and caption",
        **{"class": "destructive"},
        arguments={"set": "set1", "title": "Coast", "caption": ""},
        photos=412,
    )
    service.event("approval_needed", call_id="c3", reason={"kind": "bulk", "photos": 412, "limit": 200}, preview=None)
    service.event(
        "approval_resolved", call_id="c3", outcome="deny", by="page", arguments=None, note="only the best three"
    )
    service.event("tool_skipped", call_id="c3", reason="not_allowed")
    service.event(
        "tool_call",
        call_id="c4",
        tool="show_photos",
        title="Show photos in Lightroom",
        **{"class": "change"},
        arguments={"photo_ids": ["p2", "p8", "lost1"]},
        photos=3,
    )
    service.event("tool_running", call_id="c4")
    service.event(
        "tool_done",
        call_id="c4",
        ok=False,
        text="Lightroom is busy with an export.",
        set_id=None,
        count=None,
        warnings=[],
        images=0,
    )
    service.event("warning", message="The model's memory is nearly full; the oldest results were left out.")
    service.event("error", code="model_failed", message="The model did not answer. Try again, or choose another model.")
    service.event("stopped", reason="user")
    service.event("busy", busy=False)
