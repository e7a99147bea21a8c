"""Runs the service: lock, socket, server, ready line, and a quick end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any, Final, TypeVar

import uvicorn
from filelock import FileLock, Timeout

from safelight.app import Application, create_app
from safelight.errors import StartRefused
from safelight.version import VERSION

if TYPE_CHECKING:
    from safelight.settings import Settings

__all__ = ("Ready", "Server", "run_service", "serve_while")

T = TypeVar("T")

_GRACE_S: Final = 0.3
"""For requests that are being answered when the service is stopped."""

Ready = Callable[[Application, str], Awaitable[dict[str, Any]]]
"""Called once the service listens, with its address; gives more fields for the ready line."""


def run_service(settings: Settings, on_ready: Ready | None = None, on_close: Callable[[], None] | None = None) -> int:
    """Serve until SIGTERM or SIGINT. Raises ``StartRefused`` when it cannot start."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with _using(settings, "made"):
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _only_one(settings), _listening(settings) as listening:
        with _using(settings, "written to"):
            application = create_app(settings)
        server = Server(application)
        try:
            asyncio.run(_serve(server, listening, settings, on_ready))
        finally:
            if on_close is not None:
                on_close()
            with contextlib.suppress(OSError):
                settings.runtime_file.unlink(missing_ok=True)
    gc.freeze()  # the process ends: to look through all that it has loaded would take a third of a second
    return 0


async def serve_while(settings: Settings, work: Callable[[Application, str], Coroutine[Any, Any, T]]) -> T:
    """Serve until ``work`` is done, and give what it gives. Raises ``StartRefused`` when the service cannot start, and
    ``KeyboardInterrupt`` when it was told to stop before."""
    with _only_one(settings), _listening(settings) as listening:
        server = Server(create_app(settings))
        serving = asyncio.create_task(server.serve([listening]))
        listens = asyncio.create_task(server.application.listening.wait())
        await asyncio.wait({serving, listens}, return_when=asyncio.FIRST_COMPLETED)
        if not server.started:
            listens.cancel()
            await serving
            raise StartRefused("The service could not start; the lines above say why.")
        url = _address(listening)
        _write_runtime(settings, _fields(settings, url))
        working = asyncio.create_task(work(server.application, url))
        try:
            await asyncio.wait({serving, working}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            server.should_exit = True
            if not working.done():
                working.cancel()
                await asyncio.wait({working})
            await serving
        if working.cancelled():
            raise KeyboardInterrupt
        return working.result()


class Server(uvicorn.Server):
    """Ends every stream before it waits for connections, since a stream would never end by itself."""

    def __init__(self, application: Application) -> None:
        config = uvicorn.Config(
            application.asgi,
            log_config=None,
            access_log=False,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=75,
        )
        super().__init__(config)
        self.application = application

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """As uvicorn's, which then raises the signal once more and so ends the process before it has tidied up."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {name: signal.signal(name, self.handle_exit) for name in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.application.load()
        await super().startup(sockets)
        self.application.listening.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.application.close_streams()
        cutting = asyncio.get_running_loop().call_later(_GRACE_S, self._cut_off)
        await super().shutdown(sockets)
        cutting.cancel()

    def _cut_off(self) -> None:
        """Close the connections that are still open: e.g. of who does not read what is sent to him."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


async def _serve(server: Server, listening: socket.socket, settings: Settings, on_ready: Ready | None) -> None:
    serving = asyncio.create_task(server.serve([listening]))
    listens = asyncio.create_task(server.application.listening.wait())
    await asyncio.wait({serving, listens}, return_when=asyncio.FIRST_COMPLETED)
    if not server.started:
        listens.cancel()
        await serving
        raise StartRefused("The service could not start; the lines above say why.")
    url = _address(listening)
    ready: dict[str, Any] = {"event": "ready", **_fields(settings, url)}
    try:
        with _using(settings, "written to"):
            _write_runtime(settings, _fields(settings, url))
        if on_ready is not None:
            ready |= await on_ready(server.application, url)
    except BaseException:
        server.should_exit = True
        await serving
        raise
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()
    await serving


def _fields(settings: Settings, url: str) -> dict[str, Any]:
    return {
        "url": url,
        "agent_token_file": str(settings.agent_token_file),
        "pid": os.getpid(),
        "version": VERSION,
    }


def _write_runtime(settings: Settings, fields: dict[str, Any]) -> None:
    fresh = settings.runtime_file.with_suffix(".new")
    fresh.write_text(json.dumps(fields), encoding="utf-8")
    fresh.replace(settings.runtime_file)


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(host, host)  # noqa: S104  # compared, not bound
    return f"http://{shown}:{port}"


@contextlib.contextmanager
def _using(settings: Settings, what: str) -> Generator[None, None, None]:
    try:
        yield
    except Timeout:
        raise
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        text = (
            f"The data folder {settings.data_dir} cannot be {what}: {error.strerror or error}{where}. "
            "Name another with --data-dir."
        )
        raise StartRefused(text) from None


@contextlib.contextmanager
def _only_one(settings: Settings) -> Generator[None, None, None]:
    lock = FileLock(settings.lock_file, timeout=0)
    try:
        with _using(settings, "written to"):
            lock.acquire()
    except Timeout:
        text = (
            f"Another Safelight is running on the data folder {settings.data_dir}. Stop it, or name another --data-dir."
        )
        raise StartRefused(text) from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _listening(settings: Settings) -> Generator[socket.socket, None, None]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio turns Nagle off only where it sees the protocol; with it an answer waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        text = f"Port {settings.port} on {settings.host} cannot be used ({error.strerror}). Name another with --port."
        raise StartRefused(text) from None
    try:
        listening.listen(128)
        listening.set_inheritable(False)
        yield listening
    finally:
        listening.close()
