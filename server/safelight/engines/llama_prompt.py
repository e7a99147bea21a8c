"""Makes the tokens of a prompt, and knows how many of them begin other conversations too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from safelight.engines.engine import PromptMessage
from safelight.engines.held import ImageChunk, Unit, tokens_of
from safelight.errors import ContextTooSmall, ModelError

if TYPE_CHECKING:
    from safelight.engines.engine import Job
    from safelight.engines.template import ChatTemplate, Segment

__all__ = ("UNREADABLE", "PictureReader", "Prompt", "Prompts", "Reader")

_KEPT_ANSWERS: Final = 64
_KEPT_TEXTS: Final = 256
UNREADABLE: Final = "\n(A picture stood here. Its file cannot be read.)"
_SOMETHING: Final = PromptMessage(role="user", content="something")


class Prompt(msgspec.Struct, frozen=True):
    """A whole prompt. Its first ``stable`` units do not depend on what follows the job's stable messages."""

    units: list[Unit]
    stable: int


class Reader(Protocol):
    """A vocabulary, of llama.cpp or MLX."""

    start: list[int]
    """What every text begins with."""

    def tokenize(self, text: str, *, control: bool) -> list[int]:
        """The tokens of ``text``; control tokens that it spells out are such only with ``control``."""
        ...


class PictureReader(Protocol):
    """What a model sees with."""

    def begin(self) -> None:
        """The units of older prompts need not be kept any more."""
        ...

    def units(self, image: bytes) -> list[Unit] | None:
        """What the model reads in the picture's place; None for a file that cannot be read."""
        ...


class Prompts:
    """Makes prompts for one model with a window of ``window`` tokens. What was read once is not read anew. Without
    ``pictures`` those of the messages are left out."""

    def __init__(
        self, vocabulary: Reader, template: ChatTemplate, window: int, pictures: PictureReader | None = None
    ) -> None:
        self._vocabulary = vocabulary
        self._template = template
        self._window = window
        self._pictures = pictures
        self._written: dict[str, list[int]] = {}
        self._read: dict[tuple[str, bool], list[int]] = {}

    def make(self, job: Job) -> Prompt:
        """The prompt of ``job``. Raises ``ContextTooSmall`` where nothing of the window is left for an answer."""
        segments = self._template.render(job.messages)
        stable_segments = self._stable(job, segments)
        if self._pictures is not None:
            self._pictures.begin()
        units: list[Unit] = []
        stable = 0
        start = self._vocabulary.start
        for index, segment in enumerate(segments):
            tokens = self._tokens(segment)
            if index == 0 and tokens[: len(start)] != start:
                units += start
            units += tokens
            if segment.message is not None:
                for image in job.messages[segment.message].images:
                    units += self._seen(image)
            if index + 1 == stable_segments:
                stable = len(units)
        if isinstance(units[-1], ImageChunk):
            # What follows is read from the last token.
            units += self._vocabulary.tokenize("\n", control=False)
        if tokens_of(units) >= self._window:
            raise self._too_small(job, tokens_of(units))
        return Prompt(units, min(stable, len(units) - 1))

    def remember(self, text: str, tokens: list[int]) -> None:
        """Says in which tokens the model wrote ``text``, since reading it may cut it differently."""
        self._written.pop(text, None)
        self._written[text] = tokens
        while len(self._written) > _KEPT_ANSWERS:
            del self._written[next(iter(self._written))]

    def _stable(self, job: Job, segments: list[Segment]) -> int:
        """How many segments stand at the beginning whatever follows the stable messages."""
        if not job.stable:
            return 0
        try:
            other = self._template.render((*job.messages[: job.stable], _SOMETHING))
        except ModelError:
            return 0
        count = 0
        for mine, others in zip(segments, other, strict=False):
            if mine != others or (mine.message is not None and mine.message >= job.stable):
                break
            count += 1
        return count

    def _tokens(self, segment: Segment) -> list[int]:
        if not segment.from_template and (own := self._written.get(segment.text)):
            return own
        key = segment.text, segment.from_template
        known = self._read.pop(key, None)
        tokens = known or self._vocabulary.tokenize(segment.text, control=segment.from_template)
        self._read[key] = tokens
        while len(self._read) > _KEPT_TEXTS:
            del self._read[next(iter(self._read))]
        return tokens

    def _seen(self, image: bytes) -> list[Unit]:
        if self._pictures is None:
            return []
        units = self._pictures.units(image)
        return list(self._vocabulary.tokenize(UNREADABLE, control=False)) if units is None else units

    def _too_small(self, job: Job, tokens: int) -> ContextTooSmall:
        first = job.messages[0]
        fixed = len(self._vocabulary.tokenize(first.content, control=False)) if first.role == "system" else 0
        if fixed >= self._window:
            return ContextTooSmall(
                f"The instructions and tools alone take {fixed:,} tokens, but the model's window holds "
                f"{self._window:,}. Choose a model with a larger window, or block tools that you do not need."
            )
        return ContextTooSmall(
            f"The instructions and tools take {fixed:,} tokens and the conversation {tokens - fixed:,}, but the "
            f"model's window holds {self._window:,}. Start a new chat, or choose a model with a larger window."
        )
