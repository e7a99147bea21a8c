"""API keys: in Lightroom's encrypted store and in the request that opens a chat, and nowhere else."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from safelight.lightroom import SimulatedLightroom
from safelight.lightroom.panels import Panel
from safelight.wire.models import Connection
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import CHAT, fills
from tests.requirement import requirement

CANARY = "sk-canary-0123456789"
SET, FORGET = "Set Key...", "Forget Key"
PROVIDERS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "gemini": "Google Gemini",
    "ollama": "Ollama",
    "lmstudio": "LM Studio",
    "server": "Own server",
}


@pytest.fixture
def manager(lightroom: SimulatedLightroom) -> Generator[Panel]:
    panel = lightroom.open_manager()
    yield panel
    panel.close()


def states(manager: Panel) -> dict[str, str]:
    """Title of each provider -> what is said of its key."""
    texts = manager.texts()
    return {title: texts[texts.index(title) + 1] for title in PROVIDERS.values()}


@requirement("plugin.keys")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_key_that_is_set_goes_with_the_chat_and_is_kept_in_the_encrypted_store_alone(
    bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel, provider: str
) -> None:
    lightroom.screen.visitors.append(fills({"key": f" {CANARY}\n"}))
    manager.press(SET, beside=PROVIDERS[provider])
    lightroom.wait_for_buttons(manager)
    lightroom.choose_menu_item(CHAT)
    assert bridge.chats[0].connections == [Connection(provider=provider, api_key=CANARY)]  # type: ignore[arg-type]  # one of the contract's
    assert lightroom.computer.passwords == {f"apiKey_{provider}": CANARY}
    assert CANARY not in str(lightroom.prefs)
    assert CANARY not in str(lightroom.log)
    assert CANARY not in str(lightroom.dialogs())
    assert CANARY not in str(manager.views())
    assert CANARY not in str(lightroom.computer.commands)


@requirement("plugin.keys")
def test_the_rows_tell_which_keys_are_there(bridge: FakeBridge, lightroom: SimulatedLightroom, manager: Panel) -> None:
    bridge.wait_for(lambda: set(states(manager).values()) == {"No key"}, "the look into the store")
    lightroom.screen.visitors.append(fills({"key": CANARY}))
    manager.press(SET, beside="Anthropic")
    lightroom.wait_for_buttons(manager)
    assert {title for title, state in states(manager).items() if state == "Key is stored"} == {"Anthropic"}
    manager.press(FORGET, beside="Anthropic")
    lightroom.wait_for_buttons(manager)
    assert set(states(manager).values()) == {"No key"}
    lightroom.choose_menu_item(CHAT)
    assert not bridge.chats[0].connections
    assert CANARY not in str(lightroom.computer.passwords)


@requirement("plugin.keys")
def test_what_is_no_key_is_refused_and_asked_for_again(lightroom: SimulatedLightroom, manager: Panel) -> None:
    for wrong in ("", "two words", "x" * 501, "tab\tin it"):
        lightroom.screen.visitors.append(fills({"key": wrong}))
    lightroom.screen.visitors.append(fills({"key": CANARY}, "cancel"))
    manager.press(SET, beside="OpenAI")
    lightroom.wait_for_buttons(manager)
    assert [dialog.style for dialog in lightroom.dialogs()] == ["modal", "warning"] * 4 + ["modal"]
    assert "no API key" in lightroom.dialogs()[1].text
    assert lightroom.computer.passwords == {}
