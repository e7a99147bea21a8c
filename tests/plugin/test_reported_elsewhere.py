"""What other plug-ins for Lightroom have been through, in public, where no other test here stands for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom, plugin_folder
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

NOBODY = ["nobody", "nowhere"]
OF_UNKNOWN_PHOTOS: list[tuple[str, dict[str, Any]]] = [
    ("read_photos", {"photo_ids": NOBODY}),
    ("get_thumbnail", {"photo_id": "nobody", "size": 64}),
    ("read_develop", {"photo_ids": NOBODY}),
    ("show_photos", {"photo_ids": NOBODY}),
    ("write_photos", {"undo_name": "Rate", "changes": [{"photo_id": one, "rating": 1} for one in NOBODY]}),
    ("edit_keywords", {"undo_name": "Edit", "changes": [{"photo_id": "nobody", "add": [["A"]], "remove": []}]}),
    ("write_develop", {"undo_name": "Develop", "changes": [{"photo_id": "nobody", "settings": {"Texture": 1}}]}),
    ("create_virtual_copies", {"photo_ids": NOBODY}),
]

SOURCES = {path.name: path.read_text("utf-8") for path in sorted(plugin_folder().glob("*.lua"))}
COMMENT = re.compile(r"--\[\[.*?\]\]|--[^\n]*", re.DOTALL)


@requirement("bridge.chunks")
@pytest.mark.parametrize(("name", "arguments"), OF_UNKNOWN_PHOTOS, ids=[name for name, _ in OF_UNKNOWN_PHOTOS])
def test_an_unknown_photo_is_never_looked_for_among_all_photos(
    bridge: FakeBridge,
    lightroom: SimulatedLightroom,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: dict[str, Any],
) -> None:
    """Automaat #24: each id that was not found cost a walk through a catalog of 100,000 photos."""
    scans: list[str] = []
    listed = lightroom.catalog.ids

    def count() -> list[int]:
        scans.append(name)
        return listed()

    monkeypatch.setattr(lightroom.catalog, "ids", count)
    try:
        answer = str(bridge.ask(name, arguments))
    except Refused as refused:
        answer = refused.code
    assert "PHOTO_NOT_FOUND" in answer or "'missing': ['nobody', 'nowhere']" in answer
    assert scans == []
    bridge.ask("get_state")
    assert scans == [name], "whoever asks for all photos is noticed"


@requirement("bridge.chunks", "bridge.long-poll")
@pytest.mark.parametrize("file", SOURCES)
def test_the_plugin_opens_no_socket_and_no_read_gate_and_acts_on_no_active_photo(file: str) -> None:
    """Sockets lose answers on both systems (Automaat #110, #225). Questions to the catalog inside a read gate froze
    Lightroom on Windows (Automaat #124, #134). simongaoai-coder's lightroom-mcp met calls on one photo that changed
    the active one: quickDevelop..., and everything of LrDevelopController."""
    code = COMMENT.sub("", SOURCES[file])
    for name in ("LrSocket", "withReadAccessDo", "quickDevelop", "LrDevelopController"):
        assert name not in code


@requirement("plugin.always-on")
def test_the_bridge_starts_again_after_an_error_of_its_own(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    """Automaat #27, #128: a bridge that was not running after the start, or died, and stayed away."""

    def throw_once(file: str, source: str) -> str:
        connected = 'setStatus("connected")'
        broken = f'if not polling.isBroken then polling.isBroken = true error("broken once") end {connected}'
        return source.replace(connected, broken) if file == "Bridge.lua" else source

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=throw_once) as lightroom:
        assert bridge.ask("get_state")["photo_count"] == 60
        assert len(bridge.hellos) == 2
        assert [text for level, text in lightroom.log if level == "error" and "broken once" in text]
        assert lightroom.errors == ()
