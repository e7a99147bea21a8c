"""The menu item that opens a chat: what it sends, whom it asks, and what it says when something is missing."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import msgspec
import pytest

from safelight.lightroom import Catalog, MenuRefused, SimulatedLightroom
from safelight.wire.models import Connection, EngineSettings
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import CHAT, INBOX, INDEX, READ_ONLY
from tests.requirement import requirement


@requirement("plugin.menu")
def test_the_menu_opens_a_chat_and_its_page(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    assert lightroom.menu_titles() == [CHAT, INBOX, INDEX, READ_ONLY]
    page = lightroom.choose_menu_item(CHAT)
    assert page == f"{bridge.url}/v1/ui/chat#session=1&token=t"
    (chat,) = bridge.chats
    assert chat == msgspec.structs.replace(chat, **dict.fromkeys(chat.__struct_fields__, msgspec.UNSET))
    assert lightroom.dialogs() == []
    assert lightroom.computer.commands == []


@requirement("plugin.menu")
def test_nothing_stays_open_in_lightroom(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    before = lightroom.live_tasks
    lightroom.choose_menu_item(CHAT)
    assert lightroom.live_tasks == before
    bridge.ask("get_state")
    assert len(bridge.hellos) == 1


@requirement("plugin.menu")
def test_the_model_of_analyze_and_index_comes_before_the_one_of_chats(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.prefs["chatMode"] = "ask_all"
    lightroom.prefs["chatModel"] = " local:small "
    lightroom.choose_menu_item(CHAT)
    lightroom.prefs["indexModel"] = "local:large"
    lightroom.choose_menu_item(CHAT)
    lightroom.prefs["indexModel"] = "  "
    lightroom.choose_menu_item(CHAT)
    assert [chat.model for chat in bridge.chats] == ["local:small", "local:large", "local:small"]
    assert {chat.mode for chat in bridge.chats} == {"ask_all"}


@requirement("plugin.menu")
def test_all_connections_and_the_engine_settings_go_with_the_chat(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """LrGenius #213: what was chosen in the plug-in was not sent to the service."""
    lightroom.computer.passwords |= {"apiKey_openai": "key-1", "apiKey_server": "key-2", "apiKey_gemini": ""}
    lightroom.prefs |= {"baseUrl_server": "https://ai.example.org/v1 ", "baseUrl_lmstudio": "http://127.0.0.1:1234"}
    lightroom.prefs |= {"temperature": "0,5", "contextTokens": "16384", "parallel": ""}
    lightroom.choose_menu_item(CHAT)
    (chat,) = bridge.chats
    assert chat.connections == [
        Connection(provider="openai", api_key="key-1"),
        Connection(provider="lmstudio", base_url="http://127.0.0.1:1234"),
        Connection(provider="server", base_url="https://ai.example.org/v1", api_key="key-2"),
    ]
    assert chat.engine == EngineSettings(temperature=0.5, context_tokens=16384)


