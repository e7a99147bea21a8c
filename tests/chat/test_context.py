"""What of a conversation reaches the model: fitted, capped, and said with numbers when it cannot be."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
import pytest

from safelight.chat.prompting import Prompting
from safelight.conversation.cap import limits
from safelight.conversation.estimate import estimate
from safelight.conversation.fit import GIVEN_UP, LEFT_OUT
from safelight.conversation.parts import (
    AssistantTurn,
    History,
    Image,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
)
from safelight.conversation.repair import INTERRUPTED
from safelight.errors import ContextTooSmall
from safelight.models.chat_model import Piece, ToolOffer, TurnDone, TurnPiece, TurnRequest
from safelight.wire.models import ErrorEvent, Mode, PermissionsUpdate
from tests.chat.rig import call, opened_rig, reply
from tests.requirement import requirement
from tests.stable_prefix import MOVES_PREFIX, encoded_request, watching


class CountingModel:
    """Counts what it is sent, a token for every ``chars`` characters and ``fixed`` besides, and refuses what is larger
    than its window."""

    model_id = "counting"
    photos_kept = 2

    def __init__(self, *, window: int = 8_000, fixed: int = 1_000, chars: int = 3, real_window: int = 0) -> None:
        self.context_window = window
        self.requests: list[TurnRequest] = []
        self.speaks_first = False
        self._fixed = fixed
        self._chars = chars
        self._real_window = real_window or window

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        pass

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        self.requests.append(request)
        if self.speaks_first:
            yield TurnPiece("text", "Well")
        tokens = self._fixed + estimate(request.history) * 3 // self._chars
        if tokens > self._real_window:
            raise ContextTooSmall(f"{tokens:,} tokens are more than {self._real_window:,}.")
        yield TurnDone(turn=reply("So."), finish="stop", usage=Usage(prompt_tokens=tokens))


async def ask(prompting: Prompting, model: CountingModel, history: History, offers: tuple[ToolOffer, ...] = ()) -> None:
    async for _ in prompting.turn(model, history, offers, may_call=True):
        pass


def exchange(number: int, chars: int) -> History:
    call_id = f"c{number}"
    return (
        UserMessage(text=f"request {number}"),
        AssistantTurn(calls=(ToolCall(call_id=call_id, tool="look", arguments={}),)),
        ToolResults(results=(ToolResult(call_id=call_id, tool="look", outcome="success", text="x" * chars),)),
        AssistantTurn(text="Done."),
    )


def conversation(count: int, chars: int) -> History:
    return tuple(message for number in range(count) for message in exchange(number, chars))


LAST = UserMessage(text="and now?")


@requirement("context.fit")
async def test_a_conversation_is_fitted_by_what_the_first_turn_cost() -> None:
    """anomalyco/opencode#6286: the tools were not counted."""
    for fixed, whole in ((500, True), (4_500, False)):
        prompting, model = Prompting(), CountingModel(fixed=fixed)
        await ask(prompting, model, (LAST,))
        history = (LAST, reply("So."), *conversation(3, 3_000), LAST)
        await ask(prompting, model, history)
        assert (model.requests[-1].history == history) is whole
        assert (GIVEN_UP in str(model.requests[-1].history)) is not whole
        assert prompting.moved == (0 if whole else 1)


@requirement("context.fit", "prompt.stable-prefix")
async def test_the_prefix_moves_seldom_in_a_long_conversation() -> None:
    prompting, model = Prompting(), CountingModel()
    history: History = ()
    for number in range(200):
        said, *rest = exchange(number, 600)
        await ask(prompting, model, (*history, said))
        history = (*history, said, *rest)
    assert len(model.requests) == 200
    assert 2 < prompting.moved < 40  # a quarter of the room holds six exchanges
    assert model.requests[-1].history[0] == UserMessage(text=LEFT_OUT)


@requirement("context.too-small")
async def test_a_last_exchange_that_cannot_fit_is_said_at_once_with_the_three_numbers() -> None:
    prompting, model = Prompting(), CountingModel()
    await ask(prompting, model, (LAST,))
    with pytest.raises(ContextTooSmall) as told:
        await ask(prompting, model, (LAST, reply("So."), UserMessage(text="x" * 30_000)))
    assert len(model.requests) == 1
    assert "tools take 1,000 tokens" in told.value.message
    assert "results about 10,000" in told.value.message
    assert "window holds 8,000" in told.value.message
    assert "larger window" in told.value.message


