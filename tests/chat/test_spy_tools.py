"""Pages, loop and plug-in in every order: what was not allowed runs zero times, what was allowed runs once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from safelight.chat import toolbox
from safelight.chat.limits import ChatLimits
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.tools import mcp_server
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    PermissionsUpdate,
    ToolRunningEvent,
)
from tests.chat.interleaving import run_interleaved
from tests.chat.spies import Party, World, check, lived, rating, turns_of
from tests.requirement import requirement

ONCE = ApprovalAnswer(decision="once")
NO = ApprovalAnswer(decision="deny", note="not these")


@pytest.fixture(params=[8, pytest.param(50, marks=pytest.mark.long)])
def seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """So many interleavings. The SDK, which is imported aside elsewhere, is here already."""
    import mcp

    modules: dict[str, Any] = {"mcp": mcp, "safelight.tools.mcp_server": mcp_server}

    async def at_once(name: str) -> Any:
        return modules[name]

    monkeypatch.setattr(toolbox, "import_aside", at_once)
    yield request.param


def each(
    folder: Path,
    seeds: int,
    *parties: Party,
    turns: list[AssistantTurn] | None = None,
    limits: ChatLimits | None = None,
) -> list[tuple[World, dict[str, str]]]:
    """Live through so many interleavings; each keeps to what always holds."""
    lives: list[tuple[World, dict[str, str]]] = []
    for seed in range(seeds):
        made = turns_of(seed) if turns is None else list(turns)
        world = run_interleaved(seed, lived(folder / str(seed), seed, made, list(parties), limits))
        try:
            lives.append((world, check(world)))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}; {world.trace}") from error
    return lives


def fates_of(lives: list[tuple[World, dict[str, str]]]) -> Counter[str]:
    return Counter(fate for _, fates in lives for fate in fates.values())


def resolved(world: World) -> list[ApprovalResolvedEvent]:
    return [event for event in world.seen if isinstance(event, ApprovalResolvedEvent)]


async def allowing_page(world: World) -> None:
    await world.page("page", lambda _: ONCE)


@requirement("perm.denied-never-runs", "perm.resolved-always")
def test_what_one_page_denies_and_another_allows_goes_by_the_first_answer(tmp_path: Path, seeds: int) -> None:
    """anthropics/claude-code#87548, anthropics/claude-code#56306: the answer that was given at a second place had no
    effect."""

    async def denying_page(world: World) -> None:
        await world.page("denier", lambda _: NO)

    lives = each(tmp_path, seeds, allowing_page, denying_page)
    assert set(fates_of(lives)) == {"done", "not_allowed"}
    for world, fates in lives:
        for event in resolved(world):
            assert fates[event.call_id] == ("not_allowed" if event.outcome == "deny" else "done")


@requirement("perm.denied-never-runs", "perm.resolved-always", "session.stop")
def test_after_a_stop_nothing_is_sent_any_more(tmp_path: Path, seeds: int) -> None:
    async def impatient(world: World) -> None:
        stopped = False
        world.plugin.forbidden = lambda tool: stopped
        moment = world.dice.randint(2, 14)
        await world.until(lambda seen: len(seen) >= moment)
        await world.hesitate()
        await world.rig.session.stop()
        stopped = True
        world.trace.append("stop is acknowledged")

    lives = each(tmp_path, seeds, allowing_page, impatient)
    assert {"done", "stopped"} <= set(fates_of(lives))
    for world, fates in lives:
        for event in resolved(world):
            assert event.outcome == "once" or fates[event.call_id] == "stopped"


@requirement("perm.denied-never-runs", "perm.rules")
def test_a_tool_that_is_turned_off_meanwhile_is_not_sent_although_it_was_allowed(tmp_path: Path, seeds: int) -> None:
    async def strict_person(world: World) -> None:
        book = world.rig.permissions
        world.plugin.forbidden = lambda tool: book.current().rules.get(tool) == "block"
        answers = world.dice.randint(0, 3)
        await world.until(lambda seen: sum(isinstance(e, ApprovalResolvedEvent) for e in seen) >= answers)
        await world.hesitate(12)
        book.replace(PermissionsUpdate(mode="auto_all", rules={"rate": "block"}, bulk_limit=0))
        world.trace.append("rate is turned off")

    lives = each(tmp_path, seeds, allowing_page, strict_person)
    assert set(fates_of(lives)) == {"done", "turned_off"}
    allowed = {(place, e.call_id) for place, (world, _) in enumerate(lives) for e in resolved(world)}
    off = {(place, c) for place, (_, fates) in enumerate(lives) for c, fate in fates.items() if fate == "turned_off"}
    assert allowed & off, "no answer came before the tool was turned off"


@requirement("perm.denied-never-runs", "perm.resolved-always")
def test_a_question_ends_by_its_answer_or_by_its_time_and_never_by_both(tmp_path: Path, seeds: int) -> None:
    async def slow_page(world: World) -> None:
        async def answer(call_id: str) -> None:
            await asyncio.sleep(world.dice.choice([0.1, 0.2, 0.3]))
            await world.page(f"page for {call_id}", lambda asked: ONCE if asked == call_id else None)

        async with asyncio.TaskGroup() as group:
            for n in range(9):
                group.create_task(answer(f"c{n}"))

    lives = each(tmp_path, seeds, slow_page, limits=ChatLimits(approval_expiry_s=0.2))
    assert set(fates_of(lives)) == {"done", "not_allowed"}
    for world, fates in lives:
        for event in resolved(world):
            assert fates[event.call_id] == ("not_allowed" if event.outcome == "expired" else "done")
            assert (event.by, bool(event.note)) == (
                ("service", True) if event.outcome == "expired" else ("page", False)
            )


@requirement("perm.denied-never-runs", "session.repeat-refused")
def test_a_call_made_again_and_an_answer_given_twice_run_once(tmp_path: Path, seeds: int) -> None:
    def again(call_id: str) -> ToolCall:
        return ToolCall(call_id=call_id, tool="rate", arguments={"n": 0})

    turns = [
        AssistantTurn(calls=(again("c0"), again("c1"), rating(7))),
        AssistantTurn(calls=(again("c2"), rating(8, "show"))),
    ]

    async def second_page(world: World) -> None:
        await world.page("second page", lambda _: ONCE)

    for world, fates in each(tmp_path, seeds, allowing_page, second_page, turns=turns):
        assert fates == {"c0": "done", "c1": "repeated_call", "c2": "repeated_call", "c7": "done", "c8": "done"}
        assert [n for _, n in sorted((t, a["n"]) for t, a in world.plugin.carried_out)] == [0, 7, 8]
        assert sum("already_settled" in step for step in world.trace) == 3


@requirement("perm.denied-never-runs", "perm.frozen")
def test_of_two_edits_the_first_runs_and_the_model_is_told_of_it(tmp_path: Path, seeds: int) -> None:
    """langchain-ai/langchain#32988, langchain-ai/langchain#33784, langchain-ai/langchain#33787: the model made the
    call again that the user had changed."""

    def editing(word: str) -> Party:
        async def page(world: World) -> None:
            await world.page(word, lambda call_id: ApprovalAnswer(decision="once", arguments=edited(call_id)))

        def edited(call_id: str) -> dict[str, Any]:
            return {"n": int(call_id[1:]), "word": word}

        return page

    async def careless_page(world: World) -> None:
        await world.page("careless", lambda _: ApprovalAnswer(decision="once", arguments={"n": "many"}))

    words: Counter[str] = Counter()
    for world, fates in each(tmp_path, seeds, editing("left"), editing("right"), careless_page):
        assert set(fates.values()) == {"done"}
        words.update(arguments["word"] for _, arguments in world.plugin.carried_out)
        told = [
            result
            for message in world.rig.session.history
            if isinstance(message, ToolResults)
            for result in message.results
        ]
        decided = {event.call_id: event.arguments for event in resolved(world)}
        for result in told:
            arguments = decided[result.call_id]
            assert arguments is not None
            assert result.text.startswith("The user changed the arguments to {")
            assert f'"word":"{arguments["word"]}"' in result.text.partition("}")[0]
    assert set(words) == {"left", "right"}


@requirement("perm.denied-never-runs", "perm.bulk")
def test_no_more_photos_than_the_limit_or_than_were_shown_are_changed(tmp_path: Path, seeds: int) -> None:
    limit = 3

    async def photographer(world: World) -> None:
        book = world.rig.permissions
        book.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=limit))
        while True:
            await world.hesitate(8)
            world.plugin.selected = world.dice.randint(1, 6)
            await asyncio.sleep(0)

    asked = 0
    turns = [AssistantTurn(calls=(rating(0), rating(1))), AssistantTurn(calls=(rating(2), rating(3)))]
    for world, fates in each(tmp_path, seeds, allowing_page, photographer, turns=turns):
        assert set(fates.values()) == {"done"}
        shown: dict[str, int] = {}
        for event in world.seen:
            if isinstance(event, ApprovalNeededEvent) and event.reason.kind == "bulk":
                assert isinstance(event.reason.photos, int)
                assert event.decisions == ["once", "chat", "deny"]
                shown[event.call_id] = event.reason.photos
            if isinstance(event, ToolRunningEvent):
                assert isinstance(event.arguments, dict)
                assert event.arguments["photos"] <= max(limit, shown.get(event.call_id, 0))
        asked += len(shown)
    assert 0 < asked < seeds * 4


@requirement("perm.denied-never-runs", "perm.read-only-switch")
def test_nothing_is_carried_out_while_the_read_only_switch_is_on(tmp_path: Path, seeds: int) -> None:
    async def photographer(world: World) -> None:
        for _ in range(2):
            moment = len(world.seen) + world.dice.randint(2, 6)
            await world.until(lambda seen, moment=moment: len(seen) >= moment)
            await world.hesitate()
            world.plugin.read_only = not world.plugin.read_only

    lives = each(tmp_path, seeds, allowing_page, photographer)
    assert set(fates_of(lives)) == {"done", "read_only"}
    for world, _ in lives:
        assert all(event.outcome == "once" for event in resolved(world))


def test_the_parties_do_go_on_in_many_orders_and_each_can_be_had_again(tmp_path: Path, seeds: int) -> None:
    turns = [AssistantTurn(calls=(rating(0), rating(1), rating(2)))]

    async def denying_page(world: World) -> None:
        await world.page("denier", lambda _: NO)

    def traces(folder: Path) -> list[tuple[str, ...]]:
        lives = each(folder, seeds, allowing_page, denying_page, turns=turns)
        return [tuple(world.trace) for world, _ in lives]

    first = traces(tmp_path / "first")
    assert len(set(first)) > seeds // 3
    assert traces(tmp_path / "again") == first
