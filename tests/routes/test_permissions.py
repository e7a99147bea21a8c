"""Settings that cannot be kept are told, and hold."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from safelight.gate.permissions import PermissionBook
from safelight.wire.models import PermissionsUpdate
from tests.bridge.fake_plugin import FakePlugin
from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted

WANTED = {"mode": "ask_all", "rules": {"set_rating": "block"}, "bulk_limit": 5}


@requirement("contract.errors")
async def test_settings_that_cannot_be_saved_are_told_and_hold(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path, model=scripted(tmp_path)) as live,
        FakePlugin(live.application.service.bridge, catalog_id="catalog"),
    ):
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/permissions"
        in_the_way = tmp_path / "catalogs" / "catalog" / "chat_permissions.json"
        in_the_way.mkdir(parents=True)
        answer = await live.http.put(url, json=WANTED)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert "could not be saved" in answer.json()["detail"]
        now = (await live.http.get(url)).json()
        assert {key: now[key] for key in WANTED} == WANTED
        assert (now["saved"], "until Safelight ends" in now["problem"]) == (False, True)


@requirement("perm.saved")
async def test_the_page_is_told_of_settings_that_are_not_saved_or_are_damaged(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/permissions"
        assert (await live.http.get(url)).json() == {
            "mode": "auto_read",
            "rules": {},
            "bulk_limit": 200,
            "saved": False,
        }
        for catalog_id, content in (("good", json.dumps(WANTED)), ("bad", '{"mode": "everything"}')):
            file = tmp_path / "catalogs" / catalog_id / "chat_permissions.json"
            file.parent.mkdir(parents=True)
            file.write_text(content, encoding="utf-8")
        async with FakePlugin(live.application.service.bridge, catalog_id="good"):
            assert (await live.http.get(url)).json() == {**WANTED, "saved": True}
        async with FakePlugin(live.application.service.bridge, catalog_id="bad"):
            now = (await live.http.get(url)).json()
            assert (now["mode"], now["rules"], now["saved"]) == ("ask_all", {}, True)
            assert "damaged" in now["problem"]
            # What was read can be sent back.
            assert (await live.http.put(url, json=now)).json() == {k: v for k, v in now.items() if k != "problem"}


@requirement("perm.saved", "mcp.approvals")
async def test_damaged_settings_for_agents_ask_for_everything_until_new_ones_are_saved(tmp_path: Path) -> None:
    (tmp_path / "agent_permissions.json").write_text('{"mode": "auto_all", "rules": []}', encoding="utf-8")
    url = "/v1/permissions/agents"
    for _ in range(2):
        async with live_service(tmp_path, model=scripted(tmp_path)) as live:
            now = (await live.http.get(url)).json()
            assert (now["mode"], now["rules"]) == ("ask_all", {})
            assert "damaged" in now["problem"]
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        assert (await live.http.put(url, json=WANTED)).json() == {**WANTED, "saved": True}


def test_lightroom_is_not_sent_away_where_settings_made_before_it_came_cannot_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    book = PermissionBook(tmp_path)
    book.replace(PermissionsUpdate(mode="ask_all", rules={"set_rating": "block"}, bulk_limit=5))

    def no_room(file: int) -> None:
        del file
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    book.bind("catalog")
    now = book.current()
    assert (now.mode, now.rules, now.saved) == ("ask_all", {"set_rating": "block"}, False)
    assert "No space left" in str(now.problem)
    assert "No space left" in caplog.text


@requirement("contract.errors")
async def test_what_agents_may_do_is_read_by_the_page_and_set_with_the_agent_token(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        url = "/v1/permissions/agents"
        assert (await live.http.get(url)).json() == {"mode": "auto_read", "rules": {}, "bulk_limit": 200, "saved": True}
        assert (await live.http.put(url, json=WANTED)).json() == {**WANTED, "saved": True}
        async with live.client(chat["chat_token"]) as page:
            assert (await page.get(url)).json() == {**WANTED, "saved": True}
            assert (await page.put(url, json=WANTED)).status_code == 403
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        assert (await live.http.get(url)).json() == {**WANTED, "saved": True}


@requirement("contract.errors")
async def test_settings_for_agents_that_cannot_be_saved_do_not_hold(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        (tmp_path / "agent_permissions.json").mkdir()
        answer = await live.http.put("/v1/permissions/agents", json=WANTED)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert (await live.http.get("/v1/permissions/agents")).json()["mode"] == "auto_read"
