"""The doubles alone: a simulated Lightroom whose plug-in does nothing, to run snippets of Lua in."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom, drawn_catalog

INFO = """
return {
	LrSdkVersion = 13.0,
	LrToolkitIdentifier = "org.example.nothing",
	LrInitPlugin = "Nothing.lua",
	LrShutdownPlugin = "Nothing.lua",
	LrShutdownApp = "Nothing.lua",
	LrLibraryMenuItems = { { title = "Do", file = "Menu.lua" } },
}
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The folder of a plug-in that does nothing; tests add to it."""
    folder = tmp_path / "Nothing.lrplugin"
    folder.mkdir()
    (folder / "Info.lua").write_text(INFO, encoding="utf-8")
    (folder / "Nothing.lua").write_text("", encoding="utf-8")
    (folder / "Menu.lua").write_text("", encoding="utf-8")
    return folder


@pytest.fixture
def catalog() -> Catalog:
    return drawn_catalog(24)


@pytest.fixture
def alone(plugin: Path, catalog: Catalog) -> Generator[SimulatedLightroom]:
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin) as simulated:
        yield simulated
