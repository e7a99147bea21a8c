"""Which pictures a model still sees."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.parts import AssistantTurn, History, Image, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.photos import keep_newest, without_pictures
from tests.requirement import requirement


def looks(*counts: int) -> History:
    """A turn for each number, whose result shows so many pictures."""
    history: list[UserMessage | AssistantTurn | ToolResults] = []
    shown = 0
    for place, count in enumerate(counts):
        images = tuple(
            Image(mime_type="image/jpeg", data=b"jpeg", photo_id=f"p{shown + n}" if n % 2 == 0 else None)
            for n in range(count)
        )
        shown += count
        result = ToolResult(call_id=f"c{place}", tool="look", outcome="success", text="{}", images=images)
        call = ToolCall(call_id=f"c{place}", tool="look", arguments={})
        history += (UserMessage(text="look"), AssistantTurn(calls=(call,)), ToolResults(results=(result,)))
    return tuple(history)


def pictures(history: History) -> list[Image]:
    return [i for m in history if isinstance(m, ToolResults) for result in m.results for i in result.images]


@requirement("context.fit")
@given(st.lists(st.integers(0, 4), max_size=6), st.integers(0, 5))
def test_the_newest_pictures_stay_and_all_others_become_a_line(counts: list[int], kept: int) -> None:
    history = looks(*counts)
    shown, replaced = keep_newest(history, kept)
    before = pictures(history)
    assert pictures(shown) == before[max(0, len(before) - kept) :]
    assert replaced == max(0, len(before) - kept)
    assert msgspec.json.encode(shown).count(b"stood here") == replaced
    assert keep_newest(shown, kept) == (shown, 0)


@requirement("context.fit")
def test_the_line_names_the_photo_and_is_the_same_every_time() -> None:
    history = looks(1, 1, 1)
    shown, _ = keep_newest(history, 2)
    first = shown[2]
    assert isinstance(first, ToolResults)
    assert first.results[0].text == "{}\n(The picture of photo p0 stood here. Ask for it again to see it.)"
    later, _ = keep_newest((*history, *looks(1)), 2)
    assert later[2] == first


@requirement("llama.vision")
@given(st.lists(st.integers(0, 3), max_size=5))
def test_a_model_that_sees_nothing_is_told_once_a_result_and_always_the_same(counts: list[int]) -> None:
    history = looks(*counts)
    told = without_pictures(history)
    assert pictures(told) == []
    assert msgspec.json.encode(told).count(b"you cannot see pictures.]") == sum(count > 0 for count in counts)
    assert without_pictures(told) == told
    for cut in range(len(history)):
        assert without_pictures(history[:cut]) == told[:cut]


@requirement("llama.vision")
def test_it_is_told_how_many_the_user_sees_in_front_of_the_result() -> None:
    texts = [m.results[0].text for m in without_pictures(looks(1, 2)) if isinstance(m, ToolResults)]
    assert texts == [
        "[1 photo was shown to the user; you cannot see pictures.]\n{}",
        "[2 photos were shown to the user; you cannot see pictures.]\n{}",
    ]
