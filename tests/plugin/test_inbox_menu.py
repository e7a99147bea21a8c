"""The menu item that opens the questions of other agents: it needs no model and sends nothing anywhere."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from safelight.lightroom import Catalog, MenuRefused, SimulatedLightroom
from safelight.wire.models import OpenChat
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import INBOX
from tests.requirement import requirement


@requirement("mcp.approvals", "plugin.menu")
def test_the_menu_opens_the_page_of_the_inbox(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    before = lightroom.live_tasks
    page = lightroom.choose_menu_item(INBOX)
    assert page == f"{bridge.url}/v1/ui/chat#session=1&token=t&view=inbox"
    assert bridge.chats == [OpenChat(view="inbox")]
    assert lightroom.dialogs() == []
    assert lightroom.live_tasks == before


@requirement("plugin.ask-once")
def test_a_model_in_the_cloud_has_nothing_to_do_with_it(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["chatModel"] = "anthropic:claude"
    lightroom.computer.passwords["apiKey_anthropic"] = "key-1"
    assert lightroom.choose_menu_item(INBOX)
    assert lightroom.dialogs() == []
    assert b"key-1" not in msgspec.json.encode(bridge.chats)


@requirement("plugin.nothing-set-up")
def test_what_the_service_says_instead_is_shown(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("sessions", 409, code="too_many", detail="Too many chats are open.")
    with pytest.raises(MenuRefused, match=r"questions of other agents could not be opened. Too many chats are open."):
        lightroom.choose_menu_item(INBOX)


@requirement("plugin.nothing-set-up")
def test_without_a_service_and_a_program_the_menu_says_what_to_do(
    catalog: Catalog, data_folder: Path, tmp_path: Path
) -> None:
    with (
        SimulatedLightroom(catalog, data_folder=data_folder, home=str(tmp_path)) as lightroom,
        pytest.raises(MenuRefused, match=r"not running.*Install it.*Plug-in Manager.*safelight serve"),
    ):
        lightroom.choose_menu_item(INBOX)
