"""The doubles and the plug-in use only names that the SDK documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from safelight.lightroom import SimulatedLightroom, plugin_folder
from safelight.lightroom.metadata import FORMATTED, RAW, SETTABLE
from tests.requirement import requirement

SDK: Final[dict[str, Any]] = msgspec.json.decode(
    (Path(__file__).parents[1] / "data" / "lightroom_sdk_names.json").read_bytes()
)["classes"]
NAMES: Final = {name: set(entry["names"]) for name, entry in SDK.items()}
KEYS: Final = SDK["LrPhoto"]["keys"]

# What the doubles call their own is no part of the SDK; the factory of views is documented under LrView.
OURS: Final = {"a binding", "a thumbnail request"}
FACTORY: Final = {"LrViewFactory": "LrView"}

SOURCES: Final = {path.name: path.read_text("utf-8") for path in sorted(plugin_folder().glob("*.lua"))}
OBJECTS: Final = (
    "LrCatalog",
    "LrCollection",
    "LrCollectionSet",
    "LrDevelopPreset",
    "LrDevelopPresetFolder",
    "LrExportRendition",
    "LrExportSession",
    "LrFolder",
    "LrKeyword",
    "LrLogger",
    "LrPhoto",
    "LrProgressScope",
    "LrView",
)


@requirement("lightroom.simulator")
def test_the_doubles_offer_only_names_of_the_sdk(alone: SimulatedLightroom) -> None:
    offered = alone.sdk_names()
    unknown = {
        f"{name}.{member}"
        for name, members in offered.items()
        if name not in OURS
        for member in members - NAMES[FACTORY.get(name, name)]
    }
    assert unknown == set()
    assert len(offered) > 20


@requirement("lightroom.simulator")
def test_the_doubles_know_only_metadata_keys_of_the_sdk() -> None:
    assert set(RAW) <= set(KEYS["getRawMetadata"])
    assert set(FORMATTED) <= set(KEYS["getFormattedMetadata"])
    assert set(SETTABLE) <= set(KEYS["setRawMetadata"])


@requirement("lightroom.simulator")
@pytest.mark.parametrize("file", SOURCES)
def test_the_plugin_calls_only_functions_of_the_sdk(file: str) -> None:
    """Automaat #129, #145, #168: functions that the SDK does not have, and that the fakes of the tests had."""
    source = SOURCES[file]
    imported = set(re.findall(r'import\("(\w+)"\)', source))
    assert imported <= set(NAMES)
    used = {(module, name) for module, name in re.findall(r"\b(Lr[A-Z]\w+)\.(\w+)", source) if module in imported}
    assert {f"{module}.{name}" for module, name in used if name not in NAMES[module]} == set()


@requirement("lightroom.simulator")
@pytest.mark.parametrize("file", SOURCES)
def test_the_plugin_calls_only_methods_of_the_sdk(file: str) -> None:
    called = re.findall(r"\b(\w+):(\w+)\(", SOURCES[file])
    known = set[str]().union(*(NAMES[name] for name in OBJECTS))
    assert {f"{owner}:{method}" for owner, method in called if method not in known} == set()
    of_catalog = {method for owner, method in called if owner == "catalog"}
    assert of_catalog <= NAMES["LrCatalog"]
    of_photo = {method for owner, method in called if owner == "photo"}
    assert of_photo <= NAMES["LrPhoto"]


@requirement("lightroom.simulator")
def test_the_plugin_reads_and_writes_only_metadata_keys_of_the_sdk() -> None:
    photos = SOURCES["Photos.lua"]
    for constant, reader in (("RAW_KEYS", "getRawMetadata"), ("FORMATTED_KEYS", "getFormattedMetadata")):
        listed = re.search(rf"local {constant} = {{(.*?)}}", photos, re.DOTALL)
        assert listed is not None
        assert set(re.findall(r'"(\w+)"', listed[1])) <= set(KEYS[reader])
    written = {key for source in SOURCES.values() for key in re.findall(r'setRawMetadata\("(\w+)"', source)}
    texts = re.search(r"local TEXTS = {(.*?)\n}", SOURCES["PhotoChanges.lua"], re.DOTALL)
    assert texts is not None
    written.update(re.findall(r'{ "\w+", "(\w+)" }', texts[1]))
    assert written >= {"rating", "title", "stateProvince", "gps"}
    assert written <= set(KEYS["setRawMetadata"])