@requirement("context.too-small")
async def test_tools_larger_than_the_window_are_said_with_numbers_and_not_sent_again() -> None:
    """MoonshotAI/kimi-code#2325, MoonshotAI/kimi-code PR#2498, duolahypercho/codex-router#846,
    NousResearch/hermes-agent PR#62502: tools larger than the window were shortened for ever."""
    prompting, model = Prompting(), CountingModel(window=8_000, fixed=9_000, real_window=20_000)
    await ask(prompting, model, (LAST,))
    with pytest.raises(ContextTooSmall, match=r"tools alone take 9,000 tokens, .* holds 8,000\. Choose"):
        await ask(prompting, model, (LAST,))
    assert len(model.requests) == 1


@requirement("context.too-small")
async def test_a_new_chat_whose_tools_do_not_fit_asks_the_model_once() -> None:
    prompting, model = Prompting(), CountingModel(fixed=9_000)
    with pytest.raises(ContextTooSmall, match="9,003 tokens are more than 8,000"):
        await ask(prompting, model, (LAST,))
    assert len(model.requests) == 1


@requirement("context.too-small", "context.fit")
async def test_a_model_that_finds_a_fitted_conversation_too_long_gets_less() -> None:
    prompting, model = Prompting(), CountingModel(chars=2)
    await ask(prompting, model, (LAST,))
    history = (LAST, *conversation(23, 600), LAST)
    await ask(prompting, model, history)
    sizes = [estimate(request.history) for request in model.requests[1:]]
    assert len(sizes) == 2
    assert sizes[1] < sizes[0]
    await ask(prompting, model, (*history, reply("So."), LAST))
    assert len(model.requests) == 4
    assert encoded_request(model.requests[3]).startswith(encoded_request(model.requests[2]))


@requirement("context.too-small")
async def test_less_is_tried_at_most_three_times_and_only_while_it_is_less() -> None:
    """anomalyco/opencode#27924, anomalyco/opencode PR#38102, docker-agent PR#2235: shortening that did not help was
    tried without end."""
    prompting, model = Prompting(), CountingModel(window=100_000, fixed=1_000, real_window=900)
    with pytest.raises(ContextTooSmall, match="more than 900"):
        await ask(prompting, model, (*conversation(200, 600), LAST))
    sizes = [estimate(request.history) for request in model.requests]
    assert len(sizes) == 4
    assert sizes == sorted(set(sizes), reverse=True)
    with pytest.raises(ContextTooSmall):
        await ask(prompting, model, (LAST,))
    assert len(model.requests) == 5


@requirement("context.too-small")
async def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    prompting, model = Prompting(), CountingModel(real_window=1_500)
    model.speaks_first = True
    with pytest.raises(ContextTooSmall):
        await ask(prompting, model, (*conversation(3, 3_000), LAST))
    assert len(model.requests) == 1


@requirement("context.fit")
@MOVES_PREFIX
async def test_another_model_or_other_tools_are_measured_anew() -> None:
    prompting, model = Prompting(), CountingModel(fixed=7_900)
    await ask(prompting, model, (LAST,))
    offer = ToolOffer(name="look", title="Look", description="looks", input_schema={})
    cheaper = CountingModel(fixed=10)
    history = (LAST, reply("So."), UserMessage(text="x" * 3_000))
    await ask(prompting, cheaper, history, (offer,))
    with pytest.raises(ContextTooSmall):
        await ask(prompting, model, history)


@requirement("context.fit")
async def test_only_the_newest_pictures_are_sent_as_pictures() -> None:

    def look(number: int) -> History:
        image = Image(mime_type="image/jpeg", data=b"jpeg", photo_id=f"p{number}")
        user, turn, results, end = exchange(number, 1)
        assert isinstance(results, ToolResults)
        result = msgspec.structs.replace(results.results[0], images=(image,))
        return (user, turn, ToolResults(results=(result,)), end)

    prompting, model = Prompting(), CountingModel()
    history = (*look(0), *look(1), *look(2))
    await ask(prompting, model, (*history, LAST))
    shown = [m.results[0] for m in model.requests[0].history if isinstance(m, ToolResults)]
    assert [len(result.images) for result in shown] == [0, 1, 1]
    assert "photo p0" in shown[0].text
    await ask(prompting, model, (*history, LAST, *look(3), LAST))
    assert prompting.moved == 2

    blind = CountingModel()
    blind.photos_kept = 0
    prompting = Prompting()
    await ask(prompting, blind, (*history, LAST))
    await ask(prompting, blind, (*history, LAST, *look(3), LAST))
    assert estimate(blind.requests[1].history) < 600, "a picture that is not sent costs nothing"
    assert prompting.moved == 0


# --- in a chat -------------------------------------------------------------------------------------------------


