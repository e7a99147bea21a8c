"""Takes requests from one stream and answers them on another, one at a time; stops are heard meanwhile."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from safelight.engines.mlx_sidecar import protocol as wire
from safelight.engines.mlx_sidecar.protocol import REQUEST_BYTES
from safelight.errors import ContextTooSmall, ModelError, ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.engines.mlx_sidecar.runtime import MlxRuntime

__all__ = ("BrokenRequest", "serve")


class BrokenRequest(Exception):
    """What came is no request, so nothing after it can be trusted either."""


def serve(requests: BinaryIO, answers: BinaryIO, leave: Callable[[str | None], None]) -> None:
    """Serves until the requests end. ``leave`` is then called on another thread, with what was wrong with them if
    anything was, and must end the process: the model may be in the middle of something."""
    server = _Server(answers)
    server.say(wire.Hello(protocol=wire.PROTOCOL))

    def listen() -> None:
        try:
            server.listen(requests)
        except (BrokenRequest, OSError) as error:
            leave(str(error))
        else:
            leave(None)

    threading.Thread(target=listen, name="requests", daemon=True).start()
    while True:
        server.work()


class _Server:
    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._writing = threading.Lock()
        self._waiting: queue.Queue[tuple[wire.Request, threading.Event]] = queue.Queue()
        self._stops: dict[int, threading.Event] = {}
        self._runtime: MlxRuntime | None = None
        self._loaded: str | None = None
        self._working_on: int | None = None

    def say(self, line: wire.Answer) -> None:
        with self._writing:
            self._answers.write(wire.encode(line))
            self._answers.flush()

    # --- on the thread that listens ----------------------------------------------------------------------------

    def listen(self, requests: BinaryIO) -> None:
        """Returns when no more requests can come. Raises ``BrokenRequest``."""
        while line := requests.readline(REQUEST_BYTES + 1):
            if len(line) > REQUEST_BYTES:
                raise BrokenRequest(f"a request is longer than {REQUEST_BYTES:,} bytes")
            try:
                request = wire.read_request(line)
            except msgspec.DecodeError as error:
                raise BrokenRequest(f"a request cannot be read: {error}") from error
            match request:
                case wire.Stop():
                    if (stop := self._stops.get(request.id)) is not None:
                        stop.set()
                case wire.Status():
                    self.say(self._state(request.id))
                case _:
                    self._stops[request.id] = stop = threading.Event()
                    self._waiting.put((request, stop))

    def _state(self, request_id: int) -> wire.State:
        memory = 0
        if self._loaded is not None:
            import mlx.core as mx

            memory = mx.get_active_memory()
        return wire.State(id=request_id, loaded=self._loaded, working_on=self._working_on, memory_bytes=memory)

    # --- on the main thread, which owns the model -----------------------------------------------------------------

    def work(self) -> None:
        """Answers the next request."""
        request, stop = self._waiting.get()
        self._working_on = request.id
        try:
            last = wire.Stopped(id=request.id) if stop.is_set() else self._answer(request, stop)
        except ModelError as error:
            last = wire.Failed(id=request.id, kind=_kind(error), message=error.message)
        except (MemoryError, RuntimeError, ValueError) as error:
            # What MLX raises. The runtime has forgotten what it had half read.
            last = wire.Failed(id=request.id, kind="failed", message=_in_words(error))
        self._working_on = None
        del self._stops[request.id]
        self.say(last)

    def _answer(self, request: wire.Request, stop: threading.Event) -> wire.Answer:
        match request:
            case wire.Load():
                return self._load(request)
            case wire.Unload():
                self._unload()
                return wire.Unloaded(id=request.id)
            case wire.Chat():
                written = self._model().answer(
                    request.job(),
                    lambda text: self.say(wire.Delta(id=request.id, text=text)),
                    lambda done, total: self.say(wire.ReadOn(id=request.id, done=done, total=total)),
                    stop,
                )
                return wire.Stopped(id=request.id) if stop.is_set() else wire.Ended(id=request.id, written=written)
            case wire.Likelihoods():
                scores = self._model().likelihoods(request, stop)
                return wire.Stopped(id=request.id) if scores is None else wire.Scores(id=request.id, scores=scores)
            case wire.Stop() | wire.Status():
                raise AssertionError("answered where requests are heard")

    def _load(self, request: wire.Load) -> wire.Loaded:
        self._unload()
        try:
            from safelight.engines.mlx_sidecar.runtime import MlxRuntime
        except (ImportError, OSError) as error:
            raise ModelError(
                f"MLX cannot be used here: {error}. It needs a Mac with Apple silicon and macOS 14 or later; install "
                "it with: pip install 'safelight[mlx]'"
            ) from error
        runtime = MlxRuntime(request)
        self._runtime, self._loaded = runtime, request.path
        return wire.Loaded(id=request.id, window=runtime.window)

    def _unload(self) -> None:
        if self._runtime is None:
            return
        self._runtime.close()
        self._runtime, self._loaded = None, None
        import mlx.core as mx

        mx.clear_cache()

    def _model(self) -> MlxRuntime:
        if self._runtime is None:
            raise ModelError("No model is loaded.")
        return self._runtime


def _kind(error: ModelError) -> wire.FailureKind:
    match error:
        case ModelMissing():
            return "missing"
        case ContextTooSmall():
            return "too_small"
        case _:
            return "failed"


def _in_words(error: Exception) -> str:
    if isinstance(error, MemoryError) or "alloc" in str(error).lower() or "memory" in str(error).lower():
        return "There is not enough memory for this model. Choose a smaller one, or a smaller context, and try again."
    return f"The model failed while working ({error}). Send the message again."
