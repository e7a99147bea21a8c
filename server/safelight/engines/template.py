"""A model's own chat template, rendered so that nobody's text can become a control token."""

from __future__ import annotations

import logging
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from safelight.engines.template_process import TemplateFailed, TemplateProcess
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.engines.engine import PromptMessage

__all__ = ("CHATML", "GEMMA", "ChatTemplate", "Segment")

CHATML: Final = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
"""For a model that brings no template and knows ``<|im_start|>``, or knows no control token at all."""

GEMMA: Final = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set first = messages[0]['content'] + '\\n\\n' %}"
    "{% set turns = messages[1:] %}{% else %}{% set first = '' %}{% set turns = messages %}{% endif %}"
    "{% for message in turns %}"
    "{{ '<start_of_turn>' + ('model' if message['role'] == 'assistant' else 'user') + '\\n' }}"
    "{{ (first if loop.first else '') + message['content'] + '<end_of_turn>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"
)
"""For a model that brings no template and knows ``<start_of_turn>``."""

# Private-use characters: no template has a rule for them, and contents never pass through the template.
_MARK: Final = re.compile("\ue000(\\d+)\ue001")
_KEPT: Final = 32

_Pieces: TypeAlias = tuple[str | int, ...]
"""The template's own text, and the numbers of the messages that stand in between."""

_log = logging.getLogger(__name__)


class Segment(msgspec.Struct, frozen=True):
    """A stretch of the prompt: ``message`` is the number of the one whose text it is, None the template's own text.
    Only that may hold control tokens."""

    text: str
    message: int | None = None

    @property
    def from_template(self) -> bool:
        return self.message is None


class ChatTemplate:
    """Renders conversations with ``source``. One that cannot be used, because it cannot be read, never ends, takes too
    much, or loses what was said, is given up for ``fallback``, a template of ours; ``given_up`` then says why."""

    def __init__(
        self,
        source: str,
        *,
        bos_token: str = "",
        eos_token: str = "",
        fallback: str = CHATML,
        process: TemplateProcess | None = None,
    ) -> None:
        self.given_up = ""
        self._source = source
        self._fallback = fallback
        self._bos = bos_token
        self._eos = eos_token
        self._process = process or TemplateProcess()
        self._works = False
        self._no_system = False
        self._rendered: dict[tuple[tuple[str, ...], date], _Pieces] = {}

    def close(self) -> None:
        """Ends the process in which it is rendered."""
        self._process.close()

    def render(self, messages: Sequence[PromptMessage]) -> list[Segment]:
        """The prompt up to where the answer begins. A template that refuses a system message gets its text in front
        of the first message instead. Raises ``ModelError`` for a conversation that a template which works does not
        hold."""
        return [
            Segment(piece) if isinstance(piece, str) else Segment(messages[piece].content.strip(), piece)
            for piece in self._pieces(tuple(message.role for message in messages))
        ]

    def _pieces(self, roles: tuple[str, ...]) -> _Pieces:
        # A template may write the date, so what it made yesterday is made anew.
        key = roles, datetime.now(UTC).astimezone().date()
        known = self._rendered.pop(key, None)
        pieces = self._rendered[key] = known or self._made(roles)
        while len(self._rendered) > _KEPT:
            del self._rendered[next(iter(self._rendered))]
        return pieces

    def _made(self, roles: tuple[str, ...]) -> _Pieces:
        try:
            pieces = self._either_way(roles)
        except TemplateFailed as failure:
            if self._works or self._source == self._fallback:
                raise ModelError(f"The model's chat template cannot hold this conversation: {failure}.") from failure
            _log.warning("The model's chat template is not used, but a usual one in its place: %s", failure)
            self.given_up = str(failure)
            self._source = self._fallback
            return self._made(roles)
        self._works = True
        return pieces

    def _either_way(self, roles: tuple[str, ...]) -> _Pieces:
        own = [(role, _mark(i)) for i, role in enumerate(roles)]
        if len(roles) < 2 or roles[0] != "system":
            return self._once(own, len(roles))
        joined = [(roles[1], f"{_mark(0)}\n\n{_mark(1)}"), *own[2:]]
        if not self._no_system:
            try:
                return self._once(own, len(roles))
            except TemplateFailed as failure:
                pieces = self._after(failure, joined, len(roles))
                self._no_system = True
                return pieces
        return self._once(joined, len(roles))

    def _after(self, failure: TemplateFailed, turns: Sequence[tuple[str, str]], messages: int) -> _Pieces:
        try:
            return self._once(turns, messages)
        except TemplateFailed:
            raise failure from None

    def _once(self, turns: Sequence[tuple[str, str]], messages: int) -> _Pieces:
        marked = [{"role": role, "content": content} for role, content in turns]
        parts = _MARK.split(self._process.render(self._source, self._bos, self._eos, marked))
        if sorted(map(int, parts[1::2])) != list(range(messages)):
            raise TemplateFailed("it leaves out or repeats what was said")
        return tuple(int(part) if index % 2 else part for index, part in enumerate(parts) if part)


def _mark(message: int) -> str:
    return f"\ue000{message}\ue001"
