"""llama.cpp with a real small model."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from safelight.conversation.sampling import GREEDY, Sampling
from safelight.engines.engine import EngineSettings, Job, PromptMessage, Reading, Written
from safelight.engines.llama import LlamaEngine
from safelight.engines.llama_library import llama
from safelight.errors import ContextTooSmall, ModelError, ModelMissing
from safelight.models.schemas import answer_of, argument_schemas
from tests.engines.gguf import small_gguf
from tests.requirement import requirement

BOUND = 60.0
SETTINGS = EngineSettings(path=small_gguf(), context_tokens=1_024, threads=2)
TOOLS = [{"name": "find", "inputSchema": {"properties": {"word": {"type": "string"}}, "required": ["word"]}}]
SCHEMA = json.dumps(answer_of(argument_schemas(TOOLS)[0]), separators=(",", ":"))


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaEngine]:
    """One for all: what it still holds of another test's conversation must not matter."""
    engine = LlamaEngine(SETTINGS)
    yield engine
    asyncio.run(engine.close())


def job(*contents: str, schema: str | None = SCHEMA, max_tokens: int = 40, sampling: Sampling = GREEDY) -> Job:
    roles: Any = ("user", "assistant")
    messages = tuple(PromptMessage(role=roles[i % 2], content=content) for i, content in enumerate(contents))
    return Job(messages=messages, schema=schema, max_tokens=max_tokens, sampling=sampling)


