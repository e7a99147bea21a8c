"""Questions, answers, edits, stops and rules in random order: nothing runs but what was shown and allowed."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.errors import InvalidBody, SafelightError
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    Event,
    PermissionsUpdate,
    ToolCallEvent,
    ToolDoneEvent,
    ToolRunningEvent,
    ToolSkippedEvent,
)
from safelight_client import SafelightClient, models
from tests.chat.rig import Rig, kind_of, opened_rig, parse_frames, reply
from tests.live import live_service
from tests.requirement import requirement

TOOLS = ("look", "show", "rate")
MODES = ("ask_all", "auto_read", "auto_safe", "auto_all")


def turns_of(dice: random.Random) -> list[AssistantTurn]:
    """Up to five turns of one to three calls; every call is another one by its ``n``."""
    number = iter(range(100))
    turns: list[AssistantTurn] = []
    for _ in range(dice.randint(2, 5)):
        calls = [(next(number), dice.choice(TOOLS)) for _ in range(dice.randint(1, 3))]
        made = tuple(ToolCall(call_id=f"c{n}", tool=tool, arguments={"n": n}) for n, tool in calls)
        turns.append(AssistantTurn(calls=made))
    return [*turns, reply("Done.")]


async def answer_somehow(rig: Rig, call_id: str, dice: random.Random) -> None:
    """As hasty people at several pages would."""
    n = int(call_id[1:])
    answers = [
        ApprovalAnswer(decision="once"),
        ApprovalAnswer(decision="once", arguments={"n": n, "word": "edited"}),
        ApprovalAnswer(decision="once", arguments={"n": "broken"}),
        ApprovalAnswer(decision="once", arguments={"m": 1}),
        ApprovalAnswer(decision="chat"),
        ApprovalAnswer(decision="always"),
        ApprovalAnswer(decision="deny", note="no"),
    ]
    chosen = [rig.session.answer(call_id, dice.choice(answers), "page") for _ in range(dice.randint(1, 3))]
    steps = [*chosen, rig.session.stop()] if dice.random() < 0.15 else chosen
    dice.shuffle(steps)
    for end in await asyncio.gather(*steps, return_exceptions=True):
        assert not isinstance(end, BaseException) or isinstance(end, SafelightError), end


async def live_through(rig: Rig, dice: random.Random) -> list[Event]:
    """Answer each question until the chat is idle; all numbered events."""
    seen: list[Event] = []
    stream = rig.session.log.follow(None)
    async for chunk in stream:
        seen += [event for event, numbered in parse_frames(chunk) if numbered]
        for question in rig.session.questions().open():
            for _ in range(dice.randint(0, 5)):
                await asyncio.sleep(0)
            await answer_somehow(rig, question.call_id, dice)
            if question.call_id in [left.call_id for left in rig.session.questions().open()]:
                await rig.session.answer(question.call_id, ApprovalAnswer(decision="deny"), "page")
        if seen and kind_of(seen[-1]) == "busy" and not rig.session.busy:
            break
    await stream.aclose()
    return seen


@requirement("perm.denied-never-runs", "perm.resolved-always", "perm.frozen", "session.every-call-has-a-result")
@pytest.mark.parametrize("seed", range(30))
async def test_whatever_is_answered_when_only_what_was_shown_and_allowed_runs(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    async with opened_rig(tmp_path, turns_of(dice)) as rig:
        blocked = {tool for tool in TOOLS if dice.random() < 0.15}
        rules: dict[str, Any] = {tool: "block" for tool in blocked}
        rig.permissions.replace(PermissionsUpdate(mode=dice.choice(MODES), rules=rules, bulk_limit=200))
        await rig.session.send("go")
        events = await live_through(rig, dice)
        may_run = check_each_call(events)
        for tool in TOOLS:
            assert rig.tools[tool].runs == [arguments for name, arguments in may_run if name == tool]
            assert not (tool in blocked and rig.tools[tool].runs)


def check_each_call(events: list[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Each call has its events, each once and in order. Returns the runs that they allow, in order."""
    runs: list[tuple[str, dict[str, Any]]] = []
    for call in [event for event in events if isinstance(event, ToolCallEvent)]:
        own = [event for event in events if getattr(event, "call_id", None) == call.call_id]
        shown = call.arguments
        kinds = [type(event) for event in own[1:]]
        for event in own:
            if isinstance(event, ApprovalResolvedEvent):
                assert (event.arguments is None) == (event.outcome in {"deny", "stopped"})
                shown = event.arguments or shown
        denied = any(isinstance(event, ApprovalResolvedEvent) and event.arguments is None for event in own)
        asked = ApprovalNeededEvent in kinds
        assert kinds[: 2 * asked] == [ApprovalNeededEvent, ApprovalResolvedEvent][: 2 * asked]
        rest = kinds[2 * asked :]
        if rest == [ToolRunningEvent, ToolDoneEvent]:
            assert not denied
            runs.append((call.tool, shown))
        else:
            assert rest in ([ToolSkippedEvent], [ToolRunningEvent, ToolSkippedEvent])
    return runs


