"""Pictures in llama.cpp, for real: tiny models with weights by chance run the whole path, of both kinds that place
pictures differently. ``SAFELIGHT_TEST_GGUF`` with ``SAFELIGHT_TEST_MMPROJ`` adds a model that makes sense."""

from __future__ import annotations

import asyncio
import io
import os
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from safelight.engines import llama_vision
from safelight.engines.engine import EngineSettings, Job, PromptMessage, Reading, Written
from safelight.engines.llama import LlamaEngine
from safelight.engines.llama_model import BATCH
from safelight.engines.llama_prompt import UNREADABLE
from safelight.engines.picture_files import picture_size, usable_picture
from safelight.errors import ContextTooSmall, ModelError, ModelMissing
from tests.engines.gguf_writer import write_tensors
from tests.engines.mtmd_reference import reference_answer
from tests.engines.seeing_pairs import CONTROL, Pair, gemma_pair, qwen_pair
from tests.requirement import requirement

BOUND: Final = 60.0
WINDOW: Final = 1_024
SHARED: Final = 40
"""Tokens with which every prompt begins are fewer."""

TWO: Final = "<|im_start|>user\nTwo:{}{}<|im_end|>\n<|im_start|>assistant\n"
MAKERS: dict[str, Callable[[Path], Pair]] = {"gemma": gemma_pair, "qwen": qwen_pair}
if os.environ.get("SAFELIGHT_TEST_GGUF") and os.environ.get("SAFELIGHT_TEST_MMPROJ"):
    MAKERS["given"] = lambda _folder: Pair(
        Path(os.environ["SAFELIGHT_TEST_GGUF"]), Path(os.environ["SAFELIGHT_TEST_MMPROJ"])
    )