@requirement("context.result-cap")
async def test_a_huge_result_is_short_for_the_model_and_whole_for_the_page(tmp_path: Path) -> None:
    """QwenLM/qwen-code#2439, NousResearch/hermes-agent#56059, mastra PR#22075: a huge result made the chat unusable."""
    async with opened_rig(tmp_path, [call("look", "c1"), reply("Many.")]) as rig:
        rig.tools["look"].says = {"photo_ids": [f"photo{n:08}" for n in range(5_000)]}
        await rig.session.send("look")
        await rig.idle()
        results = rig.model.requests[1].history[-1]
        assert isinstance(results, ToolResults)
        text = results.results[0].text
        assert len(text) <= limits(8_192, 8_192)[0]
        read = msgspec.json.decode(text)
        assert read["set_id"] == "set_1"
        assert read["photo_ids"][0] == "photo00000000"
        assert read["photo_ids"][-1] == "photo00004999"
        kept = await rig.services.store.result(rig.session.record.session_id, "c1")
        assert kept is not None
        assert isinstance(kept.content, dict)
        assert len(kept.content["photo_ids"]) == 5_000


@requirement("context.result-cap")
async def test_the_results_of_one_turn_have_at_most_half_the_window_together(tmp_path: Path) -> None:
    """archi-physics#599: several results of one turn were too much together."""
    calls = tuple(ToolCall(call_id=f"c{n}", tool="look", arguments={"n": n}) for n in range(5))
    async with opened_rig(tmp_path, [AssistantTurn(calls=calls), reply("Many.")]) as rig:
        rig.tools["look"].says = {"log": "x" * 90_000}
        await rig.session.send("look")
        await rig.idle()
        results = rig.model.requests[1].history[-1]
        assert isinstance(results, ToolResults)
        sizes = [len(result.text) for result in results.results]
        assert len(sizes) == 5
        assert sum(sizes) <= 8_192 // 2 * 3
        assert min(sizes) > 500


@requirement("context.too-small")
async def test_a_chat_says_that_the_window_is_too_small_and_can_be_used_again(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello."), reply("Hello again.")]) as rig:
        await rig.session.send("hi")
        await rig.idle()
        await rig.session.send("x" * 60_000)
        events = await rig.idle(times=2)
        (error,) = [event for event in events if isinstance(event, ErrorEvent)]
        assert error.code == "context_too_small"
        assert "8,192" in error.message
        assert len(rig.model.requests) == 1
        await rig.session.send("hi")
        await rig.idle(times=3)
        assert rig.session.history[-1] == reply("Hello again.")


@requirement("context.repair")
async def test_a_damaged_conversation_is_repaired_before_it_is_sent(tmp_path: Path) -> None:
    """aaif-goose/goose#2951: a shortened conversation was sent as it was."""
    async with opened_rig(tmp_path, [reply("Hello.")]) as rig:
        rig.session.history = (UserMessage(text="look"), call("look", "c1"), UserMessage(text="hm"))
        await rig.session.send("hi")
        await rig.idle()
        results = rig.model.requests[0].history[2]
        assert isinstance(results, ToolResults)
        assert results.results[0].text == INTERRUPTED


@requirement("prompt.stable-prefix")
@MOVES_PREFIX
async def test_blocking_a_tool_moves_the_prefix_and_is_seen_by_the_watch(tmp_path: Path) -> None:
    with watching() as broken:
        async with opened_rig(tmp_path, [reply("Hello."), reply("Hello again.")]) as rig:
            await rig.session.send("hi")
            await rig.idle()
            rig.permissions.replace(PermissionsUpdate(mode="auto_read", rules={"rate": "block"}, bulk_limit=200))
            await rig.session.send("hi")
            await rig.idle(times=2)
    assert len(broken) == 1


@requirement("prompt.stable-prefix")
async def test_two_chats_with_other_facts_have_the_same_instructions_and_tools(tmp_path: Path) -> None:
    """QwenLM/qwen-code#6338, QwenLM/qwen-code#4777, librefang#3765, hermes-agent#27339, deepagents PR#2497, oh-my-pi
    PR#890: the time, random ids or unordered tools near the front lost the cache."""
    sent: list[tuple[bytes, str]] = []
    modes: tuple[Mode, ...] = ("ask_all", "auto_all")
    for mode in modes:
        folder = tmp_path / mode
        folder.mkdir()
        async with opened_rig(folder, [reply("Hello.")]) as rig:
            rig.permissions.replace(PermissionsUpdate(mode=mode, rules={}, bulk_limit=200))
            await rig.session.send("hi")
            await rig.idle()
            (request,) = rig.model.requests
            (said,) = request.history
            assert isinstance(said, UserMessage)
            sent.append((msgspec.json.encode((request.system, request.tools)), said.context))
    assert sent[0][0] == sent[1][0]
    assert sent[0][1] != sent[1][1]
    for word in (b"Friday", b"2026", b"asked before every call", b"photos are selected"):
        assert word not in sent[0][0]
