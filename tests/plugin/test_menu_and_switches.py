"""What the photographer uses: the menu items, the two switches, the section in the Plug-in Manager."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from safelight.lightroom import Catalog, MenuRefused, SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

CHAT = "Chat with Your Catalog..."
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


@requirement("plugin.menu")
def test_the_menu_opens_a_chat_and_its_page(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    assert lightroom.menu_titles() == [CHAT, READ_ONLY]
    page = lightroom.choose_menu_item(CHAT)
    assert page == f"{bridge.url}/v1/ui/chat#session=1&token=t"
    (chat,) = bridge.chats
    assert (chat.model, chat.mode) == (msgspec.UNSET, msgspec.UNSET)
    assert lightroom.dialogs() == []


@requirement("plugin.menu")
def test_the_chat_gets_the_model_and_mode_of_the_settings(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["chatModel"] = "local:small"
    lightroom.prefs["chatMode"] = "ask_all"
    lightroom.choose_menu_item(CHAT)
    assert (bridge.chats[0].model, bridge.chats[0].mode) == ("local:small", "ask_all")


@requirement("plugin.nothing-set-up")
def test_what_the_service_says_is_shown(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("sessions", 409, code="model_missing", detail="No model is installed. Install one first.")
    with pytest.raises(MenuRefused, match="could not be opened. No model is installed. Install one first."):
        lightroom.choose_menu_item(CHAT)


@requirement("plugin.nothing-set-up")
def test_with_agents_off_the_menu_says_where_to_turn_them_on(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["agentsOn"] = False
    with pytest.raises(MenuRefused, match="AI agents are turned off. Turn them on in File > Plug-in Manager"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.chats == []


@requirement("plugin.nothing-set-up")
@pytest.mark.parametrize("has_left_word", [False, True], ids=["never started", "gone"])
def test_without_a_service_the_menu_says_how_to_start_it(
    catalog: Catalog, data_folder: Path, has_left_word: bool
) -> None:
    if has_left_word:
        FakeBridge(data_folder).close()
    with (
        SimulatedLightroom(catalog, data_folder=data_folder) as lightroom,
        pytest.raises(MenuRefused, match="not running.*safelight serve"),
    ):
        lightroom.choose_menu_item(CHAT)


@requirement("plugin.menu")
def test_a_page_that_is_not_the_services_own_is_not_opened(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    for page in ("https://example.org/", bridge.url + "0/", bridge.url + "@example.org/"):
        bridge.chats.clear()
        bridge.refusals["sessions"] = deque([(201, {"page_url": page})])
        with pytest.raises(MenuRefused, match="not the service's own"):
            lightroom.choose_menu_item(CHAT)


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


@requirement("plugin.settings")
def test_the_manager_shows_status_and_both_switches(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    views = lightroom.manager_section()
    assert any("Version 0.1.0. Connected to the Safelight service." in view.title for view in views)
    assert {view.key: view.value for view in views if view.kind == "checkbox"} == {"agentsOn": True, "readOnly": False}


@requirement("plugin.settings")
def test_opening_the_manager_disturbs_nothing(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    for _ in range(3):
        lightroom.manager_section()
    bridge.ask("get_state")
    assert len(bridge.hellos) == 1
