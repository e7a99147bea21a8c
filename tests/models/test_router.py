"""What a message means is found by likelihood, and what to do next follows from it alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.models.chat_model import ToolOffer
from safelight.models.filters import FILTERS
from safelight.models.local_examples import PATTERNS
from safelight.models.practised import practised
from safelight.models.router import Router
from safelight.models.steps import Plan, last_pattern, next_step
from safelight.models.values import VALUES
from safelight.models.ways import ACTS, TARGETS, Way
from tests.models.fake_engine import FakeEngine
from tests.models.offers import OFFERS

ASKED = UserMessage(text="Do it")


def way(ways: tuple[Way, ...], name: str) -> Way:
    return next(one for one in ways if one.name == name)


def plan(act: str, target: str | None = None) -> Plan:
    """Photos are looked for by a text where any are."""
    act_way = way(ACTS, act)
    target = target or ("selection" if act_way.on_photos else None)
    meant = Plan(act_way, target, None)
    return Plan(act_way, target, "text") if meant.searches else meant


def step(tool: str, outcome: Any = "success", **result: Any) -> History:
    """A call and its result."""
    call = ToolCall(call_id="c", tool=tool, arguments={})
    done = ToolResult(call_id="c", tool=tool, outcome=outcome, text=json.dumps(result, separators=(",", ":")))
    return (AssistantTurn(calls=(call,)), ToolResults(results=(done,)))


def follow(meant: Plan, *results: History) -> list[tuple[str | None, dict[str, str]]]:
    """The calls that follow each other, with what is known of them, until the reply."""
    history: History = (ASKED,)
    made: list[tuple[str | None, dict[str, str]]] = []
    for result in (*results, ()):
        if (following := next_step(meant, history)) is None:
            break
        made.append((following.pattern.tool, following.fixed))
        history += result
    return made


FOUND = step("search_photos", set_id="set_a", count=3)
CREATED = step("create_collection", collection_id="c1", name="x", change_id="chg_1")
CHANGED = step("set_rating", applied=["p"], change_id="chg_2")


CASES: list[tuple[Plan, tuple[History, ...], list[tuple[str | None, dict[str, str]]]]] = [
    (plan("search"), (FOUND,), [("search_photos", {})]),
    (plan("look"), (FOUND,), [("get_photos", {"set": "selection"})]),
    (plan("rate"), (CHANGED,), [("set_rating", {"set": "selection"})]),
    (plan("rate", "view"), (CHANGED,), [("set_rating", {"set": "view"})]),
    (plan("rate", "results"), (CHANGED,), [("set_rating", {"set": "selection"})]),
    (plan("rate", "described"), (FOUND, CHANGED), [("search_photos", {}), ("set_rating", {"set": "set_a"})]),
    (plan("show", "described"), (FOUND, CHANGED), [("search_photos", {}), ("show_photos", {"set": "set_a"})]),
    (
        plan("collect", "described"),
        (FOUND, CREATED, CHANGED),
        [("search_photos", {}), ("create_collection", {}), ("add_to_collection", {"set": "set_a"})],
    ),
    (plan("create"), (CREATED,), [("create_collection", {})]),
    (plan("undo"), (), []),
    (plan("greet"), (), []),
]


@pytest.mark.parametrize(("meant", "results", "made"), CASES)
def test_the_steps_follow_from_the_meaning(
    meant: Plan, results: tuple[History, ...], made: list[tuple[str | None, dict[str, str]]]
) -> None:
    assert follow(meant, *results) == made


@pytest.mark.parametrize(
    "result",
    [
        step("search_photos", set_id="set_a", count=0),
        step("search_photos", "failed"),
        step("search_photos", "denied"),
        step("search_photos", "interrupted"),
    ],
)
def test_after_a_failure_or_an_empty_search_nothing_more_is_called(result: History) -> None:
    assert len(follow(plan("rate", "described"), result, CHANGED)) == 1


def test_photos_found_for_an_earlier_message_can_be_meant_and_its_change_taken_back() -> None:
    history: History = (ASKED, *FOUND, *CHANGED, AssistantTurn(text="Done."), ASKED)
    for meant, fixed in ((plan("label", "results"), {"set": "set_a"}), (plan("undo"), {"change_id": "chg_2"})):
        following = next_step(meant, history)
        assert following is not None
        assert following.fixed == fixed


def test_the_reply_is_about_the_last_call() -> None:
    meant = plan("rate", "described")
    assert last_pattern(meant, (ASKED,)) is PATTERNS["text"]
    assert last_pattern(meant, (ASKED, *FOUND)) is PATTERNS["text"]
    assert last_pattern(meant, (ASKED, *FOUND, *CHANGED)) is PATTERNS["rate"]


async def test_each_question_is_answered_by_the_likeliest_of_its_own_ways() -> None:
    engine = FakeEngine(likely="certain year")
    router = Router(practised(OFFERS))
    meant = await router.plan(engine, "Photos of 1999")
    assert (meant.act.name, meant.target, meant.filter) == ("search", None, "year")
    await router.plan(engine, "Photos of 1999")
    assert engine.messages == ["Photos of 1999\n", "Photos"] * 2, "two questions, and not again for the same message"


async def test_the_first_word_of_a_message_counts_half() -> None:
    class Begins(FakeEngine):
        async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
            """The thanks are likely to begin with this word, and all that follows is likeliest in a search."""
            first = [0.0 if "thanking" in opening else -1.5 for opening in openings]
            rest = [-1.0 if "looking for photos" in opening else -2.0 for opening in openings]
            alone = " " not in text.strip()
            return tuple(a if alone else a + b for a, b in zip(first, rest, strict=True))

    router = Router(practised(OFFERS))
    assert (await router.plan(Begins(), "Thanks to boats")).act.name == "search"
    assert (await router.plan(Begins(), "Thanks")).act.name == "thanks"


async def test_values_that_are_few_are_found_by_likelihood_too() -> None:
    router = Router(practised(OFFERS))
    engine = FakeEngine(likely="four stars")
    assert await router.values(engine, PATTERNS["rate"], "Give it 4") == {"rating": 4}
    assert await router.values(engine, PATTERNS["rating_from"], "4 or more") == {"rating_min": 4, "rating_max": 5}
    assert await router.values(FakeEngine(likely="rejected, the"), PATTERNS["flag"], "Bad ones") == {"flag": "reject"}
    assert await router.language(FakeEngine(likely="German"), "Hallo") == 1


async def test_a_way_whose_tools_are_not_offered_is_not_compared() -> None:
    offered = tuple(tool for tool in OFFERS if tool.name != "set_rating")
    engine = FakeEngine(likely="stars or to take stars away")
    meant = await Router(practised(offered)).plan(engine, "Rate it")
    assert meant.act.name == "search"


def test_without_any_practised_tool_nothing_is_routed() -> None:
    strange = ToolOffer(name="other", title="", description="", input_schema={})
    assert not Router((strange,)).can_call
    assert Router(practised(OFFERS)).can_call


def test_every_way_has_its_patterns_and_every_name_is_there_once() -> None:
    for ways in (ACTS, TARGETS, FILTERS):
        names = [one.name for one in ways]
        assert len(names) == len(set(names))
    assert {name for act in ACTS for name in act.steps} | {one.name for one in FILTERS} == PATTERNS.keys()
    for one in (*ACTS, *TARGETS, *FILTERS, *(way for ways in VALUES.values() for way in ways)):
        assert one.opening.endswith("\n-"), "a message follows as the next of the list"
