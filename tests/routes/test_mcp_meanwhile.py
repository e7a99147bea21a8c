"""What changes while a question of an agent waits, and what the inbox tells of the call's end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp.server.session import ServerSession
from mcp_types import ElicitResult

from safelight_client import models
from tests.live import Live, live_service
from tests.mcp.asking import Forms, agent, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_inbox import ERAS, IN_A_MOMENT, plugin_of, rating
from tests.routes.test_mcp import AGENTS


async def revoke(live: Live) -> None:
    (token,) = (await live.http.get("/v1/tokens")).json()["tokens"]
    assert (await live.http.delete(f"/v1/tokens/{token['token_id']}")).status_code == 204


@ERAS
@requirement("mcp.approvals", "perm.denied-never-runs")
async def test_a_call_whose_token_is_revoked_while_its_question_waits_does_not_run_although_it_is_allowed(
    tmp_path: Path, era: str
) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        call_id = await reader.asked()
        await revoke(live)
        await reader.inbox.answer(call_id, "once")
        assert "was taken back" in text_of(await call)
        (skipped,) = await reader.seen(models.ToolSkippedEvent)
        assert (skipped.call_id, skipped.reason) == (call_id, "not_allowed")
        assert plugin.names("write") == []


@requirement("mcp.approvals", "perm.denied-never-runs")
async def test_a_call_that_stands_still_for_a_form_does_not_run_once_its_token_is_revoked(tmp_path: Path) -> None:
    async def revoked(context: object, parameters: Any) -> ElicitResult:
        await revoke(live)
        return ElicitResult(action="accept", content={"answer": "once"})

    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "legacy", revoked) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        with suppress(Exception):
            async with asyncio.timeout(2):
                await call
        await reader.seen(models.ApprovalNeededEvent)
        assert plugin.names("write") == []


@ERAS
@requirement("mcp.approvals")
async def test_a_form_offers_no_rule_since_the_program_that_asks_could_fill_it_in_itself(
    tmp_path: Path, era: str
) -> None:
    forms = Forms.choosing("always")
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era, forms) as client,
        inbox_reader(live) as reader,
    ):
        assert "without a clear answer" in text_of(await rating(client))
        assert forms.shown[0].requested_schema["properties"]["answer"]["enum"] == ["once", "deny"]
        (asked,) = await reader.seen(models.ApprovalNeededEvent)
        assert asked.decisions == ["once", "always", "deny"]
        assert (await live.http.get(AGENTS)).json()["rules"] == {}
        assert plugin.names("write") == []


@ERAS
@requirement("mcp.approvals", "perm.resolved-always")
async def test_the_question_of_a_cancelled_call_ends_before_the_call_does(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), era) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        await reader.asked()
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
        await reader.seen(models.ToolSkippedEvent)
        await reader.seen(models.ApprovalResolvedEvent)
        assert reader.kinds() == ["tool_call", "approval_needed", "approval_resolved", "tool_skipped"]


@requirement("mcp.approvals", "perm.frozen")
async def test_the_inbox_tells_with_which_arguments_a_call_runs_and_of_which_change(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        changes: list[str] = []
        for number, stars in enumerate((5, 4), 1):
            call = rating(client, rating=stars)
            await reader.inbox.answer(await reader.asked(number), "once")
            changes.append((await call).structured_content["change_id"])
        running = (await reader.seen(models.ToolRunningEvent))[0]
        assert running.arguments["rating"] == 5
        assert str(running.arguments["set"]).startswith("set_")
        undo = asyncio.create_task(client.call_tool("undo_change", {"change_id": changes[0]}))
        edited = {"decision": "once", "arguments": {"change_id": changes[1]}}
        assert (await live.http.post(f"/v1/inbox/{await reader.asked(3)}", json=edited)).status_code == 200
        assert not (await undo).is_error
        change = (await reader.seen(models.ChangeEvent, 3))[-1]
        assert (change.tool, change.undoes) == ("undo_change", changes[1])


@requirement("mcp.approvals")
async def test_a_form_that_is_lost_in_any_way_leaves_the_question_to_the_inbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(self: ServerSession, *arguments: object, **named: object) -> Any:
        raise RuntimeError("the way back broke")

    monkeypatch.setattr(ServerSession, "elicit_form", lost)
    async with (
        live_service(tmp_path, limits=IN_A_MOMENT) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "legacy", Forms.choosing("once")) as client,
    ):
        async with asyncio.timeout(10):
            assert "nobody has Safelight's inbox open" in text_of(await rating(client))
        assert plugin.names("write") == []
