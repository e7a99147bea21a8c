"""llama.cpp through its C interface. Everything here runs on the one thread that owns the model."""

from __future__ import annotations

import codecs
import ctypes
import logging
import os
import threading
from typing import TYPE_CHECKING, Any, Final, Literal

import llama_cpp
import numpy as np

from safelight.engines.engine import EngineSettings, Job, Written
from safelight.engines.grammar import Grammars, Guide
from safelight.engines.llama_vocabulary import Vocabulary
from safelight.engines.template import CHATML, GEMMA, ChatTemplate, Segment
from safelight.errors import ContextTooSmall, ModelError, ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ("LlamaRuntime",)

_BATCH: Final = 256
"""Prompt tokens evaluated in one go; stopping is looked for in between and, through llama.cpp, within."""

_CHOICES: Final = 32
_CHOICE_TOKENS: Final = 2_048
_SCORED_ROWS: Final = 64
"""Rows of logits kept at once while scoring: a row is a megabyte with a vocabulary of 262,144."""

_SCORED_TOKENS: Final = 48
_REMEMBERED: Final = 64

_log = logging.getLogger(__name__)
llama: Any = llama_cpp


@llama_cpp.llama_log_callback
def _to_logging(_level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    # llama.cpp would write to stderr. Nothing of it is for people: stopping, too, counts as an error there.
    _log.debug("%s", text.decode(errors="replace").rstrip())


class LlamaRuntime:
    """A loaded model with one conversation in sequence 0 and the openings of ``likelihoods`` in the others."""

    def __init__(self, settings: EngineSettings, closing: threading.Event) -> None:
        _check_file(settings)
        llama.llama_log_set(_to_logging, ctypes.c_void_p(0))
        llama.llama_backend_init()
        self._stop = threading.Event()
        self._closing = closing
        self._model = self._load(settings)
        self._vocabulary = Vocabulary(self._model)
        trained: int = llama.llama_model_n_ctx_train(self._model)
        self.window = min(settings.context_tokens, trained) if trained > 0 else settings.context_tokens
        self._context = self._make_context(settings)
        self._memory = llama.llama_get_memory(self._context)
        self._batch = llama.llama_batch_init(_BATCH, 0, 1)
        self._template = self._make_template()
        self._grammars = Grammars(self._vocabulary.for_grammars(), self._vocabulary.size)
        self._held: list[int] = []
        self._openings: tuple[str, ...] = ()
        self._opening_tokens: list[list[int]] = []
        self._written: dict[str, list[int]] = {}
        self._random = np.random.default_rng()

    def close(self) -> None:
        """Frees the model. Nothing may be called afterwards."""
        llama.llama_batch_free(self._batch)
        llama.llama_free(self._context)
        llama.llama_model_free(self._model)

    def answer(self, job: Job, emit: Callable[[str], None], stop: threading.Event) -> Written:
        """Writes one answer, handing out its pieces; ends early when ``stop`` is set."""
        self._stop = stop
        prompt = self._prompt(job)
        guide = self._grammars.guide(job.schema) if job.schema is not None else None
        cached = self._reuse(prompt)
        forced = guide.forced() if guide else []
        utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        written = list(forced)
        count_forced = len(forced)
        pending = prompt[cached:] + forced
        text = utf8.decode(self._vocabulary.text(forced))
        if text:
            emit(text)
        finish: Literal["stop", "length"] = "length"
        while self._evaluate(pending) and len(written) < min(job.max_tokens, self.window - len(prompt)):
            token = self._pick(job, guide)
            if guide is None and self._vocabulary.ends(token):
                finish = "stop"
                break
            pending = [token]
            if guide is not None:
                guide.accept(token)
                if not guide.finished:
                    pending += guide.forced()
            count_forced += len(pending) - 1
            written += pending
            piece = utf8.decode(self._vocabulary.text(pending))
            text += piece
            if piece:
                emit(piece)
            if guide is not None and guide.finished:
                finish = "stop"
                break
        self._remember(text, written)
        return Written(
            finish=finish,
            prompt_tokens=len(prompt),
            cached_tokens=cached,
            completion_tokens=len(written),
            forced_tokens=count_forced,
            context_window=self.window,
        )

    def likelihoods(self, openings: tuple[str, ...], text: str, stop: threading.Event) -> tuple[float, ...]:
        """See ``LocalEngine.likelihoods``; the first tokens of a long text decide."""
        self._stop = stop
        if openings != self._openings:
            self._open(openings)
        tokens = self._vocabulary.tokenize(text, control=False)[:_SCORED_TOKENS]
        scores: list[float] = []
        together = max(1, _SCORED_ROWS // max(len(tokens), 1))
        for first in range(0, len(openings) if tokens else 0, together):
            group = range(first, min(first + together, len(openings)))
            scores += self._score(group, tokens)
        return tuple(scores) or (0.0,) * len(openings)

    # --- loading ---------------------------------------------------------------------------------------------

    def _load(self, settings: EngineSettings) -> Any:
        params = llama.llama_model_default_params()
        params.n_gpu_layers = -1
        keep_going = llama.llama_progress_callback(self._keep_loading)
        params.progress_callback = keep_going
        model = llama.llama_model_load_from_file(str(settings.path).encode(), params)
        if not model:
            raise ModelError(
                f"{settings.path.name} could not be loaded. It may be damaged or too new; download it again."
            )
        return model

    def _keep_loading(self, _progress: float, _data: object) -> bool:
        return not self._closing.is_set()

    def _aborted(self, _data: object) -> bool:
        return self._stop.is_set() or self._closing.is_set()

    def _make_context(self, settings: EngineSettings) -> Any:
        threads = settings.threads or os.cpu_count() or 1
        params = llama.llama_context_default_params()
        params.n_ctx = self.window + _CHOICE_TOKENS
        params.n_batch = _BATCH
        params.n_ubatch = _BATCH
        params.n_seq_max = 1 + _CHOICES
        params.kv_unified = True
        # Without it a sliding-window layer forgets what it would need to go back to the end of the shared part.
        params.swa_full = True
        params.n_threads = params.n_threads_batch = threads
        params.no_perf = True
        context = llama.llama_init_from_model(self._model, params)
        if not context:
            llama.llama_model_free(self._model)
            raise ModelError(f"There is not enough memory for {settings.path.name} with {self.window:,} tokens.")
        return context

    def _make_template(self) -> ChatTemplate:
        source: bytes | None = llama.llama_model_chat_template(self._model, None)
        bos, eos = self._vocabulary.bos_text, self._vocabulary.eos_text
        if source:
            return ChatTemplate(source.decode(errors="replace"), bos_token=bos, eos_token=eos)
        gemma = len(self._vocabulary.tokenize("<start_of_turn>", control=True)) == 1
        return ChatTemplate(GEMMA if gemma else CHATML, bos_token=bos, eos_token=eos)

    # --- tokens ----------------------------------------------------------------------------------------------

    def _prompt(self, job: Job) -> list[int]:
        tokens: list[int] = []
        for segment in self._template.render(job.messages):
            tokens += self._segment(segment)
        start = self._vocabulary.start
        if tokens[: len(start)] != start:
            tokens = start + tokens
        if len(tokens) >= self.window:
            raise self._too_small(job, len(tokens))
        return tokens

    def _too_small(self, job: Job, tokens: int) -> ContextTooSmall:
        first = job.messages[0]
        fixed = len(self._vocabulary.tokenize(first.content, control=False)) if first.role == "system" else 0
        if fixed >= self.window:
            return ContextTooSmall(
                f"The instructions and tools alone take {fixed:,} tokens, but the model's window holds "
                f"{self.window:,}. Choose a model with a larger window, or block tools that you do not need."
            )
        return ContextTooSmall(
            f"The instructions and tools take {fixed:,} tokens and the conversation {tokens - fixed:,}, but the "
            f"model's window holds {self.window:,}. Start a new chat, or choose a model with a larger window."
        )

    def _segment(self, segment: Segment) -> list[int]:
        # What the model wrote goes back in its own tokens: reading the text anew may cut it differently.
        if not segment.from_template and (own := self._written.get(segment.text)):
            return own
        return self._vocabulary.tokenize(segment.text, control=segment.from_template)

    def _remember(self, text: str, tokens: list[int]) -> None:
        self._written.pop(text, None)
        self._written[text] = tokens
        while len(self._written) > _REMEMBERED:
            del self._written[next(iter(self._written))]

    # --- evaluating ------------------------------------------------------------------------------------------

    def _reuse(self, prompt: list[int]) -> int:
        """How many tokens of the prompt are evaluated already; what differs behind them is dropped."""
        shared = 0
        for held, wanted in zip(self._held, prompt[:-1], strict=False):
            if held != wanted:
                break
            shared += 1
        return self._cut(shared)

    def _cut(self, length: int) -> int:
        if not llama.llama_memory_seq_rm(self._memory, 0, length, -1):
            # Recurrent models cannot go back; they start again.
            llama.llama_memory_seq_rm(self._memory, 0, -1, -1)
            length = 0
        del self._held[length:]
        return length

    def _evaluate(self, tokens: list[int]) -> bool:
        """Puts tokens behind the conversation. False when it was stopped."""
        for first in range(0, len(tokens), _BATCH):
            chunk = tokens[first : first + _BATCH]
            if self._aborted(None):
                return False
            start = len(self._held)
            self._fill([(token, start + i, 0) for i, token in enumerate(chunk)])
            self._batch.logits[len(chunk) - 1] = 1
            if not self._decode(abortable=len(chunk) > 8):
                self._cut(start)
                return False
            self._held += chunk
        return not self._stop.is_set()

    def _fill(self, rows: Sequence[tuple[int, int, int]]) -> None:
        batch = self._batch
        batch.n_tokens = len(rows)
        for i, (token, position, sequence) in enumerate(rows):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = 0

    def _decode(self, *, abortable: bool) -> bool:
        # The callback runs for every node of the graph: dear for a single token, which is over soon anyway.
        callback = llama.ggml_abort_callback(self._aborted)
        if abortable:
            llama.llama_set_abort_callback(self._context, callback, None)
        status: int = llama.llama_decode(self._context, self._batch)
        if abortable:
            llama.llama_set_abort_callback(self._context, llama.ggml_abort_callback(0), None)
        if status == 2:
            return False
        if status == 1:
            raise ContextTooSmall(f"The model's window of {self.window:,} tokens is full. Start a new chat.")
        if status != 0:
            raise ModelError(f"The model failed while reading (llama.cpp status {status}).")
        return True

    def _row(self, index: int) -> NDArray[np.float32]:
        pointer = llama.llama_get_logits_ith(self._context, index)
        return np.ctypeslib.as_array(pointer, shape=(self._vocabulary.size,))

    def _pick(self, job: Job, guide: Guide | None) -> int:
        logits = self._row(-1)
        if guide is not None:
            guide.mask(logits)
        if job.sampling.temperature <= 0:
            return int(np.argmax(logits))
        noise = self._random.gumbel(size=self._vocabulary.size).astype(np.float32)
        return int(np.argmax(logits / job.sampling.temperature + noise))

    # --- scoring ---------------------------------------------------------------------------------------------

    def _open(self, openings: tuple[str, ...]) -> None:
        if len(openings) > _CHOICES:
            raise ModelError(f"At most {_CHOICES} openings can be compared, not {len(openings)}.")
        self._openings = ()
        start = self._vocabulary.start
        self._opening_tokens = [start + self._vocabulary.tokenize(opening, control=False) for opening in openings]
        if sum(map(len, self._opening_tokens)) > _CHOICE_TOKENS - _BATCH:
            raise ModelError("The openings to compare are too long.")
        for index, tokens in enumerate(self._opening_tokens):
            llama.llama_memory_seq_rm(self._memory, index + 1, -1, -1)
            # The last token is evaluated with each text, since what follows is read from its logits.
            for first in range(0, len(tokens) - 1, _BATCH):
                chunk = tokens[first : min(first + _BATCH, len(tokens) - 1)]
                self._fill([(token, first + i, index + 1) for i, token in enumerate(chunk)])
                if not self._decode(abortable=True):
                    raise ModelError("Stopped.")
        self._openings = openings

    def _score(self, group: range, text: list[int]) -> list[float]:
        rows: list[tuple[int, int, int]] = []
        for index in group:
            opening = self._opening_tokens[index]
            for i, token in enumerate([opening[-1], *text[:-1]]):
                rows.append((token, len(opening) - 1 + i, index + 1))
        self._fill(rows)
        for i in range(len(rows)):
            self._batch.logits[i] = 1
        done = self._decode(abortable=True)
        for index in group:
            llama.llama_memory_seq_rm(self._memory, index + 1, len(self._opening_tokens[index]) - 1, -1)
        if not done:
            raise ModelError("Stopped.")
        each = [self._log_probability(i, text[i % len(text)]) for i in range(len(rows))]
        return [sum(each[i : i + len(text)]) for i in range(0, len(each), len(text))]

    def _log_probability(self, row: int, token: int) -> float:
        logits = self._row(row)
        top = float(logits.max())
        return float(logits[token]) - top - float(np.log(np.exp(logits - top).sum()))


def _check_file(settings: EngineSettings) -> None:
    try:
        with settings.path.open("rb") as file:
            magic = file.read(4)
    except FileNotFoundError as error:
        raise ModelMissing(f"The model file {settings.path} is not there any more.") from error
    except OSError as error:
        raise ModelError(f"The model file {settings.path} cannot be read: {error.strerror}.") from error
    if magic != b"GGUF":
        raise ModelError(f"{settings.path.name} is no GGUF file; llama.cpp reads only those.")
