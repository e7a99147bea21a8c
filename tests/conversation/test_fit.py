"""A history in a model's window."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.estimate import estimate
from safelight.conversation.fit import GIVEN_UP, LEFT_OUT, GivenUp, fit, last_exchange
from safelight.conversation.parts import AssistantTurn, History, Image, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.repair import repair
from tests.requirement import requirement


def exchange(number: int, steps: int, chars: int, photos: int = 0) -> History:
    history: list[UserMessage | AssistantTurn | ToolResults] = [UserMessage(text=f"request {number}")]
    for step in range(steps):
        call_id = f"c{number}.{step}"
        images = (Image(mime_type="image/jpeg", data=b"jpeg"),) * photos
        history += (
            AssistantTurn(reasoning="I look.", calls=(ToolCall(call_id=call_id, tool="look", arguments={}),)),
            ToolResults(
                results=(ToolResult(call_id=call_id, tool="look", outcome="success", text="x" * chars, images=images),)
            ),
        )
    return (*history, AssistantTurn(text="That is all."))


def conversation(shape: list[tuple[int, int]]) -> History:
    return tuple(m for number, (steps, chars) in enumerate(shape) for m in exchange(number, steps, chars, steps % 2))


SHAPES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 400)), min_size=1, max_size=8)


@requirement("context.fit")
@given(SHAPES)
def test_what_fits_is_sent_as_it_is(shape: list[tuple[int, int]]) -> None:
    history = conversation(shape)
    fitted = fit(history, estimate(history), GivenUp())
    assert fitted.history == history
    assert fitted.given_up == GivenUp()
    assert fitted.tokens == estimate(history)


@requirement("context.fit", "context.repair")
@given(SHAPES, st.integers(0, 3_000))
def test_the_last_exchange_is_never_touched_and_no_cut_separates_calls_from_results(
    shape: list[tuple[int, int]], room: int
) -> None:
    """OpenHands/OpenHands#7512: trimming cut between a call and its result. Kilo-Org/kilocode PR#12792,
    Kilo-Org/kilocode PR#13340: the step that was going on was forgotten. openclaw#1084, openclaw#66126, pi#7253:
    shortening damaged the work that was going on."""
    history = conversation(shape)
    last = history[last_exchange(history) :]
    fitted = fit(history, room, GivenUp())
    assert fitted.history[-len(last) :] == last
    assert repair(fitted.history) == fitted.history
    assert fitted.tokens == estimate(fitted.history)
    assert fitted.tokens <= room or len(fitted.history) <= len(last) + 1


@requirement("context.fit")
@given(SHAPES, st.integers(0, 3_000))
def test_what_was_given_up_stays_given_up_and_nothing_more_goes_without_need(
    shape: list[tuple[int, int]], room: int
) -> None:
    history = conversation(shape)
    fitted = fit(history, room, GivenUp())
    again = fit(history, max(room, fitted.tokens), fitted.given_up)
    assert again == fitted
    assert fit(history, 10**9, fitted.given_up).history == fitted.history


@requirement("context.fit", "prompt.stable-prefix")
@given(SHAPES, st.integers(500, 3_000))
def test_a_growing_history_keeps_its_beginning_until_more_is_given_up(shape: list[tuple[int, int]], room: int) -> None:
    history = conversation(shape)
    given_up, sent = GivenUp(), b""
    for place, message in enumerate(history):
        if not isinstance(message, ToolResults | UserMessage):
            continue
        fitted = fit(history[: place + 1], room, given_up)
        now = b"".join(map(msgspec.json.encode, fitted.history))
        assert now.startswith(sent) or fitted.given_up != given_up
        assert fitted.given_up.results >= given_up.results
        assert fitted.given_up.messages >= given_up.messages
        given_up, sent = fitted.given_up, now


@requirement("context.fit")
def test_the_oldest_results_give_up_text_and_photos_first() -> None:
    history = (*exchange(0, 1, 3_000, photos=1), *exchange(1, 1, 3_000), *exchange(2, 1, 3_000))
    fitted = fit(history, 2_700, GivenUp())
    results = [m.results[0] for m in fitted.history if isinstance(m, ToolResults)]
    assert [(one.text[:1], len(one.images)) for one in results] == [("(", 0), ("(", 0), ("x", 0)]
    assert results[0].text == results[1].text == GIVEN_UP
    assert len(fitted.history) == len(history)


@requirement("context.fit")
def test_a_result_that_is_shorter_than_the_note_is_kept() -> None:
    history = (*exchange(0, 1, 10), *exchange(1, 1, 3_000), *exchange(2, 1, 30))
    fitted = fit(history, 300, GivenUp())
    texts = [m.results[0].text for m in fitted.history if isinstance(m, ToolResults)]
    assert texts == ["x" * 10, GIVEN_UP, "x" * 30]


@requirement("context.fit")
def test_then_whole_exchanges_go_with_one_note_and_down_to_a_low_water_mark() -> None:
    history = tuple(m for number in range(40) for m in exchange(number, 1, 90))
    room = 800
    assert estimate(history) > room
    fitted = fit(history, room, GivenUp())
    assert fitted.history[0] == UserMessage(text=LEFT_OUT)
    assert isinstance(fitted.history[1], UserMessage)
    assert fitted.history[1].text.startswith("request ")
    assert [m.text for m in fitted.history if isinstance(m, UserMessage)].count(LEFT_OUT) == 1
    assert room // 2 < fitted.tokens <= room * 3 // 4
    grown = (*history, *exchange(40, 1, 90))
    assert fit(grown, room, fitted.given_up).given_up == fitted.given_up
