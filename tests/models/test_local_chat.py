"""A chat with a local model, from what the model writes to what a person sees, whatever it writes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.conversation.parts import AssistantTurn, ToolResults
from safelight.models.chat_model import NO_WISHES, ChatModel, EngineWishes, ToolOffer
from safelight.models.local import LocalChatModel
from safelight.wire.models import AssistantTurnEvent, ToolDoneEvent, ToolSkippedEvent, WarningEvent
from tests.chat.rig import PlayedModel, Rig, SpyTool, kind_of, serving_rig
from tests.models.fake_engine import FakeEngine
from tests.requirement import requirement

REPLY = '{"analysis":"Done.","reply":"So be it."}'
IMPOSSIBLE: dict[str, Any] = {"type": "object", "properties": {"n": False}, "required": ["n"]}


class Unprepared(LocalChatModel):
    """Writes nothing ahead."""

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        pass


class WrittenModel(PlayedModel):
    """A local model whose engine writes prepared answers."""

    def __init__(self, *answers: str) -> None:
        super().__init__([])
        self._local = Unprepared("written", FakeEngine(*answers).borrow, context_window=8_192, small=False)

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        return self._local


@asynccontextmanager
async def chatting(folder: Path, *answers: str, schema: dict[str, Any] | None = None) -> AsyncGenerator[Rig, None]:
    tool = SpyTool("look", read_only=True, destructive=False)
    if schema is not None:
        tool.spec = msgspec.structs.replace(tool.spec, input_schema=schema)
    async with asyncio.timeout(20), serving_rig(folder, WrittenModel(*answers, REPLY), {"look": tool}) as rig:
        yield rig


def call(arguments: str, tool: str = "look") -> str:
    return f'{{"analysis":"Look.","call":{{{json.dumps(tool)}:{arguments}}}}}'


WRONG = {
    "too large for a float": call('{"n":1e400}'),
    "five thousand digits": call('{"n":' + "9" * 5_000 + "}"),
    "too large for a database": call('{"n":18446744073709551616}'),
    "a fraction": call('{"n":1.5}'),
    "text for a number": call('{"n":"1"}'),
    "an argument that is not there": call('{"größe 名前":1}'),
    "half a character": call('{"word":"\\ud83d"}').replace('"word"', '"wo\\udc00rd"'),
    "nested deeply": call('{"word":' + '{"a":' * 400 + "1" + "}" * 400 + "}"),
}


@requirement("local.validate-anyway")
@pytest.mark.parametrize("written", WRONG.values(), ids=WRONG)
async def test_a_wrong_argument_is_a_tool_error_that_the_model_reads(tmp_path: Path, written: str) -> None:
    async with chatting(tmp_path, written) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        (failed,) = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert failed.ok is False
        assert failed.text.startswith("BAD_ARGUMENTS: ")
        assert rig.tools["look"].runs == []
        assert [event.text for event in events if isinstance(event, AssistantTurnEvent)][-1] == "So be it."
        (results,) = [part for part in rig.session.history if isinstance(part, ToolResults)]
        assert results.results[0].text.startswith("BAD_ARGUMENTS: ")


@requirement("local.validate-anyway")
@pytest.mark.parametrize(
    "broken",
    [{"pattern": "(["}, {"$ref": "#/$defs/gone"}, {"type": "strnig"}, {"allOf": 5}],
    ids=["pattern", "reference", "type", "allOf"],
)
async def test_a_schema_that_cannot_check_lets_no_call_run(tmp_path: Path, broken: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"word": broken}}
    async with chatting(tmp_path, call('{"word":"a"}'), schema=schema) as rig:
        await rig.session.send("look")
        (failed,) = [event for event in await rig.idle() if isinstance(event, ToolDoneEvent)]
        assert failed.text.startswith("BAD_ARGUMENTS: the tool's own schema is broken")
        assert rig.tools["look"].runs == []


NO_ANSWER = {
    "nothing": "",
    "plain text": "I would look first.",
    "another shape": '{"reply":5}',
    "a list": "[1]",
    "text behind": REPLY + " and more",
    "half a character": '{"analysis":"\\ud83d","reply":"\\udc26',
}


@requirement("local.streaming")
@pytest.mark.parametrize("written", NO_ANSWER.values(), ids=NO_ANSWER)
async def test_what_is_no_answer_ends_the_run_with_words_and_the_chat_goes_on(tmp_path: Path, written: str) -> None:
    async with chatting(tmp_path, written) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        assert "error" not in map(kind_of, events)
        assert [event.message for event in events if isinstance(event, WarningEvent)]
        await rig.session.send("again")
        said = [event.text for event in await rig.idle(2) if isinstance(event, AssistantTurnEvent)]
        assert said[-1] == "So be it."


CUT = {
    "in its arguments": call('{"word":"a')[:-2],
    "twice the same name": call('{"n":1,"n":2}'),
    "no number": call('{"n":NaN}'),
    "text behind": call("{}") + "{}",
    "two tools": '{"analysis":"a","call":{"look":{},"rate":{}}}',
    "endless": call('{"word":' + "[" * 5_000 + "]" * 5_000 + "}"),
}


@requirement("local.streaming")
@pytest.mark.parametrize("written", CUT.values(), ids=CUT)
async def test_a_call_that_is_not_whole_never_runs_and_the_model_is_told(tmp_path: Path, written: str) -> None:
    async with chatting(tmp_path, written) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["incomplete"]
        assert rig.tools["look"].runs == []
        last = rig.session.history[-1]
        assert isinstance(last, AssistantTurn)
        assert last.text == "So be it."


@requirement("local.bad-tool-aside")
async def test_a_tool_that_was_set_aside_is_told_to_the_person_once(tmp_path: Path) -> None:
    async with chatting(tmp_path, REPLY, schema=IMPOSSIBLE) as rig:
        for times in (1, 2):
            await rig.session.send("look")
            events = await rig.idle(times)
        (warning,) = [event.message for event in events if isinstance(event, WarningEvent)]
        assert warning.startswith("The tool look cannot be offered to this model: ")
        assert "n" in warning
