"""What a local model's engine does for the chat, whatever library runs the weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

__all__ = ("EngineSettings", "Job", "LocalEngine", "PromptMessage", "Written")


class EngineSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is loaded, and how. Equal settings share one loaded model."""

    path: Path
    parts: tuple[Path, ...] = ()
    """``path`` is made from these, with the checksum ``sha256``, when it is not there."""
    sha256: str = ""
    context_tokens: int = 8_192
    """Tokens of one conversation; the model's own limit holds where it is smaller."""
    threads: int = 0
    """0 takes one a processor core."""


class PromptMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of the prompt. Control tokens spelt out in ``content`` stay plain text."""

    role: Literal["system", "user", "assistant"]
    content: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to write. ``schema`` is the text of a JSON Schema in normal form; None decodes freely."""

    messages: tuple[PromptMessage, ...]
    schema: str | None
    max_tokens: int
    temperature: float = 0.0


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

    def generate(self, job: Job) -> AsyncGenerator[str | Written, None]:
        """The answer in pieces of whole characters, then ``Written``. Closing the generator, or cancelling the task
        that iterates it, stops the engine at the next token, also while it still reads the prompt, and waits for
        that. Raises ``ModelError``."""
        ...

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        """For each opening, the log probability that ``text`` follows it. The openings stay evaluated."""
        ...

    async def close(self) -> None:
        """Stops a running job and frees the memory. Later jobs raise ``ModelError``."""
        ...
