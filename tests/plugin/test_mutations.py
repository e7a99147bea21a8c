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


def told_of_a_full_disk(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> bool:
    """Whether an export to a full disk ends with words about it."""
    wanted = [photo.uuid for photo in lightroom.catalog.photos()[:2]]
    lightroom.fill_disk_after(0)
    result = bridge.result(
        bridge.send("export_photos", {"folder": str(folder), "format": "png", "photo_ids": wanted}, deadline=3.0)
    )
    return isinstance(result.result, dict) and "disk is full" in str(result.result.get("stopped"))


def signs_of_life(bridge: FakeBridge, lightroom: SimulatedLightroom, patience: float) -> list[str]:
    """Runs one command of each kind that matters; returns what is not as it should be."""
    catalog = lightroom.catalog
    first, second, third = (photo.uuid for photo in catalog.photos()[:3])
    favourites = str(catalog.collection("Favourites").local_id)
    try:
        bridge.wait_for(lambda: bool(bridge.polls) or complains(lightroom), "the first poll", patience)
    except AssertionError as silence:
        return [str(silence)]
    if complains(lightroom):
        return [f"{lightroom.log} {lightroom.errors}"]
    bad: list[str] = []
    exported = bridge.data_folder / "exported"
    changes = [{"photo_id": first, "rating": 5, "title": "t"}, {"photo_id": second, "rating": 0}]
    words, keywords_before = [["A", "B"], ["NATURE", "Beach"]], len(catalog.keywords)
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("write_photos", {"undo_name": "Rate", "changes": changes}),
        ("create_collection", {"path": ["Sets", "New"]}),
        ("add_to_collection", {"collection_id": favourites, "photo_ids": [third]}),
        ("list_photo_ids", {"source": "view", "offset": 0, "limit": 10}),
        ("read_photos", {"photo_ids": [third]}),
        ("get_thumbnail", {"photo_id": third, "size": 64}),
        ("export_photos", {"folder": str(exported), "format": "jpeg", "long_edge": 64, "photo_ids": [third, second]}),
        ("edit_keywords", {"undo_name": "Edit", "changes": [{"photo_id": third, "add": words, "remove": []}]}),
        ("list_keywords", {"offset": 0, "limit": 10}),
        ("write_develop", {"undo_name": "Develop", "changes": [{"photo_id": third, "settings": {"Texture": 4}}]}),
        ("create_snapshots", {"name": "Now", "photo_ids": [third]}),
        ("create_virtual_copies", {"photo_ids": [catalog.photos()[5].uuid]}),
    ]
    selection = catalog.selection
    catalog.filter_view(ViewFilter(is_active=True))
    for name, arguments in wanted:
        result = bridge.result(bridge.send(name, arguments, deadline=3.0))
        if not result.ok or (isinstance(result.result, dict) and result.result.get("failed")):
            bad.append(f"{name}: {result}")
        if isinstance(result.result, dict) and result.result.get("unreadable"):
            bad.append("keywords could not be read")
    if catalog.photo(first).rating != 5 or catalog.photo(second).rating is not None:
        bad.append("the ratings were not written")
    if len(catalog.keywords) != keywords_before + 2:
        bad.append("not the missing keywords alone were made")
    if catalog.selection != selection:
        bad.append("the selection did not come back")
    if not told_of_a_full_disk(bridge, lightroom, exported):
        bad.append("a full disk was not told")
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
    """lrc-immich-plugin #119: a private gate that had none, and threw when the catalog was busy."""
    changed = replace_nth(SOURCES[file], r", \{ timeout = [^}]*\}", "", number)
    assert problems(bridge, catalog, data_folder, file, changed) != []


OTHERS = {
    "rating 0 as it is": ("PhotoChanges.lua", 'setRawMetadata("rating", nil)', 'setRawMetadata("rating", 0)'),
    "a new keyword read in its gate": (
        "KeywordTree.lua",
        "made = catalog:createKeyword(name, {}, true, parent, true)",
        "made = catalog:createKeyword(name, {}, true, parent, true) made:getName()",
    ),
    "a keyword made again for each photo": ("KeywordTree.lua", "if found then", "if false then"),
    "a keyword made in the gate that applies it": (
        "KeywordChanges.lua",
        "photo:addKeyword(keyword)",
        'photo:addKeyword(catalog:createKeyword("A", {}, true, nil, true))',
    ),
    "title as raw metadata": ("Photos.lua", '\t"uuid",\n', '\t"uuid",\n\t"title",\n'),
    "the thumbnail's request dropped": (
        "Thumbnails.lua",
        "local pending = photo:requestJpegThumbnail",
        "local pending = {} photo:requestJpegThumbnail",
    ),
    "an export that asks": ("ExportCommands.lua", 'LR_collisionHandling = "rename"', 'LR_collisionHandling = "ask"'),
    "a quality in percent": ("ExportCommands.lua", "(arguments.quality or USUAL_QUALITY) / 100", "USUAL_QUALITY"),
    "a new collection read in its gate": (
        "CollectionCommands.lua",
        "made = make(parent)",
        "made = make(parent) made:getName()",
    ),
    "a virtual copy of whatever is selected": (
        "VirtualCopies.lua",
        "if not Selection.narrow(catalog, photo, uuid, remembered) then",
        "if false then",
    ),
    "a selection that is not put back": ("VirtualCopies.lua", "Selection.restore(catalog, remembered)", ""),
    "develop settings read in their gate": (
        "DevelopWrites.lua",
        "local isSet, message = LrTasks.pcall(kind.apply, entry.photo, entry.plan)",
        "local isSet, message = LrTasks.pcall(DevelopSettings.read, entry.photo)",
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
    """Among them one of LrGenius #179: a new collection that is read in the gate that makes it."""
    assert before in SOURCES[file]
    changed = SOURCES[file].replace(before, after)
    assert problems(bridge, catalog, data_folder, file, changed) != []
