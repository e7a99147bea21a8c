"""What was shown is what runs, also where the person edits the call, and where nobody is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from safelight.chat.question_texts import STOPPED, denied, nobody_answered, nobody_at_the_page, time_is_over
from safelight.gate.arguments import ArgumentCheck
from safelight.gate.gate import Failed, Gate, Ran, Refused
from safelight.gate.journal import Journal
from safelight.gate.principal import Allowed, Denied, NobodyToAsk, Profile, Question, Reply
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.wire.base import ToolSpec
from safelight.wire.models import Mode, Preview, Role, Rule
from tests.requirement import requirement

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "set": {"type": "string"},
        "photo_ids": {"type": "array", "items": {"type": "string"}},
        "rating": {"type": "number", "minimum": 0, "maximum": 5, "multipleOf": 0.5},
    },
}


class RateTool:
    """Rates photos of a set or by id. ``selection`` is what is selected in Lightroom now."""

    def __init__(self, *, destructive: bool = True) -> None:
        self.spec = ToolSpec(
            name="rate",
            title="Rate",
            description="",
            read_only=False,
            destructive=destructive,
            idempotent=True,
            open_world=False,
            on_photos=True,
            input_schema=SCHEMA,
            output_schema={"type": "object"},
        )
        self.selection = ["a", "b"]
        self.sets: dict[str, list[str]] = {}
        self.rated: list[tuple[list[str], float]] = []
        self.asked_lightroom = 0

    def _photos(self, arguments: dict[str, Any]) -> list[str]:
        if "photo_ids" in arguments:
            return arguments["photo_ids"]
        if arguments["set"] == "selection":
            self.asked_lightroom += 1
            return list(self.selection)
        return self.sets[arguments["set"]]

    async def count(self, arguments: dict[str, Any]) -> int | None:
        return len(self._photos(arguments))

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments.get("set") != "selection":
            return arguments
        name = f"set_{len(self.sets)}"
        self.sets[name] = self._photos(arguments)
        return {**arguments, "set": name}

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        return None

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        self.rated.append((self._photos(arguments), arguments["rating"]))
        return ToolAnswer(content={})


class Person:
    """Answers with what the test says; ``before_running`` happens right before the tool runs."""

    def __init__(self, *replies: Callable[[Question], Reply], mode: Mode = "auto_read", role: Role = "owner") -> None:
        self.ran_with: list[dict[str, Any]] = []
        self.replies = list(replies)
        self.questions: list[Question] = []
        self.rules: dict[str, Rule] = {}
        self.before_running: Callable[[], None] = lambda: None
        self._mode: Mode = mode
        self._role: Role = role

    def profile(self) -> Profile:
        return Profile(by="person", role=self._role, mode=self._mode, rules=self.rules, bulk_limit=3)

    async def ask(self, question: Question) -> Reply:
        self.questions.append(question)
        return self.replies.pop(0)(question)

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        self.ran_with.append(arguments)
        self.before_running()
        return None


SELECTED: dict[str, Any] = {"set": "selection", "rating": 5}


@requirement("perm.frozen")
async def test_who_changes_the_stars_still_means_the_photos_that_were_shown(journal: Journal) -> None:
    tool = RateTool()

    def edit(question: Question) -> Reply:
        tool.selection = ["x", "y", "z"]
        return Allowed(arguments={**question.arguments, "rating": 4})

    person = Person(edit)
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Ran)
    assert tool.rated == [(["a", "b"], 4)]
    assert [question.photos for question in person.questions] == [2]


@requirement("perm.frozen", "perm.bulk")
async def test_who_changes_the_target_to_more_photos_is_asked_again_with_those(journal: Journal) -> None:
    tool = RateTool()
    wider = {"photo_ids": ["a", "b", "c", "d"], "rating": 4}
    person = Person(lambda _: Allowed(arguments=wider), lambda _: Denied(why="not_allowed", text="no"))
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Refused)
    assert [(question.photos, question.arguments) for question in person.questions] == [(2, SELECTED), (4, wider)]
    assert [question.reason.kind for question in person.questions] == ["mode", "bulk"]
    assert tool.rated == []


@requirement("perm.frozen")
async def test_who_changes_the_target_to_other_photos_gets_those(journal: Journal) -> None:
    tool = RateTool()
    person = Person(lambda _: Allowed(arguments={"photo_ids": ["c"], "rating": 4}))
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Ran)
    assert tool.rated == [(["c"], 4)]


@requirement("perm.bulk")
async def test_where_nobody_is_asked_the_photos_that_were_counted_are_those_that_change(journal: Journal) -> None:
    tool = RateTool()
    person = Person(mode="auto_all")

    def select_many() -> None:
        tool.selection = [str(n) for n in range(1_000)]

    person.before_running = select_many
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Ran)
    assert tool.rated == [(["a", "b"], 5)]


@requirement("perm.rules", "auth.roles")
@pytest.mark.parametrize("refused_by", ["role", "rule"])
async def test_what_can_never_run_is_refused_without_asking_lightroom_anything(
    refused_by: str, journal: Journal
) -> None:
    tool = RateTool()
    person = Person(mode="auto_all", role="editor" if refused_by == "role" else "owner")
    if refused_by == "rule":
        person.rules = {"rate": "block"}
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Refused)
    assert (tool.asked_lightroom, tool.sets, tool.rated) == (0, {}, [])


@requirement("perm.frozen")
async def test_a_question_says_what_is_wrong_with_arguments_before_they_are_taken(journal: Journal) -> None:
    tool = RateTool()
    person = Person(lambda _: Denied(why="not_allowed", text="no"))
    await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED)
    (question,) = person.questions
    assert question.wrong(SELECTED) is None
    assert "rating" in (question.wrong({**SELECTED, "rating": 6}) or "")
    assert question.wrong({**SELECTED, "photo": 1})


@requirement("perm.frozen")
async def test_arguments_that_do_not_fit_never_run_whoever_lets_them_through(journal: Journal) -> None:
    tool = RateTool()
    person = Person(lambda _: Allowed(arguments={"set": "selection", "rating": 50}))
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Failed)
    assert tool.rated == []


@requirement("limit.input")
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 10**5_000], ids=type)
def test_a_number_that_is_none_is_wrong_for_every_schema(number: float) -> None:
    for schema in (SCHEMA, {"type": "object"}):
        assert ArgumentCheck(schema).problem({"rating": number}) is not None


@requirement("perm.frozen", "bridge.identity")
async def test_who_allowed_a_call_in_another_catalog_is_asked_again(journal: Journal) -> None:
    """Photos of a catalog and of its copy have the same ids."""
    tool = RateTool()
    open_now = ["original"]

    def opens_the_copy(question: Question) -> Reply:
        open_now.append("copy")
        return Allowed()

    person = Person(opens_the_copy, lambda _: Denied(why="not_allowed", text="no"))
    gate = Gate({"rate": tool}, journal, lambda: open_now[-1])
    passage = await gate.call(person, "c1", "rate", {"photo_ids": ["a"], "rating": 5})
    assert isinstance(passage, Refused)
    assert (len(person.questions), tool.rated) == (2, [])


@requirement("perm.frozen")
async def test_a_model_whose_arguments_were_changed_is_told_and_no_other(journal: Journal) -> None:
    tool = RateTool()
    person = Person(
        lambda question: Allowed(arguments={**question.arguments, "rating": 4}),
        lambda question: Allowed(arguments=dict(question.arguments)),
        lambda _: Allowed(),
    )
    gate = Gate({"rate": tool}, journal)
    told: list[str] = []
    for _ in range(3):
        passage = await gate.call(person, "c1", "rate", SELECTED)
        assert isinstance(passage, Ran)
        told.append(passage.changed)
    sentence = 'The user changed the arguments to {"set":"selection","rating":4} before allowing this.'
    assert told == [sentence, "", ""]
    assert person.ran_with == [{"set": "set_0", "rating": 4}, *({"set": f"set_{n}", "rating": 5} for n in (1, 2))]


@requirement("perm.frozen")
async def test_a_model_is_told_of_changed_arguments_also_when_the_call_fails(journal: Journal) -> None:
    tool = RateTool()
    person = Person(lambda _: Allowed(arguments={"photo_ids": ["a"]}))
    passage = await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED)
    assert isinstance(passage, Failed)
    assert passage.text.startswith('The user changed the arguments to {"photo_ids":["a"]}')


@requirement("perm.frozen", "perm.bulk")
async def test_who_changes_the_target_to_more_photos_below_the_limit_is_asked_again_too(journal: Journal) -> None:
    tool = RateTool()
    wider = {"photo_ids": ["a", "b", "c"], "rating": 4}
    person = Person(lambda _: Allowed(arguments=wider), lambda _: Allowed())
    assert isinstance(await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED), Ran)
    assert [(question.photos, question.reason.kind) for question in person.questions] == [(2, "mode"), (3, "mode")]
    assert tool.rated == [(["a", "b", "c"], 4)]


@requirement("perm.rules", "perm.frozen")
@pytest.mark.parametrize("moment", ["while it is asked", "right before it runs"])
async def test_a_tool_that_is_turned_off_meanwhile_does_not_run_although_it_was_allowed(
    moment: str, journal: Journal
) -> None:
    tool = RateTool()

    def turn_off() -> None:
        person.rules = {"rate": "block"}

    def answer(_: Question) -> Reply:
        if moment == "while it is asked":
            turn_off()
        return Allowed(arguments={"photo_ids": ["c"], "rating": 4})

    person = Person(answer)
    if moment == "right before it runs":
        person.before_running = turn_off
    passage = await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED)
    assert isinstance(passage, Refused)
    assert (passage.why, tool.rated) == ("turned_off", [])


@requirement("perm.rules", "perm.denied-never-runs")
async def test_each_refusal_tells_the_model_why_in_words_of_its_own(journal: Journal) -> None:
    """anthropics/claude-code#9383, anthropics/claude-code#95660, anthropics/claude-code#53169: the model read that the
    user had denied, although nobody was asked, and gave up."""
    gate = Gate({"rate": RateTool()}, journal)
    blocked = Person()
    blocked.rules = {"rate": "block"}
    callers = {
        "no": Person(lambda _: Denied(why="not_allowed", text=denied("too many"))),
        "expired": Person(lambda _: Denied(why="not_allowed", text=nobody_answered(time_is_over(3_600)))),
        "away": Person(lambda _: Denied(why="not_allowed", text=nobody_answered(nobody_at_the_page(600)))),
        "stopped": Person(lambda _: Denied(why="stopped", text=STOPPED)),
        "nobody": Person(lambda _: NobodyToAsk()),
        "blocked": blocked,
        "role": Person(role="editor"),
    }
    texts: dict[str, str] = {}
    for name, caller in callers.items():
        passage = await gate.call(caller, "c1", "rate", SELECTED)
        assert isinstance(passage, Refused)
        texts[name] = passage.text
    assert len(set(texts.values())) == len(callers)
    assert texts["no"].endswith("They said: too many")
    assert [name for name, text in texts.items() if "did not allow" in text] == ["no"]
    assert "within 1 hour" in texts["expired"]
    assert "nobody was at the page for 10 minutes" in texts["away"]
    assert all("has not said no" in texts[name] for name in ("expired", "away"))
    assert "settings" in texts["blocked"]
    assert "role" in texts["role"]


@requirement("perm.denied-never-runs", "perm.modes")
async def test_a_call_that_was_free_does_not_run_unasked_once_it_has_to_be_asked(journal: Journal) -> None:
    tool = RateTool()
    person = Person(mode="auto_all")

    def ask_again() -> None:
        person.rules = {"rate": "ask"}

    person.before_running = ask_again
    passage = await Gate({"rate": tool}, journal).call(person, "c1", "rate", SELECTED)
    assert isinstance(passage, Refused)
    assert (passage.why, tool.rated) == ("not_allowed", [])
    assert "has to be asked" in passage.text


@requirement("perm.frozen", "bridge.identity")
@pytest.mark.parametrize("mode", ["auto_all", "auto_read"])
async def test_a_call_does_not_run_in_a_catalog_that_was_opened_right_before(mode: Mode, journal: Journal) -> None:
    tool = RateTool()
    open_now = ["original"]
    person = Person(lambda _: Allowed(), mode=mode)
    person.before_running = lambda: open_now.append("copy")
    gate = Gate({"rate": tool}, journal, lambda: open_now[-1])
    passage = await gate.call(person, "c1", "rate", {"photo_ids": ["a"], "rating": 5})
    assert isinstance(passage, Failed)
    assert (passage.code, tool.rated) == ("CATALOG_CHANGED", [])


@requirement("perm.frozen", "bridge.identity")
async def test_what_was_allowed_in_one_catalog_does_not_run_in_another_where_all_is_free(journal: Journal) -> None:
    tool = RateTool()
    open_now = ["original"]

    def opens_the_free_copy(question: Question) -> Reply:
        open_now.append("copy")
        person.rules = {"rate": "allow"}
        return Allowed()

    person = Person(opens_the_free_copy)
    gate = Gate({"rate": tool}, journal, lambda: open_now[-1])
    passage = await gate.call(person, "c1", "rate", {"photo_ids": ["a"], "rating": 5})
    assert isinstance(passage, Failed)
    assert (passage.code, tool.rated) == ("CATALOG_CHANGED", [])
