"""A command to the plug-in and its answer back, over loopback, to a simulated Lightroom that runs the plug-in's Lua."""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

from safelight.app import Application
from safelight.bridge.bridge import Bridge
from safelight.cli.serving import run_service
from safelight.settings import Settings
from safelight.wire.bridge_models import GetStateArguments, GetStateOutcome
from tests.bench.measured import Measured, measured

__all__ = ("measure",)

WARM_UP: Final = 20
COMMANDS: Final = 100
REPEATS: Final = 5
CONNECT_S: Final = 30.0


class MeasuredAll(Exception):  # noqa: N818  # it ends the service, and is no error
    """Holds the medians of the repeats, in seconds."""

    def __init__(self, medians: list[float]) -> None:
        super().__init__()
        self.medians = medians


def measure() -> list[Measured]:
    """The service as ``safelight serve`` runs it. Lightroom is a process of its own, as in life, so that the two do
    not share Python's lock."""
    name = "bridge: command out and answer back, simulated Lightroom in its own process"
    return [measured(name, statistics.median(_round_trips()) * 1e3, "ms", target=3)]


def _round_trips() -> list[float]:
    spawn = multiprocessing.get_context("spawn")
    over = spawn.Event()
    with tempfile.TemporaryDirectory() as folder:
        lightroom = spawn.Process(target=run_lightroom, args=(Path(folder), over))

        async def on_ready(application: Application, url: str) -> dict[str, Any]:
            del url
            lightroom.start()
            bridge = application.service.bridge
            assert await bridge.wait_connected(CONNECT_S)
            await _median(bridge, WARM_UP)
            raise MeasuredAll([await _median(bridge, COMMANDS) for _ in range(REPEATS)])

        try:
            run_service(Settings(data_dir=Path(folder), port=0), on_ready)
        except MeasuredAll as end:
            return end.medians
        finally:
            over.set()
            lightroom.join()
    raise AssertionError("the service ended by itself")


async def _median(bridge: Bridge, count: int) -> float:
    took: list[float] = []
    for _ in range(count):
        began = time.perf_counter()
        state = await bridge.command(GetStateArguments(), GetStateOutcome)
        took.append(time.perf_counter() - began)
        assert state.photo_count
    return statistics.median(took)


def run_lightroom(folder: Path, over: Event) -> None:
    """The other process: Lightroom with a small drawn catalog, until ``over``."""
    from safelight.lightroom import SimulatedLightroom, drawn_catalog

    with SimulatedLightroom(drawn_catalog(60), data_folder=folder):
        over.wait()
