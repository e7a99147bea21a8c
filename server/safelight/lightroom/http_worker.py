"""HTTP for the simulated Lightroom, in threads of its own so that no request ever holds up Lua.

Connections are kept alive. Closing cuts requests that are under way, so that a held long poll delays nothing.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from urllib.parse import urlsplit

from msgspec import Struct

__all__ = ("Answer", "HttpWorkers", "NoAnswer", "Request")

_ONLY_HOST = "127.0.0.1"


class Request(Struct, frozen=True):
    method: str
    url: str
    body: bytes | None
    headers: Sequence[tuple[str, str]]
    timeout: float


class Answer(Struct, frozen=True):
    """Any answer with a status, a refusal included."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


class NoAnswer(Struct, frozen=True):
    """Why nothing came: a code as Lightroom names it (timedOut, cannotConnectToHost, ...)."""

    code: str
    reason: str


Done = Callable[[Answer | NoAnswer], None]


class _Worker:
    """One thread with one connection that is kept from request to request."""

    def __init__(self, pool: HttpWorkers) -> None:
        self._pool = pool
        self._queue: SimpleQueue[tuple[Request, Done] | None] = SimpleQueue()
        self._connection: http.client.HTTPConnection | None = None
        self._port: int | None = None
        self._is_cut = False
        threading.Thread(target=self._run, name="lightroom-http", daemon=True).start()

    def give(self, request: Request, done: Done) -> None:
        self._queue.put((request, done))

    def cut(self) -> None:
        self._is_cut = True
        connection = self._connection
        sock = connection.sock if connection else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self._queue.put(None)

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            request, done = work
            outcome = self._answer(request)
            self._pool.is_free(self)
            done(outcome)
        self._forget()

    def _answer(self, request: Request) -> Answer | NoAnswer:
        parts = urlsplit(request.url)
        if parts.scheme != "http" or parts.hostname != _ONLY_HOST or parts.port is None:
            return NoAnswer("badURL", f"only http://{_ONLY_HOST}:port is reached from here")
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        is_reused = self._connection is not None and self._port == parts.port
        outcome = self._exchange(parts.port, target, request)
        if isinstance(outcome, NoAnswer) and outcome.code == "networkConnectionLost" and is_reused and not self._is_cut:
            # the server had closed the idle connection
            outcome = self._exchange(parts.port, target, request)
        return outcome

    def _exchange(self, port: int, target: str, request: Request) -> Answer | NoAnswer:
        if self._connection is None or self._port != port:
            self._forget()
            self._connection, self._port = http.client.HTTPConnection(_ONLY_HOST, port), port
        connection = self._connection
        connection.timeout = request.timeout
        if connection.sock:
            connection.sock.settimeout(request.timeout)
        try:
            connection.request(request.method, target, request.body, dict(request.headers))
            response = connection.getresponse()
            body = response.read()
        except TimeoutError:
            return self._failed("timedOut", "no answer in time")
        except ConnectionRefusedError as error:
            return self._failed("cannotConnectToHost", str(error))
        except (OSError, http.client.HTTPException) as error:
            return self._failed("networkConnectionLost", f"{type(error).__name__}: {error}")
        if response.will_close:
            self._forget()
        return Answer(response.status, response.getheaders(), body)

    def _failed(self, code: str, reason: str) -> NoAnswer:
        self._forget()
        return NoAnswer(code, reason)

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class HttpWorkers:
    """As many workers as there are requests at a time; each waits for its next one when it is done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[_Worker] = []
        self._free: list[_Worker] = []
        self._is_closed = False

    def send(self, request: Request, done: Done) -> None:
        """Calls ``done`` from another thread, exactly once, unless the workers are closed first."""
        with self._lock:
            if self._is_closed:
                return
            if self._free:
                worker = self._free.pop()
            else:
                worker = _Worker(self)
                self._all.append(worker)
        worker.give(request, done)

    def is_free(self, worker: _Worker) -> None:
        with self._lock:
            self._free.append(worker)

    def close(self) -> None:
        """Cuts what is under way; returns at once."""
        with self._lock:
            self._is_closed = True
            workers = list(self._all)
        for worker in workers:
            worker.cut()
