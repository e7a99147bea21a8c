"""What llama.cpp need not read again: the same answers, sooner, also after a restart."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from safelight.engines.chooser import Chooser
from safelight.engines.engine import EngineSettings, Job, PromptMessage, Reading, Written
from safelight.engines.llama_model import model_identity
from safelight.engines.llama_runtime import LlamaRuntime
from safelight.engines.prefix_store import PrefixStore
from tests.engines.gguf import small_gguf
from tests.requirement import requirement

BOUND = 30.0
BOATS = "You help with photos of boats and harbours. " * 28
TRAINS = "You help with photos of trains and stations. " * 28


@contextmanager
def opened(cache_dir: Path | None = None) -> Generator[LlamaRuntime]:
    closing = threading.Event()
    asked = EngineSettings(path=small_gguf(), context_tokens=1_024, threads=2, cache_dir=cache_dir)
    runtime = LlamaRuntime(asked, closing)
    try:
        yield runtime
    finally:
        runtime.close()


@pytest.fixture(scope="module")
def forgetful() -> Iterator[LlamaRuntime]:
    """One that reads everything anew, since it is made to forget before every answer."""
    with opened() as runtime:
        yield runtime


def job(*contents: str, system: str = "", max_tokens: int = 6) -> Job:
    roles: Any = ("user", "assistant")
    turns = tuple(PromptMessage(role=roles[i % 2], content=content) for i, content in enumerate(contents))
    first = (PromptMessage(role="system", content=system),) if system else ()
    return Job(messages=(*first, *turns), schema=None, max_tokens=max_tokens, stable=len(first))


def answered(runtime: LlamaRuntime, one: Job) -> tuple[str, Written]:
    pieces: list[str | Reading] = []
    written = runtime.answer(one, pieces.append, threading.Event())
    return "".join(piece for piece in pieces if isinstance(piece, str)), written


def cold(forgetful: LlamaRuntime, one: Job) -> str:
    forgetful.forget()
    text, written = answered(forgetful, one)
    assert written.cached_tokens == 0
    return text


def settle(runtime: LlamaRuntime) -> None:
    assert runtime.prefixes is not None
    assert runtime.prefixes.settled(BOUND)


@requirement("llama.disk-prefix")
def test_what_begins_every_prompt_is_read_once_also_over_restarts(tmp_path: Path, forgetful: LlamaRuntime) -> None:
    asked, other = job("Where is it?", system=BOATS), job("How far is it?", system=BOATS)
    with opened(tmp_path) as first:
        text, written = answered(first, asked)
        assert written.cached_tokens == 0
        answer = cold(forgetful, asked)
        assert text == answer
        settle(first)
    with opened(tmp_path) as second:
        text, written = answered(second, other)
        assert text == cold(forgetful, other)
        assert written.prompt_tokens - written.cached_tokens < 20

        # another beginning takes its place in memory, and it comes back from disk
        _, written = answered(second, job("Where is it?", system=TRAINS))
        assert written.cached_tokens < 20
        text, written = answered(second, asked)
        assert written.prompt_tokens - written.cached_tokens < 20
        assert text == answer

        # and so it does when the memory was cleared for something else
        second.likelihoods(("The opposite of hot is",), " cold", threading.Event())
        second.forget()
        _, written = answered(second, asked)
        assert written.prompt_tokens - written.cached_tokens < 20
        settle(second)

    # a damaged file is as none, and is written anew
    for file in (tmp_path / "prefixes").iterdir():
        data = bytearray(file.read_bytes())
        data[-1_000] ^= 1
        file.write_bytes(data)
    with opened(tmp_path) as third:
        text, written = answered(third, asked)
        assert written.cached_tokens == 0
        assert text == answer
        settle(third)
        third.forget()
        _, written = answered(third, asked)
        assert written.cached_tokens > 200


def foreign_state(store: PrefixStore, tokens: list[int]) -> bytes:
    del store, tokens
    return b"of another library" * 100


@requirement("llama.disk-prefix")
def test_a_state_that_llama_refuses_is_removed_and_the_prompt_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job("Where is it?", system=BOATS)
    with opened(tmp_path) as runtime:
        answered(runtime, asked)
        settle(runtime)
        runtime.forget()
        monkeypatch.setattr(PrefixStore, "get", foreign_state)
        _, again = answered(runtime, asked)
        assert again.cached_tokens == 0
        settle(runtime)
        monkeypatch.undo()
        runtime.forget()
        _, written = answered(runtime, asked)
        assert written.cached_tokens > 200, "what was read in its place was not kept"


def test_no_cache_folder_keeps_nothing(tmp_path: Path, forgetful: LlamaRuntime) -> None:
    assert forgetful.prefixes is None
    cold(forgetful, job("Where is it?", system=BOATS))
    assert list(tmp_path.iterdir()) == []


@requirement("llama.disk-prefix")
def test_a_model_file_that_changed_is_another(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF" + b"a" * 3_000_000)
    before = model_identity(file)
    assert model_identity(file) == before
    file.write_bytes(b"GGUF" + b"a" * 2_999_999 + b"b")
    assert model_identity(file) != before


@requirement("local.control-tokens")
def test_no_control_token_can_be_chosen_in_a_free_answer_but_the_end_can(
    forgetful: LlamaRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, ends = 1, 2  # SmolLM2's <|im_start|> and <|im_end|>
    offered: list[tuple[float, float]] = []
    choose = Chooser.choose

    def watched(chooser: Chooser, logits: NDArray[np.float32]) -> int:
        offered.append((float(logits[begins]), float(logits[ends])))
        return choose(chooser, logits)

    monkeypatch.setattr(Chooser, "choose", watched)
    answered(forgetful, job("Hello", max_tokens=3))
    assert len(offered) == 3
    assert all(begin == -float("inf") < end for begin, end in offered)


def test_a_long_prompt_tells_how_far_it_is_read_and_a_short_rest_does_not(forgetful: LlamaRuntime) -> None:
    forgetful.forget()
    pieces: list[str | Reading] = []
    long = job("One two three four five six. " * 75, max_tokens=2)
    written = forgetful.answer(long, pieces.append, threading.Event())
    told = [piece for piece in pieces if isinstance(piece, Reading)]
    assert told[0] == Reading(0, written.prompt_tokens)
    assert [one.done for one in told] == sorted({one.done for one in told})
    assert all(isinstance(piece, str) for piece in pieces[len(told) :])

    pieces.clear()
    forgetful.answer(
        job("One two three four five six. " * 75 + "Seven.", max_tokens=2), pieces.append, threading.Event()
    )
    assert not any(isinstance(piece, Reading) for piece in pieces)


SYSTEMS = ("Be brief.", "Be kind.", "")
TURNS = (
    ("Name a colour.",),
    ("Name a colour.", "Red.", "Another one."),
    ("Name a colour.", "Red.", "Name a boat."),
    ("Name a colour.", "Blue is a colour.", "Another one."),
    ("What is the capital of France?",),
)
PROMPTS = [job(*turns, system=system, max_tokens=1) for system in SYSTEMS for turns in TURNS]
ROUNDING = 0.2
"""Logits differ by a hundredth or so with where in the cache a token lies; by whole numbers when one is wrong."""


@pytest.fixture(scope="module")
def fresh_logits() -> dict[Job, NDArray[np.float32]]:
    return {}


@pytest.fixture(scope="module")
def used() -> Iterator[LlamaRuntime]:
    with opened() as runtime:
        yield runtime


def first_logits(runtime: LlamaRuntime, one: Job) -> NDArray[np.float32]:
    """What the model says of every token that an answer may begin with."""
    seen: list[NDArray[np.float32]] = []
    choose = Chooser.choose

    def watched(chooser: Chooser, logits: NDArray[np.float32]) -> int:
        seen.append(logits[np.isfinite(logits)].copy())
        return choose(chooser, logits)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Chooser, "choose", watched)
        answered(runtime, one)
    return seen[0]


@requirement("llama.cache")
@settings(max_examples=settings().max_examples // 10)
@given(prompts=st.lists(st.sampled_from(PROMPTS), min_size=2, max_size=6))
def test_after_any_sequence_of_prompts_the_model_thinks_as_a_fresh_one_would(
    prompts: list[Job], used: LlamaRuntime, forgetful: LlamaRuntime, fresh_logits: dict[Job, NDArray[np.float32]]
) -> None:
    for one in prompts:
        if one not in fresh_logits:
            forgetful.forget()
            fresh_logits[one] = first_logits(forgetful, one)
        assert np.abs(first_logits(used, one) - fresh_logits[one]).max() < ROUNDING
