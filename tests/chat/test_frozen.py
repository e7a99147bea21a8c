"""What was shown is what runs, whatever is selected in Lightroom by then; on the whole service with a fake plug-in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from safelight_client import SafelightClient, models
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.requirement import requirement

SCRIPT = [
    {"calls": [{"tool": "set_rating", "arguments": {"set": "selection", "rating": 5}}]},
    {"text": "Done."},
]


def script(folder: Path, turns: list[dict[str, Any]]) -> str:
    file = folder / "script.json"
    file.write_text(json.dumps(turns), encoding="utf-8")
    return f"scripted:{file}"


async def asked(live: Live) -> tuple[SafelightClient, str, str]:
    """Send a message and wait for the question: the chat and the call that waits."""
    client = SafelightClient(live.url, agent_token=live.agent_token)
    chat = await client.start_chat()
    await chat.send("Give the selected photos five stars")
    async with asyncio.timeout(20):
        async for event in chat.events():
            if isinstance(event, models.ApprovalNeededEvent):
                return client, chat.session_id, event.call_id
    raise AssertionError("the stream ended without a question")


@requirement("perm.frozen", "perm.preview")
async def test_another_selection_between_question_and_answer_changes_nothing(tmp_path: Path) -> None:
    """extra-org/extra#139: other arguments ran than were approved. pydantic/pydantic-ai#6968: the arguments were
    changed after they had been shown."""
    photos = [photo(n) for n in range(1, 7)]
    async with (
        live_service(tmp_path, script(tmp_path, SCRIPT)) as live,
        FakePlugin(live.application.service.bridge, photos, selection=["photo-0001", "photo-0002"]) as plugin,
    ):
        client, session_id, call_id = await asked(live)
        async with client:
            (question,) = (await client.list_approvals(session_id)).approvals
            assert question.photos == 2
            assert question.preview is not None
            assert [shown.photo_id for shown in question.preview.photos] == ["photo-0001", "photo-0002"]
            assert question.arguments == {"set": "selection", "rating": 5}
            assert plugin.names("write") == []
            plugin.selection = ["photo-0004", "photo-0005", "photo-0006"]
            await client.answer_approval(session_id, call_id, models.ApprovalAnswer(decision="once"))
            events: list[object] = []
            async with asyncio.timeout(20):
                async for event in client.follow(session_id):
                    events.append(event)
                    if isinstance(event, models.BusyEvent) and not event.busy:
                        break
        (proposed,) = [event.arguments for event in events if isinstance(event, models.ToolCallEvent)]
        (decided,) = [event.arguments for event in events if isinstance(event, models.ApprovalResolvedEvent)]
        (effective,) = [event.arguments for event in events if isinstance(event, models.ToolRunningEvent)]
        assert proposed == decided == {"set": "selection", "rating": 5}
        assert isinstance(effective, dict)
        assert effective["rating"] == 5
        assert str(effective["set"]).startswith("set_")
        rated = {photo_id for photo_id, record in plugin.photos.items() if record.rating == 5}
        assert rated == {"photo-0001", "photo-0002"}


@requirement("perm.read-only-switch")
async def test_the_read_only_switch_of_the_plug_in_stops_what_the_chat_allowed(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path, script(tmp_path, SCRIPT)) as live,
        FakePlugin(live.application.service.bridge, [photo(1)], selection=["photo-0001"]) as plugin,
    ):
        client, session_id, call_id = await asked(live)
        async with client:
            plugin.read_only = True
            await client.answer_approval(session_id, call_id, models.ApprovalAnswer(decision="once"))
            async with asyncio.timeout(20):
                async for event in client.follow(session_id):
                    if isinstance(event, models.ToolSkippedEvent):
                        assert event.reason == "read_only"
                        break
        assert plugin.photos["photo-0001"].rating != 5
