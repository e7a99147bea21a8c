"""A local model's turn, over an engine that writes prepared answers."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any

import pytest

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.models.chat_model import Piece, ToolOffer, TurnDone, TurnPiece, TurnRequest, TurnWarning
from safelight.models.local import LocalChatModel
from tests.models.fake_engine import FakeEngine
from tests.models.offers import OFFERS
from tests.requirement import requirement

ASK = (UserMessage(text="Find boats", context="Today is Monday."),)
CALL = ToolCall(call_id="call_1", tool="search_photos", arguments={"text": "boat"})
CALLED = (
    *ASK,
    AssistantTurn(reasoning="Boats.", calls=(CALL,)),
    ToolResults(results=(ToolResult(call_id="call_1", tool="search_photos", outcome="success", text='{"count":3}'),)),
)
REPLY = '{"analysis":"Done.","reply":"Here they are."}'
SEARCH = '{"analysis":"Boats ü.","call":{"search_photos":{"text":"boat"}}}'


def model(engine: FakeEngine, *, small: bool = False) -> LocalChatModel:
    return LocalChatModel("llama:fake", engine.borrow, context_window=8_192, small=small)


async def turn(
    one: LocalChatModel, history: History = ASK, *, tools: tuple[ToolOffer, ...] = OFFERS, may_call: bool = True
) -> list[Piece]:
    request = TurnRequest(system="Help.", tools=tools, history=history, may_call=may_call)
    async with aclosing(one.turn(request)) as pieces:
        return [piece async for piece in pieces]


def done(pieces: list[Piece]) -> TurnDone:
    last = pieces[-1]
    assert isinstance(last, TurnDone)
    return last


def schema(engine: FakeEngine) -> dict[str, Any]:
    text = engine.jobs[-1].schema
    assert text is not None
    return json.loads(text)


@requirement("local.streaming")
async def test_the_analysis_streams_as_reasoning_and_the_reply_as_text() -> None:
    pieces = await turn(model(FakeEngine(REPLY)))
    streamed = [piece for piece in pieces if isinstance(piece, TurnPiece)]
    assert "".join(piece.text for piece in streamed if piece.kind == "reasoning") == "Done."
    assert "".join(piece.text for piece in streamed if piece.kind == "text") == "Here they are."
    assert len(streamed) > 4
    assert done(pieces).turn == AssistantTurn(reasoning="Done.", text="Here they are.")
    assert done(pieces).finish == "stop"


async def test_a_call_ends_the_turn_with_its_arguments_and_the_usage() -> None:
    engine = FakeEngine(SEARCH, SEARCH)
    one = model(engine)
    first, second = done(await turn(one)), done(await turn(one))
    assert [(call.tool, call.arguments) for call in first.turn.calls] == [("search_photos", {"text": "boat"})]
    assert first.finish == "calls"
    assert first.turn.calls[0].call_id != second.turn.calls[0].call_id
    usage = first.usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == (100, 60, 9)
    assert usage.context_window == one.context_window == 4_096


@pytest.mark.parametrize(
    "answer",
    [
        *("", "Hello there.", "null", "[]", '"text"', "{", "}", '{"analysis"', '{"reply":5}', "\ud83d", "\x00", "NaN"),
        *('{"analysis":"a","call":[]}', '{"analysis":"a","call":{"t":[]}}', '{"analysis":"a","call":{}}'),
        *('{"analysis":"a","call":{"t":{}},"reply":"b"}', '{"analysis":"a","call":{"t":{},"u":{}}}'),
        *('{"analysis":"a","call":{"t":{}}}{}', '{"analysis":"a","call":{"t":{"x":1,"x":2}}}'),
        '{"call":{"t":' + "[" * 9_999,
        *('{"analysis":"a","call":{"t":{"x":NaN}}}', '{"analysis":"a","call":{"t":{"x":-Infinity}}}'),
    ],
)  # fmt: skip
async def test_what_is_no_answer_calls_nothing_and_breaks_nothing(answer: str) -> None:
    last = done(await turn(model(FakeEngine(answer))))
    assert (last.turn.calls, last.finish) == ((), "length")


async def test_a_call_that_the_token_limit_cut_is_named_and_never_given_out() -> None:
    last = done(await turn(model(FakeEngine(SEARCH[:-9], finish_early=True))))
    assert (last.turn.calls, last.finish, last.incomplete_call) == ((), "length", "search_photos")


@pytest.mark.parametrize("wrong", ['{"text":?}', '{"text":"boat"}<|call|>', '{"text":"boat"', "?"])
async def test_a_call_with_something_in_it_that_is_no_json_is_named_and_never_given_out(wrong: str) -> None:
    """mastra-ai/mastra PR#13829: what a model wrote between its arguments broke the turn."""
    last = done(await turn(model(FakeEngine(f'{{"analysis":"Boats.","call":{{"search_photos":{wrong}}}}}'))))
    assert (last.turn.calls, last.turn.reasoning, last.incomplete_call) == ((), "Boats.", "search_photos")


