"""A service for the page that says only what a test scripts: one chat, its events, and a record of what the page asked.

It serves the built page under the very policy that the real service sends, over threads and without a framework, so
that a test of the page depends on nothing but the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import queue
import re
import struct
import threading
import zlib
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

__all__ = ("PAGE", "TOKEN", "FakeService", "Request", "policy")

PAGE = Path(__file__).parents[2] / "ui" / "chat.html"
SESSION = "s1"
INBOX = "/v1/inbox"
TOKEN = "chat-token-of-the-test"
TRUSTED_TYPES = "dompurify"


def policy(html: str) -> str:
    """The Content-Security-Policy that lets exactly the page's own script and style run."""
    script, style = (_hash(html, tag) for tag in ("script", "style"))
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        f"trusted-types {TRUSTED_TYPES}"
    )


def _hash(html: str, tag: str) -> str:
    (content,) = re.findall(rf"<{tag}(?: type=\"module\")?>(.*?)</{tag}>", html, re.DOTALL)
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


@dataclass(frozen=True)
class Request:
    """What the page asked for."""

    method: str
    path: str
    query: dict[str, list[str]]
    body: Any
    token: str | None


@dataclass
class FakeService:
    """Runs while it is used as a context manager; a test scripts it through `event` and `live`."""

    keepalive_s: float = 15.0
    model: str = "gemma-3-4b"
    sends_to: str | None = None
    head: int = 0
    busy: bool = False
    ended: bool = False
    unreachable: bool = False
    silent: bool = False
    refused: dict[str, int] = field(default_factory=dict[str, int])
    results: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    snapshot: dict[str, Any] | None = None
    returned: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    undos: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    requests: list[Request] = field(default_factory=list[Request])

    def __post_init__(self) -> None:
        self._log: list[dict[str, Any]] = []
        self._erased = 0
        self._readers: list[queue.Queue[dict[str, Any] | None]] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"service": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def page_url(self) -> str:
        return f"{self.url}/v1/ui/chat#session={SESSION}&token={TOKEN}"

    @property
    def inbox_url(self) -> str:
        return f"{self.page_url}&view=inbox"

    def event(self, type_: str, **fields: Any) -> int:
        """Number an event, keep it and send it."""
        with self._lock:
            self.head += 1
            self._log.append({"type": type_, "seq": self.head, **fields})
            self._send(self._log[-1])
            return self.head

    def live(self, type_: str, **fields: Any) -> None:
        """Send an event to whoever listens now."""
        with self._lock:
            self._send({"type": type_, **fields})

    def drop(self) -> None:
        """Cut every open stream."""
        with self._lock:
            for reader in self._readers:
                reader.put(None)
            self._readers.clear()

    def asked(self, method: str, ending: str) -> list[Request]:
        return [one for one in self.requests if one.method == method and one.path.endswith(ending)]

    def erase(self, up_to: int) -> None:
        """Keep no event up to a number, as the inbox does with old ones."""
        with self._lock:
            self._erased = up_to

    def forget(self, after: int) -> None:
        """Lose every event behind a number, as a service with another database would."""
        with self._lock:
            del self._log[after:]
            self.head = after

    def subscribe(self, after: int) -> tuple[list[dict[str, Any]], queue.Queue[dict[str, Any] | None]]:
        reader: queue.Queue[dict[str, Any] | None] = queue.Queue()
        with self._lock:
            hello = {
                "type": "hello",
                "head": self.head,
                "first": self._erased + 1,
                "time": "2026-11-30T12:00:00Z",
                "keepalive_s": self.keepalive_s,
            }
            past = [hello, *self._log[max(after, self._erased) :]]
            if self.snapshot:
                past.append({"type": "snapshot", **self.snapshot})
            self._readers.append(reader)
            return past, reader

    def _send(self, event: dict[str, Any]) -> None:
        for reader in self._readers:
            reader.put(event)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64  # a browser opens its connections all at once


