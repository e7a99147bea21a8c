"""A loaded MLX model that answers. Everything here runs on the sidecar's main thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import mlx.core
import mlx_lm
import mlx_lm.utils
import numpy as np
from mlx_lm.generate import wired_limit

from safelight.engines.chooser import Chooser
from safelight.engines.engine import Written
from safelight.engines.grammar import Grammars
from safelight.engines.llama_prompt import Prompts
from safelight.engines.mlx_sidecar.answer import Answer
from safelight.engines.mlx_sidecar.cache import ConversationCache
from safelight.engines.mlx_sidecar.folder import read_folder
from safelight.engines.mlx_sidecar.openings import Openings
from safelight.engines.mlx_sidecar.vocabulary import Vocabulary
from safelight.engines.prefix_store import PrefixStore
from safelight.engines.template import CHATML, GEMMA, ChatTemplate
from safelight.errors import ModelError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from numpy.typing import NDArray

    from safelight.engines.engine import Job
    from safelight.engines.grammar import Guide
    from safelight.engines.mlx_sidecar.folder import ModelFolder
    from safelight.engines.mlx_sidecar.protocol import Likelihoods, Load

__all__ = ("MlxRuntime",)

_GPU_BATCH: Final = 512
_CPU_BATCH: Final = 32
"""Prompt tokens evaluated in one go; stopping is looked for in between."""

_KEPT_TOKENS: Final = 256
"""A shorter beginning is read about as soon as it would be loaded from disk."""

mx: Any = mlx.core
untyped: Any = mlx_lm.utils


class MlxRuntime:
    """One conversation, and the openings of ``likelihoods``. Raises ``ModelError``, and what MLX raises."""

    def __init__(self, load: Load) -> None:
        folder = read_folder(Path(load.path))
        on_gpu: bool = mx.default_device() == mx.gpu
        if not mx.metal.is_available():
            # Off Metal, compiled parts are written to a folder in /tmp that anyone could have filled, and loaded.
            mx.disable_compile()
        self._batch = _GPU_BATCH if on_gpu else _CPU_BATCH
        self._vocabulary = Vocabulary(folder)
        self._grammars = Grammars(self._vocabulary.for_grammars, self._vocabulary.size, load.grammar)
        self._model = _load(folder)
        if not on_gpu:
            # Half precision is emulated there, 30 times slower.
            self._model.set_dtype(mx.float32)
            mx.eval(self._model.parameters())
        self.window = min(load.context_tokens, folder.positions or load.context_tokens)
        gemma = len(self._vocabulary.tokenize("<start_of_turn>", control=True)) == 1
        usual = GEMMA if gemma else CHATML
        self._template = ChatTemplate(
            folder.template or usual, bos_token=folder.bos_token, eos_token=folder.eos_token, fallback=usual
        )
        self._prompts = Prompts(self._vocabulary, self._template, self.window)
        self._held = ConversationCache(self._model)
        self._openings = Openings(self._model, self._vocabulary)
        self._prefixes: PrefixStore | None = None
        if load.cache_dir is not None:
            identity = f"{mlx_lm.__version__} {mx.__version__} {self._batch} {folder.identity}".encode()
            self._prefixes = PrefixStore(Path(load.cache_dir) / "prefixes", identity, load.cache_bytes)
        self._row: NDArray[np.float32] = np.empty(self._vocabulary.size, dtype=np.float32)

    def close(self) -> None:
        """Ends what runs beside the model. Nothing may be asked afterwards."""
        self._template.close()
        if self._prefixes is not None:
            self._prefixes.close()

    def answer(
        self, job: Job, emit: Callable[[str], None], reading: Callable[[int, int], None], stop: threading.Event
    ) -> Written:
        """Writes one answer, handing out its pieces; ends early when ``stop`` is set."""
        made = self._prompts.make(job)
        prompt = [unit for unit in made.units if isinstance(unit, int)]
        guide = self._grammars.guide(job.schema) if job.schema is not None else None
        answer = Answer(self._vocabulary, emit)
        try:
            with wired_limit(self._model):
                cached = self._begin(prompt, made.stable)
                forced = guide.forced() if guide else []
                answer.add(forced, forced=len(forced))
                logits = self._read(prompt, forced, made.stable, reading, stop)
                self._decode(job, guide, logits, answer, min(job.max_tokens, self.window - len(prompt)), stop)
        except BaseException:
            self._held.clear()
            raise
        self._prompts.remember(answer.text, answer.tokens)
        return Written(
            finish=answer.finish,
            prompt_tokens=len(prompt),
            cached_tokens=cached,
            completion_tokens=len(answer.tokens),
            forced_tokens=answer.forced,
            context_window=self.window,
        )

    def likelihoods(self, request: Likelihoods, stop: threading.Event) -> tuple[float, ...] | None:
        """See ``Openings.likelihoods``."""
        with wired_limit(self._model):
            return self._openings.likelihoods(request.openings, request.text, stop)

    def _begin(self, prompt: list[int], stable: int) -> int:
        """How many tokens of the prompt are evaluated already: still held, or kept from an earlier day."""
        cached = self._held.reuse(prompt)
        beginning = prompt[:stable]
        if self._prefixes is None or stable - cached < _KEPT_TOKENS:
            return cached
        state = self._prefixes.get(beginning)
        if state is None:
            return cached
        if not self._held.restore(beginning, state):
            self._prefixes.discard(beginning)
        return len(self._held.tokens)

    def _keep_beginning(self, beginning: list[int]) -> None:
        size = self._held.state_bytes
        if self._prefixes is None or size is None or len(beginning) < _KEPT_TOKENS:
            return
        if self._prefixes.wants(beginning, size):
            self._prefixes.keep(beginning, self._held.state())

    def _read(
        self,
        prompt: list[int],
        forced: list[int],
        stable: int,
        reading: Callable[[int, int], None],
        stop: threading.Event,
    ) -> Any | None:
        """The logits behind the prompt and what is forced after it; None when it was stopped."""
        held = self._held
        first, last = len(held.tokens), len(prompt) - 1
        while True:
            done = len(held.tokens)
            if done in {stable, last}:
                held.keep_copy()
            if done == stable:
                self._keep_beginning(prompt[:stable])
            if stop.is_set():
                return None
            if done == last:
                return held.step(prompt[last:] + forced)
            end = min(done + self._batch, last)
            if done < stable < end:
                end = stable
            held.read(prompt[done:end])
            if last - first > self._batch:
                reading(end - first, len(prompt) - first)

    def _decode(
        self, job: Job, guide: Guide | None, logits: Any | None, answer: Answer, limit: int, stop: threading.Event
    ) -> None:
        chooser = Chooser(job.sampling)
        while logits is not None and len(answer.tokens) < limit and not stop.is_set():
            token = chooser.choose(self._allowed(logits, guide))
            if guide is None and token in self._vocabulary.ends:
                answer.finish = "stop"
                return
            forced: list[int] = []
            if guide is not None:
                guide.accept(token)
                forced = [] if guide.finished else guide.forced()
            answer.add([token, *forced], forced=len(forced))
            if guide is not None and guide.finished:
                answer.finish = "stop"
                return
            logits = self._held.step([token, *forced]) if len(answer.tokens) < limit else None

    def _allowed(self, logits: Any, guide: Guide | None) -> NDArray[np.float32]:
        # Some models have more rows than their vocabulary has tokens, some fewer.
        computed = np.asarray(logits)[: self._row.size]
        self._row[: computed.size] = computed
        self._row[computed.size :] = -np.inf
        if guide is not None:
            guide.mask(self._row)
        else:
            self._row[self._vocabulary.never_written] = -np.inf
        return self._row


def _load(folder: ModelFolder) -> Any:
    try:
        return untyped.load_model(folder.path)[0]
    except (KeyError, TypeError, ValueError, OSError, RuntimeError) as error:
        if "not supported" in str(error):
            raise ModelError(
                f"MLX cannot run models of the type {folder.model_type!r}. Update Safelight, or choose another model."
            ) from error
        if "custom module" in str(error):
            raise ModelError(
                f"{folder.path} holds code of its own, which is never run. Choose another model."
            ) from error
        raise ModelError(f"{folder.path} could not be loaded ({error}). Download the model again.") from error
