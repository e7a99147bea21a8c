"""Settings that cannot be kept are told, and hold."""

from __future__ import annotations

import errno
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
        assert {key: (await live.http.get(url)).json()[key] for key in WANTED} == WANTED


def test_a_file_that_cannot_be_read_leaves_the_strict_defaults(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "catalogs" / "catalog" / "chat_permissions.json").mkdir(parents=True)
    book = PermissionBook(tmp_path)
    book.bind("catalog")
    assert (book.current().mode, book.current().rules) == ("auto_read", {})
    assert "cannot be read" in caplog.text


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
    assert (book.current().mode, book.current().rules) == ("ask_all", {"set_rating": "block"})
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
