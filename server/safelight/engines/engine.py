"""What a local model's engine does for the chat, whatever library runs the weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import msgspec

from safelight.conversation.sampling import GREEDY, Sampling

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

__all__ = ("EngineKind", "EngineSettings", "GrammarName", "Job", "LocalEngine", "PromptMessage", "Reading", "Written")

EngineKind: TypeAlias = Literal["llama", "mlx"]
GrammarName: TypeAlias = Literal["llguidance", "xgrammar"]


class EngineSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is loaded, and how. Equal settings share one loaded model."""

    kind: EngineKind = "llama"
    path: Path
    """A GGUF file for llama.cpp, a folder for MLX."""
    parts: tuple[Path, ...] = ()
    """``path`` is made from these, with the checksum ``sha256``, when it is not there."""
    sha256: str = ""
    projector: Path | None = None
    """llama.cpp's mmproj file, with which the model sees pictures."""
    context_tokens: int = 8_192
    """Tokens that are held altogether; the model's own limit holds where it is smaller."""
    parallel: int = 1
    """Photos described side by side. Each, and a conversation too, has this part of ``context_tokens``."""
    threads: int = 0
    """0 takes one a processor core."""
    grammar: GrammarName = "llguidance"
    cache_dir: Path | None = None
    """Where what begins every prompt is kept over restarts; None keeps nothing."""
    cache_bytes: int = 2_000_000_000
    """What all of that may take together; what was not used for longest goes first."""


class PromptMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of the prompt. Control tokens spelt out in ``content`` stay plain text. ``images`` are whole JPEG or PNG
    files that stand behind the text; an engine that sees none leaves them out (``LocalEngine.sees``)."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[bytes, ...] = ()


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to write. ``schema`` is the text of a JSON Schema in normal form; None decodes freely. The first
    ``stable`` messages begin other conversations too, after a restart as well."""

    messages: tuple[PromptMessage, ...]
    schema: str | None
    max_tokens: int
    sampling: Sampling = GREEDY
    stable: int = 0


class Reading(msgspec.Struct, frozen=True):
    """How far a long prompt has been read, in tokens that had to be evaluated."""

    done: int
    total: int


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer ended, and what it cost. ``cached_tokens`` of ``prompt_tokens`` were still evaluated from before;
    ``forced_tokens`` of ``completion_tokens`` followed from the grammar alone."""

    finish: Literal["stop", "length"]
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    forced_tokens: int
    context_window: int


class LocalEngine(Protocol):
    """One loaded model. Jobs run one at a time, in the order in which they came."""

    @property
    def context_window(self) -> int:
        """Tokens that a prompt and its answer may take together."""
        ...

    @property
    def sees(self) -> bool:
        """Whether the model takes pictures. Known before it is loaded."""
        ...

    def generate(self, job: Job) -> AsyncGenerator[str | Reading | Written, None]:
        """While a long prompt is read, now and then ``Reading``; the answer in pieces of whole characters; then
        ``Written``. Closing the generator, or cancelling the task
        that iterates it, stops the engine at the next token, also while it still reads the prompt, and waits for
        that. Raises ``ModelError``."""
        ...

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        """For each opening, the log probability that ``text`` follows it. The openings stay evaluated."""
        ...

    async def close(self) -> None:
        """Stops a running job and frees the memory. Later jobs raise ``ModelError``."""
        ...
