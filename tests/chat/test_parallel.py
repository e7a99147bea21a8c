"""The calls of one turn, side by side: announced in order, free ones at once, answered as one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.wire.models import ApprovalAnswer, Mode, PermissionsUpdate, ToolCallEvent, ToolDoneEvent
from tests.chat.rig import PlayedModel, Rig, SpyTool, kind_of, opened_rig, reply, serving_rig
from tests.chat.test_hard_races import is_well_formed, turns_of_the_loop
from tests.requirement import requirement


def turn_of(*calls: tuple[str, str, dict[str, Any]]) -> AssistantTurn:
    return AssistantTurn(calls=tuple(ToolCall(call_id=i, tool=tool, arguments=a) for i, tool, a in calls))


def results_of(rig: Rig) -> list[tuple[str, str]]:
    (made,) = [message for message in rig.session.history if isinstance(message, ToolResults)]
    return [(result.call_id, result.outcome) for result in made.results]


def allow(rig: Rig, mode: Mode) -> None:
    rig.permissions.replace(PermissionsUpdate(mode=mode, rules={}, bulk_limit=0))


class Door(SpyTool):
    """Each run waits until its own number is let through."""

    def __init__(self, name: str, **kind: bool) -> None:
        super().__init__(name, **kind)
        self.frozen: list[tuple[dict[str, Any], int]] = []
        self.doors: dict[int, asyncio.Event] = {}
        self.running = asyncio.Condition()

    def open(self, n: int) -> None:
        self.doors.setdefault(n, asyncio.Event()).set()

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.frozen.append((arguments, len(self.runs)))
        return arguments

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        self.runs.append(arguments)
        async with self.running:
            self.running.notify_all()
        await self.doors.setdefault(int(arguments["n"]), asyncio.Event()).wait()
        return ToolAnswer(content={"n": arguments["n"]})

    async def has_run(self, times: int) -> None:
        async with asyncio.timeout(5), self.running:
            await self.running.wait_for(lambda: len(self.runs) >= times)

    @property
    def numbers(self) -> list[int]:
        return [arguments["n"] for arguments in self.runs]


async def test_reads_of_one_turn_run_at_the_same_time_and_are_answered_in_their_order(tmp_path: Path) -> None:
    """QwenLM/qwen-code#606, agno-agi/agno#3105, BerriAI/litellm#10083, google/adk-python#417: one of several results
    was missing or out of order."""
    look = Door("look", read_only=True, destructive=False)
    turn = turn_of(*((f"c{n}", "look", {"n": n}) for n in range(3)))
    async with serving_rig(tmp_path, PlayedModel([turn, reply("Ok.")]), {"look": look}) as rig:
        await rig.session.send("look")
        await look.has_run(3)
        for n in (2, 0, 1):
            look.open(n)
            await rig.until("tool_done", times=[2, 0, 1].index(n) + 1)
        events = await rig.idle()
        is_well_formed(events)
        assert [kind_of(event) for event in events[4:7]] == ["tool_call"] * 3
        assert [event.call_id for event in events if isinstance(event, ToolCallEvent)] == ["c0", "c1", "c2"]
        assert [event.call_id for event in events if isinstance(event, ToolDoneEvent)] == ["c2", "c0", "c1"]
        assert results_of(rig) == [("c0", "success"), ("c1", "success"), ("c2", "success")]


async def test_free_calls_that_are_no_reads_run_one_after_the_other_while_a_read_passes_them(tmp_path: Path) -> None:
    rate = Door("rate")
    look = Door("look", read_only=True, destructive=False)
    turn = turn_of(("c0", "rate", {"n": 0}), ("c1", "rate", {"n": 1}), ("c2", "look", {"n": 2}))
    model = PlayedModel([turn, reply("Ok.")])
    async with serving_rig(tmp_path, model, {"rate": rate, "look": look}) as rig:
        allow(rig, "auto_all")
        look.open(2)
        await rig.session.send("rate")
        await rate.has_run(1)
        await rig.until("tool_done")
        await turns_of_the_loop(50)
        assert (rate.numbers, look.numbers) == ([0], [2])
        assert [arguments["n"] for arguments, _ in rate.frozen] == [0]
        rate.open(0)
        await rate.has_run(2)
        rate.open(1)
        is_well_formed(await rig.idle())
        assert rate.numbers == [0, 1]
        assert rate.frozen == [({"n": 0}, 0), ({"n": 1}, 1)], "what a call means is written down when its turn comes"
        assert results_of(rig) == [("c0", "success"), ("c1", "success"), ("c2", "success")]


async def test_a_free_call_does_not_wait_for_an_earlier_one_that_is_asked_about(tmp_path: Path) -> None:
    turn = turn_of(("c0", "rate", {"n": 0}), ("c1", "show", {"n": 1}))
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        allow(rig, "auto_safe")
        await rig.session.send("both")
        await rig.until("tool_done")
        assert (rig.tools["rate"].runs, rig.tools["show"].runs) == ([], [{"n": 1}])
        await rig.session.answer("c0", ApprovalAnswer(decision="deny"), "page")
        is_well_formed(await rig.idle())
        assert results_of(rig) == [("c0", "denied"), ("c1", "success")]


@requirement("perm.answers", "perm.denied-never-runs")
@pytest.mark.parametrize("order", [("c0", "c1", "c2"), ("c2", "c1", "c0"), ("c1", "c2", "c0")])
async def test_several_questions_stand_open_together_and_each_is_answered_by_itself(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    """kirodotdev/KiroCrew PR#6136, kirodotdev/KiroCrew PR#6404, langchain-ai/deepagents PR#3530: one answer allowed
    calls that were not shown."""
    turn = turn_of(*((f"c{n}", "rate", {"n": n}) for n in range(3)))
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed", times=3)
        assert [question.call_id for question in rig.session.questions().open()] == ["c0", "c1", "c2"]
        for call_id in order:
            decision = "deny" if call_id == "c1" else "once"
            await rig.session.answer(call_id, ApprovalAnswer(decision=decision), "page")
        is_well_formed(await rig.idle())
        assert sorted(arguments["n"] for arguments in rig.tools["rate"].runs) == [0, 2]
        assert results_of(rig) == [("c0", "success"), ("c1", "denied"), ("c2", "success")]


async def test_a_call_that_was_allowed_waits_for_an_earlier_one_that_runs(tmp_path: Path) -> None:
    rate = Door("rate")
    turn = turn_of(("c0", "rate", {"n": 0}), ("c1", "rate", {"n": 1}))
    async with serving_rig(tmp_path, PlayedModel([turn, reply("Ok.")]), {"rate": rate}) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed", times=2)
        await rig.session.answer("c0", ApprovalAnswer(decision="once"), "page")
        await rate.has_run(1)
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await turns_of_the_loop(50)
        assert rate.numbers == [0]
        rate.open(0)
        await rate.has_run(2)
        rate.open(1)
        is_well_formed(await rig.idle())
        assert rate.numbers == [0, 1]


async def test_allowing_one_for_the_chat_lets_the_others_of_the_turn_run_too(tmp_path: Path) -> None:
    turn = turn_of(*((f"c{n}", "rate", {"n": n}) for n in range(3)))
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed", times=3)
        await rig.session.answer("c1", ApprovalAnswer(decision="chat"), "page")
        is_well_formed(await rig.idle())
        assert sorted(arguments["n"] for arguments in rig.tools["rate"].runs) == [0, 1, 2]
        assert results_of(rig) == [("c0", "success"), ("c1", "success"), ("c2", "success")]


@requirement("session.every-call-has-a-result")
async def test_every_call_of_a_mixed_turn_has_one_result_in_its_place(tmp_path: Path) -> None:
    """earendil-works/pi#6761: a failure left some calls of a turn without a result."""
    turn = turn_of(
        ("c0", "look", {"n": 1}),
        ("c1", "look", {"n": 1.0}),
        ("c2", "nothing", {}),
        ("c3", "look", {"n": "many"}),
        ("c4", "rate", {"n": 1}),
        ("c5", "show", {"n": 1}),
    )
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={"show": "block"}, bulk_limit=0))
        rig.tools["rate"].fails = RuntimeError("broken")
        await rig.session.send("all")
        is_well_formed(await rig.idle())
        assert results_of(rig) == [
            *(("c0", "success"), ("c1", "skipped"), ("c2", "failed")),
            *(("c3", "failed"), ("c4", "failed"), ("c5", "denied")),
        ]


