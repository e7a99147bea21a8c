"""The plug-in's section in the Plug-in Manager: status, start and stop, switches, models, the configuration for MCP."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from safelight.lightroom import Catalog, SimulatedLightroom
from safelight.lightroom.panels import FieldRefused, Panel
from safelight.wire.models import EngineSettings
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.plugin.people import CHAT, Answer, install_program
from tests.requirement import requirement

STOP_AGENTS = "Stop Agent Control"
COPY = "Copy MCP Configuration..."


@pytest.fixture
def manager(lightroom: SimulatedLightroom) -> Generator[Panel]:
    panel = lightroom.open_manager()
    yield panel
    panel.close()


# --- status -----------------------------------------------------------------------------------------------------------


@requirement("plugin.settings")
def test_the_manager_shows_status_version_and_both_switches(manager: Panel) -> None:
    assert "Connected to the Safelight service." in manager.texts()
    assert "Version 0.1.0" in manager.texts()
    switches = {view.key: view.value for view in manager.views() if view.kind == "checkbox"}
    assert switches == {"agentsOn": True, "readOnly": False}


@requirement("plugin.settings", "plugin.always-on")
def test_opening_the_manager_again_and_again_disturbs_nothing(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """Automaat #121, #137: to open the Plug-in Manager stopped the bridge."""
    before = lightroom.live_tasks
    for _ in range(3):
        lightroom.manager_section()
    bridge.ask("get_state")
    assert len(bridge.hellos) == 1
    bridge.wait_for(lambda: lightroom.live_tasks == before, "the end of what the manager watched")
    assert lightroom.computer.commands == []


