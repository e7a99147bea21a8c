"""The photographer's two switches, turned while a command is under way: nothing more is changed from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

SWITCHES = {"readOnly": ("readOnly", True, "READ_ONLY"), "agentsOn": ("agentsOn", False, "AGENTS_OFF")}
EACH_SWITCH = pytest.mark.parametrize(("key", "value", "code"), SWITCHES.values(), ids=SWITCHES.keys())


def turn_after_a_gate(
    lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, key: str, value: Any
) -> list[bool]:
    """Turns the switch as soon as the next gate is closed; returns a list that gets one element for each gate."""
    close, gates = lightroom.catalog.close_gate, list[bool]()

    def turn(*, commit: bool) -> None:
        close(commit=commit)
        gates.append(commit)
        lightroom.prefs[key] = value

    monkeypatch.setattr(lightroom.catalog, "close_gate", turn)
    return gates


@requirement("plugin.settings")
@EACH_SWITCH
def test_a_long_write_ends_with_the_chunk_that_is_under_way(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, key: str, value: bool, code: str
) -> None:
    ids = [photo.uuid for photo in lightroom.catalog.photos()]
    gates = turn_after_a_gate(lightroom, monkeypatch, key, value)
    changes = [{"photo_id": photo_id, "title": "New"} for photo_id in ids]
    report = bridge.ask("write_photos", {"undo_name": "Name", "changes": changes})
    assert [record["photo_id"] for record in report["applied"]] == ids[:50]
    assert report["not_attempted"] == ids[50:]
    assert report["stopped"]["code"] == code
    assert len(gates) == 1


@requirement("plugin.settings")
@EACH_SWITCH
def test_no_more_keywords_are_made(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, key: str, value: bool, code: str
) -> None:
    photo = lightroom.catalog.photos()[0]
    gates = turn_after_a_gate(lightroom, monkeypatch, key, value)
    change = {"photo_id": photo.uuid, "add": [["New", "Below", "Deeper"]], "remove": []}
    with pytest.raises(Refused) as refused:
        bridge.ask("edit_keywords", {"undo_name": "Edit", "changes": [change]})
    assert refused.value.code == code
    assert len(gates) == 1
    assert lightroom.catalog.photo(photo.uuid).keywords == photo.keywords


@requirement("plugin.settings")
@EACH_SWITCH
def test_no_more_sets_are_made_for_a_collection(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, key: str, value: bool, code: str
) -> None:
    gates = turn_after_a_gate(lightroom, monkeypatch, key, value)
    with pytest.raises(Refused, match=r"collection sets were made \(New\)") as refused:
        bridge.ask("create_collection", {"path": ["New", "Below", "Deeper"]})
    assert (refused.value.code, refused.value.retriable) == ("LIGHTROOM_ERROR", False)
    assert code == "READ_ONLY" or "agents" in refused.value.message
    assert len(gates) == 1


@requirement("plugin.settings")
@EACH_SWITCH
def test_no_more_photos_are_exported(
    bridge: FakeBridge,
    lightroom: SimulatedLightroom,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    key: str,
    value: bool,
    code: str,
) -> None:
    ids = [photo.uuid for photo in lightroom.catalog.photos()[:3]]
    jpeg = lightroom.catalog.pictures.jpeg

    def turn(*arguments: Any) -> bytes:
        lightroom.prefs[key] = value
        return jpeg(*arguments)

    monkeypatch.setattr(lightroom.catalog.pictures, "jpeg", turn)
    wanted = {"folder": str(tmp_path / "exported"), "format": "jpeg", "long_edge": 64, "photo_ids": ids}
    report = bridge.ask("export_photos", wanted)
    assert [record["photo_id"] for record in report["exported"]] == ids[:1]
    assert (report["not_attempted"], report["stopped"]["code"]) == (ids[1:], code)


@requirement("bridge.delivery")
def test_a_long_write_of_a_plugin_that_was_reloaded_ends_with_the_chunk_that_is_under_way(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same when Lightroom quits, which waits for tasks: what was done is told, and nothing more is done."""
    ids = [photo.uuid for photo in lightroom.catalog.photos()]
    gates = turn_after_a_gate(lightroom, monkeypatch, "bridgeGeneration", 99)
    changes = [{"photo_id": photo_id, "title": "New"} for photo_id in ids]
    report = bridge.ask("write_photos", {"undo_name": "Name", "changes": changes})
    assert [record["photo_id"] for record in report["applied"]] == ids[:50]
    assert (report["not_attempted"], report["stopped"]["code"]) == (ids[50:], "TIMEOUT")
    assert len(gates) == 1
