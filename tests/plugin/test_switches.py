"""The photographer's two switches: what they refuse, and the menu item that turns one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from safelight.lightroom import SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

READ_ONLY = "Turn Read-Only Mode On or Off"

EVERY_COMMAND: dict[str, dict[str, Any]] = {
    "list_photo_ids": {"source": "all", "offset": 0, "limit": 1},
    "read_photos": {"photo_ids": ["a"]},
    "get_thumbnail": {"photo_id": "a", "size": 64},
    "find_collections": {},
    "show_photos": {"photo_ids": ["a"]},
    "create_collection": {"path": ["New"]},
    "create_smart_collection": {
        "path": ["New"],
        "rules": [{"criteria": "rating", "operation": "==", "number": 5}],
    },
    "delete_collection": {"collection_id": "1000"},
    "add_to_collection": {"collection_id": "1000", "photo_ids": ["a"]},
    "remove_from_collection": {"collection_id": "1000", "photo_ids": ["a"]},
    "write_photos": {"undo_name": "x", "changes": [{"photo_id": "a", "rating": 1}]},
    "list_keywords": {"offset": 0, "limit": 1},
    "edit_keywords": {"undo_name": "x", "changes": [{"photo_id": "a", "add": [["New"]], "remove": []}]},
    "list_presets": {},
    "read_develop": {"photo_ids": ["a"]},
    "write_develop": {"undo_name": "x", "changes": [{"photo_id": "a", "settings": {"Exposure2012": 1}}]},
    "apply_preset": {"undo_name": "x", "preset_id": "a", "photo_ids": ["a"]},
    "auto_tone": {"undo_name": "x", "photo_ids": ["a"]},
    "reset_develop": {"undo_name": "x", "photo_ids": ["a"]},
    "list_snapshots": {"photo_ids": ["a"]},
    "create_snapshots": {"name": "x", "photo_ids": ["a"]},
    "create_virtual_copies": {"photo_ids": ["a"]},
    "export_photos": {"folder": "/nowhere/at/all", "format": "jpeg", "photo_ids": ["a"]},
}
CONTRACT = yaml.safe_load((Path(__file__).parents[2] / "contract" / "bridge.yaml").read_text("utf-8"))["commands"]
READS = {name for name, command in CONTRACT.items() if command["kind"] == "read"}


@requirement("plugin.settings")
def test_no_command_of_the_contract_is_left_out_here() -> None:
    assert set(EVERY_COMMAND) == set(CONTRACT) - {"get_state"}


@requirement("plugin.settings")
@pytest.mark.parametrize("name", EVERY_COMMAND)
def test_read_only_refuses_what_changes_before_lightroom_is_touched(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str
) -> None:
    lightroom.prefs["readOnly"] = True
    before = (lightroom.catalog.photos(), lightroom.catalog.collections(), lightroom.catalog.selection)
    code = code_of(bridge, name)
    assert (code == "READ_ONLY") == (name not in READS)
    assert (lightroom.catalog.photos(), lightroom.catalog.collections(), lightroom.catalog.selection) == before
    assert bridge.ask("get_state")["read_only"] is True


@requirement("plugin.settings")
@pytest.mark.parametrize("name", EVERY_COMMAND)
def test_agents_off_refuses_everything_but_the_state(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str
) -> None:
    lightroom.prefs["agentsOn"] = False
    assert code_of(bridge, name) == "AGENTS_OFF"
    state = bridge.ask("get_state")
    assert (state["agents_on"], state["photo_count"]) == (False, 60)


def code_of(bridge: FakeBridge, name: str) -> str | None:
    try:
        bridge.ask(name, EVERY_COMMAND[name])
    except Refused as refused:
        assert not refused.retriable
        return refused.code
    return None


@requirement("plugin.settings")
def test_the_read_only_item_turns_the_switch_and_says_so(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    assert lightroom.choose_menu_item(READ_ONLY) is None
    assert code_of(bridge, "create_collection") == "READ_ONLY"
    lightroom.choose_menu_item(READ_ONLY)
    assert code_of(bridge, "create_collection") is None
    assert [dialog.message for dialog in lightroom.dialogs()] == [
        "Safelight: read-only mode is on",
        "Safelight: read-only mode is off",
    ]
