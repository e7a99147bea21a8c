"""What a question offers, says and ends with."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.chat.limits import ChatLimits
from safelight.chat.questions import Questions
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.conversation.prompt import CUT_OFF
from safelight.errors import Conflict, NotFound
from safelight.gate.principal import Allowed, Denied, Question
from safelight.wire.models import (
    AlwaysRule,
    ApprovalAnswer,
    ApprovalNeededEvent,
    ApprovalReason,
    ApprovalResolvedEvent,
    Decision,
    PermissionsUpdate,
    ToolSkippedEvent,
    WarningEvent,
)
from tests.chat.rig import Rig, opened_rig, reply
from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted

ONCE = ApprovalAnswer(decision="once")
ALWAYS = ApprovalAnswer(decision="always")
RATE_THREE = [
    AssistantTurn(calls=tuple(ToolCall(call_id=f"c{n}", tool="rate", arguments={"n": n}) for n in (1, 2, 3))),
    reply("Done."),
]
RATE_ONE = [AssistantTurn(calls=(ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),)), reply("Done.")]

RATE_TWO_KINDS = [
    AssistantTurn(calls=tuple(ToolCall(call_id=tool, tool=tool, arguments={}) for tool in ("show", "rate"))),
    reply("Done."),
]


def _fits(arguments: dict[str, Any]) -> str | None:
    return None


def question(call_id: str = "c1", **changes: Any) -> Question:
    values: dict[str, Any] = {
        "call_id": call_id,
        "tool": "set_rating",
        "title": "Set rating",
        "tool_class": "destructive",
        "arguments": {"rating": 5},
        "photos": 3,
        "reason": ApprovalReason(kind="mode"),
        "preview": None,
        "wrong": _fits,
        "by": "chat chat_1",
        "bulk_limit": 200,
    }
    return Question(**(values | changes))


async def until_asked(questions: Questions, how_many: int = 1) -> None:
    """Let the tasks that ask take their first step, which is enough."""
    await asyncio.sleep(0)
    assert len(questions.open()) == how_many


def run_of(rig: Rig) -> asyncio.Task[Any]:
    """The task of the chat's run, for waiting without reading the log."""
    (run,) = [task for task in asyncio.all_tasks() if task.get_name() == f"run {rig.session.record.session_id}"]
    return run


async def resolved(rig: Rig) -> list[ApprovalResolvedEvent]:
    return [event for event in await rig.events() if isinstance(event, ApprovalResolvedEvent)]


async def results(rig: Rig) -> list[str]:
    """What the model reads of each call."""
    said = [message for message in rig.session.history if isinstance(message, ToolResults)]
    return [result.text for message in said for result in message.results]


@requirement("perm.answers")
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Set rating will run without asking in this catalog, in later chats too; more than 200 photos at once "),
        (
            {"bulk_limit": 1},
            "Set rating will run without asking in this catalog, in later chats too; more than 1 photo ",
        ),
        ({"bulk_limit": 0}, "Set rating will run without asking in this catalog, in later chats too."),
        ({"tool_class": "change"}, "Set rating will run without asking in this catalog, in later chats too."),
    ],
)
async def test_a_question_says_which_rule_always_would_write(
    tmp_path: Path, changes: dict[str, Any], text: str
) -> None:
    """anomalyco/opencode#40158, anomalyco/opencode#49165: always allowed more than was shown."""
    async with opened_rig(tmp_path, []) as rig:
        questions = Questions(rig.session.log, ChatLimits())
        asking = asyncio.create_task(questions.ask(question(**changes)))
        (asked,) = [event for event in await rig.until("approval_needed") if isinstance(event, ApprovalNeededEvent)]
        (listed,) = questions.open()
        assert listed.decisions == asked.decisions == ["once", "chat", "always", "deny"]
        assert isinstance(listed.always, AlwaysRule)
        assert listed.always == asked.always
        assert (listed.always.tool, listed.always.rule) == ("set_rating", "allow")
        assert listed.always.text.startswith(text)
        assert listed.expires is asked.expires is msgspec.UNSET
        assert rig.permissions.current().rules == {}
        await questions.answer("c1", ONCE, "page")
        assert await asking == ("once", Allowed())


