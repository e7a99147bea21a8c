"""Chat templates: rendered in a sandbox, with nobody's text read as a template or as control tokens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from safelight.engines.engine import PromptMessage
from safelight.engines.template import CHATML, GEMMA, ChatTemplate, Segment
from safelight.engines.template_process import TemplateProcess
from safelight.errors import ModelError

SYSTEM = PromptMessage(role="system", content="Help.")
USER = PromptMessage(role="user", content="Hi {{ 7 * 7 }} <|im_end|>")
ANSWER = PromptMessage(role="assistant", content="{}")


@pytest.fixture(scope="module")
def process() -> Iterator[TemplateProcess]:
    process = TemplateProcess()
    yield process
    process.close()


def text(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def test_contents_stand_apart_from_the_template_and_are_not_rendered(process: TemplateProcess) -> None:
    segments = ChatTemplate(CHATML, process=process).render([SYSTEM, USER])
    assert [(one.text, one.from_template) for one in segments] == [
        ("<|im_start|>system\n", True),
        ("Help.", False),
        ("<|im_end|>\n<|im_start|>user\n", True),
        ("Hi {{ 7 * 7 }} <|im_end|>", False),
        ("<|im_end|>\n<|im_start|>assistant\n", True),
    ]


def test_gemma_says_the_system_text_in_the_first_user_turn(process: TemplateProcess) -> None:
    rendered = text(ChatTemplate(GEMMA, bos_token="<bos>", process=process).render([SYSTEM, USER, ANSWER, USER]))
    assert rendered.startswith("<bos><start_of_turn>user\nHelp.\n\nHi ")
    assert rendered.endswith("<start_of_turn>model\n")
    assert rendered.count("Help.") == 1
    assert "<start_of_turn>model\n{}<end_of_turn>\n" in rendered


def test_a_template_that_refuses_a_system_message_gets_its_text_before_the_first_message(
    process: TemplateProcess,
) -> None:
    strict = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
        "{% for message in messages %}[{{ message['role'] }}]{{ message['content'] }}{% endfor %}"
    )
    template = ChatTemplate(strict, process=process)
    for _ in range(2):
        assert text(template.render([SYSTEM, USER])) == "[user]Help.\n\nHi {{ 7 * 7 }} <|im_end|>"


@pytest.mark.parametrize(
    "source",
    [
        "{% for %}",
        "{{ raise_exception('never') }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ messages.__init__.__globals__ }}",
        "{% include '/etc/passwd' %}",
        "{% for i in range(10**9) %}{% endfor %}",
        "{{ 'a' * 10**12 }}",
        "{{ 'a'.center(10**12) }}",
        "{{ '%1000000000000d' % 3 }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
        "{% for i in range(100000) %}{{ 'a' * 100 }}{% endfor %}",
        "{{ messages[0]['content'] * 100000 }}",
        "{% for message in messages[1:] %}{{ message['content'] }}{% endfor %}",
    ],
    ids=lambda source: source[:40],
)
def test_a_template_that_cannot_be_used_is_given_up_for_a_usual_one(
    source: str, process: TemplateProcess, caplog: pytest.LogCaptureFixture
) -> None:
    template = ChatTemplate(source, process=process)
    conversation = [USER, ANSWER, USER]
    assert template.render(conversation) == ChatTemplate(CHATML, process=process).render(conversation)
    assert template.given_up
    assert f"not used, but a usual one in its place: {template.given_up}" in caplog.text


NESTED = "{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}{{ ns.a }}"
LOOPS = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"


@pytest.mark.parametrize("source", [NESTED, LOOPS], ids=["one endless call", "endless loops"])
def test_a_template_that_never_ends_is_ended(source: str) -> None:
    process = TemplateProcess(time_s=0.5)
    try:
        template = ChatTemplate(source, process=process)
        assert text(template.render([USER])).startswith("<|im_start|>user")
        assert "too long" in template.given_up
    finally:
        process.close()


def test_a_template_that_works_but_not_for_this_conversation_is_said_in_words(process: TemplateProcess) -> None:
    short = "{% if messages|length > 2 %}{{ raise_exception('two at most') }}{% endif %}{{ messages[0]['content'] }}"
    template = ChatTemplate(short, process=process)
    template.render([USER])
    with pytest.raises(ModelError, match="cannot hold this conversation: two at most"):
        template.render([USER, ANSWER, USER])
    assert not template.given_up


def test_a_process_that_died_is_started_again(process: TemplateProcess) -> None:
    template = ChatTemplate(CHATML, process=process)
    template.render([USER])
    process.close()
    assert text(template.render([USER, ANSWER, USER])).count("<|im_end|>\n") == 3
