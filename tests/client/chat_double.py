"""A chat that a test drives: an event log in the contract's shapes, and streams that fail where a test says so."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import deque
from typing import Any, Final

import msgspec

from safelight_client import models

__all__ = ("ChatDouble", "StreamPlan")

WAIT_S: Final = 20.0

_EVENT: Final = msgspec.json.Decoder(models.Event)
_KNOWN: Final = {"busy", "user_message", "assistant_turn", "tool_call", "approval_needed", "approval_resolved"}


class StreamPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How one connection of the event stream behaves. The connections take the plans in turn, then behave well."""

    status: int | None = None
    """Answer with this status and a problem instead of a stream."""
    resync: str | None = None
    """Send a resync with this reason behind the hello, and end."""
    repeat: int = 0
    """Send so many events again that the reader has."""
    skip: int = 0
    """Leave out so many events that the reader lacks."""
    frames: int | None = None
    """End in good order after so many frames, the hello among them."""
    cut: int | None = None
    """Break the connection after so many bytes."""
    silent: bool = False
    """Send nothing behind the hello, not even a comment."""
    raw: bytes | None = None
    """Send these bytes behind the hello, and end."""


class ChatDouble:
    """One chat. Everything here runs in the service's thread."""

    def __init__(self, keepalive_s: float) -> None:
        self.session_id = secrets.token_hex(4)
        self.token = f"chat-{secrets.token_hex(4)}"
        self.keepalive_s = keepalive_s
        self.log: list[dict[str, Any]] = []
        self.plans: deque[StreamPlan] = deque()
        self.opened_with: dict[str, Any] = {}
        self.ended = False
        self.connections: list[str | None] = []
        """The ``after`` of each connection."""
        self.answers: dict[str, dict[str, Any]] = {}
        self.left = threading.Event()
        """Set once a reader has gone."""
        self.stopped = False
        self.needs: list[str] = []
        self.task: asyncio.Task[None] | None = None
        self._readers: set[asyncio.Queue[bytes | None]] = set()
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}

    def describe(self) -> dict[str, Any]:
        """The chat as the service describes it."""
        busy = self.task is not None and not self.task.done()
        when = "2026-01-02T03:04:05Z"
        times = {"created": when, "last_active": when}
        told = {"model": "double", "title": "", "questions": 0, "needs_connections": self.needs, "sends_to": None}
        return {"session_id": self.session_id, "busy": busy, "head": len(self.log), **times, **told}

    def append(self, type_: str, **fields: Any) -> int:
        """Number an event, keep it and send it on."""
        seq = len(self.log) + 1
        event = {"type": type_, "seq": seq, **fields}
        if type_ in _KNOWN:
            _EVENT.decode(msgspec.json.encode(event))
        self.log.append(event)
        self._send(frame(event))
        return seq

    def live(self, type_: str, **fields: Any) -> None:
        """Send an event that is not kept."""
        self._send(frame({"type": type_, **fields}))

    def comment(self) -> None:
        """Send a sign of life that is no event."""
        self._send(b": keep-alive\n\n")

    async def ask(
        self,
        call_id: str = "call-1",
        *,
        arguments: dict[str, Any] | None = None,
        reason: dict[str, Any] | None = None,
        preview: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Call a tool that needs an answer, wait for it, and log how the question ended."""
        arguments = arguments or {"rating": 5, "set": "selection"}
        self.append(
            "tool_call",
            call_id=call_id,
            tool="set_rating",
            title="Rate photos",
            **{"class": "destructive"},
            arguments=arguments,
            photos=3,
        )
        self._waiting[call_id] = asyncio.get_running_loop().create_future()
        self.append("approval_needed", call_id=call_id, reason=reason or {"kind": "mode"}, preview=preview)
        async with asyncio.timeout(WAIT_S):
            answer = await self._waiting[call_id]
        runs = None if answer["decision"] == "deny" else answer.get("arguments", arguments)
        self.append(
            "approval_resolved", call_id=call_id, outcome=answer["decision"], by="agent", arguments=runs, note=None
        )
        if runs is None:
            self.append("tool_skipped", call_id=call_id, reason="not_allowed")
        else:
            self.append("tool_running", call_id=call_id)
            self.append("tool_done", call_id=call_id, ok=True, text="{}", set_id=None, count=3, warnings=[], images=0)
        return answer

    def answer(self, call_id: str, answer: dict[str, Any]) -> int:
        """Take an answer; the status says whether it counts."""
        future = self._waiting.get(call_id)
        if future is None:
            return 404
        if future.done():
            return 409
        self.answers[call_id] = answer
        future.set_result(answer)
        return 200

    def turn(self, text: str, reasoning: str = "") -> None:
        """A model turn, streamed in two pieces and then whole."""
        offset = 0
        for kind, whole in (("reasoning", reasoning), ("text", text)):
            for piece in (whole[: len(whole) // 2], whole[len(whole) // 2 :]):
                if piece:
                    self.live("delta", kind=kind, text=piece, offset=offset)
                    offset += len(piece)
        self.append("assistant_turn", reasoning=reasoning, text=text)

    def end(self) -> None:
        """End the chat and its streams."""
        self.ended = True
        self._send(frame({"type": "resync", "reason": "ended"}))
        self.hang_up()

    def hang_up(self) -> None:
        """End all streams in good order."""
        self._send(None)

    def open_stream(self, after: str | None, plan: StreamPlan) -> asyncio.Queue[bytes | None]:
        """The frames of one connection, beginning with those that are there already; ``None`` is the end."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        hello = {"head": len(self.log), "time": "2026-01-02T03:04:05Z", "keepalive_s": self.keepalive_s}
        queue.put_nowait(frame({"type": "hello", **hello}))
        reason = plan.resync or self._refused(after)
        if reason is not None:
            queue.put_nowait(frame({"type": "resync", "reason": reason}))
            queue.put_nowait(None)
        elif plan.raw is not None:
            queue.put_nowait(plan.raw)
            queue.put_nowait(None)
        elif not plan.silent:
            first = max(0, int(after or 0) - plan.repeat + plan.skip)
            for event in self.log[first:]:
                queue.put_nowait(frame(event))
            self._readers.add(queue)
        return queue

    def close_stream(self, queue: asyncio.Queue[bytes | None]) -> None:
        self._readers.discard(queue)
        self.left.set()

    def _refused(self, after: str | None) -> str | None:
        if after is None:
            return None
        if not after.isdecimal():
            return "bad_after"
        return "future_after" if int(after) > len(self.log) else None

    def _send(self, data: bytes | None) -> None:
        for queue in self._readers:
            queue.put_nowait(data)


def frame(event: dict[str, Any]) -> bytes:
    """The event as the service frames it."""
    head = b"id: %d\n" % event["seq"] if "seq" in event else b""
    return head + b"data: " + msgspec.json.encode(event) + b"\n\n"
