"""The doubles catch what would fail in Lightroom: without any one of its guards, the plug-in fails visibly."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom, plugin_folder
from safelight.lightroom.catalog import ViewFilter
from tests.plugin.fake_bridge import FakeBridge
from tests.requirement import requirement

SOURCES = {path.name: path.read_text("utf-8") for path in sorted(plugin_folder().glob("*.lua"))}

GUARDS = [
    (name, number)
    for name, source in SOURCES.items()
    for number in range(len(re.findall(r"\bLrTasks\.pcall\(", source)))
]
TIMEOUTS = [
    (name, number)
    for name, source in SOURCES.items()
    for number in range(len(re.findall(r", \{ timeout = [^}]*\}", source)))
]


def replace_nth(source: str, pattern: str, replacement: str, number: int) -> str:
    found = list(re.finditer(pattern, source))[number]
    return source[: found.start()] + replacement + source[found.end() :]


def complains(lightroom: SimulatedLightroom) -> bool:
    return bool(lightroom.errors) or any(level in ("warn", "error") for level, _ in lightroom.log)


def signs_of_life(bridge: FakeBridge, lightroom: SimulatedLightroom, patience: float) -> list[str]:
    """Runs one command of each kind that matters; returns what is not as it should be."""
    catalog = lightroom.catalog
    first, second, third = (photo.uuid for photo in catalog.photos()[:3])
    try:
        bridge.wait_for(lambda: bool(bridge.polls) or complains(lightroom), "the first poll", patience)
    except AssertionError as silence:
        return [str(silence)]
    if complains(lightroom):
        return [f"{lightroom.log} {lightroom.errors}"]
    bad: list[str] = []
    changes = [{"photo_id": first, "rating": 5, "title": "t"}, {"photo_id": second, "rating": 0}]
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("write_photos", {"undo_name": "Rate", "changes": changes}),
        ("create_collection", {"name": "New"}),
        ("list_photo_ids", {"source": "view", "offset": 0, "limit": 10}),
        ("read_photos", {"photo_ids": [third]}),
        ("get_thumbnail", {"photo_id": third, "size": 64}),
    ]
    catalog.filter_view(ViewFilter(is_active=True))
    for name, arguments in wanted:
        result = bridge.result(bridge.send(name, arguments, deadline=3.0))
        if not result.ok or (isinstance(result.result, dict) and result.result.get("failed")):
            bad.append(f"{name}: {result}")
    if catalog.photo(first).rating != 5 or catalog.photo(second).rating is not None:
        bad.append("the ratings were not written")
    return bad + [str(error) for error in lightroom.errors]


def problems(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, file: str, changed: str, patience: float = 1.0
) -> list[str]:
    lightroom = SimulatedLightroom(
        catalog, data_folder=data_folder, transform=lambda name, source: changed if name == file else source
    )
    with lightroom:
        return signs_of_life(bridge, lightroom, patience)


@requirement("lightroom.simulator")
def test_the_plugin_as_it_is_has_no_problems(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> None:
    assert problems(bridge, catalog, data_folder, "", "", patience=10.0) == []


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("file", "number"), GUARDS, ids=[f"{file}, {number + 1}." for file, number in GUARDS])
def test_a_plain_pcall_instead_of_that_of_lrtasks_is_noticed(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, file: str, number: int
) -> None:
    changed = replace_nth(SOURCES[file], r"\bLrTasks\.pcall\(", "pcall(", number)
    assert problems(bridge, catalog, data_folder, file, changed) != []


@requirement("lightroom.simulator", "bridge.chunks")
@pytest.mark.parametrize(("file", "number"), TIMEOUTS, ids=[f"{file}, {number + 1}." for file, number in TIMEOUTS])
def test_a_gate_without_its_time_out_is_noticed(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, file: str, number: int
) -> None:
    changed = replace_nth(SOURCES[file], r", \{ timeout = [^}]*\}", "", number)
    assert problems(bridge, catalog, data_folder, file, changed) != []


OTHERS = {
    "rating 0 as it is": ("PhotoChanges.lua", 'setRawMetadata("rating", nil)', 'setRawMetadata("rating", 0)'),
    "title as raw metadata": ("Photos.lua", '\t"uuid",\n', '\t"uuid",\n\t"title",\n'),
    "the thumbnail's request dropped": (
        "ReadCommands.lua",
        "local request = photo:requestJpegThumbnail",
        "local request = {} photo:requestJpegThumbnail",
    ),
    "a new collection read in its gate": (
        "WriteCommands.lua",
        "collection = catalog:createCollection(name, nil, false)",
        "collection = catalog:createCollection(name, nil, false) collection:getName()",
    ),
    "a task that dies with the start script": (
        "Bridge.lua",
        'LrFunctionContext.postAsyncTaskWithContext("Safelight bridge", ',
        "LrTasks.startAsyncTask(",
    ),
}


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("file", "before", "after"), OTHERS.values(), ids=OTHERS.keys())
def test_a_mistake_is_noticed(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, file: str, before: str, after: str
) -> None:
    assert before in SOURCES[file]
    changed = SOURCES[file].replace(before, after)
    assert problems(bridge, catalog, data_folder, file, changed) != []
