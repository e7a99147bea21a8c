"""Where the plug-in looks for the service on each system: where the service keeps its data there."""

from __future__ import annotations

from pathlib import Path

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom
from safelight.lightroom.system_calls import System
from tests.requirement import requirement

SAY = """
import("LrDialogs").showBezel(require("Service").dataFolder())
"""


@requirement("plugin.menu")
@pytest.mark.parametrize(
    ("system", "home", "folder"),
    [
        ("MAC", "/Users/you", "/Users/you/Library/Application Support/safelight"),
        ("WIN", r"C:\Users\Zoë Ü", r"C:\Users\Zoë Ü\AppData\Local\safelight"),
        ("LINUX", "/home/you", "/home/you/.local/share/safelight"),
    ],
)
def test_the_data_folder_of(catalog: Catalog, system: System, home: str, folder: str) -> None:
    with SimulatedLightroom(catalog, data_folder=None, system=system, home=home) as lightroom:
        lightroom.run_lua(SAY)
        assert lightroom.dialogs()[-1].message == folder


@requirement("plugin.menu")
def test_the_folders_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    from platformdirs.macos import MacOS
    from platformdirs.unix import Unix
    from platformdirs.windows import Windows

    monkeypatch.setenv("HOME", "/home/you")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert Unix("safelight", appauthor=False).user_data_dir == "/home/you/.local/share/safelight"
    assert MacOS("safelight", appauthor=False).user_data_dir.endswith("/Library/Application Support/safelight")

    def local(name: str) -> str:
        return r"C:\Users\you\AppData\Local"

    monkeypatch.setattr("platformdirs.windows.get_win_folder", local)
    windows = Windows("safelight", appauthor=False).user_data_dir.replace("/", "\\")
    assert windows == r"C:\Users\you\AppData\Local\safelight"


@requirement("plugin.menu")
def test_the_preference_wins(catalog: Catalog, data_folder: Path) -> None:
    with SimulatedLightroom(catalog, data_folder=data_folder) as lightroom:
        lightroom.run_lua(SAY)
        assert lightroom.dialogs()[-1].message == str(data_folder)
