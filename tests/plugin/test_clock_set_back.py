"""A computer's clock that is set back by an hour, as after waking up or by a time server."""

from __future__ import annotations

from pathlib import Path

from safelight.lightroom import Catalog, ManualClock, SimulatedLightroom
from tests.plugin.develop_rig import STEP_SECONDS, Rig
from tests.plugin.fake_bridge import FakeBridge
from tests.requirement import requirement

HOUR = 3600.0


@requirement("bridge.delivery")
def test_a_command_that_is_under_way_does_not_last_an_hour_longer(rig: Rig) -> None:
    rig.lightroom.answer_thumbnails("never")
    command = rig.bridge.send("get_thumbnail", {"photo_id": rig.ids(3)[0], "size": 64}, deadline=6.0)
    rig.bridge.wait_for(lambda: not rig.bridge.has_commands, "the command's way to the plug-in")
    for _ in range(20):
        rig.lightroom.advance(STEP_SECONDS)
    assert not rig.bridge.results_of(command)
    rig.lightroom.set_clock(-HOUR)
    for _ in range(60):
        rig.lightroom.advance(STEP_SECONDS)
    (result,) = rig.bridge.results_of(command)
    assert "THUMBNAIL_UNAVAILABLE" in str(result.error)


@requirement("plugin.always-on")
def test_a_service_that_comes_back_is_found_at_once(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> None:
    (data_folder / "runtime.json").unlink()
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as lightroom:
        lightroom.advance(2)
        assert bridge.hellos == []
        lightroom.set_clock(-HOUR)
        bridge.appear()
        for _ in range(100):
            lightroom.advance(STEP_SECONDS)
        bridge.wait_for(lambda: bool(bridge.hellos), "a hello")
