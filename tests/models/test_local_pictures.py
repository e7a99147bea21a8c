"""What a local model is shown and told of pictures."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from safelight.conversation.parts import AssistantTurn, History, Image, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.photos import LOCAL_PHOTOS, keep_newest
from safelight.engines.engine import EngineSettings, LocalEngine
from safelight.engines.llama import LlamaEngine
from safelight.models.chat_model import TurnDone, TurnRequest
from safelight.models.local import LocalChatModel
from safelight.models.local_prompt import turns
from tests.engines.seeing_pairs import gemma_pair
from tests.engines.test_vision import BOAT, SEA, TALL
from tests.models.fake_engine import FakeEngine
from tests.models.offers import OFFERS
from tests.requirement import requirement

REPLY = '{"analysis":"Done.","reply":"Here they are."}'


def looked(number: int, *pictures: bytes, text: str = '{"count":2}') -> History:
    """An exchange in which the model asked for pictures."""
    images = tuple(
        Image(mime_type="image/jpeg", data=data, photo_id=f"p{number}{n}") for n, data in enumerate(pictures)
    )
    result = ToolResult(call_id=f"c{number}", tool="get_photos", outcome="success", text=text, images=images)
    call = ToolCall(call_id=f"c{number}", tool="get_photos", arguments={"set": "selection", "thumbnails": True})
    return (
        UserMessage(text=f"Look {number}"),
        AssistantTurn(reasoning="So.", calls=(call,)),
        ToolResults(results=(result,)),
        AssistantTurn(text="Seen."),
    )


async def turn(model: LocalChatModel, history: History, *, tokens: int = 40) -> TurnDone:
    request = TurnRequest(system="Help.", tools=OFFERS[:2], history=history, max_tokens=tokens)
    async with aclosing(model.turn(request)) as pieces:
        last = [piece async for piece in pieces][-1]
    assert isinstance(last, TurnDone)
    return last


def model(engine: LocalEngine, *, sees: bool, small: bool = False) -> LocalChatModel:
    @asynccontextmanager
    async def borrow() -> AsyncGenerator[LocalEngine]:
        yield engine

    return LocalChatModel("llama:fake", borrow, context_window=8_192, small=small, sees=sees)


@requirement("context.photos", "llama.vision")
async def test_a_results_pictures_follow_in_the_users_turn_with_the_photos_names() -> None:
    engine = FakeEngine(REPLY)
    engine.sees = True
    one = model(engine, sees=True)
    assert one.photos_kept == LOCAL_PHOTOS == 2
    await turn(one, (*looked(1, SEA, BOAT), *looked(2, TALL), *looked(3), UserMessage(text="Which?")))
    shown = [m for m in engine.jobs[0].messages if m.content.startswith("Result of")]
    assert [m.images for m in shown] == [(SEA, BOAT), (TALL,), ()]
    assert [m.role for m in shown] == ["user"] * 3
    assert [m.content for m in shown] == [
        'Result of get_photos: {"count":2}\n(The pictures of photo p10, photo p11 follow in this order.)',
        'Result of get_photos: {"count":2}\n(The picture of photo p20 follows.)',
        'Result of get_photos: {"count":2}',
    ]


@requirement("llama.vision")
@pytest.mark.parametrize("small", [False, True])
async def test_a_model_that_sees_nothing_is_told_so_in_text(*, small: bool) -> None:
    engine = FakeEngine(REPLY)
    one = model(engine, sees=False, small=small)
    assert one.photos_kept == 0
    await turn(one, (*looked(1, SEA, BOAT, text="x" * 500), UserMessage(text="Which?")))
    messages = engine.jobs[0].messages
    assert not any(m.images for m in messages)
    told = [m.content for m in messages if "you cannot see pictures" in m.content]
    assert len(told) == 1
    assert told[0].startswith("Result of get_photos: [2 photos were shown to the user; you cannot see pictures.]\nxxx")


@requirement("context.photos")
def test_the_prompt_stays_the_same_up_to_the_photo_that_leaves_the_last_two() -> None:
    history = (*looked(1, SEA), *looked(2, BOAT))
    before = turns(keep_newest(history, LOCAL_PHOTOS)[0])
    same = turns(keep_newest((*history, *looked(3)), LOCAL_PHOTOS)[0])
    assert same[: len(before)] == before
    moved = turns(keep_newest((*history, *looked(3, TALL)), LOCAL_PHOTOS)[0])
    changed = [n for n, (a, b) in enumerate(zip(before, moved, strict=False)) if a != b]
    assert [before[n].images for n in changed] == [(SEA,)]
    assert moved[changed[0]].content.endswith("\n(The picture of photo p10 stood here. Ask for it again to see it.)")


def test_turns_of_the_same_role_become_one_with_the_pictures_of_both() -> None:
    last = turns((*looked(1, SEA)[:3], UserMessage(text="Wait.")))[-1]
    assert last.content.endswith("follows.)\n\nWait.")
    assert last.images == (SEA,)


@requirement("llama.vision", "llama.cache")
async def test_a_conversation_about_pictures_with_a_model_that_really_sees(tmp_path: Path) -> None:
    pair = gemma_pair(tmp_path)
    settings = EngineSettings(path=pair.model, projector=pair.projector, context_tokens=4_096, threads=1)
    engine = LlamaEngine(settings)
    try:
        one = model(engine, sees=True)
        history = (*looked(1, SEA, BOAT), UserMessage(text="Which?"))
        first = await turn(one, history)
        assert first.usage.cached_tokens == 0
        longer = (*history, first.turn, *looked(2), UserMessage(text="And now?"))
        second = await turn(one, longer)
        assert second.usage.cached_tokens >= first.usage.prompt_tokens - 1
    finally:
        await engine.close()
