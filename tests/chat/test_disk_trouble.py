"""A disk without room is said, loses nothing, and is over once there is room again."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from safelight.catalog.database import Database
from safelight.wire.models import OpenChat
from tests.chat.rig import call, opened_rig, reply
from tests.chat.test_retention import say, script, titles
from tests.live import live_service

NO_DELETE = "CREATE TRIGGER no_room BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"


@asynccontextmanager
async def without_room(database: Database) -> AsyncGenerator[None]:
    """While it lasts, the file cannot grow."""

    def no_more(connection: sqlite3.Connection) -> int:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        return connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()[0]

    await database.run(no_more)
    yield
    await database.run(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchone())


async def test_a_message_for_which_there_is_no_room_is_refused_in_words_and_taken_later(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await say(live, "boats")
        base = f"/v1/chat/sessions/{chat['session_id']}"
        head = (await live.http.get(base)).json()["head"]
        text = "boats " * 16_000
        async with without_room(live.application.service.store.database):
            refused = await live.http.post(f"{base}/messages", json={"text": text}, headers={"idempotency-key": "k1"})
            assert refused.status_code == 500
            assert "disk is full" in refused.json()["detail"]
            assert "try again" in refused.json()["detail"]
            now = (await live.http.get(base)).json()
            assert (now["busy"], now["head"]) == (False, head)
        taken = await live.http.post(f"{base}/messages", json={"text": text}, headers={"idempotency-key": "k1"})
        assert (taken.status_code, taken.json()["seq"]) == (202, head + 1)


async def test_a_chat_that_could_not_be_erased_is_still_there_and_can_be_ended_again(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await say(live, "boats")
        path = f"/v1/chat/sessions/{chat['session_id']}"
        database = live.application.service.store.database
        await database.run(lambda connection: connection.execute(NO_DELETE).rowcount)
        assert (await live.http.delete(path)).status_code == 500
        assert await titles(live) == ["boats"]
        async with live.client(chat["chat_token"]) as page:
            assert (await page.get(path)).json()["title"] == "boats"
            await database.run(lambda connection: connection.execute("DROP TRIGGER no_room").rowcount)
            assert (await page.delete(path)).status_code == 204
            assert (await page.get(path)).status_code == 403
        assert await titles(live) == []


async def test_a_service_that_has_no_room_for_the_end_of_a_run_ends_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.WARNING)
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        other = (await rig.chats.open(OpenChat(), "played")).session

        async def full(work: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(rig.database, "run", full)
            async with asyncio.timeout(5):
                await rig.chats.close()
        assert "could not be closed in order: database or disk is full" in caplog.text
        with pytest.raises(Exception, match="being stopped"):
            await other.send("on")
