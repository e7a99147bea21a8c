"""The doubles refuse what Lightroom refuses: misuse throws, and the right use of the same call does not."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

import pytest

from safelight.lightroom import Catalog, PluginError, SimulatedLightroom
from tests.lightroom import (
    misuse_of_collections,
    misuse_of_developing,
    misuse_of_gates,
    misuse_of_lua,
    misuse_of_pictures_and_http,
    misuse_of_the_catalog,
    misuse_of_the_screen,
)
from tests.lightroom.misuse import PREAMBLE, Fact, Misuse
from tests.requirement import requirement

BY_FACT: Final = (
    misuse_of_lua.MISUSES
    | misuse_of_gates.MISUSES
    | misuse_of_the_catalog.MISUSES
    | misuse_of_collections.MISUSES
    | misuse_of_developing.MISUSES
    | misuse_of_pictures_and_http.MISUSES
    | misuse_of_the_screen.MISUSES
)
MISUSES: Final = [misuse for misuses in BY_FACT.values() for misuse in misuses]


@requirement("lightroom.simulator")
@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: misuse.what)
def test_misuse_throws(alone: SimulatedLightroom, misuse: Misuse) -> None:
    """Among them what others ran into: photos looked up inside a gate (Automaat #226), a read gate (Automaat #124,
    #134), a gate without a time-out (lrc-immich-plugin #119), a collection read in the gate that made it (LrGenius
    #179)."""
    with pytest.raises(PluginError) as thrown:
        alone.run_lua(PREAMBLE + misuse.wrong)
    assert misuse.says in str(thrown.value)


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    "misuse", [misuse for misuse in MISUSES if misuse.right], ids=lambda misuse: f"not {misuse.what}"
)
def test_the_right_use_passes(alone: SimulatedLightroom, misuse: Misuse) -> None:
    alone.run_lua(PREAMBLE + misuse.right)
    assert alone.errors == ()


@requirement("lightroom.simulator")
def test_every_part_of_the_sdk_has_rules_that_are_tried() -> None:
    assert set(BY_FACT) == set(get_args(Fact))
    assert all(BY_FACT.values())
    assert len({misuse.what for misuse in MISUSES}) == len(MISUSES)


OUTSIDE_TASKS: Final = {
    "HTTP": 'import("LrHttp").get("http://127.0.0.1:1/", nil, 1)',
    "a catalog read": 'import("LrApplication").activeCatalog():getAllPhotos()',
    "a gate": 'import("LrApplication").activeCatalog():withWriteAccessDo("T", function() end, { timeout = 1 })',
    "a private gate": 'import("LrApplication").activeCatalog():withPrivateWriteAccessDo(function() end, {timeout = 1})',
    "sleep": 'import("LrTasks").sleep(1)',
    "a yield": 'import("LrTasks").yield()',
    "an export": 'import("LrExportSession")({ photosToExport = {}, exportSettings = {} })',
}


@requirement("lightroom.simulator")
@pytest.mark.parametrize("source", OUTSIDE_TASKS.values(), ids=OUTSIDE_TASKS.keys())
def test_what_yields_throws_outside_a_task(alone: SimulatedLightroom, source: str) -> None:
    with pytest.raises(PluginError, match="must be called from within a task"):
        alone.run_lua_script(source)


@requirement("lightroom.simulator")
def test_a_gate_without_a_time_out_throws_only_while_the_catalog_is_busy_when_not_strict(
    plugin: Path, catalog: Catalog
) -> None:
    gate = PREAMBLE + 'catalog:withWriteAccessDo("Test", function() end)'
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, is_strict=False) as lenient:
        lenient.run_lua(gate)
        lenient.busy_for(30)
        with pytest.raises(PluginError, match="blocked by another write access call"):
            lenient.run_lua(gate)


INFOS: Final = {
    "no table": ("return 5", "Info.lua must return a table"),
    "no identifier": ("return { LrSdkVersion = 13.0 }", "LrToolkitIdentifier"),
    "no version": ('return { LrToolkitIdentifier = "org.example.nothing" }', "LrSdkVersion"),
    "an import": ('import("LrTasks") return {}', "there is no global 'import'"),
    "a syntax error": ("return {", "Info.lua"),
}


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("source", "says"), INFOS.values(), ids=INFOS.keys())
def test_an_info_file_that_lightroom_would_not_load_throws(
    plugin: Path, catalog: Catalog, source: str, says: str
) -> None:
    (plugin / "Info.lua").write_text(source, encoding="utf-8")
    lightroom = SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin)
    with pytest.raises(PluginError) as thrown:
        lightroom.start()
    assert says in str(thrown.value)
    lightroom.close()
