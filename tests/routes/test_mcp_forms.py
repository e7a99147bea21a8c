"""Questions that an agent's own program shows as a form (MCP elicitation), in both eras of the protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams, ElicitResult, ErrorData, InputRequiredResult

from safelight.chat.limits import ChatLimits
from safelight.tools import mcp_calls, mcp_lines
from safelight_client import models
from tests.live import live_service
from tests.mcp.asking import Forms, agent, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_inbox import IN_A_MOMENT, RAN, RATE, plugin_of, rating
from tests.routes.test_mcp import AGENTS

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])


@ERAS
@requirement("mcp.approvals")
async def test_the_form_shows_the_whole_call_and_an_allowance_runs_it_with_nobody_at_the_inbox(
    tmp_path: Path, era: str
) -> None:
    forms = Forms.choosing("once")
    async with (
        live_service(tmp_path, limits=IN_A_MOMENT) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era, forms) as client,
    ):
        result = await rating(client)
        assert len(result.structured_content["applied"]) == 3
        assert {record.rating for record in plugin.photos.values()} == {5}
        (form,) = forms.shown
        assert "3 photos" in form.message
        assert "agent Claude" in form.message
        assert "IMG_0001.jpg: rating 1 -> 5" in form.message
        answer = form.requested_schema["properties"]["answer"]
        assert answer["enum"] == ["once", "deny"]
        assert answer["enumNames"] == ["Allow it once", "Do not allow it"]
        assert form.requested_schema["required"] == ["answer"]
        async with inbox_reader(live) as reader:
            await reader.seen(models.ChangeEvent)
            assert reader.kinds() == RAN
            assert (await reader.seen(models.ApprovalResolvedEvent))[0].by == "client"
        (journaled,) = (await live.http.get("/v1/changes")).json()["changes"]
        assert journaled["by"] == "agent Claude"


@ERAS
@requirement("mcp.approvals")
@pytest.mark.parametrize(
    ("forms", "said"),
    [
        (Forms.choosing("deny", note="Not the raw files."), "Not the raw files."),
        (Forms.ending("decline"), "declined"),
        (Forms.ending("cancel"), "closed the form"),
        (Forms.choosing("chat"), "without a clear answer"),
        (Forms(lambda form: ElicitResult(action="accept")), "without a clear answer"),
    ],
    ids=["deny", "decline", "cancel", "not offered", "empty"],
)
async def test_whatever_is_no_allowance_runs_nothing_and_says_what_it_was(
    tmp_path: Path, era: str, forms: Forms, said: str
) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era, forms) as client,
    ):
        result = await rating(client)
        assert result.is_error
        assert said in text_of(result)
        assert plugin.names("write") == []
        async with inbox_reader(live) as reader:
            (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
            assert (resolved.outcome, resolved.by) == ("deny", "client")


@ERAS
async def test_more_photos_than_the_limit_are_asked_for_in_a_form_where_all_else_is_free(
    tmp_path: Path, era: str
) -> None:
    forms = Forms.choosing("deny")
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 6) as plugin,
        agent(live, await mint(live), era, forms) as client,
    ):
        await live.http.put(AGENTS, json={"mode": "auto_all", "rules": {}, "bulk_limit": 2})
        assert (await rating(client)).is_error
        (form,) = forms.shown
        assert "more than may be changed unasked" in form.message
        assert plugin.names("write") == []


@ERAS
async def test_an_answer_in_the_inbox_counts_as_well_while_a_form_is_out(tmp_path: Path, era: str) -> None:
    shown, answered = asyncio.Event(), asyncio.Event()

    async def slow(context: object, parameters: Any) -> ElicitResult:
        shown.set()
        await answered.wait()
        return ElicitResult(action="decline")

    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era, slow) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        async with asyncio.timeout(10):
            await shown.wait()
        await reader.inbox.answer(await reader.asked(), "once")
        await reader.seen(models.ToolDoneEvent)
        answered.set()
        assert len((await call).structured_content["applied"]) == 3
        assert len(plugin.names("write")) == 1


@requirement("mcp.approvals")
async def test_a_program_that_declared_forms_and_fails_to_show_one_leaves_the_question_to_the_inbox(
    tmp_path: Path,
) -> None:
    async def failing(context: object, parameters: ElicitRequestFormParams) -> ErrorData:
        return ErrorData(code=-32603, message="no window")

    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "legacy", failing) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        await reader.inbox.answer(await reader.asked(), "once")
        assert not (await call).is_error


async def paused(client: Client, **arguments: Any) -> InputRequiredResult:
    """The first round of a call in the newer era, without the second."""
    first = await client.session.call_tool("set_rating", RATE | arguments, allow_input_required=True)
    assert isinstance(first, InputRequiredResult), first
    return first


async def brought_back(client: Client, state: str | None, **arguments: Any) -> Any:
    said: dict[str, Any] = {"permission": ElicitResult(action="accept", content={"answer": "once"})}
    return await client.session.call_tool(
        "set_rating", RATE | arguments, input_responses=said, request_state=state, allow_input_required=True
    )


@requirement("mcp.approvals")
async def test_the_state_of_a_form_is_good_once_and_for_the_very_call_and_token_that_it_was_made_for(
    tmp_path: Path,
) -> None:
    forms = Forms.choosing("once")
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "auto", forms) as client,
        agent(live, await mint(live, "Other"), "auto", forms) as other,
    ):
        state = (await paused(client)).request_state
        assert state is not None
        for caller, given, stars in (
            (other, state, 5),
            (client, state, 4),
            (client, state[:-2] + ("aa" if state[-2:] != "aa" else "bb"), 5),
            (client, "forged", 5),
        ):
            with pytest.raises(MCPError):
                await brought_back(caller, given, rating=stars)
        assert plugin.names("write") == []
        plugin.selection = ["photo-0002"]
        ran = await brought_back(client, state)
        assert len(ran.structured_content["applied"]) == 3
        with pytest.raises(MCPError, match="brought back before"):
            await brought_back(client, state)
        assert len(plugin.names("write")) == 1


async def test_two_that_bring_the_same_form_back_at_once_run_the_call_once(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "auto", Forms.choosing("once")) as client,
    ):
        state = (await paused(client)).request_state
        both = await asyncio.gather(*(brought_back(client, state) for _ in range(2)), return_exceptions=True)
        assert sum(isinstance(result, MCPError) for result in both) == 1
        assert len(plugin.names("write")) == 1


async def test_a_form_that_is_never_brought_back_ends_its_question_and_opens_nothing_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_lines, "ANSWER_S", 0.1)
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "auto", Forms.choosing("once")) as client,
        inbox_reader(live) as reader,
    ):
        state = (await paused(client)).request_state
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        assert (resolved.outcome, resolved.by) == ("expired", "service")
        late = await brought_back(client, state)
        assert late.is_error
        assert "Nobody answered the form" in text_of(late)
        assert plugin.names("write") == []


async def test_a_form_of_before_the_service_was_restarted_is_refused_and_its_question_is_over(tmp_path: Path) -> None:
    forms = Forms.choosing("once")
    async with live_service(tmp_path) as live, plugin_of(live):
        token = await mint(live)
        async with agent(live, token, "auto", forms) as client:
            state = (await paused(client)).request_state
    async with live_service(tmp_path) as live, plugin_of(live) as plugin, inbox_reader(live) as reader:
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        assert resolved.outcome == "stopped"
        async with agent(live, token, "auto", forms) as client:
            with pytest.raises(MCPError):
                await brought_back(client, state)
        assert plugin.names("write") == []


async def test_with_too_many_forms_out_the_next_call_asks_in_the_inbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_calls, "MOST_PAUSED", 1)
    async with (
        live_service(tmp_path, limits=ChatLimits(inbox_grace_s=0.05)) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto", Forms.choosing("once")) as client,
    ):
        await paused(client)
        assert "nobody can be asked" in text_of(await rating(client, rating=2))