def picture(color: str, size: tuple[int, int] = (96, 64), kind: str = "JPEG") -> bytes:
    file = io.BytesIO()
    image = Image.new("RGB", size, color)
    image.paste("white", (0, 0, size[0] // 3, size[1] // 2))
    image.save(file, kind)
    return file.getvalue()


SEA, BOAT, TALL = picture("blue"), picture("red"), picture("green", (64, 128), "PNG")


def user(content: str, *images: bytes) -> PromptMessage:
    return PromptMessage(role="user", content=content, images=images)


def model(content: str) -> PromptMessage:
    return PromptMessage(role="assistant", content=content)


async def written(engine: LlamaEngine, *messages: PromptMessage, tokens: int = 10) -> tuple[str, Written]:
    text = ""
    job = Job(messages=messages, schema=None, max_tokens=tokens)
    async with asyncio.timeout(BOUND), aclosing(engine.generate(job)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                return text, piece
            if not isinstance(piece, Reading):
                text += piece
    raise AssertionError("the engine never said how it ended")


async def cold(engine: LlamaEngine, *messages: PromptMessage) -> str:
    """The answer when nothing is held: neither tokens nor pictures."""
    await written(engine, PromptMessage(role="assistant", content="Something else."), tokens=1)
    text, done = await written(engine, *messages)
    assert done.cached_tokens < SHARED
    return text


@pytest.fixture(scope="module", params=MAKERS)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return MAKERS[request.param](tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="module")
def engine(pair: Pair) -> Iterator[LlamaEngine]:
    engine = LlamaEngine(EngineSettings(path=pair.model, projector=pair.projector, context_tokens=WINDOW, threads=1))
    yield engine
    asyncio.run(engine.close())


@pytest.fixture
async def gemma(tmp_path: Path) -> AsyncIterator[LlamaEngine]:
    """One that has seen nothing yet."""
    files = gemma_pair(tmp_path)
    settings = EngineSettings(path=files.model, projector=files.projector, context_tokens=WINDOW, threads=1)
    engine = LlamaEngine(settings)
    yield engine
    await engine.close()


class Watched:
    """Counts the calls of a function of llama.cpp; the first one can be held up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, *, held_up: bool = False) -> None:
        self.calls = 0
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self._real: Any = getattr(llama_vision.mtmd, name)
        self._held_up = held_up
        monkeypatch.setattr(llama_vision.mtmd, name, self)

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        self.reached.set()
        if self._held_up and self.calls == 1:
            assert self.go_on.wait(BOUND)
        return self._real(*arguments)


@requirement("llama.vision")
async def test_the_model_sees_what_a_picture_shows(engine: LlamaEngine) -> None:
    assert engine.sees
    answers = {await cold(engine, user("What is it?", *images)) for images in ((), (SEA,), (BOAT,), (SEA, BOAT))}
    assert len(answers) == 4


@requirement("llama.vision")
async def test_a_prompt_with_pictures_is_read_as_llama_cpp_reads_it_itself(pair: Pair, engine: LlamaEngine) -> None:
    if pair.model.stat().st_size > 1_000_000:
        return  # the tiny models' templates alone are known here
    expected = reference_answer(pair, TWO, (SEA, TALL), tokens=10)
    assert await cold(engine, user("Two:", SEA, TALL)) == expected


@requirement("llama.vision")
async def test_tokens_that_see_each_other_are_read_in_one_go_however_many(tmp_path: Path) -> None:
    large = gemma_pair(tmp_path, side=288)
    settings = EngineSettings(path=large.model, projector=large.projector, context_tokens=WINDOW, threads=1)
    engine = LlamaEngine(settings)
    try:
        text, done = await written(engine, user("Two:", SEA, TALL))
        assert done.prompt_tokens > 2 * 324 > 2 * BATCH
        assert text == reference_answer(large, TWO, (SEA, TALL), tokens=10)
        assert (await written(engine, user("Two:", SEA, TALL)))[0] == text
    finally:
        await engine.close()


@requirement("llama.cache", "llama.vision")
async def test_the_next_turn_reads_only_what_is_new(engine: LlamaEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = Watched(monkeypatch, "mtmd_encode_chunk")
    decode = Watched(monkeypatch, "mtmd_helper_decode_image_chunk")
    shown = user("Look.", picture("yellow"), TALL)
    text, first = await written(engine, shown)
    looked, placed = encode.calls, decode.calls
    assert placed >= 2
    _, second = await written(engine, shown, model(text), user("And now?"))
    assert (encode.calls, decode.calls) == (looked, placed)
    assert second.cached_tokens >= first.prompt_tokens + first.completion_tokens - 2


@requirement("llama.cache")
async def test_a_new_photo_behind_the_shared_part_is_read_as_if_all_were(
    engine: LlamaEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = (user("Look.", SEA), model("A sea."), user("And this?", TALL), model("A boat."), user("Which is better?"))
    expected = [await cold(engine, *turns[:3]), await cold(engine, *turns)]
    await written(engine, model("Something else."), tokens=1)
    _, first = await written(engine, *turns[:1], tokens=1)
    decode = Watched(monkeypatch, "mtmd_helper_decode_image_chunk")
    text, second = await written(engine, *turns[:3])
    assert second.cached_tokens >= first.prompt_tokens - 1
    placed = decode.calls
    again, _ = await written(engine, *turns)
    assert [text, again] == expected
    assert 1 <= placed == decode.calls


@requirement("llama.cache")
async def test_a_photo_that_moves_is_read_again_but_not_looked_at_again(
    engine: LlamaEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = (user("First.\n(The picture of photo p0 stood here.)"), model("Yes."), user("Second.", SEA, BOAT))
    expected = await cold(engine, *gone)
    await written(engine, user("First.", TALL), model("Yes."), user("Second.", SEA, BOAT))
    encode = Watched(monkeypatch, "mtmd_encode_chunk")
    text, done = await written(engine, *gone)
    assert encode.calls == 0
    assert text == expected
    assert done.cached_tokens < SHARED


@requirement("llama.cache")
async def test_another_picture_in_the_same_place_is_not_taken_for_the_first(engine: LlamaEngine) -> None:
    red = await cold(engine, user("Look.", BOAT))
    await written(engine, user("Look.", SEA))
    text, _ = await written(engine, user("Look.", BOAT))
    assert text == red


@requirement("llama.vision")
@pytest.mark.parametrize("step", ["mtmd_encode_chunk", "mtmd_helper_decode_image_chunk"])
async def test_a_stop_while_it_looks_leaves_nothing_half_seen(
    gemma: LlamaEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await written(gemma, user("Two:"), tokens=1)
    watched = Watched(monkeypatch, step, held_up=True)
    looking = asyncio.create_task(written(gemma, user("Two:", SEA, BOAT)))
    async with asyncio.timeout(BOUND):
        await asyncio.to_thread(watched.reached.wait, BOUND)
        looking.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        watched.go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await looking
    assert watched.calls == 1, "the second picture was looked at all the same"
    text, done = await written(gemma, user("Two:", SEA, BOAT))
    assert done.cached_tokens < SHARED
    assert text == reference_answer(gemma_pair(tmp_path / "again"), TWO, (SEA, BOAT), tokens=10)


@requirement("llama.vision")
@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"no picture",
        b"\xff\xd8\xff\xe0 cut",
        SEA[: SEA.index(b"\xff\xc4")] + b"no tables",
        picture("red", kind="GIF"),
        picture("red", kind="WEBP"),
        picture("red", (4, 200)),
        TALL[:16] + (60_000).to_bytes(4, "big") * 2 + TALL[24:],
        TALL[:60],
        TALL[:48] + bytes(20) + TALL[68:],
        SEA.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c"),
    ],
)
async def test_a_picture_that_cannot_be_read_is_told_in_text(
    engine: LlamaEngine, damaged: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    for program in ("ffmpeg", "ffprobe"):
        (tmp_path / program).write_text(f"#!/bin/sh\ntouch {started}\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    text, done = await written(engine, user("Look.", damaged))
    told, same = await written(engine, user(f"Look.{UNREADABLE}"))
    assert (text, done.prompt_tokens) == (told, same.prompt_tokens)
    assert not started.exists(), "an untrusted file was handed to another program"


@requirement("llama.vision")
async def test_a_picture_of_any_shape_or_with_any_damage_is_seen_or_told(engine: LlamaEngine) -> None:
    expected = await cold(engine, user("Look.", SEA))
    _, blind = await written(engine, user("Look."), tokens=1)
    for size in ((1, 1), (30, 1), (1, 30), (1_500, 50), (2_000, 1_500)):
        _, done = await written(engine, user("Look.", picture("red", size)), tokens=1)
        assert done.prompt_tokens > blind.prompt_tokens
    chance = random.Random(7)
    for whole in (SEA, TALL) * 20:
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        _, done = await written(engine, user("Look.", bytes(damaged)), tokens=1)
        assert done.prompt_tokens > blind.prompt_tokens
    assert await cold(engine, user("Look.", SEA)) == expected


@requirement("llama.vision", "local.control-tokens")
async def test_a_marker_in_somebodys_text_stays_text(gemma: LlamaEngine) -> None:
    _, plain = await written(gemma, user("A caption: .", SEA), tokens=1)
    for marker in ("<__media__>", "<image>", "[img-1]", "<|vision_start|><|image_pad|><|vision_end|>", *CONTROL):
        _, hostile = await written(gemma, user(f"A caption: {marker}.", SEA), tokens=1)
        assert hostile.prompt_tokens - plain.prompt_tokens == len(marker), f"{marker} is not read byte by byte"


@requirement("llama.vision")
async def test_an_engine_without_a_projector_leaves_pictures_out(pair: Pair) -> None:
    blind = LlamaEngine(EngineSettings(path=pair.model, context_tokens=WINDOW, threads=1))
    try:
        assert not blind.sees
        without, _ = await written(blind, user("Look."))
        with_one, done = await written(blind, user("Look.", SEA))
        assert with_one == without
        assert done.cached_tokens == done.prompt_tokens - 1
    finally:
        await blind.close()


async def test_pictures_larger_than_the_window_are_said_with_numbers(gemma: LlamaEngine) -> None:
    many = [picture("red", (64 + n, 64)) for n in range(60)]
    with pytest.raises(ContextTooSmall, match=r"the conversation 1,[0-9]{3}, but the model's window holds 1,024"):
        await written(gemma, user("Look.", *many))
    assert (await written(gemma, user("Look.", *many[:40])))[1].prompt_tokens > 40 * 16


async def test_pictures_that_are_not_needed_any_more_make_room(
    gemma: LlamaEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llama_vision, "_KEPT_BYTES", 2 * 16 * 64 * 4)
    encode = Watched(monkeypatch, "mtmd_encode_chunk")
    expected, _ = await written(gemma, user("Three.", SEA, BOAT, TALL))
    await written(gemma, user("Other.", picture("pink"), picture("gold")))
    assert encode.calls == 5
    text, _ = await written(gemma, user("Three.", SEA, BOAT, TALL))
    assert (text, encode.calls) == (expected, 8)


async def test_a_projector_that_cannot_be_used_is_said_in_words(tmp_path: Path) -> None:
    gemma, qwen = gemma_pair(tmp_path), qwen_pair(tmp_path)
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(gemma.projector.read_bytes()[:30_000])
    foreign = tmp_path / "foreign.gguf"
    foreign.write_text("no projector")
    deaf = write_tensors(tmp_path / "deaf.gguf", {"general.architecture": "clip"}, {})
    for projector, kind, words in (
        (tmp_path / "gone.gguf", ModelMissing, "is not there any more"),
        (foreign, ModelError, "is no GGUF file"),
        (cut, ModelError, "cut off or damaged"),
        (qwen.model, ModelError, "no projector"),
        (deaf, ModelError, "no projector"),
        (narrow(tmp_path), ModelError, "does not belong to gemma.gguf"),
    ):
        engine = LlamaEngine(EngineSettings(path=gemma.model, projector=projector, context_tokens=WINDOW, threads=1))
        try:
            with pytest.raises(kind, match=words):
                await written(engine, user("Look.", SEA))
        finally:
            await engine.close()


def narrow(folder: Path) -> Path:
    """A projector for a model of another width."""
    return gemma_pair(folder / "narrow", width=32).projector


@pytest.mark.parametrize(
    ("data", "size", "usable"),
    [
        (SEA, (96, 64), True),
        (TALL, (64, 128), True),
        (picture("red", (30, 1)), (30, 1), True),
        (picture("red", (31, 1)), (31, 1), False),
        (picture("red", kind="BMP"), None, False),
        (SEA + bytes(16_000_000), (96, 64), False),
        (b"\xff\xd8\xff\xff\xd0\xff\xc0\x00\x11\x08\x00\x02\x00\x03", (3, 2), False),
        (b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x00\x00\x03", (3, 0), False),
    ],
)
def test_a_file_says_its_size_before_it_is_decoded(data: bytes, size: tuple[int, int] | None, *, usable: bool) -> None:
    assert picture_size(data) == size
    assert usable_picture(data) is usable
    for end in range(0, min(len(data), 700)):
        usable_picture(data[:end])
