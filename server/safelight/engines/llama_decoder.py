"""llama.cpp's memory and how tokens get into it. Everything here runs on the one thread that owns the model."""

from __future__ import annotations

import ctypes
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from safelight.engines.held import Held, ImageChunk, runs, tokens_of
from safelight.engines.llama_library import llama
from safelight.engines.llama_model import BATCH
from safelight.errors import ContextTooSmall, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from safelight.engines.held import Unit
    from safelight.engines.llama_vision import Pictures

__all__ = ("Decoder",)

_SOON_S: Final = 0.15
"""What takes less is not stopped within, only after it."""

_FEW: Final = 8
"""So few tokens say nothing of the time that one of many takes."""

_BYTES: Any = ctypes.POINTER(ctypes.c_uint8)


class Decoder:
    """One conversation in sequence 0, which ``held`` describes; other sequences are the callers' own."""

    def __init__(
        self,
        context: Any,
        vocabulary: int,
        window: int,
        closing: threading.Event,
        pictures: Pictures | None = None,
    ) -> None:
        self._context = context
        self._vocabulary = vocabulary
        self._window = window
        self._closing = closing
        self._pictures = pictures
        self._stop = threading.Event()
        self._memory = llama.llama_get_memory(context)
        self._batch = llama.llama_batch_init(BATCH, 0, 1)
        self._abort = llama.ggml_abort_callback(self._is_stopped)
        self._never = llama.ggml_abort_callback(0)
        self._pace = _SOON_S
        self.held = Held()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set() or self._closing.is_set()

    def _is_stopped(self, _data: object) -> bool:
        return self.stopped

    def begin(self, stop: threading.Event) -> None:
        """From here on, ``stop`` ends what runs."""
        self._stop = stop

    def close(self) -> None:
        """Frees the memory. Nothing may be called afterwards."""
        llama.llama_batch_free(self._batch)
        llama.llama_free(self._context)

    # --- the conversation ------------------------------------------------------------------------------------

    def reuse(self, wanted: Sequence[Unit]) -> int:
        """How many units at the beginning of ``wanted`` are evaluated already; what is held behind them is dropped."""
        return self._cut(self.held.shared(wanted))

    def evaluate(self, units: Sequence[Unit], told: Callable[[int], None] | None = None) -> bool:
        """Puts units behind the conversation; ``told`` hears how many tokens that is so far. False when it was
        stopped, and then only whole batches are held."""
        done = 0
        for run in runs(units):
            pieces = [run] if isinstance(run, ImageChunk) else [run[i : i + BATCH] for i in range(0, len(run), BATCH)]
            for piece in pieces:
                if self.stopped or not (self._see(piece) if isinstance(piece, ImageChunk) else self._read(piece)):
                    return False
                done += tokens_of([piece] if isinstance(piece, ImageChunk) else piece)
                if told is not None:
                    told(done)
        return not self.stopped

    def _read(self, tokens: list[int]) -> bool:
        start = self.held.positions
        self.fill([(token, start + i, 0) for i, token in enumerate(tokens)])
        self._batch.logits[len(tokens) - 1] = 1
        if not self.decode():
            self._cut(len(self.held))
            return False
        self.held.add(tokens)
        return True

    def _see(self, picture: ImageChunk) -> bool:
        if self._pictures is None:
            raise ModelError("This model sees no pictures.")
        llama.llama_set_abort_callback(self._context, self._abort, None)
        try:
            seen = self._pictures.look(self._context, picture, self.held.positions, lambda: self.stopped)
        finally:
            llama.llama_set_abort_callback(self._context, self._never, None)
        if not seen:
            self._cut(len(self.held))
            return False
        self.held.add([picture])
        return True

    def _cut(self, length: int) -> int:
        if not llama.llama_memory_seq_rm(self._memory, 0, self.held.cut(length), -1):
            # Recurrent models cannot go back; they start again.
            self.clear()
            return 0
        return length

    def clear(self) -> None:
        """Forgets the conversation."""
        self.held.cut(0)
        llama.llama_memory_seq_rm(self._memory, 0, -1, -1)

    # --- its state -------------------------------------------------------------------------------------------

    def state_size(self) -> int:
        """The bytes of ``state``."""
        return llama.llama_state_seq_get_size(self._context, 0)

    def state(self) -> memoryview:
        """A copy of everything that the conversation's units left behind."""
        size = self.state_size()
        copy = np.empty(size, dtype=np.uint8)
        written: int = llama.llama_state_seq_get_data(self._context, copy.ctypes.data_as(_BYTES), size, 0)
        return copy[:written].data

    def restore(self, units: Sequence[Unit], state: bytes | memoryview) -> bool:
        """Takes ``state`` as what ``units`` left behind, in the conversation's place. False, and nothing is held, when
        llama.cpp does not take it."""
        self.clear()
        data = np.frombuffer(state, dtype=np.uint8)
        if not llama.llama_state_seq_set_data(self._context, data.ctypes.data_as(_BYTES), data.size, 0):
            self.clear()
            return False
        self.held.add(units)
        return True

    # --- any sequence ----------------------------------------------------------------------------------------

    def fill(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Makes the next batch: token, position and sequence of each row. No logits are asked for."""
        batch = self._batch
        batch.n_tokens = len(rows)
        for i, (token, position, sequence) in enumerate(rows):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = 0

    def ask_all(self) -> None:
        """Asks for the logits of every row of the batch."""
        for i in range(self._batch.n_tokens):
            self._batch.logits[i] = 1

    def decode(self) -> bool:
        """Evaluates the batch. False when it was stopped."""
        # The callback runs for every node of the graph: too dear where it is over soon anyway.
        tokens: int = self._batch.n_tokens
        abortable = tokens > _FEW and tokens * self._pace > _SOON_S
        if abortable:
            llama.llama_set_abort_callback(self._context, self._abort, None)
        began = time.perf_counter()
        status: int = llama.llama_decode(self._context, self._batch)
        if abortable:
            llama.llama_set_abort_callback(self._context, self._never, None)
        if status == 2:
            return False
        if status == 1:
            raise ContextTooSmall(f"The model's window of {self._window:,} tokens is full. Start a new chat.")
        if status != 0:
            raise ModelError(f"The model failed while reading (llama.cpp status {status}). Send the message again.")
        if tokens > _FEW:
            self._pace = (time.perf_counter() - began) / tokens
        return True

    def forget(self, sequence: int, position: int = -1) -> None:
        """Drops what ``sequence`` holds from ``position`` on, or all of it."""
        llama.llama_memory_seq_rm(self._memory, sequence, position, -1)

    def row(self, index: int) -> NDArray[np.float32]:
        """The logits of a row of the last batch that asked for them; the next ``decode`` overwrites them."""
        pointer = llama.llama_get_logits_ith(self._context, index)
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary,))
