"""What a run does next, over every kind of model: one that answers, one that never does, one that goes in circles."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.loop import (
    MAX_STEPS,
    MOST_REFUSALS,
    AnswerCalls,
    End,
    LoopState,
    RefuseCall,
    RunCall,
    Step,
    TakeTurn,
    next_step,
)
from safelight.conversation.parts import AssistantTurn, Outcome, ToolCall, ToolResult
from tests.requirement import requirement

OUTCOMES: tuple[Outcome, ...] = ("success", "failed", "denied", "interrupted", "skipped")

CALLS = st.lists(st.tuples(st.sampled_from(["look", "rate"]), st.integers(0, 40)), max_size=4)


@dataclass(frozen=True)
class Said:
    """What the model says in one turn: its calls as tool and number, whether the last of them was cut, its text."""

    calls: tuple[tuple[str, int], ...]
    cut_off: bool
    text: str


SAID = st.builds(Said, calls=CALLS.map(tuple), cut_off=st.booleans(), text=st.sampled_from(["", "So."]))
"""Now and then the model calls nothing and the run is over, mostly it calls."""
CALLING = st.builds(Said, calls=CALLS.filter(bool).map(tuple), cut_off=st.just(False), text=st.just(""))
NARROW = st.builds(
    Said,
    calls=st.lists(st.tuples(st.just("look"), st.integers(0, 3)), min_size=1, max_size=3).map(tuple),
    cut_off=st.booleans(),
    text=st.just(""),
)
TIRELESS = st.integers(1, 4).map(
    lambda width: [Said(tuple(("look", n * width + k) for k in range(width)), False, "") for n in range(30)]
)
"""It always calls, and never the same."""
MODELS = st.one_of(TIRELESS, *(st.lists(one, min_size=1, max_size=30) for one in (SAID, CALLING, NARROW)))


@dataclass
class Played:
    """The steps of a run, with the state that each was taken in."""

    steps: list[Step] = field(default_factory=list[Step])
    states: list[LoopState] = field(default_factory=list[LoopState])
    turns: list[AssistantTurn] = field(default_factory=list[AssistantTurn])

    @property
    def answers(self) -> list[AnswerCalls]:
        return [step for step in self.steps if isinstance(step, AnswerCalls)]


def play(model: list[Said], stop_at: int | None = None, outcomes: list[Outcome] | None = None) -> Played:
    """A run with this model, which says its turns round and round, stopped before the step ``stop_at``."""
    played, state = Played(), LoopState()
    for number in range(100):
        if number == stop_at:
            state = state.after_stop("user")
        step = next_step(state)
        played.steps.append(step)
        played.states.append(state)
        if isinstance(step, End):
            return played
        if isinstance(step, TakeTurn):
            said = model[len(played.turns) % len(model)]
            place = len(played.turns)
            calls = tuple(
                ToolCall(call_id=f"c{place}.{nth}", tool=tool, arguments={"n": n})
                for nth, (tool, n) in enumerate(said.calls)
            )
            turn = AssistantTurn(text=said.text, calls=calls)
            played.turns.append(turn)
            state = state.after_turn(turn, cut_off=said.cut_off and bool(calls))
        else:
            ends = outcomes or ["success"]
            results = tuple(
                ToolResult(call_id=answer.call.call_id, tool=answer.call.tool, outcome=ends[nth % len(ends)], text="x")
                for nth, answer in enumerate(step.answers)
            )
            state = state.after_calls(step, results)
    raise AssertionError("the run never ended")


@requirement("session.max-steps")
@given(model=MODELS)
def test_no_model_gets_more_than_twelve_turns_and_the_last_may_make_no_call(model: list[Said]) -> None:
    played = play(model)
    turns = [step for step in played.steps if isinstance(step, TakeTurn)]
    assert len(turns) <= MAX_STEPS
    assert all(not step.may_call for step in turns[MAX_STEPS - 1 :])
    assert all(step.may_call for step in turns[:-1])


@requirement("session.every-call-has-a-result")
@given(model=MODELS, stop_at=st.none() | st.integers(0, 30))
def test_each_call_is_answered_once_in_order_directly_behind_its_turn(model: list[Said], stop_at: int | None) -> None:
    played = play(model, stop_at)
    assert [[answer.call for answer in step.answers] for step in played.answers] == [
        list(turn.calls) for turn in played.turns if turn.calls
    ]
    for before, after in pairwise(played.steps):
        assert not (isinstance(before, AnswerCalls) and isinstance(after, AnswerCalls))


@requirement("session.repeat-refused")
@given(model=MODELS, outcomes=st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=4))
def test_no_call_runs_twice_for_one_message_however_the_first_one_ended(
    model: list[Said], outcomes: list[Outcome]
) -> None:
    """agentscope-ai/QwenPaw#6116: a call that succeeded was made again and again. BaseIntelligence#50173: another
    result hid that the call was the same."""
    played = play(model, outcomes=outcomes)
    ran = [
        (answer.call.tool, answer.call.arguments["n"])
        for step in played.answers
        for answer in step.answers
        if isinstance(answer, RunCall)
    ]
    assert len(ran) == len(set(ran))


@requirement("session.repeat-refused")
@given(model=MODELS)
def test_after_three_refused_calls_the_next_turn_may_call_nothing_and_is_the_last(model: list[Said]) -> None:
    played = play(model)
    refusals = 0
    for place, step in enumerate(played.steps):
        if isinstance(step, AnswerCalls):
            refusals += sum(
                isinstance(answer, RefuseCall) and answer.reason in ("repeated_call", "incomplete")
                for answer in step.answers
            )
        if isinstance(step, TakeTurn) and refusals >= MOST_REFUSALS:
            assert not step.may_call
            assert sum(isinstance(later, TakeTurn) for later in played.steps[place:]) == 1


@requirement("session.max-steps", "session.every-call-has-a-result")
@given(model=MODELS)
def test_calls_of_a_turn_that_may_make_none_do_not_run_and_the_run_ends_with_something_to_read(
    model: list[Said],
) -> None:
    played = play(model)
    may_call = True
    for step in played.steps:
        if isinstance(step, TakeTurn):
            may_call = step.may_call
        elif isinstance(step, AnswerCalls) and not may_call:
            assert all(isinstance(answer, RefuseCall) for answer in step.answers)
    end = played.steps[-1]
    assert isinstance(end, End)
    said = played.turns[-1]
    assert end.text or (said.text and not said.calls)


@requirement("session.stop")
@given(model=MODELS, stop_at=st.integers(0, 30))
def test_nothing_begins_after_a_stop(model: list[Said], stop_at: int) -> None:
    played = play(model, stop_at)
    after = played.steps[stop_at:]
    assert not any(isinstance(step, TakeTurn) for step in after)
    assert not any(
        isinstance(answer, RunCall) for step in after if isinstance(step, AnswerCalls) for answer in step.answers
    )
    assert not after or after[-1] == End("stopped")


@given(model=MODELS)
def test_a_call_that_was_cut_never_runs_and_may_be_made_again(model: list[Said]) -> None:
    played = play(model)
    cut = iter([model[place % len(model)].cut_off for place, turn in enumerate(played.turns) if turn.calls])
    for step in played.answers:
        last = step.answers[-1]
        assert (isinstance(last, RefuseCall) and last.reason == "incomplete") == next(cut)
    first = play([Said((("look", 1),), cut_off=True, text=""), Said((("look", 1),), cut_off=False, text="")])
    assert [type(step.answers[0]) for step in first.answers[:2]] == [RefuseCall, RunCall]


def test_two_alike_calls_of_one_turn_run_once_and_the_second_is_told_where_the_result_stands() -> None:
    played = play([Said((("look", 1), ("look", 1)), cut_off=False, text=""), Said((), cut_off=False, text="Ok.")])
    ran, refused = played.answers[0].answers
    assert isinstance(ran, RunCall)
    assert isinstance(refused, RefuseCall)
    assert refused.reason == "repeated_call"
    assert "beside this one" in refused.text


def test_an_empty_answer_ends_with_something_to_read() -> None:
    played = play([Said((), cut_off=False, text="")])
    end = played.steps[-1]
    assert isinstance(end, End)
    assert (end.why, "empty answer" in end.text) == ("answer", True)