@requirement("plugin.settings")
def test_a_manager_whose_end_is_not_told_is_watched_for_by_one_task_only(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    before = lightroom.live_tasks
    for _ in range(3):
        lightroom.open_manager()
    bridge.wait_for(lambda: lightroom.live_tasks == before + 1, "the end of the older ones")


@requirement("plugin.settings")
def test_stop_and_start_end_and_begin_the_bridge(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel
) -> None:
    manager.press("Stop")
    bridge.wait_for(lambda: "The bridge is off." in manager.texts(), "the words for it")
    manager.press("Start")
    bridge.wait_for(lambda: len(bridge.hellos) == 2, "the second hello")
    bridge.wait_for(lambda: "Connected to the Safelight service." in manager.texts(), "the words for it")
    bridge.ask("get_state")


@requirement("plugin.settings")
def test_start_beside_a_service_that_runs_changes_nothing(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel
) -> None:
    manager.press("Start")
    lightroom.wait_for_buttons(manager)
    bridge.ask("get_state")
    assert len(bridge.hellos) == 1
    assert lightroom.computer.commands == []


@requirement("plugin.settings", "plugin.always-on")
def test_start_starts_the_service(catalog: Catalog, tmp_path: Path) -> None:
    program = install_program(tmp_path / "programs", "")
    bridge: FakeBridge | None = None

    def appear(command: str) -> int:
        nonlocal bridge
        bridge = FakeBridge(tmp_path)
        return 0

    with SimulatedLightroom(catalog, data_folder=tmp_path, home=str(tmp_path)) as lightroom:
        manager = lightroom.open_manager()
        assert "The Safelight service is not running." in manager.texts()
        manager.fill("program", str(program))
        lightroom.computer.shell = appear
        manager.press("Start")
        lightroom.wait_for_buttons(manager)
        assert str(program) in lightroom.computer.commands[0]
        assert bridge is not None
        served = bridge
        served.wait_for(lambda: "Connected to the Safelight service." in manager.texts(), "the bridge")
        served.close()


@requirement("plugin.settings")
def test_start_says_what_is_missing(catalog: Catalog, tmp_path: Path) -> None:
    with SimulatedLightroom(catalog, data_folder=tmp_path, home=str(tmp_path)) as lightroom:
        manager = lightroom.open_manager()
        manager.press("Start")
        lightroom.wait_for_buttons(manager)
        assert "its program was not found" in lightroom.dialogs()[-1].text


@requirement("plugin.settings")
def test_a_service_of_another_version_is_told_in_its_own_words(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    bridge.refuse("hello", 409, code="wrong_protocol", detail="Update the plug-in.", times=1000)
    with SimulatedLightroom(catalog, data_folder=data_folder) as lightroom:
        manager = lightroom.open_manager()
        bridge.wait_for(lambda: "Update the plug-in." in manager.texts(), "the service's words")


@requirement("plugin.settings")
def test_short_polls_are_told(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> None:
    bridge.cut_polls_held_longer_than = 0
    with SimulatedLightroom(catalog, data_folder=data_folder) as lightroom:
        manager = lightroom.open_manager()
        bridge.wait_for(lambda: any("short ones are used" in words for words in manager.texts()), "the words for it")


# --- what agents may do -----------------------------------------------------------------------------------------------


@requirement("plugin.settings")
def test_the_switches_of_the_manager_hold_at_once(bridge: FakeBridge, manager: Panel) -> None:
    manager.fill("readOnly", True)
    manager.fill("agentsOn", False)
    state = bridge.ask("get_state")
    assert (state["agents_on"], state["read_only"]) == (False, True)


@requirement("plugin.settings")
def test_stop_agent_control_turns_agents_off_and_ends_what_waits(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel
) -> None:
    lightroom.prefs["readOnly"] = False
    ids = [photo.uuid for photo in lightroom.catalog.photos()]
    lightroom.busy_for(2)
    running = bridge.send(
        "write_photos", {"undo_name": "x", "changes": [{"photo_id": photo, "rating": 1} for photo in ids]}
    )
    waiting = bridge.send("list_photo_ids", {"source": "all", "offset": 0, "limit": 1})
    bridge.wait_for(lambda: lightroom.waiting_for_gate == 1, "the write")
    manager.press(STOP_AGENTS)
    assert manager.value("agentsOn") is False
    outcome = bridge.result(running).result
    assert isinstance(outcome, dict)
    assert outcome["stopped"]["code"] == "AGENTS_OFF"
    assert outcome["not_attempted"] == ids[len(outcome["applied"]) :]
    assert 0 < len(outcome["applied"]) < len(ids)
    refused = bridge.result(waiting).error
    assert not isinstance(refused, msgspec.UnsetType)
    assert refused.code == "AGENTS_OFF"
    with pytest.raises(Refused, match="AGENTS_OFF"):
        bridge.ask("list_photo_ids", {"source": "all", "offset": 0, "limit": 1})


# --- models -----------------------------------------------------------------------------------------------------------


@requirement("plugin.settings")
def test_the_model_and_engine_settings_of_the_manager_go_with_the_next_chat(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel
) -> None:
    """lrc-immich-plugin #100: settings that had to be given anew each time."""
    manager.fill("chatModel", "local:small")
    manager.fill("temperature", "0.7")
    manager.fill("contextTokens", "8192")
    manager.fill("parallel", "2")
    lightroom.choose_menu_item(CHAT)
    manager.fill("chatModel", "")
    manager.fill("temperature", " ")
    lightroom.choose_menu_item(CHAT)
    first, second = bridge.chats
    assert (first.model, first.engine) == (
        "local:small",
        EngineSettings(temperature=0.7, context_tokens=8192, parallel=2),
    )
    assert (second.model, second.engine) == (msgspec.UNSET, EngineSettings(context_tokens=8192, parallel=2))


@requirement("plugin.settings")
@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("temperature", "2.1", "a number from 0 to 2"),
        ("temperature", "-1", "a number from 0 to 2"),
        ("temperature", ".", "a number from 0 to 2"),
        ("contextTokens", "1023", "a number from 1024 to 1048576"),
        ("contextTokens", "4096.5", "a number from 1024 to 1048576"),
        ("parallel", "many", "a number from 1 to 16"),
        ("baseUrl_ollama", "127.0.0.1:11434", "starts with http"),
        ("baseUrl_server", "https://", "starts with http"),
        ("baseUrl_server", "https://a b", "starts with http"),
    ],
)
def test_a_field_that_cannot_be_right_is_refused_in_words(manager: Panel, key: str, text: str, says: str) -> None:
    with pytest.raises(FieldRefused, match=says):
        manager.fill(key, text)
    assert manager.value(key) == ""


# --- other apps -------------------------------------------------------------------------------------------------------


@requirement("plugin.settings")
def test_copy_mcp_configuration_shows_both_forms_with_a_new_token(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel, data_folder: Path
) -> None:
    seen: list[dict[str, str]] = []

    def read(panel: Panel) -> Answer:
        seen.append({key: panel.value(key) for key in ("http", "stdio")})
        return "ok"

    for _ in range(2):
        lightroom.screen.visitors.append(read)
        manager.press(COPY)
        lightroom.wait_for_buttons(manager)
    assert [(token.name, token.role) for token in bridge.tokens] == [("MCP app, from Lightroom", "editor")] * 2
    http = [json.loads(texts["http"])["mcpServers"]["safelight"] for texts in seen]
    assert http[0] == {
        "type": "http",
        "url": f"{bridge.url}/mcp",
        "headers": {"Authorization": "Bearer app-token-1"},
    }
    assert http[1]["headers"] == {"Authorization": "Bearer app-token-2"}
    assert json.loads(seen[0]["stdio"])["mcpServers"]["safelight"] == {
        "command": "safelight",
        "args": ["mcp", "--data-dir", str(data_folder)],
    }
    assert "app-token" not in str(lightroom.log)
    assert "app-token" not in str(lightroom.prefs)


@requirement("plugin.settings")
def test_without_a_token_no_configuration_is_shown(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel
) -> None:
    bridge.refuse("tokens", 403, code="forbidden", detail="Not you.")
    manager.press(COPY)
    lightroom.wait_for_buttons(manager)
    assert lightroom.dialogs()[-1].text == "No token could be made. Not you."
    bridge.health = {}
    manager.press(COPY)
    lightroom.wait_for_buttons(manager)
    assert "Press Start first" in lightroom.dialogs()[-1].text
    assert bridge.tokens == []