@requirement("perm.frozen")
@pytest.mark.parametrize("arguments", [{"n": "many"}, {"m": 1}, {"n": 1, "word": "\ud83d"}])
async def test_edited_arguments_that_do_not_fit_are_refused_and_the_question_stays_open(
    tmp_path: Path, arguments: dict[str, Any]
) -> None:
    made = AssistantTurn(calls=(ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),))
    async with opened_rig(tmp_path, [made, reply("Ok.")]) as rig:
        await rig.session.send("rate")
        before = await rig.until("approval_needed")
        with pytest.raises(InvalidBody):
            await rig.session.answer("c1", ApprovalAnswer(decision="once", arguments=arguments), "page")
        assert await rig.events() == before
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await rig.idle()
        assert rig.tools["rate"].runs == [{"n": 1}]


@requirement("perm.denied-never-runs")
async def test_an_answer_that_cannot_be_logged_runs_nothing_and_the_chat_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = AssistantTurn(calls=(ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),))
    async with opened_rig(tmp_path, [made, reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")

        async def disk_full(work: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as patch, pytest.raises(sqlite3.OperationalError):
            patch.setattr(rig.database, "run", disk_full)
            await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        events = await rig.idle()
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["stopped"]
        assert rig.tools["rate"].runs == []
        assert rig.session.busy is False


@requirement("perm.rules", "perm.denied-never-runs")
async def test_a_blocked_tool_that_is_called_all_the_same_is_refused_with_the_reason(tmp_path: Path) -> None:
    made = AssistantTurn(calls=(ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),))
    async with opened_rig(tmp_path, [made, reply("Ok.")]) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={"rate": "block"}, bulk_limit=0))
        await rig.session.send("rate")
        events = await rig.idle()
        assert all("rate" not in [tool.name for tool in request.tools] for request in rig.model.requests)
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["turned_off"]
        assert "approval_needed" not in map(kind_of, events)
        assert rig.tools["rate"].runs == []
        (said,) = [message for message in rig.session.history if isinstance(message, ToolResults)]
        assert said.results[0].text == "Spy rate is turned off in the user's settings. It did not run. Do without it."


@requirement("perm.developer-tools")
@pytest.mark.parametrize("dev", [False, True])
async def test_a_tool_for_developers_cannot_be_called_in_a_chat_however_the_service_was_started(
    tmp_path: Path, dev: bool
) -> None:
    script = tmp_path / "script.json"
    script.write_text('[{"calls": [{"tool": "bridge_trace"}]}, {"text": "Done."}]', encoding="utf-8")
    async with (
        live_service(tmp_path / "data", f"scripted:{script}", dev=dev) as live,
        SafelightClient(live.url, agent_token=live.agent_token) as client,
    ):
        chat = await client.start_chat()
        everything = models.PermissionsUpdate(mode="auto_all", rules={"bridge_trace": "allow"}, bulk_limit=0)
        await client.put_permissions(chat.session_id, everything)
        await chat.send("How is the bridge?")
        async with asyncio.timeout(20):
            async for event in chat.events():
                if isinstance(event, models.ToolDoneEvent):
                    assert (event.ok, event.text) == (False, "UNKNOWN_TOOL: there is no tool called bridge_trace.")
                if isinstance(event, models.BusyEvent) and not event.busy:
                    break


@requirement("perm.class")
async def test_a_tool_that_nothing_is_known_of_counts_as_destructive(tmp_path: Path) -> None:
    """anomalyco/opencode#4854, HolmesGPT PR#919: an unknown tool ran without asking."""
    made = AssistantTurn(calls=(ToolCall(call_id="c1", tool="erase_everything", arguments={}),))
    async with opened_rig(tmp_path, [made, reply("Ok.")]) as rig:
        await rig.session.send("go")
        (called,) = [event for event in await rig.idle() if isinstance(event, ToolCallEvent)]
        assert (called.class_, called.title) == ("destructive", "erase_everything")