@requirement("local.history-format")
async def test_the_models_own_turns_go_back_as_the_json_it_wrote_and_results_as_user_turns() -> None:
    """lmstudio-bug-tracker#775: a local model did not see its result and called again."""
    engine = FakeEngine(REPLY)
    await turn(model(engine), (*CALLED, AssistantTurn(reasoning="Three.", text="Found ü."), *ASK))
    _, *said = [(message.role, message.content) for message in engine.jobs[0].messages]
    assert said == [
        ("user", "Find boats\n\nToday is Monday."),
        ("assistant", '{"analysis":"Boats.","call":{"search_photos":{"text":"boat"}}}'),
        ("user", 'Result of search_photos: {"count":3}'),
        ("assistant", '{"analysis":"Three.","reply":"Found ü."}'),
        ("user", "Find boats\n\nToday is Monday."),
    ]


async def test_several_calls_of_another_model_go_back_one_by_one_and_roles_alternate() -> None:
    calls = (CALL, ToolCall(call_id="call_2", tool="get_status", arguments={}))
    results = tuple(
        ToolResult(call_id=call.call_id, tool=call.tool, outcome="success", text=call.call_id) for call in calls
    )
    engine = FakeEngine(REPLY)
    await turn(model(engine), (*ASK, AssistantTurn(text="Both.", calls=calls), ToolResults(results=results), *ASK))
    messages = engine.jobs[0].messages
    assert [message.role for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert messages[2].content.startswith('{"analysis":"Both.","call":{"search_photos"')
    assert messages[4].content.startswith('{"analysis":"Both.","call":{"get_status"')
    assert messages[5].content.startswith("Result of get_status: call_2\n\nFind boats")


@requirement("local.answer-shape")
async def test_without_leave_to_call_only_the_reply_is_left() -> None:
    for small in (False, True):
        engine = FakeEngine(REPLY)
        await turn(model(engine, small=small), may_call=False)
        assert list(schema(engine)["properties"]) == ["analysis", "reply"]


@requirement("local.bad-tool-aside")
async def test_a_tool_that_no_grammar_can_hold_is_warned_of_once_a_chat_and_list() -> None:
    bad = ToolOffer(name="tree", title="", description="", input_schema={"type": "string"})
    engine = FakeEngine(*[REPLY] * 4)
    one = model(engine)
    warned = [
        [piece.message for piece in await turn(one, history, tools=tools) if isinstance(piece, TurnWarning)]
        for history, tools in (
            (ASK, (*OFFERS, bad)),
            (CALLED, (*OFFERS, bad)),
            (CALLED, OFFERS),
            (ASK, (*OFFERS, bad)),
        )
    ]
    assert [len(messages) for messages in warned] == [1, 0, 0, 1]
    assert "tree" in warned[0][0]
    assert "tree" not in engine.jobs[0].messages[0].content


@requirement("local.bad-tool-aside")
async def test_a_tool_that_the_engines_grammar_cannot_hold_is_set_aside_alone() -> None:
    def refused(schema: dict[str, Any]) -> str | None:
        return "it has a name with ö" if "hör" in json.dumps(schema, ensure_ascii=False) else None

    heard = ToolOffer(name="hör", title="", description="", input_schema={})
    engine = FakeEngine(REPLY)
    one = LocalChatModel("llama:fake", engine.borrow, context_window=8_192, small=False, refused=refused)
    pieces = await turn(one, tools=(heard, *OFFERS))
    assert pieces[0] == TurnWarning(message="The tool hör cannot be offered to this model: it has a name with ö.")
    assert "search_photos" in json.dumps(schema(engine))
    assert "hör" not in str(engine.jobs)


@requirement("local.bad-tool-aside")
async def test_hostile_tools_cost_nothing_but_themselves() -> None:
    """One tool with a broken name, text or schema took all others with it."""

    def hostile(name: str, description: str = "", **schema: Any) -> ToolOffer:
        return ToolOffer(name=name, title="", description=description, input_schema=schema)

    deep: dict[str, Any] = {}
    for _ in range(3_000):
        deep = {"properties": {"a": deep}}
    tools = (
        hostile('q"uo\\te\n.größe 名前', "\ud83d", properties={"\x00": {"minimum": "1", "maximum": "2"}}),
        hostile("half \ud83d"),
        hostile(""),
        hostile("x" * 500),
        hostile("not a number", properties={"a": {"const": float("nan")}}, required=["a"]),
        hostile("deep", properties={"a": deep}, required=["a"]),
        hostile("huge", properties={"a": {"maximum": 10**5_000, "enum": [10**5_000]}}, required=["a"]),
        hostile("broken", properties=[1], required={"a": 1}, anyOf=5),
        *OFFERS,
        *OFFERS[:1],
    )
    engine = FakeEngine(SEARCH)
    pieces = await turn(model(engine), tools=tools)
    warned = [piece.message for piece in pieces if isinstance(piece, TurnWarning)]
    assert len(warned) == len(set(warned)) >= 4
    assert all("cannot be offered to this model" in message for message in warned)
    (job,) = engine.jobs
    job.messages[0].content.encode()
    offered = [next(iter(one["properties"])) for one in schema(engine)["anyOf"][0]["properties"]["call"]["anyOf"]]
    assert offered[0] == tools[0].name
    assert offered[-len(OFFERS) :] == [tool.name for tool in OFFERS]
    assert job.messages[0].content.count(f"\n{OFFERS[0].name}: ") == 1
    assert done(pieces).finish == "calls"


async def test_the_prompt_is_byte_stable_and_describes_a_shared_argument_once() -> None:
    engine = FakeEngine(REPLY, REPLY)
    await turn(model(engine))
    await turn(model(engine), CALLED)
    first, second = (job.messages[0].content for job in engine.jobs)
    assert first == second
    assert engine.jobs[0].schema == engine.jobs[1].schema
    assert first.count("ids of single photos") == 1
    assert first.count("- photo_ids") == 1 + sum("photo_ids" in tool.input_schema["properties"] for tool in OFFERS)


async def test_a_small_model_answers_within_the_pattern_that_it_finds_likeliest() -> None:
    engine = FakeEngine(SEARCH, likely="a thing, an animal")
    await turn(model(engine, small=True))
    assert set(engine.messages) == {"Find boats\n", "Find"}, "only what the person wrote is compared"
    call = schema(engine)["properties"]["call"]["properties"]
    assert list(call) == ["search_photos"]
    assert list(call["search_photos"]["properties"]) == call["search_photos"]["required"] == ["text"]
    assert engine.jobs[0].messages[-1].content == "Find boats"


async def test_after_a_result_a_small_model_replies_with_what_the_result_says_and_its_prompt_only_grows() -> None:
    engine = FakeEngine(SEARCH, REPLY, likely="a thing, an animal")
    one = model(engine, small=True)
    await turn(one)
    await turn(one, CALLED)
    assert engine.messages == [*["Find boats\n", "Find"] * 2, "Find boats\n"], "act, filter and language, once each"
    assert schema(engine)["properties"]["reply"] == {"enum": ["Photos found: 3."]}
    assert engine.jobs[1].messages[: len(engine.jobs[0].messages)] == engine.jobs[0].messages


async def test_preparing_reads_what_the_first_turn_begins_with() -> None:
    engine = FakeEngine("", SEARCH, likely="a thing, an animal")
    one = model(engine, small=True)
    await one.prepare("Help.", OFFERS)
    await turn(one)
    prepared, first = engine.jobs
    assert prepared.messages[0] == first.messages[0]
    assert engine.messages.count("Find boats\n") == 2, "act and filter; what they are compared with was read before"


async def test_what_is_prepared_is_not_prepared_again_until_the_engine_is_another() -> None:
    engines = [FakeEngine("", ""), FakeEngine("")]
    one = LocalChatModel("llama:fake", lambda: engines[0].borrow(), context_window=8_192, small=False)
    await one.prepare("Help.", OFFERS)
    await one.prepare("Help.", OFFERS)
    assert len(engines[0].jobs) == 1
    await one.prepare("Help.", ())
    assert len(engines[0].jobs) == 2
    engines.pop(0)
    await one.prepare("Help.", ())
    assert len(engines[0].jobs) == 1


async def test_leaving_the_turn_stops_the_engine() -> None:
    """Open-Historia PR#338: the local model finished all the same."""
    engine = FakeEngine(REPLY)
    pieces = model(engine).turn(TurnRequest(system="", tools=(), history=ASK))
    await anext(pieces)
    await pieces.aclose()
    assert engine.stopped == 1
