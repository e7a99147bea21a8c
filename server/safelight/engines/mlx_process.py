"""The ``safelight-mlx`` process, seen from the service: started, asked, watched and ended."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.engines.mlx_sidecar import protocol as wire
from safelight.errors import ModelError

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

__all__ = ("PATIENCE", "Patience", "Sidecar")

_KEPT: Final = frozenset(
    {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "PYTHONPATH", "TMPDIR", "TZ", "USER"}
)
"""Of the environment; no key or token of another program is among them."""

_ADDED: Final = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
_SAID_BYTES: Final = 4_096
_SAID_LINES: Final = 3

_log = logging.getLogger(__name__)


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """How long the service waits, in seconds."""

    start: float = 60.0
    load: float = 600.0
    """For the weights of a large model on a slow disk."""
    silence: float = 30.0
    """For the next line of an answer, before the process is asked whether it is still there."""
    sign_of_life: float = 15.0
    answer: float = 600.0
    """For the next line of an answer, altogether."""
    stop: float = 30.0
    """For an answer to end after it was stopped."""
    unload: float = 10.0
    leave: float = 3.0
    """For the process to end, after its input was closed and after SIGTERM."""


PATIENCE: Final = Patience()


class Sidecar:
    """A running process. It ends with the service, too: its input closes then."""

    def __init__(self, process: Process, patience: Patience, on_crash: Callable[[], None]) -> None:
        self._process = process
        self._patience = patience
        self._on_crash = on_crash
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Queue[wire.Answer | None]] = {}
        self._said = b""
        self._ended_for: str | None = None
        self._hearing = asyncio.create_task(self._hear_stderr())
        self._reading: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, command: Sequence[str], patience: Patience, on_crash: Callable[[], None]) -> Sidecar:
        """``on_crash`` is called when the process ends, or has to be ended, without being asked to. Raises
        ``ModelError``."""
        environment = {name: value for name, value in os.environ.items() if name in _KEPT} | _ADDED
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=environment,
                limit=wire.ANSWER_BYTES,
                start_new_session=True,
            )
        except OSError as error:
            raise ModelError(f"MLX's own program cannot be started: {error}") from error
        sidecar = cls(process, patience, on_crash)
        try:
            await sidecar._greet()
        except BaseException:
            sidecar._kill("it was not started")
            await sidecar.end()
            raise
        return sidecar

    @property
    def alive(self) -> bool:
        return self._process.returncode is None and self._ended_for is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def new_id(self) -> int:
        """An id that no request of this process has had."""
        return next(self._ids)

    @asynccontextmanager
    async def ask(self, request: wire.Request) -> AsyncGenerator[AsyncIterator[wire.Answer]]:
        """The lines of the answer to ``request`` and no others; the last is none of ``Delta`` and ``ReadOn``. Left
        early, it stops the request and waits for that; a process that does not stop is ended. The lines raise
        ``ModelError`` when the process ends or hangs."""
        queue = self._waiting[request.id] = asyncio.Queue()
        if not self.alive:
            queue.put_nowait(None)
        longest = self._patience.load if isinstance(request, wire.Load) else self._patience.answer
        lines = _Lines(self, queue, longest)
        try:
            self._send(request)
            yield lines
        finally:
            try:
                if not lines.ended and self.alive:
                    await self._stop(request, queue)
            finally:
                del self._waiting[request.id]

    async def next_line(self, queue: asyncio.Queue[wire.Answer | None], longest: float) -> wire.Answer:
        """Waits for a line as long as the process shows that it is alive, but no longer than ``longest``."""
        loop = asyncio.get_running_loop()
        last_moment = loop.time() + longest
        while True:
            wait = min(self._patience.silence, last_moment - loop.time()) if self.alive else self._patience.leave
            with contextlib.suppress(TimeoutError):
                line = await asyncio.wait_for(queue.get(), wait)
                if line is None:
                    raise ModelError(await self._how_it_ended())
                return line
            if not self.alive:
                raise ModelError(await self._how_it_ended())
            if loop.time() >= last_moment:
                self._give_up(f"it wrote nothing for {longest:,.0f} seconds")
            elif not await self._shows_life():
                silent = self._patience.silence + self._patience.sign_of_life
                self._give_up(f"it did not answer for {silent:,.0f} seconds")

    async def end(self) -> None:
        """Ends the process within a bound, whatever it does. Those who wait for its lines get a ``ModelError``."""
        for request_id in self._waiting:
            self._send(wire.Stop(id=request_id))
        if self.alive:
            await self._unload()
            self._ended_for = self._ended_for or "it was unloaded"
        if (stdin := self._process.stdin) is not None:
            stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                await asyncio.wait_for(self._process.wait(), self._patience.leave)
                break
            except TimeoutError:
                self._signal(number)
        await self._process.wait()
        await asyncio.wait([task for task in (self._reading, self._hearing) if task is not None])

    # --- lines -----------------------------------------------------------------------------------------------

    async def _greet(self) -> None:
        try:
            first = await asyncio.wait_for(self._next_from_process(), self._patience.start)
        except TimeoutError as error:
            raise ModelError("MLX's own program did not start in time. Try again.") from error
        except ValueError as error:
            raise ModelError("MLX's own program cannot be understood. Install Safelight again.") from error
        if first is None:
            self._on_crash()
            raise ModelError(await self._how_it_ended())
        if not isinstance(first, wire.Hello) or first.protocol != wire.PROTOCOL:
            raise ModelError("MLX's own program is of another version. Install Safelight again, then restart it.")
        self._reading = asyncio.create_task(self._hand_out_lines())

    async def _next_from_process(self) -> wire.Answer | None:
        """Raises ``ValueError`` for what is no line of the protocol. None at the end, also in the middle of a line."""
        stdout = self._process.stdout
        line = await stdout.readline() if stdout else b""
        return wire.read_answer(line) if line.endswith(b"\n") else None

    async def _hand_out_lines(self) -> None:
        try:
            while (line := await self._next_from_process()) is not None:
                if isinstance(line, wire.Hello):
                    raise ValueError("a second hello")
                # Nobody waits for the lines of a request that was left.
                if (queue := self._waiting.get(line.id)) is not None:
                    queue.put_nowait(line)
        except ValueError as error:
            self._give_up(f"it wrote what cannot be read ({error})")
        await self._process.wait()
        if self._ended_for is None:
            self._on_crash()
        for queue in self._waiting.values():
            queue.put_nowait(None)

    async def _hear_stderr(self) -> None:
        stderr = self._process.stderr
        while stderr is not None and (said := await stderr.read(_SAID_BYTES)):
            _log.debug("%s", said.decode(errors="replace").rstrip())
            self._said = (self._said + said)[-_SAID_BYTES:]

    def _send(self, request: wire.Request) -> None:
        # Not drained: a request is at most a prompt, and a process that does not read is found by its silence.
        if (stdin := self._process.stdin) is not None and not stdin.is_closing():
            stdin.write(wire.encode(request))

    # --- ending ----------------------------------------------------------------------------------------------

    async def _stop(self, request: wire.Request, queue: asyncio.Queue[wire.Answer | None]) -> None:
        if isinstance(request, wire.Load):
            self._kill("it was stopped while loading")  # nothing can stop it there
            return
        self._send(wire.Stop(id=request.id))
        try:
            async with asyncio.timeout(self._patience.stop):
                while isinstance(await queue.get(), wire.Delta | wire.ReadOn):
                    pass
        except TimeoutError:
            self._kill("it could not be stopped")

    async def _shows_life(self) -> bool:
        request_id = self.new_id()
        queue = self._waiting[request_id] = asyncio.Queue()
        self._send(wire.Status(id=request_id))
        try:
            await asyncio.wait_for(queue.get(), self._patience.sign_of_life)
        except TimeoutError:
            return False
        finally:
            del self._waiting[request_id]
        return True

    async def _unload(self) -> None:
        request_id = self.new_id()
        queue = self._waiting[request_id] = asyncio.Queue()
        self._send(wire.Unload(id=request_id))
        try:
            await asyncio.wait_for(queue.get(), self._patience.unload)
        except TimeoutError:
            _log.warning("The MLX process did not unload its model in time.")
        finally:
            del self._waiting[request_id]

    def _give_up(self, why: str) -> None:
        if self._ended_for is None:
            self._on_crash()
        self._kill(why)

    def _kill(self, why: str) -> None:
        self._ended_for = self._ended_for or why
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    async def _how_it_ended(self) -> str:
        # Its last words may still be under way.
        await asyncio.wait([self._hearing], timeout=self._patience.leave)
        try:
            await asyncio.wait_for(self._process.wait(), self._patience.leave)
        except TimeoutError:
            self._kill("it closed its output")
            await self._process.wait()
        lines = [line.strip() for line in self._said.decode(errors="replace").splitlines() if line.strip()]
        said = f" It said last: {' | '.join(lines[-_SAID_LINES:])}" if lines else ""
        full = "memory" in said.lower() or self._process.returncode == -signal.SIGKILL and self._ended_for is None
        advice = "Choose a smaller model if that happens again: memory may be short." if full else ""
        why = f"The MLX process ended while the model was needed: {self._why()}."
        return " ".join(filter(None, [why, "Send the message again.", advice, said.strip()]))

    def _why(self) -> str:
        status = self._process.returncode
        if self._ended_for is not None:
            return self._ended_for
        if status == -signal.SIGKILL:
            return "the system killed it"
        if status is not None and status < 0:
            return f"it crashed ({signal.Signals(-status).name})"
        return f"it gave up (exit status {status})"


class _Lines:
    """Iterates over one request's lines."""

    def __init__(self, sidecar: Sidecar, queue: asyncio.Queue[wire.Answer | None], longest: float) -> None:
        self._sidecar = sidecar
        self._queue = queue
        self._longest = longest
        self.ended = False

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> wire.Answer:
        if self.ended:
            raise StopAsyncIteration
        line = await self._sidecar.next_line(self._queue, self._longest)
        self.ended = not isinstance(line, wire.Delta | wire.ReadOn)
        return line
