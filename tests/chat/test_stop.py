"""Stop, in every phase of a run: it is over within a moment, nothing runs any more, and the chat goes on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.conversation.prompt import STOPPED
from safelight.errors import Conflict, NotFound
from safelight.models.chat_model import Piece, ToolOffer, TurnPiece, TurnRequest
from safelight.wire.models import ApprovalAnswer, Decision, Mode, PermissionsUpdate, Preview, ToolSkippedEvent
from tests.chat.rig import PlayedModel, Rig, SpyTool, call, kind_of, opened_rig, reply, serving_rig
from tests.chat.test_hard_races import is_well_formed, turns_of_the_loop
from tests.requirement import requirement

SOON = 1.0
"""For a machine that does other things too: the run itself gives nothing more than 0.15 seconds."""


class StuckModel(PlayedModel):
    """Reads its weights, or the prompt, without end. One that is ``stubborn`` does not heed being cancelled."""

    stubborn = False

    def __init__(self) -> None:
        super().__init__([])
        self.reached = asyncio.Event()
        self.released = asyncio.Event()
        self.left = asyncio.Event()

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        self.requests.append(request)
        if len(self.requests) > 1:
            async for piece in super().turn(request):
                yield piece
            return
        self.reached.set()
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                if not self.stubborn:
                    raise
        try:
            yield TurnPiece("text", "too late")
        finally:
            self.left.set()


class StubbornModel(StuckModel):
    stubborn = True


class StuckTool(SpyTool):
    """Waits in one of its methods for a Lightroom that does not answer."""

    def __init__(self, where: str, *, stubborn: bool) -> None:
        super().__init__("rate")
        self.where = where
        self.stubborn = stubborn
        self.counted = 0
        self.reached = asyncio.Event()
        self.released = asyncio.Event()

    async def count(self, arguments: dict[str, Any]) -> int | None:
        self.counted += 1
        await self._wait("announce" if self.counted == 1 else "count")
        return await super().count(arguments)

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        await self._wait("freeze")
        return await super().freeze(arguments)

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        await self._wait("preview")
        return await super().preview(arguments)

    async def _wait(self, where: str) -> None:
        if where != self.where:
            return
        self.reached.set()
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                if not self.stubborn:
                    raise


async def stop_at_once(rig: Rig) -> None:
    """The stop is acknowledged, the run is over soon after, and the history says so."""
    async with asyncio.timeout(SOON):
        assert (await rig.session.stop()).stopping
        events = await rig.idle()
    assert kind_of(events[-2]) == "stopped"
    assert rig.session.history[-1] == AssistantTurn(text=STOPPED)


async def is_usable(rig: Rig, times: int = 2) -> None:
    """The next message is answered."""
    rig.model.turns = [reply("Here I am.")]
    await rig.session.send("again")
    async with asyncio.timeout(5):
        is_well_formed(await rig.idle(times))
    assert rig.session.history[-1] == reply("Here I am.")


@requirement("session.stop-every-phase")
async def test_a_stop_while_the_tools_are_listed_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened_rig(tmp_path, []) as rig:
        reached = asyncio.Event()

        async def never() -> tuple[ToolOffer, ...]:
            reached.set()
            await asyncio.Event().wait()
            raise AssertionError

        with monkeypatch.context() as patched:
            patched.setattr(rig.services.toolbox, "offers", never)
            await rig.session.send("hello")
            await reached.wait()
            await stop_at_once(rig)
        assert rig.model.requests == []
        await is_usable(rig)


@requirement("session.stop-every-phase", "session.stop")
@pytest.mark.parametrize("kind", [StuckModel, StubbornModel])
async def test_a_stop_while_the_model_loads_or_reads_the_prompt_ends_the_run(
    tmp_path: Path, kind: type[StuckModel], caplog: pytest.LogCaptureFixture
) -> None:
    """lmstudio-ai/lmstudio-bug-tracker#1203, lmstudio-ai/lmstudio-bug-tracker#573, Mintplex-Labs/anything-llm#5424: a
    stop right after the start, or while the model loaded, was ignored."""
    caplog.set_level(logging.INFO)
    model = kind()
    async with serving_rig(tmp_path, model, {}) as rig:
        await rig.session.send("hello")
        await model.reached.wait()
        await stop_at_once(rig)
        model.turns, model.hold = [reply("The next story.")], asyncio.Event()
        await rig.session.send("tell")
        await model.streaming.wait()
        before = await rig.types()
        model.released.set()
        if kind is StubbornModel:
            async with asyncio.timeout(5):
                await model.left.wait()
            await turns_of_the_loop(5)
            assert "left behind ended" in caplog.text
        async with contextlib.aclosing(rig.session.log.follow(None)) as chunks:
            shown = b"".join([await anext(chunks) for _ in range(3)])
        assert b"The next story" in shown
        assert b"too late" not in shown
        assert await rig.types() == before
        model.hold.set()
        is_well_formed(await rig.idle(times=2))


@requirement("session.stop-every-phase", "perm.denied-never-runs")
@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("where", ["announce", "count", "freeze", "preview"])
async def test_a_stop_while_lightroom_is_asked_about_a_call_ends_the_run_and_the_call_never_runs(
    tmp_path: Path, where: str, stubborn: bool
) -> None:
    tool = StuckTool(where, stubborn=stubborn)
    model = PlayedModel([call("rate", "c1", n=1), reply("no")])
    async with serving_rig(tmp_path, model, {"rate": tool}) as rig:
        if where != "preview":
            rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        await rig.session.send("rate")
        await tool.reached.wait()
        await stop_at_once(rig)
        tool.released.set()
        await is_usable(rig)
        await turns_of_the_loop(50)
        events = await rig.events()
        is_well_formed(events)
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["stopped"]
        assert tool.runs == []
        assert len(model.requests) == 2


@requirement("session.stop-every-phase", "perm.denied-never-runs")
async def test_a_call_left_behind_by_a_stop_never_runs_while_the_next_message_is_worked_on(tmp_path: Path) -> None:
    tool = StuckTool("count", stubborn=True)
    model = PlayedModel([call("rate", "c1", n=1)])
    async with serving_rig(tmp_path, model, {"rate": tool}) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        await rig.session.send("rate")
        await tool.reached.wait()
        await stop_at_once(rig)
        model.turns, model.hold = [reply("A long story.")], asyncio.Event()
        await rig.session.send("tell")
        await model.streaming.wait()
        tool.released.set()
        await turns_of_the_loop(100)
        assert tool.runs == []
        model.hold.set()
        await rig.idle(times=2)
        assert tool.runs == []


@requirement("session.stop-every-phase", "session.stop")
async def test_a_stop_while_questions_stand_open_and_a_tool_runs_ends_the_questions_and_lets_the_tool_finish(
    tmp_path: Path,
) -> None:
    calls = [("rate", "c1"), ("look", "c2"), ("rate", "c3")]
    turn = AssistantTurn(calls=tuple(ToolCall(call_id=i, tool=t, arguments={"n": n}) for n, (t, i) in enumerate(calls)))
    async with opened_rig(tmp_path, [turn, reply("no")]) as rig:
        look = rig.tools["look"]
        look.hold = asyncio.Event()
        await rig.session.send("all")
        await rig.until("approval_needed", times=2)
        await look.started.wait()
        async with asyncio.timeout(SOON):
            assert (await rig.session.stop()).stopping
            await rig.until("tool_skipped", times=2)
        assert rig.session.busy
        look.hold.set()
        is_well_formed(await rig.idle())
        results = rig.session.history[-2]
        assert isinstance(results, ToolResults)
        assert [result.outcome for result in results.results] == ["interrupted", "success", "interrupted"]
        assert rig.tools["rate"].runs == []
        await is_usable(rig)


@requirement("session.stop-every-phase", "perm.denied-never-runs")
async def test_a_stop_right_behind_an_answer_does_not_wait_for_what_the_answer_began(tmp_path: Path) -> None:
    tool = StuckTool("nowhere", stubborn=False)
    async with serving_rig(tmp_path, PlayedModel([call("rate", "c1", n=1)]), {"rate": tool}) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        tool.where = "count"
        answering = asyncio.create_task(rig.session.answer("c1", ApprovalAnswer(decision="once"), "page"))
        await turns_of_the_loop(1)
        await stop_at_once(rig)
        assert (await answering).outcome == "once"
        assert tool.runs == []
        await is_usable(rig)


def random_turns(dice: random.Random) -> list[AssistantTurn]:
    numbers = iter(range(1_000))
    return [
        AssistantTurn(
            text="So.",
            calls=tuple(
                ToolCall(call_id=f"c{n}", tool=dice.choice(["look", "show", "rate"]), arguments={"n": n % 7})
                for n in (next(numbers) for _ in range(dice.randint(1, 4)))
            ),
        )
        for _ in range(8)
    ]


@requirement("session.stop", "session.stop-every-phase", "session.every-call-has-a-result", "perm.denied-never-runs")
@pytest.mark.parametrize("seed", range(24))
async def test_nothing_runs_after_a_stop_at_any_moment_of_any_run(tmp_path: Path, seed: int) -> None:
    """langgenius/dify#18481, langgenius/dify#36164, langgenius/dify#40966: stop said success, and the work went on."""
    dice = random.Random(seed)
    modes: list[Mode] = ["auto_all", "auto_safe", "auto_read", "ask_all"]
    answers: list[Decision] = ["once", "deny", "chat"]
    async with opened_rig(tmp_path, random_turns(dice)) as rig:
        rig.permissions.replace(PermissionsUpdate(mode=dice.choice(modes), rules={}, bulk_limit=0))
        await rig.session.send("do all of it")
        for _ in range(dice.randint(0, 60)):
            await turns_of_the_loop(dice.randint(1, 8))
            for question in rig.session.questions().open():
                if dice.random() < 0.4:
                    answer = ApprovalAnswer(decision=dice.choice(answers))
                    with contextlib.suppress(Conflict, NotFound):
                        await rig.session.answer(question.call_id, answer, "page")
        ran = {name: len(tool.runs) for name, tool in rig.tools.items()}
        stopping = (await rig.session.stop()).stopping
        async with asyncio.timeout(5):
            events = await rig.idle()
        is_well_formed(events)
        assert {name: len(tool.runs) for name, tool in rig.tools.items()} == ran
        if stopping:
            assert kind_of(events[-2]) == "stopped"
            assert rig.session.history[-1] == AssistantTurn(text=STOPPED)
        turns = [message for message in rig.session.history if isinstance(message, AssistantTurn) and message.calls]
        results = [message for message in rig.session.history if isinstance(message, ToolResults)]
        assert [[one.call_id for one in turn.calls] for turn in turns] == [
            [one.call_id for one in made.results] for made in results
        ]
        await is_usable(rig)
