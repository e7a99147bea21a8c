"""A fake service and a simulated Lightroom, connected; ended after each test with nothing thrown anywhere."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from safelight.lightroom import Catalog, ManualClock, SimulatedLightroom, drawn_catalog
from tests.plugin.develop_rig import Rig, mixed_catalog
from tests.plugin.fake_bridge import FakeBridge


@pytest.fixture
def catalog() -> Catalog:
    return drawn_catalog(60)


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def bridge(data_folder: Path) -> Generator[FakeBridge]:
    fake = FakeBridge(data_folder)
    yield fake
    fake.close()
    assert fake.problems == []


@pytest.fixture
def lightroom(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> Generator[SimulatedLightroom]:
    """Running and connected."""
    with SimulatedLightroom(catalog, data_folder=data_folder) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield simulated
        assert simulated.errors == ()


@pytest.fixture
def timed(bridge: FakeBridge, data_folder: Path) -> Generator[SimulatedLightroom]:
    """A Lightroom whose time the test moves, with 120 photos."""
    with SimulatedLightroom(drawn_catalog(120), data_folder=data_folder, clock=ManualClock()) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield simulated
        assert simulated.errors == ()


@pytest.fixture
def rig(bridge: FakeBridge, data_folder: Path) -> Generator[Rig]:
    """Running and connected; time stands still until a command is carried out."""
    with SimulatedLightroom(mixed_catalog(), data_folder=data_folder, clock=ManualClock()) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield Rig(bridge, simulated)
        assert simulated.errors == ()
