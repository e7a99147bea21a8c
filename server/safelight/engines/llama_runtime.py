"""llama.cpp through its C interface. Everything here runs on the one thread that owns the model."""

from __future__ import annotations

import codecs
import contextlib
import time
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from safelight.engines.chooser import Chooser
from safelight.engines.engine import EngineSettings, Job, Reading, Written
from safelight.engines.grammar import Grammars, Guide
from safelight.engines.held import tokens_of
from safelight.engines.llama_decoder import Decoder
from safelight.engines.llama_library import llama
from safelight.engines.llama_model import (
    BATCH,
    CHOICE_TOKENS,
    load_model,
    model_identity,
    open_choices,
    open_context,
    window_of,
)
from safelight.engines.llama_openings import Openings
from safelight.engines.llama_prompt import Prompts
from safelight.engines.llama_vision import Pictures
from safelight.engines.llama_vocabulary import Vocabulary
from safelight.engines.prefix_store import PrefixStore
from safelight.engines.template import CHATML, GEMMA, ChatTemplate
from safelight.engines.template_process import TemplateProcess

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from safelight.engines.held import Unit
    from safelight.engines.llama_prompt import Prompt

__all__ = ("LlamaRuntime",)

Emit: TypeAlias = "Callable[[str | Reading], None]"

_TOLD_TOKENS: Final = 500
_TOLD_S: Final = 0.25
"""A prompt with more new tokens than this tells how far it has been read, and not more often than this."""

_KEPT_TOKENS: Final = 256
"""A shorter beginning is read about as soon as it would be loaded."""