@requirement("perm.answers", "perm.bulk")
async def test_only_what_is_offered_can_be_answered(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        inbox = Questions(
            rig.session.log, ChatLimits(), decisions=("once", "always", "deny"), rule_holds="for every agent"
        )
        bulk = ApprovalReason(kind="bulk", photos=900, limit=200)
        asking = [asyncio.create_task(inbox.ask(question(reason=bulk))), asyncio.create_task(inbox.ask(question("c2")))]
        await until_asked(inbox, 2)
        of_many, of_few = inbox.open()
        assert (of_many.decisions, of_many.always) == (["once", "deny"], None)
        assert of_few.decisions == ["once", "always", "deny"]
        assert isinstance(of_few.always, AlwaysRule)
        assert of_few.always.text.startswith("Set rating will run without asking for every agent; more than")
        refused: list[tuple[str, Decision]] = [("c1", "always"), ("c1", "chat"), ("c2", "chat")]
        for call_id, decision in refused:
            with pytest.raises(Conflict) as caught:
                await inbox.answer(call_id, ApprovalAnswer(decision=decision), "page")
            assert caught.value.code == "decision_not_offered"
        assert len(inbox.open()) == 2
        await inbox.stop_all()
        assert {outcome for outcome, _ in await asyncio.gather(*asking)} == {"stopped"}


@requirement("perm.resolved-always")
async def test_a_question_tells_when_it_ends_and_ends_then_with_a_reason_that_is_no_refusal(tmp_path: Path) -> None:
    """haowjy/meridian-cli#455: a run waited 23 days for an answer."""
    async with opened_rig(tmp_path, list(RATE_ONE), limits=ChatLimits(approval_expiry_s=0.05)) as rig:
        await rig.session.send("rate")
        events = await rig.until("approval_needed")
        (asked,) = [event for event in events if isinstance(event, ApprovalNeededEvent)]
        assert not isinstance(asked.expires, msgspec.UnsetType)
        await rig.idle()
        (end,) = await resolved(rig)
        assert (end.outcome, end.by, end.arguments) == ("expired", "service", None)
        assert end.note == "there was no answer within 0.05 seconds"
        assert [e.reason for e in await rig.events() if isinstance(e, ToolSkippedEvent)] == ["not_allowed"]
        (text,) = await results(rig)
        assert "Nobody answered" in text
        assert "did not allow" not in text
        assert rig.tools["rate"].runs == []
        with pytest.raises(Conflict):
            await rig.session.answer("c1", ONCE, "page")


async def test_the_time_to_answer_counts_from_the_question_on(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        questions = Questions(rig.session.log, ChatLimits(approval_expiry_s=90))
        asking = asyncio.create_task(questions.ask(question()))
        await until_asked(questions)
        (listed,) = questions.open()
        assert listed.expires == listed.asked + timedelta(seconds=90)
        await questions.stop_all()
        await asking


@requirement("perm.resolved-always")
async def test_a_question_that_nobody_could_see_for_long_ends_and_says_so(tmp_path: Path) -> None:
    """aaif-goose/goose#7915, aaif-goose/goose#10563, aaif-goose/goose PR#10613: a run that nobody watched hung at its
    question."""
    async with opened_rig(tmp_path, list(RATE_ONE), limits=ChatLimits(unattended_s=0.05)) as rig:
        await rig.session.send("rate")
        await asyncio.wait({run_of(rig)})
        (end,) = await resolved(rig)
        assert (end.outcome, end.note) == ("expired", "nobody was at the page for 0.05 seconds")
        (text,) = await results(rig)
        assert "nobody was at the page" in text
        assert rig.tools["rate"].runs == []


@requirement("perm.resolved-always")
async def test_who_reads_the_chat_keeps_its_question_open_till_they_have_been_gone_for_long(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_ONE), limits=ChatLimits(unattended_s=0.02)) as rig:
        stream = rig.session.log.follow(None)
        await anext(stream)
        await rig.session.send("rate")
        run = run_of(rig)
        async for chunk in stream:
            if b"approval_needed" in chunk:
                break
        done, _ = await asyncio.wait({run}, timeout=0.2)
        assert not done, "ended although somebody was there"
        assert len(rig.session.questions().open()) == 1
        await stream.aclose()
        await asyncio.wait({run})
        (end,) = await resolved(rig)
        assert end.outcome == "expired"


@requirement("perm.answers", "perm.resolved-always")
@pytest.mark.parametrize("decision", ["chat", "always"])
async def test_other_questions_that_an_answer_covers_end_alike(tmp_path: Path, decision: Any) -> None:
    async with opened_rig(tmp_path, list(RATE_THREE)) as rig:
        await rig.session.send("rate three")
        await rig.until("approval_needed", times=3)
        await rig.session.answer("c2", ApprovalAnswer(decision=decision), "agent")
        await rig.idle()
        assert {(e.call_id, e.outcome, e.by) for e in await resolved(rig)} == {
            (call_id, decision, "agent") for call_id in ("c1", "c2", "c3")
        }
        assert sorted(run["n"] for run in rig.tools["rate"].runs) == [1, 2, 3]
        assert rig.permissions.current().rules == ({"rate": "allow"} if decision == "always" else {})


@requirement("perm.answers", "perm.bulk")
async def test_a_question_about_more_photos_than_the_limit_is_covered_by_no_other_answer(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        questions = Questions(rig.session.log, ChatLimits())
        many = question("many", photos=201)
        bulk = question("bulk", reason=ApprovalReason(kind="bulk", photos=201, limit=200))
        other = question("other", tool="set_flag")
        asked = (question("c1"), many, bulk, other, question("rule", reason=ApprovalReason(kind="rule")))
        asking = [asyncio.create_task(questions.ask(one)) for one in asked]
        await until_asked(questions, 5)
        await questions.answer("c1", ALWAYS, "page")
        assert [left.call_id for left in questions.open()] == ["many", "bulk", "other"]
        await questions.stop_all()
        ends = [outcome for outcome, _ in await asyncio.gather(*asking)]
        assert ends == ["always", "stopped", "stopped", "stopped", "always"]


@requirement("perm.rules")
async def test_a_rule_that_blocks_wins_over_an_answer_that_came_first(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_THREE)) as rig:
        await rig.session.send("rate three")
        await rig.until("approval_needed", times=3)
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={"rate": "block"}, bulk_limit=0))
        for call_id in ("c1", "c2", "c3"):
            await rig.session.answer(call_id, ONCE, "page")
        events = await rig.idle()
        assert [e.reason for e in events if isinstance(e, ToolSkippedEvent)] == ["turned_off"] * 3
        assert rig.tools["rate"].runs == []