@requirement("session.every-call-has-a-result")
async def test_a_call_whose_way_is_lost_has_a_result_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = turn_of(("c0", "look", {"n": 0}), ("c1", "show", {"n": 1}))
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        allow(rig, "auto_all")
        through = rig.services.toolbox.call

        async def lose_one(session_id: str, call_id: str, tool: str, arguments: dict[str, Any]) -> Any:
            if tool == "look":
                raise OSError("gone")
            return await through(session_id, call_id, tool, arguments)

        monkeypatch.setattr(rig.services.toolbox, "call", lose_one)
        await rig.session.send("both")
        is_well_formed(await rig.idle())
        assert results_of(rig) == [("c0", "interrupted"), ("c1", "success")]


@requirement("session.every-call-has-a-result")
async def test_calls_that_a_model_gave_the_same_id_or_none_are_told_apart(tmp_path: Path) -> None:
    turns = [
        turn_of(("c", "look", {"n": 0}), ("c", "look", {"n": 1}), ("", "look", {"n": 2})),
        turn_of(("c", "look", {"n": 3})),
        reply("Ok."),
    ]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        is_well_formed(events)
        called = [event.call_id for event in events if isinstance(event, ToolCallEvent)]
        assert called[0] == "c"
        assert len(set(called)) == 4
        assert all(called)
        assert len(rig.tools["look"].runs) == 4
