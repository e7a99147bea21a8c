"""With the plug-in's own Lua in a simulated Lightroom: what its person has switched off reaches no photo, whatever the
chat allowed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import SimulatedLightroom, drawn_catalog
from safelight_client import Chat, SafelightClient, models
from tests.live import Live, live_service
from tests.requirement import requirement

CALLS: dict[str, dict[str, Any]] = {
    "set_rating": {"set": "selection", "rating": 4},
    "edit_keywords": {"set": "selection", "add": ["Not yet there"]},
    "set_develop_settings": {"set": "selection", "settings": {"exposure": 1}},
    "create_collection": {"collection": "Not yet there"},
}
SWITCHES = pytest.mark.parametrize(
    ("preference", "value", "reason"), [("readOnly", True, "read_only"), ("agentsOn", False, "agents_off")]
)


@asynccontextmanager
async def studio(folder: Path, calls: dict[str, dict[str, Any]]) -> AsyncGenerator[tuple[Live, SimulatedLightroom]]:
    """The service, whose model makes these calls in one turn each, and Lightroom with photos selected."""
    data_dir = folder / "data"
    script = folder / "script.json"
    turns = [{"calls": [{"tool": tool, "arguments": arguments}]} for tool, arguments in calls.items()]
    script.write_text(json.dumps([*turns, {"text": "Done."}]), encoding="utf-8")
    async with asyncio.timeout(60), live_service(data_dir, f"scripted:{script}") as live:
        # What ``safelight serve`` leaves for the plug-in.
        (data_dir / "runtime.json").write_text(json.dumps({"url": live.url}), encoding="utf-8")
        lightroom = SimulatedLightroom(drawn_catalog(6), data_folder=data_dir)
        await asyncio.to_thread(lightroom.start)
        try:
            assert await live.application.service.bridge.wait_connected(20)
            yield live, lightroom
            assert lightroom.errors == ()
        finally:
            await asyncio.to_thread(lightroom.close)


def state_of(lightroom: SimulatedLightroom) -> tuple[object, ...]:
    """All that these calls could change."""
    catalog = lightroom.catalog
    return catalog.photos(), catalog.collections(), catalog.keywords.all()


async def until_over(chat: Chat) -> list[object]:
    """Every event."""
    events: list[object] = []
    async for event in chat.events():
        events.append(event)
        if isinstance(event, models.BusyEvent) and not event.busy:
            break
    return events


@requirement("perm.read-only-switch")
@SWITCHES
async def test_a_switch_of_the_plug_in_refuses_every_change_although_the_chat_allows_all(
    tmp_path: Path, preference: str, value: bool, reason: str
) -> None:
    async with studio(tmp_path, CALLS) as (live, lightroom):
        lightroom.prefs[preference] = value
        before = state_of(lightroom)
        async with SafelightClient(live.url, agent_token=live.agent_token) as client:
            chat = await client.start_chat()
            everything = models.PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0)
            await client.put_permissions(chat.session_id, everything)
            await chat.send("Change the selected photos")
            events = await until_over(chat)
        skipped = [event.reason for event in events if isinstance(event, models.ToolSkippedEvent)]
        assert skipped == [reason] * len(CALLS)
        assert not [event for event in events if isinstance(event, (models.ToolDoneEvent, models.ChangeEvent))]
        assert state_of(lightroom) == before


@requirement("perm.read-only-switch", "perm.denied-never-runs")
@SWITCHES
async def test_a_switch_that_is_turned_between_question_and_answer_wins_over_the_answer(
    tmp_path: Path, preference: str, value: bool, reason: str
) -> None:
    async with studio(tmp_path, {"set_rating": CALLS["set_rating"]}) as (live, lightroom):
        before = state_of(lightroom)
        async with SafelightClient(live.url, agent_token=live.agent_token) as client:
            chat = await client.start_chat()
            await chat.send("Rate the selected photos")
            events: list[object] = []
            async for event in chat.events():
                events.append(event)
                if isinstance(event, models.ApprovalNeededEvent):
                    lightroom.prefs[preference] = value
                    await client.answer_approval(chat.session_id, event.call_id, models.ApprovalAnswer(decision="once"))
                if isinstance(event, models.BusyEvent) and not event.busy:
                    break
        assert [event.reason for event in events if isinstance(event, models.ToolSkippedEvent)] == [reason]
        assert state_of(lightroom) == before


@requirement("perm.read-only-switch", "perm.preview")
async def test_with_the_switches_as_they_should_be_the_same_calls_do_change_the_photos(tmp_path: Path) -> None:
    async with studio(tmp_path, {"set_rating": CALLS["set_rating"]}) as (live, lightroom):
        selected = set(lightroom.catalog.selection)
        before = {photo.uuid: photo.rating for photo in lightroom.catalog.photos()}
        async with SafelightClient(live.url, agent_token=live.agent_token) as client:
            chat = await client.start_chat()
            await chat.send("Rate the selected photos")
            async for event in chat.events():
                if isinstance(event, models.ApprovalNeededEvent):
                    assert {photo.uuid: photo.rating for photo in lightroom.catalog.photos()} == before
                    assert isinstance(event.preview, models.Preview)
                    assert {photo.photo_id for photo in event.preview.photos} == selected
                    for photo in event.preview.photos:
                        assert (photo.before, photo.after) == ({"rating": before[photo.photo_id] or 0}, {"rating": 4})
                    await client.answer_approval(chat.session_id, event.call_id, models.ApprovalAnswer(decision="once"))
                if isinstance(event, models.BusyEvent) and not event.busy:
                    break
        after = {photo.uuid: photo.rating for photo in lightroom.catalog.photos()}
        assert after == before | dict.fromkeys(selected, 4)
