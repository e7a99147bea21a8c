"""The service's side of the plug-in, as small as can be, on plain http.server: the bridge, chats, tokens, the index.

Every body that the plug-in sends is decoded with the contract's own structs, so a body that breaks it fails the test.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import msgspec

from safelight.wire import bridge_models
from safelight.wire.models import BridgeHello, BridgePoll, BridgeResult, NewToken, OpenChat, SyncIndex

TOKEN = "agent-token-of-a-test"
PATIENCE = 10.0

_DEADLINES = {"write_photos": 60.0, "add_to_collection": 60.0}


_SHARED_SHAPES: dict[str, type[msgspec.Struct]] = {
    "write_photos": bridge_models.WriteOutcome,
    "edit_keywords": bridge_models.WriteOutcome,
    "add_to_collection": bridge_models.IdsOutcome,
    "remove_from_collection": bridge_models.IdsOutcome,
    "create_snapshots": bridge_models.IdsOutcome,
    "write_develop": bridge_models.DevelopOutcome,
    "apply_preset": bridge_models.DevelopOutcome,
    "auto_tone": bridge_models.DevelopOutcome,
    "reset_develop": bridge_models.DevelopOutcome,
    "create_collection": bridge_models.CollectionRecord,
    "create_smart_collection": bridge_models.CollectionRecord,
}


class Refused(Exception):
    """The plug-in answered with an error."""

    def __init__(self, code: str, message: str, *, retriable: bool) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.retriable = retriable


class FakeBridge:
    """A service on a free port that has left its address and token in ``data_folder``."""

    def __init__(self, data_folder: Path, *, hold: float = 5.0) -> None:
        self.data_folder = data_folder
        self.hold = hold
        self.hellos: list[BridgeHello] = []
        self.polls: list[BridgePoll] = []
        self.results: list[BridgeResult] = []
        self.chats: list[OpenChat] = []
        self.ended_chats: list[str] = []
        self.sends_to: str | None = None
        self.tokens: list[NewToken] = []
        self.jobs: list[dict[str, Any]] = []
        """What the index is at; each look at the jobs takes the next step, the last one stays."""
        self.syncs: list[SyncIndex] = []
        self.cancelled_jobs: list[str] = []
        self.health: dict[str, Any] = {"name": "safelight", "version": "0.1.0", "status": "ok"}
        self.problems: list[str] = []
        self.refusals: dict[str, deque[tuple[int, dict[str, Any]]]] = {}
        self.welcome: dict[str, Any] = {
            "hold_s": 20,
            "lease_s": 30,
            "busy_poll_s": 0.05,
            "idle_poll_s": 1,
            "version": "0.1.0",
        }
        self.lose_answers_to_poll = 0
        self.cut_polls_held_longer_than: float | None = None
        """When set, the line drops every poll that asks to be held longer, as a proxy between the two may do."""
        self._commands: deque[dict[str, Any]] = deque()
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._is_closed = False
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                if len(body) < length:
                    # Lightroom has quit
                    self.close_connection = True
                    return
                status, answer = fake.answer(self.command, self.path, dict(self.headers), body)
                if status == 0:
                    self.close_connection = True
                    return
                data = b"" if status == 204 else msgspec.json.encode(answer)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_DELETE = do_POST

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                error = sys.exc_info()[1]
                # a Lightroom that quits cuts its connections
                if not isinstance(error, OSError):
                    fake.problems.append(repr(error))

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.appear()

    def appear(self) -> None:
        """Leaves word about itself in the data folder."""
        (self.data_folder / "agent-token").write_text(TOKEN + "\n")
        (self.data_folder / "runtime.json").write_bytes(msgspec.json.encode({"url": self.url, "pid": 1}))

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)

    def refuse(self, operation: str, status: int, *, code: str = "", detail: str = "", times: int = 1) -> None:
        """The next requests to hello, poll, result, sessions, tokens, sync or jobs get this answer."""
        body = {"code": code, "detail": detail}
        self.refusals.setdefault(operation, deque()).extend([(status, body)] * times)

    def wait_for(self, is_so: Callable[[], bool], what: str = "it", patience: float = PATIENCE) -> None:
        """Waits until it is so; fails the test after a while."""
        with self._changed:
            ends = time.monotonic() + patience
            # what is waited for may happen in Lightroom, where nobody notifies
            while not is_so():
                assert time.monotonic() < ends, f"{what} did not happen; {self.problems}"
                self._changed.wait(0.005)

    # --- commands ------------------------------------------------------------------------------------------------

    def send(self, name: str, arguments: dict[str, Any], *, deadline: float | None = None, again: str = "") -> str:
        """Queues a command; returns its id. ``again`` sends an id a second time."""
        command_id = again or f"command-{next(self._numbers)}"
        seconds = _DEADLINES.get(name, 15.0) if deadline is None else deadline
        with self._changed:
            self._commands.append(
                {"command_id": command_id, "name": name, "arguments": arguments, "deadline_s": seconds}
            )
            self._changed.notify_all()
        return command_id

    def results_of(self, command_id: str) -> list[BridgeResult]:
        return [result for result in self.results if result.command_id == command_id]

    def result(self, command_id: str, count: int = 1) -> BridgeResult:
        """Waits for the (n-th) result of a command."""
        self.wait_for(lambda: len(self.results_of(command_id)) >= count, f"result {count} of {command_id}")
        return self.results_of(command_id)[count - 1]

    def ask(self, name: str, arguments: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        """Sends a command and waits for its outcome, whose shape is checked; raises ``Refused`` for an error."""
        return outcome(name, self.result(self.send(name, arguments or {}, **options)))

    @property
    def has_commands(self) -> bool:
        """Whether a command has not been fetched yet."""
        with self._changed:
            return bool(self._commands)

    # --- the server's side ---------------------------------------------------------------------------------------

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
        operation = path.rsplit("/", 1)[1]
        if (problem := self._problem(method, operation, headers)) is not None:
            self.problems.append(f"{method} {path}: {problem}")
            return 403, {"code": "forbidden", "detail": "no"}
        if self.refusals.get(operation):
            status, refusal = self.refusals[operation].popleft()
            return status, refusal
        if method == "DELETE":
            ended = self.ended_chats if path.startswith("/v1/chat/") else self.cancelled_jobs
            self._note(ended, operation)
            return (204, {}) if ended is self.ended_chats else (200, self.jobs[0])
        try:
            return getattr(self, f"_{operation}")(body)
        except msgspec.ValidationError as error:
            self.problems.append(f"{path}: {error}")
            return 400, {"code": "invalid_body", "detail": str(error)}

    @staticmethod
    def _problem(method: str, operation: str, headers: dict[str, str]) -> str | None:
        if operation == "health":
            return "the token goes to whoever listens" if "Authorization" in headers else None
        if headers.get("Authorization") != f"Bearer {TOKEN}":
            return f"not the token: {headers}"
        if method == "POST" and headers.get("Content-Type") != "application/json":
            return f"not JSON: {headers}"
        return None

    def _note(self, things: list[Any], thing: Any) -> None:
        with self._changed:
            things.append(thing)
            self._changed.notify_all()

    def _hello(self, body: bytes) -> tuple[int, dict[str, Any]]:
        self._note(self.hellos, msgspec.json.decode(body, type=BridgeHello))
        return 200, self.welcome

    def _poll(self, body: bytes) -> tuple[int, dict[str, Any]]:
        poll = msgspec.json.decode(body, type=BridgePoll)
        self._note(self.polls, poll)
        if self.cut_polls_held_longer_than is not None and _asked(poll) > self.cut_polls_held_longer_than:
            return 0, {}
        ends = time.monotonic() + min(self.hold, _asked(poll))
        with self._changed:
            while self._is_held(poll) and time.monotonic() < ends:
                self._changed.wait(ends - time.monotonic())
            if self._is_closed:
                return 0, {}
            if not self._is_current(poll):
                return 409, {"code": "superseded", "detail": "this loop ends"}
            if not self._commands:
                return 200, {}
            command = self._commands.popleft()
            if self.lose_answers_to_poll:
                self.lose_answers_to_poll -= 1
                return 0, {}
            return 200, {"command": command}

    def _is_current(self, poll: BridgePoll) -> bool:
        return (self.hellos[-1].session, self.hellos[-1].generation) == (poll.session, poll.generation)

    def _is_held(self, poll: BridgePoll) -> bool:
        return not self._commands and not self._is_closed and self._is_current(poll)

    def _result(self, body: bytes) -> tuple[int, dict[str, Any]]:
        self._note(self.results, msgspec.json.decode(body, type=BridgeResult))
        return 200, {"taken": True}

    def _sessions(self, body: bytes) -> tuple[int, dict[str, Any]]:
        asked = msgspec.json.decode(body, type=OpenChat)
        self._note(self.chats, asked)
        page = f"{self.url}/v1/ui/chat#session=1&token=t"
        if asked.view is not msgspec.UNSET:
            page += f"&view={asked.view}"
        return 201, {"session_id": "1", "chat_token": "t", "page_url": page, "sends_to": self.sends_to}

    def _health(self, body: bytes) -> tuple[int, dict[str, Any]]:
        del body
        return 200, self.health

    def _tokens(self, body: bytes) -> tuple[int, dict[str, Any]]:
        self._note(self.tokens, msgspec.json.decode(body, type=NewToken))
        return 201, {"token_id": str(len(self.tokens)), "token": f"app-token-{len(self.tokens)}"}

    def _sync(self, body: bytes) -> tuple[int, dict[str, Any]]:
        self._note(self.syncs, msgspec.json.decode(body, type=SyncIndex))
        return 202, self.jobs[0]

    def _jobs(self, body: bytes) -> tuple[int, dict[str, Any]]:
        del body
        if len(self.jobs) > 1:
            self.jobs.pop(0)
        return 200, {"jobs": self.jobs[:1]}


def _asked(poll: BridgePoll) -> float:
    return 20.0 if isinstance(poll.hold_s, msgspec.UnsetType) else poll.hold_s


def outcome(name: str, result: BridgeResult) -> dict[str, Any]:
    """What a command came to; checked against the contract's struct for it."""
    if not result.ok:
        error = result.error
        assert not isinstance(error, msgspec.UnsetType)
        raise Refused(error.code, error.message, retriable=error.retriable)
    own = "".join(word.title() for word in name.split("_")) + "Outcome"
    shape = _SHARED_SHAPES.get(name) or getattr(bridge_models, own, None)
    assert shape is not None, name
    value = cast(dict[str, Any], result.result)
    msgspec.convert(value, shape)
    return value