class _Handler(BaseHTTPRequestHandler):
    service: FakeService
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_DELETE(self) -> None:
        self._answer("DELETE")

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, method: str) -> None:
        url = urlsplit(self.path)
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        token = (self.headers.get("authorization") or "").removeprefix("Bearer ") or None
        self.service.requests.append(Request(method, url.path, parse_qs(url.query), body, token))
        if self.service.unreachable:
            self.close_connection = True
            return
        if url.path == "/v1/ui/chat":
            html = PAGE.read_text(encoding="utf-8")
            self._bytes(200, "text/html; charset=utf-8", html.encode(), {"content-security-policy": policy(html)})
            return
        chat = f"/v1/chat/sessions/{SESSION}"
        undo = re.fullmatch(r"/v1/changes/(\w+)/undo", url.path)
        if undo and method == "POST" and token == TOKEN:
            self._undo(undo[1])
            return
        if token != TOKEN or self.service.ended or not url.path.startswith((chat, INBOX)):
            self._problem(403, "No.")
            return
        path = url.path.replace(INBOX, "/approvals").replace("/approvals/events", "/events")
        self._chat(method, path.removeprefix(chat), url.query)

    def _chat(self, method: str, path: str, query: str) -> None:
        service = self.service
        if status := service.refused.get(path):
            self._problem(status, "It is no longer open.")
            return
        match method, path.split("/")[1:]:
            case "GET", []:
                self._json(
                    200,
                    {
                        "session_id": SESSION,
                        "model": service.model,
                        "created": "2026-11-30T12:00:00Z",
                        "busy": service.busy,
                        "head": service.head,
                        "sends_to": service.sends_to,
                    },
                )
            case "GET", ["events"]:
                self._stream(int(parse_qs(query).get("after", ["0"])[0]))
            case "GET", ["results", call_id] if call_id in service.results:
                self._json(200, service.results[call_id])
            case "GET", ["photos", photo_id] if not photo_id.startswith("lost"):
                large = int(parse_qs(query)["size"][0]) > 256
                self._bytes(200, "image/png", _picture(photo_id, *((420, 280) if large else (96, 64))))
            case "POST", ["messages"]:
                self._json(202, {"seq": service.head + 1, "message_id": f"m{service.head + 1}"})
            case "POST", ["approvals", call_id]:
                decision = service.requests[-1].body["decision"]
                self._json(200, {"call_id": call_id, "outcome": decision})
            case "POST", ["stop"]:
                self._json(202, {"stopping": True, "returned": self.service.returned})
            case "DELETE", ["queue", _]:
                self._bytes(204, None, b"")
            case _:
                self._problem(404, "There is no such thing.")

    def _undo(self, change_id: str) -> None:
        report = self.service.undos.get(change_id)
        if report is None:
            self._problem(409, "Nothing of this change is left to take back.")
        else:
            self._json(200, report)

    def _stream(self, after: int) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-store")
        self.send_header("connection", "close")
        self.end_headers()
        if after > self.service.head:
            self._frame({"type": "resync", "reason": "future_after"})
            return
        past, reader = self.service.subscribe(after)
        try:
            for event in past:
                self._frame(event)
            while True:
                try:
                    event = reader.get(timeout=self.service.keepalive_s)
                except queue.Empty:
                    if self.service.silent:
                        continue
                    self.wfile.write(b": alive\n\n")
                    continue
                if event is None:
                    return
                self._frame(event)
        except OSError:
            return

    def _frame(self, event: dict[str, Any]) -> None:
        number = f"id: {event['seq']}\n" if "seq" in event else ""
        self.wfile.write(f"{number}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()

    def _problem(self, status: int, detail: str) -> None:
        self._json(
            status, {"type": "about:blank", "title": "Refused", "status": status, "detail": detail, "code": "refused"}
        )

    def _json(self, status: int, value: object) -> None:
        kind = "application/json" if status < 400 else "application/problem+json"
        self._bytes(status, kind, json.dumps(value).encode())

    def _bytes(self, status: int, kind: str | None, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        if kind:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _picture(photo_id: str, width: int, height: int) -> bytes:
    """A PNG of a dusk over hills, in colours of its own for every photo."""
    seed = hashlib.sha256(photo_id.encode()).digest()
    sky, glow, land = seed[0:3], seed[3:6], seed[6:9]
    hill = height * (45 + seed[9] % 25) // 100
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            edge = hill + (seed[10] % 9 + 3) * ((x * (1 + seed[11] % 3)) % width - width // 2) ** 2 // (width * 40)
            mix = y / height
            colour = [int(a * (1 - mix) + b * mix) for a, b in zip(sky, glow, strict=True)]
            rows += bytes(colour if y < edge else [part // 3 for part in land])
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"IDAT", zlib.compress(bytes(rows))),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
