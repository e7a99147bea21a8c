"""The streaming reader of a local model's answer."""

from __future__ import annotations

import json
import math
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.models.answer import Answer, AnswerCall, AnswerParser
from tests.requirement import requirement

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"', "\\", "a\n\t\x01", "😀", "größe 名前", '{"reply":"no"}', "}]{[:,", "\u2028\x7f"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ANSWERS = st.fixed_dictionaries({"analysis": TEXTS, "reply": TEXTS}) | st.fixed_dictionaries(
    {
        "analysis": TEXTS,
        "call": st.tuples(TEXTS, st.dictionaries(TEXTS, VALUES, max_size=3)).map(lambda pair: {pair[0]: pair[1]}),
    }
)


def read(*pieces: str) -> tuple[Answer, str, str]:
    """The finished answer, and the streamed reasoning and text joined."""
    parser = AnswerParser()
    streamed = [one for piece in pieces for one in parser.feed(piece)]
    joined = ["".join(one.text for one in streamed if one.kind == kind) for kind in ("reasoning", "text")]
    return parser.finish(), joined[0], joined[1]


def expected(answer: dict[str, Any]) -> Answer:
    if "reply" in answer:
        return Answer(complete=True, analysis=answer["analysis"], reply=answer["reply"])
    ((tool, arguments),) = answer["call"].items()
    return Answer(complete=True, analysis=answer["analysis"], call=AnswerCall(tool=tool, arguments=arguments))


@requirement("local.streaming")
@given(ANSWERS, st.booleans())
def test_an_answer_reads_the_same_wherever_it_is_cut(answer: dict[str, Any], ascii_only: bool) -> None:
    """ggml-org/llama.cpp PR#12379: half an answer crashed its reader."""
    raw = json.dumps(answer, ensure_ascii=ascii_only, separators=(",", ":"))
    for cut in range(len(raw) + 1):
        finished, reasoning, text = read(raw[:cut], raw[cut:])
        assert finished == expected(answer)
        assert (reasoning, text) == (finished.analysis, finished.reply)
    assert read(*raw)[0] == expected(answer)


@requirement("local.streaming")
@given(ANSWERS)
def test_an_answer_without_its_end_is_incomplete_and_calls_nothing(answer: dict[str, Any]) -> None:
    """QwenPaw#3560, openvinotoolkit/model_server#3838: a call that was not closed was shown as text."""
    raw = json.dumps(answer, separators=(",", ":"))
    for end in range(len(raw)):
        finished, reasoning, text = read(raw[:end])
        assert not finished.complete
        assert finished.call is None
        assert expected(answer).analysis.startswith(reasoning)
        assert expected(answer).reply.startswith(text)
        (reasoning + text).encode()


@given(
    st.text(st.sampled_from('{}[]":,\\\\u0d8analysisreplycall \ud83d\ude00\n')),
    st.lists(st.integers(0, 60), max_size=4),
)
def test_any_text_reads_the_same_wherever_it_is_cut_and_breaks_nothing(raw: str, cuts: list[int]) -> None:
    at = [0, *sorted(cuts), len(raw)]
    pieces = [raw[start:end] for start, end in pairwise(at)]
    whole, cut = read(raw), read(*pieces)
    assert whole == cut
    assert whole[1:] == (whole[0].analysis, whole[0].reply)
    (whole[1] + whole[2]).encode()


def test_a_cut_call_is_named() -> None:
    finished, *_ = read('{"analysis":"a","call":{"set_rating":{"rating":')
    assert finished.cut_call == "set_rating"
    assert read('{"analysis":"a","reply":"Do')[0].cut_call is None


@requirement("local.streaming")
def test_each_piece_comes_as_soon_as_its_character_is_whole() -> None:
    parser = AnswerParser()
    steps = ['{"analysis":"', "a", "\\", "n", "\\ud83d", "\\ude", "00", '"', ',"reply":"', "b", '"}']
    assert ["".join(one.text for one in parser.feed(step)) for step in steps] == [
        *("", "a", "", "\n", "", "", "😀", "", "", "b", ""),
    ]


@pytest.mark.parametrize(
    ("number", "read_as"),
    [("1e400", math.inf), ("-1e400", -math.inf), ("9" * 5_000, 10**400), ("-" + "9" * 5_000, -(10**400)), ("1e5", 1e5)],
    ids=["1e400", "-1e400", "digits", "-digits", "1e5"],
)
def test_a_number_that_nobody_can_hold_is_a_number_that_every_tool_refuses(number: str, read_as: float) -> None:
    finished, *_ = read(f'{{"analysis":"a","call":{{"t":{{"n":{number}}}}}}}')
    assert finished.call == AnswerCall(tool="t", arguments={"n": read_as})


@pytest.mark.parametrize(
    "raw",
    [
        '{"analysis":"a","call":{"t":{}}} ?',
        '{"analysis":"a","call":{"t":{}},"call":{"t":{}}}',
        '{"analysis":"a","call":{"t":{"a":1,"a":1}}}',
        '{"analysis":"a","call":{"t":{"a":{"b":Infinity}}}}',
        '{"analysis":"a","call":{"t":"text"}}',
        '{"analysis":"a","call":{"t":{"a":' + "[" * 2_000 + "]" * 2_000 + "}}}",
    ],
    ids=["text behind", "two calls", "double name", "infinity", "no object", "deep"],
)
def test_a_call_that_is_not_plainly_one_is_named_and_never_given_out(raw: str) -> None:
    finished, *_ = read(raw)
    assert (finished.complete, finished.call, finished.cut_call) == (False, None, "t")


def test_what_stands_behind_the_end_is_not_shown() -> None:
    finished, _, text = read('{"analysis":"a","reply":"b"}', '{"analysis":"c","reply":"d"}')
    assert (finished.complete, text) == (False, "b")


def test_a_long_answer_is_read_in_time_in_proportion_to_its_length() -> None:
    """Joining it character by character took the square: half a minute for this one."""
    text = '\\n"wört ' * 60_000
    raw = json.dumps({"analysis": text, "reply": text}, ensure_ascii=False)
    started = time.process_time()
    finished, *_ = read(*(raw[at : at + 9] for at in range(0, len(raw), 9)))
    assert time.process_time() - started < 10
    assert (finished.analysis, finished.reply) == (text, text)


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    finished, reasoning, text = read(r'{"analysis":"x\ud83dy\ude00\ud83d\ud83d\ude00","reply":"\ud83d"}')
    assert finished.analysis == reasoning == "x\ufffdy\ufffd\ufffd😀"
    assert finished.reply == text == "\ufffd"
