"""The menu item that has the service index the catalog: its dialog, its bar, and each way that it can end."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom import MenuRefused, SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import CHAT, INDEX, fills
from tests.requirement import requirement


def job(state: str, done: int = 0, total: int = 0, **more: Any) -> dict[str, Any]:
    return {"job_id": "job-1", "kind": "index", "state": state, "done": done, "total": total, **more}


@requirement("plugin.index-menu")
def test_the_index_is_followed_to_its_end_with_a_bar(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.jobs = [job("running"), job("running", 15, 60), job("done", 60, 60)]
    lightroom.screen.visitors.append(fills({"model": "local:large"}))
    before = lightroom.live_tasks
    assert lightroom.choose_menu_item(INDEX) is None
    assert [sync.what for sync in bridge.syncs] == ["catalog"]
    (bar,) = lightroom.screen.progress
    assert bar.is_cancelable
    assert bar.is_done
    assert bar.portions == [0.25, 1.0]
    assert bar.caption == "60 of 60 photos"
    assert [dialog.style for dialog in lightroom.dialogs()] == ["modal", "bezel"]
    assert lightroom.dialogs()[-1].message == "Safelight: the photos are indexed"
    assert lightroom.live_tasks == before
    lightroom.choose_menu_item(CHAT)
    assert bridge.chats[0].model == "local:large"


@requirement("plugin.index-menu")
def test_the_dialog_offers_only_what_is_there(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["indexModel"] = "local:before"
    lightroom.screen.visitors.append(fills({"model": "local:typed"}, "cancel"))
    assert lightroom.choose_menu_item(INDEX) is None
    assert bridge.syncs == []
    assert lightroom.prefs["indexModel"] == "local:before"
    assert lightroom.screen.progress == []
    assert "Describe" not in lightroom.dialogs()[0].text


@requirement("plugin.index-menu")
def test_a_bar_that_is_cancelled_cancels_the_job(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.jobs = [job("running", 1, 60)]
    lightroom.screen.visitors.append(fills({}))
    lightroom.run_menu_script("IndexMenu.lua")
    bridge.wait_for(lambda: bool(lightroom.screen.progress and lightroom.screen.progress[0].portions), "the bar")
    lightroom.screen.progress[0].is_canceled = True
    bridge.wait_for(lambda: bridge.cancelled_jobs == ["job-1"], "the end of the job")
    bridge.wait_for(lambda: lightroom.screen.progress[0].is_done, "the end of the bar")
    assert [dialog.style for dialog in lightroom.dialogs()] == ["modal"]


@requirement("plugin.index-menu")
def test_a_service_that_goes_away_ends_the_bar_in_words(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.jobs = [job("running", 1, 60)]
    bridge.refuse("jobs", 503, detail="Going away.", times=6)
    lightroom.screen.visitors.append(fills({}))
    with pytest.raises(MenuRefused, match=r"went away while it indexed. What it had read is kept"):
        lightroom.choose_menu_item(INDEX)
    assert lightroom.screen.progress[0].is_done


@requirement("plugin.index-menu")
def test_a_service_that_is_silent_for_a_moment_is_waited_for(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.jobs = [job("running", 1, 60), job("done", 60, 60)]
    bridge.refuse("jobs", 503, times=2)
    lightroom.screen.visitors.append(fills({}))
    assert lightroom.choose_menu_item(INDEX) is None


@requirement("plugin.index-menu")
def test_a_service_that_forgot_the_job_ends_the_bar(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.jobs = [job("running", 1, 60), job("running", 2, 60) | {"job_id": "another"}]
    lightroom.screen.visitors.append(fills({}))
    with pytest.raises(MenuRefused, match="went away"):
        lightroom.choose_menu_item(INDEX)


@requirement("plugin.index-menu")
@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (job("failed", 3, 60, message="Lightroom is not connected."), "not all be indexed. Lightroom is not connected"),
        (job("done", 60, 60, message="2 photos were left out."), "are indexed. 2 photos were left out."),
    ],
)
def test_what_the_job_says_in_the_end_is_shown(
    bridge: FakeBridge, lightroom: SimulatedLightroom, ended: dict[str, Any], says: str
) -> None:
    bridge.jobs = [job("running"), ended]
    lightroom.screen.visitors.append(fills({}))
    with pytest.raises(MenuRefused, match=says):
        lightroom.choose_menu_item(INDEX)


@requirement("plugin.index-menu")
def test_a_refused_index_is_told(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("sync", 409, code="plugin_offline", detail="Lightroom is not connected.")
    lightroom.screen.visitors.append(fills({}))
    with pytest.raises(MenuRefused, match=r"could not be indexed. Lightroom is not connected."):
        lightroom.choose_menu_item(INDEX)
    assert lightroom.screen.progress[0].is_done


@requirement("plugin.nothing-set-up")
def test_with_agents_off_nothing_is_indexed(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["agentsOn"] = False
    lightroom.screen.visitors.append(fills({}))
    with pytest.raises(MenuRefused, match="AI agents are turned off"):
        lightroom.choose_menu_item(INDEX)
    assert bridge.syncs == []
