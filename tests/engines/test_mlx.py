"""MLX's engine with its real process: a tiny model by chance with sliding windows, and SmolLM2's real weights."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from safelight.conversation.sampling import Sampling
from safelight.engines.engine import EngineSettings, Job, Reading
from safelight.engines.llama import LlamaEngine
from safelight.engines.mlx import MlxEngine
from safelight.errors import ContextTooSmall, ModelError
from safelight.models.schemas import answer_of, argument_schemas
from tests.engines.gguf import small_gguf
from tests.engines.mlx_model import small_folder, windowed_folder
from tests.engines.mlx_rig import BOUND, job, written
from tests.requirement import requirement

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOOLS = [{"name": "find", "inputSchema": {"properties": {"word": {"type": "string"}}, "required": ["word"]}}]
CALL = json.dumps(answer_of(argument_schemas(TOOLS)[0], may_reply=False), separators=(",", ":"))
SHORT = CALL.replace('"maxLength":600', '"maxLength":30').replace('"maxLength":1000', '"maxLength":10')
SYSTEM = "You find photos, and you say in few words what you did. " * 20


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tiny(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> AsyncIterator[MlxEngine]:
    folder = windowed_folder(tmp_path_factory.mktemp("windowed"))
    engine = MlxEngine(EngineSettings(kind="mlx", path=folder, context_tokens=32_768, cache_dir=cache_dir))
    yield engine
    await engine.close()


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=[6, pytest.param(30, marks=pytest.mark.long)], ids="{} layers".format
)
async def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MlxEngine]:
    """SmolLM2, whole or its first layers; or the model that a person names."""
    named = os.environ.get("SAFELIGHT_TEST_MLX_DIR")
    folder = Path(named) if named else small_folder(tmp_path_factory.mktemp("smollm2"), layers=request.param)
    engine = MlxEngine(EngineSettings(kind="mlx", path=folder, context_tokens=1_024))
    yield engine
    await engine.close()


@requirement("mlx.sidecar", "local.answer-shape", "local.key-order", "local.string-caps")
async def test_an_answer_has_the_grammars_shape_and_a_rambling_model_stops_at_the_caps(tiny: MlxEngine) -> None:
    text, done = await written(tiny, job("Find the boat.", schema=SHORT, max_tokens=400))
    assert done.finish == "stop"
    answer = json.loads(text)
    assert list(answer) == ["analysis", "call"]
    assert list(answer["call"]) == ["find"]
    assert (len(answer["analysis"]), len(answer["call"]["find"]["word"])) <= (30, 10)
    assert 0 < done.forced_tokens < done.completion_tokens < 400


@requirement("context.windows")
async def test_the_window_is_what_was_asked_for_or_the_models_own_where_that_is_smaller(tiny: MlxEngine) -> None:
    assert tiny.context_window == 8_192
    assert (await written(tiny, job("Hi", max_tokens=1)))[1].context_window == 8_192


@requirement("mlx.sidecar")
async def test_the_next_turn_evaluates_only_what_is_new(tiny: MlxEngine) -> None:
    said = "Tell me about boats. " * 10
    text, first = await written(tiny, job(said, system=SYSTEM, schema=SHORT, max_tokens=100))
    _, second = await written(tiny, job(said, text, "And trains?", system=SYSTEM, max_tokens=2))
    # Its last tokens were written, but not read.
    assert first.prompt_tokens + first.completion_tokens - 8 <= second.cached_tokens
    assert second.cached_tokens <= first.prompt_tokens + first.completion_tokens
    assert second.prompt_tokens - second.cached_tokens < 25


@requirement("mlx.sidecar")
async def test_layers_that_cannot_go_back_are_taken_from_copies(tiny: MlxEngine) -> None:
    """Two chats in turn: both begin alike, and either leaves more behind than a sliding window reaches back."""
    boats = job("Where are the boats? " * 5, system=SYSTEM, max_tokens=30)
    trains = job("Where are the trains? " * 5, system=SYSTEM, max_tokens=30)
    first, _ = await written(tiny, boats)
    other, begun_alike = await written(tiny, trains)
    assert 256 < begun_alike.cached_tokens < begun_alike.prompt_tokens - 10, "not what only the instructions take"
    again, repeated = await written(tiny, trains)
    assert repeated.cached_tokens == repeated.prompt_tokens - 1, "no copy from right after the prompt"
    assert again == other
    back, _ = await written(tiny, boats)
    assert back == first != other


@requirement("mlx.stop")
async def test_closing_the_generator_stops_at_the_next_token(tiny: MlxEngine) -> None:
    pieces = tiny.generate(job("Write a long story.", max_tokens=8_000))
    async with asyncio.timeout(BOUND):
        await anext(pieces)
        await pieces.aclose()
        _, done = await written(tiny, job("Hi.", max_tokens=5))
    assert done.completion_tokens == 5


@requirement("mlx.stop")
async def test_a_long_prompt_is_read_with_signs_of_progress_and_can_be_stopped_meanwhile(tiny: MlxEngine) -> None:
    long = job("a b " * 3_800, max_tokens=3)
    pid = tiny.pid
    async with asyncio.timeout(BOUND), aclosing(tiny.generate(long)) as pieces:
        first = await anext(pieces)
        second = await anext(pieces)
    assert isinstance(first, Reading)
    assert isinstance(second, Reading)
    assert 0 < first.done < second.done < second.total
    assert second.total > 7_000
    _, done = await written(tiny, job("Hi.", max_tokens=3))
    assert done.completion_tokens == 3
    assert tiny.pid == pid, "the process was ended instead"


@requirement("local.control-tokens")
async def test_control_tokens_neither_come_from_people_nor_get_into_answers(tiny: MlxEngine) -> None:
    _, empty = await written(tiny, job("x", max_tokens=1))
    _, spelt = await written(tiny, job("<|im_end|>", max_tokens=1))
    assert spelt.prompt_tokens > empty.prompt_tokens + 2, "a control token in the text was read as one"
    hot = msgspec.structs.replace(job("x", max_tokens=60), sampling=Sampling(temperature=9.0, seed=3))
    assert "<|" not in (await written(tiny, hot))[0]


async def test_equal_seeds_give_equal_answers_and_others_others(tiny: MlxEngine) -> None:
    def seeded(seed: int) -> Job:
        return msgspec.structs.replace(
            job("A story.", max_tokens=12), sampling=Sampling(temperature=1.5, top_p=0.9, min_p=0.001, seed=seed)
        )

    assert (await written(tiny, seeded(1)))[0] == (await written(tiny, seeded(1)))[0]
    assert len({(await written(tiny, seeded(seed)))[0] for seed in range(4)}) > 1


async def test_pictures_are_left_out_and_it_is_said_before(tiny: MlxEngine) -> None:
    assert not tiny.sees
    plain = job("What is this?", max_tokens=5)
    message = msgspec.structs.replace(plain.messages[0], images=(b"\xff\xd8\xff",))
    seen, done = await written(tiny, msgspec.structs.replace(plain, messages=(message,)))
    unseen, same = await written(tiny, plain)
    assert (seen, done.prompt_tokens) == (unseen, same.prompt_tokens)


@requirement("context.too-small")
async def test_a_prompt_larger_than_the_window_is_said_with_numbers(tiny: MlxEngine) -> None:
    with pytest.raises(ContextTooSmall, match=r"conversation 9,0\d\d, .* holds 8,192"):
        await written(tiny, job("a " * 9_000))


async def test_likelihoods_stay_the_same_whatever_was_scored_in_between(tiny: MlxEngine) -> None:
    openings = ("The opposite of hot is", "One, two, three, and then " * 6)
    async with asyncio.timeout(BOUND):
        first = await tiny.likelihoods(openings, " four, five")
        assert await tiny.likelihoods(openings, " something quite different and longer") != first
        assert await tiny.likelihoods(openings, " four, five") == pytest.approx(first, abs=1e-3)
        assert await tiny.likelihoods(openings[::-1], " four, five") == pytest.approx(first[::-1], abs=1e-3)
        assert await tiny.likelihoods(openings, "") == (0.0, 0.0)
        with pytest.raises(ModelError, match="At most 56"):
            await tiny.likelihoods(("x",) * 57, "y")


@requirement("limit.crash", "mlx.sidecar")
@pytest.mark.parametrize("kills", [1, pytest.param(30, marks=pytest.mark.long)])
async def test_a_kill_at_any_point_is_said_and_the_next_answer_is_as_if_nothing_was(
    tiny: MlxEngine, cache_dir: Path, kills: int
) -> None:
    """What begins the prompt comes from disk then; the rest is read anew."""
    chance = random.Random(kills)
    system = f"{SYSTEM} {kills}"
    one = job("Where are the boats? " * 20, system=system, schema=SHORT, max_tokens=100)
    earlier = _kept(cache_dir)
    undisturbed, cold = await written(tiny, one)
    async with asyncio.timeout(BOUND):
        while _kept(cache_dir) == earlier:  # it is written in the background
            await written(tiny, one)
    for _ in range(kills):
        got = 0
        when = chance.randrange(8)
        with pytest.raises(ModelError, match=r"the system killed it.*Send the message again"):
            async with asyncio.timeout(BOUND), aclosing(tiny.generate(one)) as pieces:
                if when == 0:
                    _kill(tiny)
                async for _piece in pieces:
                    got += 1
                    if got == when:
                        _kill(tiny)
                _kill(tiny)  # the answer was shorter: between two of them
                await anext(tiny.generate(one))
        text, done = await written(tiny, one)
        assert text == undisturbed
        assert 256 <= done.cached_tokens < cold.prompt_tokens - 100


def _kept(cache_dir: Path) -> set[Path]:
    return set(cache_dir.glob("prefixes/*.prefix"))


def _kill(engine: MlxEngine) -> None:
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGKILL)


# --- real weights ---------------------------------------------------------------------------------------------------


@requirement("mlx.sidecar", "local.answer-shape", "local.key-order")
async def test_a_real_model_answers_in_form_and_another_chat_costs_what_is_new(real: MlxEngine) -> None:
    tiniest = SHORT.replace('"maxLength":30', '"maxLength":4')
    one = job("Find boats.", system="Call.", schema=tiniest, max_tokens=60)
    text, first = await written(real, one)
    assert first.finish == "stop"
    assert list(json.loads(text)["call"]) == ["find"]
    _, second = await written(real, job("Find cars.", system="Call.", max_tokens=1))
    assert 3 < second.cached_tokens < second.prompt_tokens - 1, "what is held was not cut back to the shared part"


@pytest.mark.long
@requirement("mlx.sidecar", "local.string-caps")
async def test_a_real_model_in_a_loop_stops_at_the_cap(real: MlxEngine) -> None:
    loop = "boat boat boat boat boat boat boat boat boat boat boat boat boat"
    text, done = await written(real, job(f"Repeat for ever: {loop}", schema=SHORT, max_tokens=200))
    assert done.finish == "stop"
    assert len(json.loads(text)["analysis"]) <= 30


@pytest.mark.long
async def test_a_cut_cache_gives_the_same_answer_as_a_cold_one(real: MlxEngine) -> None:
    one = job("Where is the harbour?", max_tokens=12)
    cold, _ = await written(real, one)
    await written(real, job("Where is the station? Tell me.", max_tokens=4))
    warm, done = await written(real, one)
    assert done.cached_tokens > 0
    assert warm == cold


@pytest.mark.long
async def test_both_engines_find_the_same_texts_likely(tmp_path: Path) -> None:
    mlx = MlxEngine(EngineSettings(kind="mlx", path=small_folder(tmp_path), context_tokens=512))
    llama = LlamaEngine(EngineSettings(path=small_gguf(), context_tokens=512, threads=2))
    openings = ("The opposite of hot is", "One, two, three,", "The capital of France is")
    async with asyncio.timeout(BOUND * 5):
        for text in (" cold", " four, five", " Paris", " a <|im_end|> in words"):
            theirs: Any = await llama.likelihoods(openings, text)
            assert await mlx.likelihoods(openings, text) == pytest.approx(theirs, abs=0.6, rel=0.05)
    await mlx.close()
    await llama.close()
