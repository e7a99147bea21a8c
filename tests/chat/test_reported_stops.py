"""What people reported of other agents' stop: a page that came back had no way to end what was going on, and a later
step did not hear of it."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from safelight.wire.models import BusyEvent, Event, SnapshotEvent
from tests.chat.rig import call, kind_of, opened_rig, parse_frames, reply
from tests.requirement import requirement


@requirement("session.stop", "session.stop-every-phase", "event.running-snapshot")
async def test_who_comes_back_finds_the_run_and_stops_it_and_the_model_hears_of_it(tmp_path: Path) -> None:
    """open-webui#29816, open-webui#8777, open-webui#456, open-webui#490: who came back could not stop, and the server
    went on."""
    async with opened_rig(tmp_path, [reply("A long story.")], hold=asyncio.Event()) as rig:
        first = rig.session.log.follow(None)
        await anext(first)
        await rig.session.send("tell")
        await asyncio.wait_for(rig.model.streaming.wait(), 10)
        await first.aclose()
        assert rig.model.cancelled == 0
        assert rig.session.describe().busy
        async with contextlib.aclosing(rig.session.log.follow(None)) as second:
            seen: list[Event] = []
            while not any(isinstance(event, SnapshotEvent) for event in seen):
                seen += [event for event, _ in parse_frames(await anext(second))]
        assert [event.busy for event in seen if isinstance(event, BusyEvent)] == [True]
        assert (await rig.session.stop()).stopping
        assert [kind_of(event) for event in await rig.idle()][-2:] == ["stopped", "busy"]
        assert rig.model.cancelled == 1
        assert not rig.session.describe().busy


@requirement("session.stop", "session.stop-every-phase")
async def test_a_stop_in_the_second_step_ends_that_one(tmp_path: Path) -> None:
    """cloudflare/agents#1233: stop was ignored on the second step."""
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("A long story."), reply("More.")]) as rig:
        look = rig.tools["look"]
        look.hold = asyncio.Event()
        await rig.session.send("look, then tell")
        await look.started.wait()
        rig.model.streaming.clear()
        rig.model.hold = asyncio.Event()
        look.hold.set()
        await asyncio.wait_for(rig.model.streaming.wait(), 10)
        assert len(rig.model.requests) == 2
        assert (await rig.session.stop()).stopping
        events = await rig.idle()
        assert [kind_of(event) for event in events][-3:] == ["tool_done", "stopped", "busy"]
        assert (rig.model.cancelled, len(rig.model.requests)) == (1, 2)
