"""A modal dialog, such as the Plug-in Manager, holds the catalog: commands wait for its end, or change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom import SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement


def first(lightroom: SimulatedLightroom) -> str:
    return lightroom.catalog.photos()[0].uuid


@requirement("bridge.delivery")
def test_a_read_waits_until_the_dialog_is_closed(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.show_dialog_for(0.6)
    answer = bridge.ask("read_photos", {"photo_ids": [first(lightroom)]})
    assert [photo["photo_id"] for photo in answer["photos"]] == [first(lightroom)]


@requirement("bridge.delivery")
def test_a_write_waits_until_the_dialog_is_closed(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.show_dialog_for(0.6)
    change = {"photo_id": first(lightroom), "title": "After the dialog"}
    answer = bridge.ask("write_photos", {"undo_name": "Title", "changes": [change]})
    assert [photo["title"] for photo in answer["applied"]] == ["After the dialog"]


@requirement("bridge.delivery")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_photos", {"undo_name": "Title", "changes": [{"title": "Too late"}]}),
        ("create_collection", {"path": ["Too Late"]}),
        ("delete_collection", {}),
    ],
)
def test_a_write_that_the_dialog_held_beyond_its_deadline_changes_nothing(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str, arguments: dict[str, Any]
) -> None:
    for change in arguments.get("changes", []):
        change["photo_id"] = first(lightroom)
    if name == "delete_collection":
        arguments = {"collection_id": str(lightroom.catalog.collection("Favourites").local_id)}
    before = lightroom.catalog.photos(), lightroom.catalog.collections()
    lightroom.show_dialog_for(1.0)
    with pytest.raises(Refused) as refused:
        bridge.ask(name, arguments, deadline=0.6)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)
    assert (lightroom.catalog.photos(), lightroom.catalog.collections()) == before
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.delivery")
def test_the_bridge_goes_on_after_a_dialog(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.show_dialog_for(0.4)
    assert lightroom.manager_section()
    assert bridge.ask("get_state")["photo_count"] == 60
    assert len(bridge.hellos) == 1