async def written(engine: LlamaEngine, one: Job) -> tuple[str, Written]:
    text = ""
    async with asyncio.timeout(BOUND), aclosing(engine.generate(one)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                return text, piece
            if not isinstance(piece, Reading):
                text += piece
    raise AssertionError("the engine never said how it ended")


@requirement("llama.engine", "local.answer-shape", "local.key-order", "llama.fast-forward")
async def test_an_answer_has_the_grammars_shape_and_forced_tokens_are_counted(engine: LlamaEngine) -> None:
    call = json.dumps(answer_of(argument_schemas(TOOLS)[0], may_reply=False), separators=(",", ":"))
    short = call.replace('"maxLength":600', '"maxLength":30').replace('"maxLength":1000', '"maxLength":10')
    text, done = await written(engine, job("Find the boat.", schema=short, max_tokens=100))
    assert done.finish == "stop"
    answer = json.loads(text)
    assert list(answer) == ["analysis", "call"]
    assert list(answer["call"]) == ["find"]
    assert isinstance(answer["call"]["find"]["word"], str)
    assert 0 < done.forced_tokens < done.completion_tokens <= 100
    assert done.context_window == 1_024


@requirement("llama.cache")
async def test_the_next_turn_evaluates_only_what_differs(engine: LlamaEngine) -> None:
    text, first = await written(engine, job("Tell me about boats. " * 10))
    assert first.cached_tokens < 40
    _, second = await written(engine, job("Tell me about boats. " * 10, text, "And trains?"))
    assert second.cached_tokens >= first.prompt_tokens + first.completion_tokens - 2
    assert second.prompt_tokens - second.cached_tokens < 25
    _, third = await written(engine, job("Tell me about boats. " * 5 + "No, cars."))
    assert 20 < third.cached_tokens < first.prompt_tokens


@requirement("llama.cache")
async def test_a_cached_prompt_gives_the_same_answer(engine: LlamaEngine) -> None:
    one = job("Where is the harbour?", max_tokens=30)
    cold, _ = await written(engine, one)
    await written(engine, job("Something else entirely.", max_tokens=2))
    warm, _ = await written(engine, one)
    assert warm == cold


@requirement("llama.engine")
async def test_closing_the_generator_stops_at_the_next_token(engine: LlamaEngine) -> None:
    pieces = engine.generate(job("Write a long story.", schema=None, max_tokens=900))
    async with asyncio.timeout(BOUND):
        await anext(pieces)
        await pieces.aclose()
        _, done = await written(engine, job("Hi.", max_tokens=5))
    assert done.completion_tokens >= 5


@requirement("llama.engine")
async def test_cancelling_while_the_prompt_is_read_stops_and_leaves_the_engine_usable(engine: LlamaEngine) -> None:
    await written(engine, job("Hi.", max_tokens=1))
    long = job("One two three four five six. " * 70, max_tokens=5)
    reading = asyncio.create_task(written(engine, long))
    await asyncio.sleep(0)
    reading.cancel()
    async with asyncio.timeout(BOUND):
        with pytest.raises(asyncio.CancelledError):
            await reading
    _, done = await written(engine, long)
    assert done.completion_tokens >= 5
    assert done.cached_tokens < done.prompt_tokens - 1, "the whole prompt was read all the same"


@requirement("local.control-tokens")
async def test_control_tokens_neither_come_from_the_user_nor_get_into_answers(engine: LlamaEngine) -> None:
    plain, _ = await written(engine, job("Hello", max_tokens=30))
    assert "<|" not in plain
    _, spelt = await written(engine, job("<|im_end|>", max_tokens=1))
    _, empty = await written(engine, job("x", max_tokens=1))
    assert spelt.prompt_tokens > empty.prompt_tokens + 2, "a control token in the text was read as one"


async def test_an_answer_at_the_token_limit_says_so_and_every_piece_is_whole(engine: LlamaEngine) -> None:
    """ggml-org/llama.cpp#11738, ggml-org/llama.cpp#9195: a character that was split over tokens broke the stream."""
    text, done = await written(engine, job("Sag etwas über Größe und 😀", max_tokens=25))
    assert done.finish == "length"
    assert "\ufffd" not in text


async def test_temperature_varies_the_answer_and_a_seed_repeats_it(engine: LlamaEngine) -> None:
    def hot(seed: int | None) -> Job:
        return job("Tell me a story.", schema=None, max_tokens=8, sampling=Sampling(temperature=1.5, seed=seed))

    assert len({(await written(engine, hot(None)))[0] for _ in range(3)}) > 1
    first, _ = await written(engine, hot(7))
    again, _ = await written(engine, hot(7))
    assert first == again


async def test_the_likelier_continuation_scores_higher(engine: LlamaEngine) -> None:
    openings = ("The opposite of hot is", "One, two, three,")
    async with asyncio.timeout(BOUND):
        first, second = await engine.likelihoods(openings, " four, five")
        assert second > first
        assert await engine.likelihoods(openings, " four, five") == pytest.approx((first, second), abs=0.5)
        cold, _ = await engine.likelihoods(openings, " cold")
    assert cold > (await engine.likelihoods(openings, " cold"))[1]


async def test_openings_make_room_for_each_other_and_score_as_before(engine: LlamaEngine) -> None:
    openings = ("The opposite of hot is", "One, two, three,")
    others = tuple(f"Number {number} is" for number in range(55))
    async with asyncio.timeout(BOUND):
        first = await engine.likelihoods(openings, " cold")
        await engine.likelihoods(others, " big")
        assert await engine.likelihoods(openings, " cold") == pytest.approx(first, abs=0.5)
        with pytest.raises(ModelError, match="At most 56 openings"):
            await engine.likelihoods((*openings, *others), " cold")


@requirement("context.too-small")
async def test_a_prompt_larger_than_the_window_is_said_with_numbers(engine: LlamaEngine) -> None:
    with pytest.raises(ContextTooSmall, match=r"tools take \d+ tokens and the conversation 2,0\d\d, .* holds 1,024"):
        await written(engine, job("word " * 2_000))


@requirement("context.too-small")
async def test_instructions_and_tools_alone_larger_than_the_window_are_said_at_once(engine: LlamaEngine) -> None:
    system = PromptMessage(role="system", content="word " * 2_000)
    too_large = Job(messages=(system, PromptMessage(role="user", content="Hi")), schema=None, max_tokens=5)
    with pytest.raises(ContextTooSmall, match=r"tools alone take 2,0\d\d tokens, .* holds 1,024"):
        await written(engine, too_large)


async def test_missing_and_foreign_files_are_said_in_words(tmp_path: Path) -> None:
    gone = LlamaEngine(EngineSettings(path=tmp_path / "gone.gguf"))
    with pytest.raises(ModelMissing, match="gone"):
        await written(gone, job("Hi"))
    (tmp_path / "text.gguf").write_bytes(b"hello")
    with pytest.raises(ModelError, match="no GGUF"):
        await written(LlamaEngine(EngineSettings(path=tmp_path / "text.gguf")), job("Hi"))
    (tmp_path / "head.gguf").write_bytes(b"GGUF\x03\x00\x00\x00")
    with pytest.raises(ModelError, match="damaged"):
        await written(LlamaEngine(EngineSettings(path=tmp_path / "head.gguf")), job("Hi"))
    begun = small_gguf().read_bytes()[:20_000_000]
    (tmp_path / "cut.gguf").write_bytes(begun)
    with pytest.raises(ModelError, match=r"cut\.gguf is cut off or damaged\. Download it again\."):
        await written(LlamaEngine(EngineSettings(path=tmp_path / "cut.gguf")), job("Hi"))
    name, value = b"general.architecture\x08\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00", b"llama"
    (tmp_path / "new.gguf").write_bytes(begun.replace(name + value, name + b"other", 1))
    os.truncate(tmp_path / "new.gguf", small_gguf().stat().st_size)
    with pytest.raises(ModelError, match=r"new\.gguf is of a kind that this version does not know"):
        await written(LlamaEngine(EngineSettings(path=tmp_path / "new.gguf")), job("Hi"))


async def test_too_little_memory_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "llama_init_from_model", no_context)
    engine = LlamaEngine(SETTINGS)
    with pytest.raises(ModelError, match=r"not enough memory for SmolLM2.* with 1,024 tokens\. Close other programs"):
        await written(engine, job("Hi"))
    await engine.close()


def no_context(model: object, params: object) -> None:
    del model, params


@requirement("context.windows")
async def test_each_of_the_photos_in_parallel_has_its_part_of_the_window() -> None:
    engine = LlamaEngine(EngineSettings(path=small_gguf(), context_tokens=1_000, parallel=4, threads=2))
    assert engine.context_window == 250
    assert not engine.sees
    with pytest.raises(ContextTooSmall, match="holds 250"):
        await written(engine, job("word " * 300))
    _, done = await written(engine, job("Hi", max_tokens=1))
    assert done.context_window == engine.context_window == 250
    await engine.close()


async def test_a_closed_engine_refuses_jobs() -> None:
    engine = LlamaEngine(SETTINGS)
    await engine.close()
    await engine.close()
    with pytest.raises(ModelError, match="unloaded"):
        await written(engine, job("Hi"))


def test_the_libraries_are_imported_on_first_use_only() -> None:
    code = (
        "import sys, safelight.models.source, safelight.engines.llama;"
        "print([name for name in ('llama_cpp', 'llguidance', 'numpy') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=BOUND, check=True)
    assert ran.stdout.strip() == "[]"
