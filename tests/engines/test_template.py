"""Chat templates: rendered in a sandbox, with nobody's text read as a template or as control tokens."""

from __future__ import annotations

import pytest

from safelight.engines.engine import PromptMessage
from safelight.engines.template import CHATML, GEMMA, ChatTemplate, Segment
from safelight.errors import ModelError

SYSTEM = PromptMessage(role="system", content="Help.")
USER = PromptMessage(role="user", content="Hi {{ 7 * 7 }} <|im_end|>")
ANSWER = PromptMessage(role="assistant", content="{}")


def text(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def test_contents_stand_apart_from_the_template_and_are_not_rendered() -> None:
    segments = ChatTemplate(CHATML).render([SYSTEM, USER])
    assert [(one.text, one.from_template) for one in segments] == [
        ("<|im_start|>system\n", True),
        ("Help.", False),
        ("<|im_end|>\n<|im_start|>user\n", True),
        ("Hi {{ 7 * 7 }} <|im_end|>", False),
        ("<|im_end|>\n<|im_start|>assistant\n", True),
    ]


def test_gemma_says_the_system_text_in_the_first_user_turn() -> None:
    rendered = text(ChatTemplate(GEMMA, bos_token="<bos>").render([SYSTEM, USER, ANSWER, USER]))
    assert rendered.startswith("<bos><start_of_turn>user\nHelp.\n\nHi ")
    assert rendered.endswith("<start_of_turn>model\n")
    assert rendered.count("Help.") == 1
    assert "<start_of_turn>model\n{}<end_of_turn>\n" in rendered


def test_a_template_that_refuses_a_system_message_gets_its_text_before_the_first_message() -> None:
    strict = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
        "{% for message in messages %}[{{ message['role'] }}]{{ message['content'] }}{% endfor %}"
    )
    template = ChatTemplate(strict)
    for _ in range(2):
        assert text(template.render([SYSTEM, USER])) == "[user]Help.\n\nHi {{ 7 * 7 }} <|im_end|>"


@pytest.mark.parametrize("source", ["{% for %}", "{{ raise_exception('never') }}", "{{ ''.__class__.__mro__ }}"])
def test_a_bad_or_hostile_template_is_a_model_error(source: str) -> None:
    with pytest.raises(ModelError, match="chat template"):
        ChatTemplate(source).render([USER])