@requirement("plugin.menu")
def test_settings_that_fit_nothing_are_left_to_the_service(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs |= {"temperature": "hot", "contextTokens": "12.5", "parallel": "17", "baseUrl_ollama": "ftp://x"}
    lightroom.choose_menu_item(CHAT)
    assert (bridge.chats[0].engine, bridge.chats[0].connections) == (msgspec.UNSET, msgspec.UNSET)


# --- nothing set up ---------------------------------------------------------------------------------------------------


@requirement("plugin.nothing-set-up")
def test_without_a_model_the_menu_says_what_to_set_up(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("sessions", 409, code="model_missing", detail="No model is installed. Install one.")
    with pytest.raises(MenuRefused, match=r"no model to chat with. No model is installed. Install one. Or .* Plug-in"):
        lightroom.choose_menu_item(CHAT)


@requirement("plugin.nothing-set-up")
def test_what_else_the_service_says_is_shown(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("sessions", 409, code="too_many", detail="Too many chats are open.")
    with pytest.raises(MenuRefused, match="could not be opened. Too many chats are open."):
        lightroom.choose_menu_item(CHAT)


@requirement("plugin.nothing-set-up")
def test_with_agents_off_the_menu_says_where_to_turn_them_on(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["agentsOn"] = False
    with pytest.raises(MenuRefused, match="AI agents are turned off. Turn them on in File > Plug-in Manager"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.chats == []


@requirement("plugin.nothing-set-up")
@pytest.mark.parametrize("has_left_word", [False, True], ids=["never started", "gone"])
def test_without_a_service_and_a_program_the_menu_says_what_to_do(
    catalog: Catalog, data_folder: Path, tmp_path: Path, has_left_word: bool
) -> None:
    if has_left_word:
        FakeBridge(data_folder).close()
    with (
        SimulatedLightroom(catalog, data_folder=data_folder, home=str(tmp_path)) as lightroom,
        pytest.raises(MenuRefused, match=r"not running.*Install it.*Plug-in Manager.*safelight serve"),
    ):
        lightroom.choose_menu_item(CHAT)


@requirement("plugin.menu")
def test_a_page_that_is_not_the_services_own_is_not_opened(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    for page in ("https://example.org/", bridge.url + "0/", bridge.url + "@example.org/"):
        bridge.chats.clear()
        bridge.refusals["sessions"] = deque([(201, {"page_url": page})])
        with pytest.raises(MenuRefused, match="not the service's own"):
            lightroom.choose_menu_item(CHAT)


@requirement("plugin.menu")
def test_another_program_on_the_services_port_gets_no_token(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.health = {"name": "something else"}
    lightroom.prefs["program"] = "/nowhere/safelight"
    with pytest.raises(MenuRefused, match="not running"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.chats == []


# --- chats that leave this computer -----------------------------------------------------------------------------------


@requirement("plugin.ask-once")
def test_before_the_first_chat_that_leaves_the_computer_the_person_is_asked_once(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.prefs["chatModel"] = "anthropic:claude"
    with pytest.raises(MenuRefused, match=r"Send to Anthropic\?.*photos and metadata"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.chats == []
    lightroom.screen.answers.append("ok")
    assert lightroom.choose_menu_item(CHAT)
    assert lightroom.choose_menu_item(CHAT)
    assert len(bridge.chats) == 2
    lightroom.prefs["chatModel"] = "OpenAI:gpt"
    with pytest.raises(MenuRefused, match=r"Send to OpenAI\?"):
        lightroom.choose_menu_item(CHAT)
    assert [dialog.style for dialog in lightroom.dialogs()] == ["confirm"] * 3


@requirement("plugin.ask-once")
@pytest.mark.parametrize(
    ("address", "receiver"),
    [
        ("", None),
        ("http://127.0.0.1:11434", None),
        ("http://LOCALHOST:11434/v1", None),
        ("http://[::1]:11434", None),
        ("http://192.168.1.5:11434", "192.168.1.5:11434"),
        ("https://127.0.0.1.example.org", "127.0.0.1.example.org"),
        ("https://127.0.0.1@example.org/v1", "example.org"),
        ("https://localhost:x@example.org", "example.org"),
        ("https://[2001:db8::1]:80", r"\[2001:db8::1\]:80"),
    ],
)
def test_a_server_is_another_computer_when_its_address_says_so(
    bridge: FakeBridge, lightroom: SimulatedLightroom, address: str, receiver: str | None
) -> None:
    lightroom.prefs |= {"chatModel": "ollama:qwen", "baseUrl_ollama": address}
    if receiver is None:
        assert lightroom.choose_menu_item(CHAT)
        return
    with pytest.raises(MenuRefused, match=rf"Send to {receiver}\?"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.chats == []


@requirement("plugin.ask-once")
def test_a_receiver_that_only_the_service_knows_is_asked_about_before_the_page_opens(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    bridge.sends_to = "Example AI"
    with pytest.raises(MenuRefused, match=r"Send to Example AI\?"):
        lightroom.choose_menu_item(CHAT)
    assert bridge.ended_chats == ["1"]
    lightroom.screen.answers.append("ok")
    assert lightroom.choose_menu_item(CHAT)
    assert lightroom.choose_menu_item(CHAT)
    assert bridge.ended_chats == ["1"]
