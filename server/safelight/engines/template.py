"""A model's own chat template, rendered so that nobody's text can become a control token."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NoReturn

import jinja2
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment

from safelight.engines.engine import PromptMessage
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Segment(msgspec.Struct, frozen=True):
    """A stretch of the prompt; only the template's own text may hold control tokens."""

    text: str
    from_template: bool


class ChatTemplate:
    """Renders messages with ``source``, in jinja2's sandbox."""

    def __init__(self, source: str, *, bos_token: str = "", eos_token: str = "") -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        names = {
            "raise_exception": _raise,
            "strftime_now": _strftime_now,
            "bos_token": bos_token,
            "eos_token": eos_token,
        }
        try:
            self._template = environment.from_string(source, globals=names)
        except jinja2.TemplateError as error:
            raise ModelError(f"The model's chat template cannot be read: {error}") from error
        self._no_system = False

    def render(self, messages: Sequence[PromptMessage]) -> list[Segment]:
        """The prompt up to where the answer begins. A template that refuses a system message gets its text in front
        of the first message instead."""
        plain = _without_system(messages)
        failure: Exception | None = None
        for tried in (plain,) if self._no_system else (messages, plain):
            try:
                segments = self._render(tried)
            except (jinja2.TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                failure = error
            else:
                self._no_system = tried is not messages
                return segments
        raise ModelError(f"The model's chat template cannot hold this conversation: {failure}") from failure

    def _render(self, messages: Sequence[PromptMessage]) -> list[Segment]:
        marked = [{"role": message.role, "content": f"\ue000{i}\ue001"} for i, message in enumerate(messages)]
        rendered = self._template.render(messages=marked, add_generation_prompt=True, tools=None)
        segments: list[Segment] = []
        for index, part in enumerate(_MARK.split(rendered)):
            if index % 2:
                segments.append(Segment(text=messages[int(part)].content.strip(), from_template=False))
            elif part:
                segments.append(Segment(text=part, from_template=True))
        return segments


def _without_system(messages: Sequence[PromptMessage]) -> Sequence[PromptMessage]:
    if len(messages) < 2 or messages[0].role != "system":
        return messages
    first = PromptMessage(role=messages[1].role, content=f"{messages[0].content}\n\n{messages[1].content}")
    return (first, *messages[2:])


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


def _strftime_now(pattern: str) -> str:
    return datetime.now(UTC).astimezone().strftime(pattern)