@requirement("perm.bulk")
async def test_photos_that_come_between_answer_and_run_ask_once_more_as_many(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_ONE)) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        rig.tools["rate"].photos = 500
        await rig.session.answer("c1", ALWAYS, "page")
        events = await rig.until("approval_needed", times=2)
        (again,) = [event for event in events if isinstance(event, ApprovalNeededEvent)][1:]
        assert (again.reason.kind, again.reason.photos, again.reason.limit) == ("bulk", 500, 200)
        assert (again.decisions, again.always) == (["once", "chat", "deny"], None)
        assert rig.tools["rate"].runs == []
        await rig.session.answer("c1", ONCE, "page")
        await rig.idle()
        assert rig.tools["rate"].runs == [{"n": 1}]


@requirement("perm.resolved-always")
async def test_a_question_whose_caller_goes_away_ends_as_stopped(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        questions = Questions(rig.session.log, ChatLimits())
        for step in range(4):
            asking = asyncio.create_task(questions.ask(question(f"c{step}")))
            for _ in range(step):
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            assert questions.open() == []
        kinds = await rig.types()
        assert kinds.count("approval_needed") == kinds.count("approval_resolved")
        assert {end.outcome for end in await resolved(rig)} == {"stopped"}
        with pytest.raises(Conflict) as caught:
            await questions.answer("c3", ONCE, "page")
        assert caught.value.code == "already_settled"
        with pytest.raises(NotFound):
            await questions.answer("c9", ONCE, "page")


@requirement("perm.answers", "perm.resolved-always")
async def test_every_end_has_words_of_its_own_for_the_model(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        questions = Questions(rig.session.log, ChatLimits(approval_expiry_s=0.01))
        _, late = await questions.ask(question("late"))
        questions = Questions(rig.session.log, ChatLimits())
        asking = [asyncio.create_task(questions.ask(question(name))) for name in ("no", "stop")]
        await until_asked(questions, 2)
        await questions.answer("no", ApprovalAnswer(decision="deny", note=" only the best "), "page")
        await questions.stop_all()
        replies = [late, *(answered for _, answered in await asyncio.gather(*asking))]
        texts = [answered.text for answered in replies if isinstance(answered, Denied)]
        assert len(set(texts)) == 3
        assert ["The user did not allow" in text for text in texts] == [False, True, False]
        assert texts[1].endswith("They said: only the best")


@requirement("perm.resolved-always")
async def test_a_question_can_be_answered_in_its_own_chat_only(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        mine, other = await live.open_chat(), await live.open_chat()
        session = await live.application.service.chats.get(mine["session_id"])
        asking = asyncio.create_task(session.questions().ask(question()))
        await until_asked(session.questions())

        async def answered(chat: dict[str, Any], token: str) -> tuple[int, str]:
            url = f"/v1/chat/sessions/{chat['session_id']}/approvals/c1"
            async with live.client(token) as page:
                answer = await page.post(url, json={"decision": "once"})
            return answer.status_code, answer.json().get("code", "")

        assert await answered(other, other["chat_token"]) == (404, "not_found")
        assert await answered(mine, other["chat_token"]) == (403, "forbidden")
        assert await answered(mine, mine["chat_token"]) == (200, "")
        assert await answered(mine, mine["chat_token"]) == (409, "already_settled")
        assert (await asking)[0] == "once"


@requirement("perm.resolved-always")
async def test_a_service_that_ends_does_not_say_that_the_user_stopped(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_ONE)) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.close()
        (end,) = await resolved(rig)
        assert (end.outcome, end.by) == ("stopped", "service")
        (text,) = await results(rig)
        assert text.startswith("Safelight was stopped")
        assert rig.tools["rate"].runs == []


@requirement("session.stop-every-phase")
async def test_a_service_that_ends_before_a_call_does_not_say_either_that_the_user_stopped(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_TWO_KINDS)) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        rig.tools["show"].hold = asyncio.Event()
        await rig.session.send("both")
        await rig.tools["show"].started.wait()
        ending = asyncio.create_task(rig.session.close())
        await rig.until("tool_skipped")
        rig.tools["show"].hold.set()
        await ending
        shown, rated = await results(rig)
        assert "user stopped" not in shown + rated
        assert rated.startswith("Safelight itself was ended")
        assert rig.session.history[-1] == AssistantTurn(text=CUT_OFF)
        assert rig.tools["rate"].runs == []


@requirement("perm.answers")
async def test_the_rule_of_an_answer_always_stands_once_it_is_answered(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_ONE)) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        (asked,) = rig.session.questions().open()
        assert asked.by is msgspec.UNSET, "in a chat it is the chat that calls"
        await rig.session.answer("c1", ALWAYS, "page")
        assert rig.permissions.current().rules == {"rate": "allow"}
        await rig.idle()


@requirement("perm.answers", "perm.frozen")
async def test_a_rule_is_never_written_for_another_catalog_than_the_question_was_put_in(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, list(RATE_ONE)) as rig:
        rig.permissions.bind("a" * 32)
        await rig.session.send("rate")
        await rig.until("approval_needed")
        rig.permissions.bind("b" * 32)
        await rig.session.answer("c1", ALWAYS, "page")
        assert rig.permissions.current().rules == {}
        (warning,) = [event for event in await rig.idle() if isinstance(event, WarningEvent)]
        assert "another catalog" in warning.message
        rig.permissions.bind("a" * 32)
        assert rig.permissions.current().rules == {}