class LlamaRuntime:
    """A loaded model with one conversation, and the openings of ``likelihoods`` beside it."""

    def __init__(self, settings: EngineSettings, closing: threading.Event) -> None:
        with contextlib.ExitStack() as opened:
            process = TemplateProcess()
            opened.callback(process.close)
            self._model = load_model(settings.path, lambda: not closing.is_set())
            opened.callback(llama.llama_model_free, self._model)
            pictures = None
            if settings.projector is not None:
                pictures = Pictures(self._model, settings, settings.projector, lambda: not closing.is_set())
                opened.callback(pictures.close)
            self._vocabulary = Vocabulary(self._model)
            self.window = window_of(self._model, settings)
            context = open_context(self._model, settings, self.window, pictures.batch if pictures else BATCH)
            self._decoder = Decoder(context, self._vocabulary.size, self.window, closing, pictures)
            opened.callback(self._decoder.close)
            self._prompts = Prompts(self._vocabulary, self._make_template(process), self.window, pictures)
            self._grammars = Grammars(self._vocabulary.for_grammars(), self._vocabulary.size, settings.grammar)
            self._openings = Openings(
                lambda: Decoder(open_choices(self._model, settings), self._vocabulary.size, CHOICE_TOKENS, closing),
                self._vocabulary,
            )
            opened.callback(self._openings.close)
            self.prefixes: PrefixStore | None = None
            if settings.cache_dir is not None:
                identity = model_identity(settings.path)
                self.prefixes = PrefixStore(settings.cache_dir / "prefixes", identity, settings.cache_bytes)
                opened.callback(self.prefixes.close)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Frees the model. Nothing may be called afterwards."""
        self._opened.close()

    def answer(self, job: Job, emit: Emit, stop: threading.Event) -> Written:
        """Writes one answer, handing out its pieces; ends early when ``stop`` is set."""
        self._decoder.begin(stop)
        prompt = self._prompts.make(job)
        guide = self._grammars.guide(job.schema) if job.schema is not None else None
        answer = _Answer(self._vocabulary, emit)
        cached = self._begin(prompt)
        forced = guide.forced() if guide else []
        answer.add(forced, forced=len(forced))
        if self._read(prompt, cached, forced, emit):
            room = self.window - tokens_of(prompt.units)
            self._write(answer, guide, Chooser(job.sampling), min(job.max_tokens, room))
        self._prompts.remember(answer.text, answer.tokens)
        return Written(
            finish=answer.finish,
            prompt_tokens=tokens_of(prompt.units),
            cached_tokens=tokens_of(prompt.units[:cached]),
            completion_tokens=len(answer.tokens),
            forced_tokens=answer.forced,
            context_window=self.window,
        )

    def likelihoods(self, openings: tuple[str, ...], text: str, stop: threading.Event) -> tuple[float, ...]:
        """See ``LocalEngine.likelihoods``; the first tokens of a long text decide."""
        return self._openings.likelihoods(openings, text, stop)

    def forget(self) -> None:
        """Drops the conversation. What begins every prompt comes back from disk with the next one."""
        self._decoder.clear()

    # --- reading ---------------------------------------------------------------------------------------------

    def _begin(self, prompt: Prompt) -> int:
        """How many units of the prompt are evaluated already: still held, or kept from an earlier day."""
        units = prompt.units
        shared = self._decoder.held.shared(units[:-1])
        if self.prefixes is not None and prompt.stable - shared >= _KEPT_TOKENS:
            beginning = _tokens(units[: prompt.stable])
            state = self.prefixes.get(beginning)
            if state is not None:
                if self._decoder.restore(beginning, state):
                    return prompt.stable
                self.prefixes.discard(beginning)
        return self._decoder.reuse(units[:-1])

    def _read(self, prompt: Prompt, cached: int, forced: list[int], emit: Emit) -> bool:
        """Puts the rest of the prompt and what is forced after it behind what is cached. False when it was stopped."""
        units = prompt.units
        progress = _Progress(tokens_of(units[cached:]), emit)
        beginning = _tokens(units[: prompt.stable]) if cached < prompt.stable else []
        if self.prefixes is not None and len(beginning) >= _KEPT_TOKENS and self.prefixes.wants(beginning, 0):
            if not self._decoder.evaluate(units[cached : prompt.stable], progress.read):
                return False
            if self.prefixes.wants(beginning, self._decoder.state_size()):
                self.prefixes.keep(beginning, self._decoder.state())
            progress.begin_again()
            cached = prompt.stable
        return self._decoder.evaluate([*units[cached:], *forced], progress.read)

    # --- writing ---------------------------------------------------------------------------------------------

    def _write(self, answer: _Answer, guide: Guide | None, chooser: Chooser, limit: int) -> None:
        while len(answer.tokens) < limit:
            logits = self._decoder.row(-1)
            if guide is None:
                logits[self._vocabulary.never_written] = -float("inf")
            else:
                guide.mask(logits)
            token = chooser.choose(logits)
            if guide is None and self._vocabulary.ends(token):
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
            if not self._decoder.evaluate([token, *forced]):
                return

    def _make_template(self, process: TemplateProcess) -> ChatTemplate:
        source: bytes | None = llama.llama_model_chat_template(self._model, None)
        gemma = len(self._vocabulary.tokenize("<start_of_turn>", control=True)) == 1
        usual = GEMMA if gemma else CHATML
        return ChatTemplate(
            source.decode(errors="replace") if source else usual,
            bos_token=self._vocabulary.bos_text,
            eos_token=self._vocabulary.eos_text,
            fallback=usual,
            process=process,
        )


class _Answer:
    """An answer as it grows: tokens in, whole characters out. ``forced`` of ``tokens`` followed from the grammar."""

    def __init__(self, vocabulary: Vocabulary, emit: Emit) -> None:
        self._vocabulary = vocabulary
        self._emit = emit
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.tokens: list[int] = []
        self.text = ""
        self.forced = 0
        self.finish: Literal["stop", "length"] = "length"

    def add(self, tokens: list[int], *, forced: int) -> None:
        """Takes tokens, the last ``forced`` of which were not chosen."""
        self.tokens += tokens
        self.forced += forced
        piece = self._utf8.decode(self._vocabulary.text(tokens))
        self.text += piece
        if piece:
            self._emit(piece)


class _Progress:
    """Tells how far a long prompt has been read."""

    def __init__(self, total: int, emit: Emit) -> None:
        self._total = total
        self._emit = emit
        self._before = 0
        self._done = 0
        self._told = -_TOLD_S
        self.read(0)

    def read(self, done: int) -> None:
        """So many tokens are read since the beginning, or since it began again."""
        self._done = self._before + done
        now = time.monotonic()
        if self._total > _TOLD_TOKENS and now - self._told >= _TOLD_S:
            self._told = now
            self._emit(Reading(min(self._done, self._total), self._total))

    def begin_again(self) -> None:
        """The next count starts behind what is read."""
        self._before = self._done


def _tokens(units: list[Unit]) -> list[int]:
    """The units, if they are all tokens; a beginning with pictures is not kept."""
    return [unit for unit in units if isinstance(unit, int)] if all(isinstance(unit, int) for unit in units) else []
