"""Questions of agents from outside in the inbox: who asks, who answers, and what becomes of the call meanwhile."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from safelight.chat import inbox as inbox_module
from safelight.chat.limits import ChatLimits
from safelight.tools import mcp_progress
from safelight.tools.wire_names import SKIPPED
from safelight_client import models
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.mcp.asking import agent, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_mcp import AGENTS

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
RATE: dict[str, Any] = {"set": "selection", "rating": 5}
RAN = ["tool_call", "approval_needed", "approval_resolved", "tool_running", "tool_done", "change"]
IN_A_MOMENT = ChatLimits(inbox_grace_s=0.05)


def plugin_of(live: Live, photos: int = 3) -> FakePlugin:
    return FakePlugin(live.application.service.bridge, [photo(n, rating=1) for n in range(1, photos + 1)])


def rating(client: Client, **arguments: Any) -> asyncio.Task[CallToolResult]:
    """A call of set_rating that goes on by itself."""
    return asyncio.create_task(client.call_tool("set_rating", RATE | arguments))


@ERAS
@requirement("mcp.approvals", "change.journal")
async def test_a_change_waits_for_the_inbox_runs_as_it_was_shown_and_stands_in_the_journal_by_its_agent(
    tmp_path: Path, era: str
) -> None:
    """microsoft/agent-framework#3297, redhat-data-and-ai/template-agent#253: calls by MCP were not asked about, or
    never ran after it."""
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era) as client,
        inbox_reader(live) as first,
        inbox_reader(live) as second,
    ):
        found = await client.call_tool("search_photos", {})
        assert not found.is_error
        call = rating(client)
        call_id = await first.asked()
        plugin.selection = []
        (waiting,) = (await live.http.get("/v1/inbox")).json()["approvals"]
        assert (waiting["call_id"], waiting["by"], waiting["photos"]) == (call_id, "agent Claude", 3)
        assert waiting["decisions"] == ["once", "always", "deny"]
        assert "all agents" in waiting["always"]["text"]
        assert [item["after"] for item in waiting["preview"]["photos"]] == [{"rating": 5}] * 3
        assert plugin.names("write") == []
        await first.inbox.answer(call_id, "once")
        result = await call
        assert len(result.structured_content["applied"]) == 3
        for reader in (first, second):
            await reader.seen(models.ChangeEvent)
            assert reader.kinds() == RAN
        assert first.told() == second.told()
        called, _, resolved, *_, change = first.told()
        assert (called.by, called.tool, resolved.by) == ("agent Claude", "set_rating", "agent")
        (journaled,) = (await live.http.get("/v1/changes")).json()["changes"]
        assert (journaled["change_id"], journaled["by"]) == (change.change_id, "agent Claude")
        undone = await live.http.post(f"/v1/changes/{change.change_id}/undo")
        assert undone.status_code == 200, undone.text
        assert {record.rating for record in plugin.photos.values()} == {1}


@ERAS
@requirement("mcp.approvals")
async def test_a_denial_reaches_the_agent_with_the_note_and_nothing_runs(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era) as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        await reader.inbox.answer(await reader.asked(), "deny", "Only the sharp ones.")
        result = await call
        assert result.is_error
        assert "Only the sharp ones." in text_of(result)
        assert (result.meta or {})[SKIPPED] == "not_allowed"
        await reader.seen(models.ToolSkippedEvent)
        assert reader.kinds() == ["tool_call", "approval_needed", "approval_resolved", "tool_skipped"]
        assert plugin.names("write") == []


@ERAS
@requirement("mcp.approvals")
async def test_with_nobody_at_the_inbox_the_call_is_refused_and_told_how_to_be_asked(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path, limits=IN_A_MOMENT) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), era) as client,
    ):
        result = await rating(client)
        assert result.is_error
        assert "nobody can be asked" in text_of(result)
        assert "safelight chat --inbox" in text_of(result)
        assert plugin.names("write") == []
        async with inbox_reader(live) as reader:
            (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
            assert (resolved.outcome, resolved.by) == ("expired", "service")
            assert "nobody had the inbox open" in str(resolved.note)


async def test_somebody_who_reads_holds_the_question_and_who_leaves_lets_it_go(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path, limits=ChatLimits(inbox_grace_s=0.3)) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
    ):
        async with inbox_reader(live) as reader:
            call = rating(client)
            await reader.asked()
            done, _ = await asyncio.wait({call}, timeout=0.7)
            assert not done
        assert "nobody can be asked" in text_of(await call)


@requirement("mcp.approvals")
async def test_two_agents_wait_at_once_and_each_gets_its_own_answer(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live, "One"), "auto") as one,
        agent(live, await mint(live, "Two"), "legacy") as two,
        inbox_reader(live) as reader,
    ):
        first = rating(one, rating=2)
        first_id = await reader.asked()
        second = rating(two, rating=3)
        second_id = await reader.asked(2)
        await reader.inbox.answer(second_id, "once")
        assert (await second).structured_content["applied"]
        assert not first.done()
        await reader.inbox.answer(first_id, "deny")
        assert (await first).is_error
        assert {record.rating for record in plugin.photos.values()} == {3}
        assert [event.by for event in await reader.seen(models.ToolCallEvent, 2)] == ["agent One", "agent Two"]


@requirement("mcp.approvals")
async def test_always_writes_the_one_rule_of_the_agents_and_answers_what_waits_for_it(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        calls = [rating(client, rating=2), rating(client, rating=3)]
        await reader.asked(2)
        await reader.inbox.answer(await reader.asked(), "always")
        assert all(not result.is_error for result in await asyncio.gather(*calls))
        saved = (await live.http.get(AGENTS)).json()
        assert saved["rules"] == {"set_rating": "allow"}
        assert json.loads((tmp_path / "agent_permissions.json").read_text(encoding="utf-8"))["rules"] == saved["rules"]
        before = reader.kinds().count("tool_call")
        assert not (await rating(client, rating=4)).is_error
        assert reader.kinds().count("tool_call") == before


async def test_more_photos_than_the_limit_ask_without_always_and_the_inbox_offers_no_chat(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 6),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        await live.http.put(AGENTS, json={"mode": "auto_all", "rules": {}, "bulk_limit": 2})
        call = rating(client)
        call_id = await reader.asked()
        (asked,) = await reader.seen(models.ApprovalNeededEvent)
        assert (asked.reason.kind, asked.decisions, asked.always) == ("bulk", ["once", "deny"], None)
        for decision in ("always", "chat"):
            refused = await live.http.post(f"/v1/inbox/{call_id}", json={"decision": decision})
            assert (refused.status_code, refused.json()["code"]) == (409, "decision_not_offered")
        await reader.inbox.answer(call_id, "once")
        assert not (await call).is_error


async def test_arguments_that_the_person_changes_run_in_place_of_the_proposed_and_the_agent_is_told(
    tmp_path: Path,
) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        call_id = await reader.asked()
        wrong = await live.http.post(
            f"/v1/inbox/{call_id}", json={"decision": "once", "arguments": {"set": "selection", "rating": 9}}
        )
        assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_body")
        await reader.inbox.answer(call_id, "once", arguments=RATE | {"rating": 2})
        result = await call
        assert "changed the arguments" in str(result.content[0])
        assert {record.rating for record in plugin.photos.values()} == {2}


async def test_an_answer_with_a_key_counts_once_and_is_given_again(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        url = f"/v1/inbox/{await reader.asked()}"
        key = {"idempotency-key": "one"}
        first = await live.http.post(url, json={"decision": "once"}, headers=key)
        again = await live.http.post(url, json={"decision": "once"}, headers=key)
        assert (first.status_code, first.content) == (again.status_code, again.content) == (200, first.content)
        settled = await live.http.post(url, json={"decision": "once"})
        assert (settled.status_code, settled.json()["code"]) == (409, "already_settled")
        assert (await live.http.post("/v1/inbox/call_none", json={"decision": "once"})).status_code == 404
        await call


@ERAS
@requirement("mcp.approvals")
async def test_a_call_that_is_cancelled_while_it_waits_ends_its_question_and_never_runs(
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
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        (skipped,) = await reader.seen(models.ToolSkippedEvent)
        assert (resolved.outcome, resolved.by, skipped.reason) == ("stopped", "service", "stopped")
        late = await live.http.post(f"/v1/inbox/{call_id}", json={"decision": "once"})
        assert late.status_code == 409
        assert plugin.names("write") == []


@ERAS
@requirement("mcp.approvals")
async def test_an_agent_that_hangs_up_while_it_waits_ends_its_question_and_nothing_runs(
    tmp_path: Path, era: str
) -> None:
    async with live_service(tmp_path) as live, plugin_of(live) as plugin, inbox_reader(live) as reader:
        async with agent(live, await mint(live), era) as client:
            call = rating(client)
            await reader.asked()
        await asyncio.gather(call, return_exceptions=True)
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        await reader.seen(models.ToolSkippedEvent)
        assert resolved.outcome == "stopped"
        assert plugin.names("write") == []


@requirement("mcp.approvals")
@pytest.mark.parametrize(("switch", "reason"), [("read_only", "read_only"), ("agents_on", "agents_off")])
async def test_a_switch_in_lightroom_that_is_turned_after_the_question_still_keeps_the_call_from_running(
    tmp_path: Path, switch: str, reason: str
) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live) as plugin,
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        call_id = await reader.asked()
        setattr(plugin, switch, switch == "read_only")
        await reader.inbox.answer(call_id, "once")
        assert (await call).is_error
        (skipped,) = await reader.seen(models.ToolSkippedEvent)
        assert skipped.reason == reason
        assert {record.rating for record in plugin.photos.values()} == {1}


@requirement("mcp.approvals")
async def test_a_viewer_is_refused_without_a_question(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live, role="viewer"), "auto") as client,
        inbox_reader(live) as reader,
    ):
        await live.http.put(AGENTS, json={"mode": "auto_all", "rules": {"set_rating": "ask"}, "bulk_limit": 0})
        assert "role" in text_of(await rating(client))
        assert reader.told() == []


@ERAS
@requirement("mcp.approvals")
async def test_signs_of_progress_come_while_a_call_waits_and_only_grow(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_progress, "WAITING_S", 0.01)
    told: list[tuple[float, str | None]] = []
    enough = asyncio.Event()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))
        if len(told) == 3:
            enough.set()

    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), era) as client,
        inbox_reader(live) as reader,
    ):
        call = asyncio.create_task(client.call_tool("set_rating", RATE, progress_callback=on_progress))
        async with asyncio.timeout(10):
            await enough.wait()
        await reader.inbox.answer(await reader.asked(), "once")
        assert not (await call).is_error
        values = [progress for progress, _ in told]
        assert values == sorted(set(values))
        assert values[-1] == 3
        assert {message for progress, message in told if progress < 1} == {"Waiting for the user's permission"}


@requirement("mcp.approvals")
async def test_what_waits_when_the_service_ends_is_over_in_the_log_and_in_the_agents_answer(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        call = rating(client)
        await reader.asked()
        await live.application.close_streams()
        result = await call
        assert "being stopped" in text_of(result)
        assert (result.meta or {})[SKIPPED] == "stopped"
    async with live_service(tmp_path) as live, inbox_reader(live) as reader:
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        assert (resolved.outcome, resolved.by) == ("stopped", "service")
        assert (await live.http.get("/v1/inbox")).json() == {"approvals": []}


async def test_one_agent_cannot_bury_the_inbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "MOST_OPEN", 2)
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        calls = [rating(client, rating=stars) for stars in (1, 2)]
        await reader.asked(2)
        assert "too many questions" in text_of(await rating(client, rating=3))
        for number in (1, 2):
            await reader.inbox.answer(await reader.asked(number), "deny")
        await asyncio.gather(*calls)


async def test_a_client_of_the_older_era_that_just_closes_its_connection_is_not_waited_for(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live, plugin_of(live) as plugin, inbox_reader(live) as reader:
        accept = {"accept": "application/json, text/event-stream"}
        async with live.client(await mint(live), **accept) as http:
            capable: dict[str, Any] = {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
            opened = await http.post("/mcp", json=begin | {"params": capable | {"protocolVersion": "2025-11-25"}})
            session = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
            ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            assert (await http.post("/mcp", json=ready, headers=session)).status_code == 202
            rate = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
            call = rate | {"params": {"name": "set_rating", "arguments": RATE}}
            async with http.stream("POST", "/mcp", json=call, headers=session):
                await reader.asked()
        (resolved,) = await reader.seen(models.ApprovalResolvedEvent)
        assert (resolved.outcome, resolved.by) == ("stopped", "service")
        assert plugin.names("write") == []
