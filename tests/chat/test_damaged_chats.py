"""A conversation that is damaged harms no other, and every way to it says what it is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from safelight.chat.connections import ChatConnection
from safelight.errors import Conflict, Forbidden
from safelight.wire.models import OpenChat
from tests.chat.rig import PlayedModel, SpyTool, call, opened_rig, reply, serving_rig
from tests.requirement import requirement

OF_CHAT = "WHERE session_id = ?"


def change(folder: Path, statement: str, session_id: str) -> None:
    connection = sqlite3.connect(folder / "safelight.db")
    assert connection.execute(statement, (session_id,)).rowcount > 0
    connection.commit()
    connection.close()


@requirement("session.durable")
@pytest.mark.parametrize(
    "damage",
    [
        f"UPDATE transcript SET body = '{{' {OF_CHAT}",
        f"UPDATE events SET body = X'FF' {OF_CHAT} AND seq = 2",
        f"UPDATE sessions SET body = '[]' {OF_CHAT}",
        f"UPDATE results SET body = '1' {OF_CHAT}",
    ],
    ids=["transcript", "events", "session", "results"],
)
async def test_a_cut_off_chat_that_is_damaged_does_not_keep_the_service_from_starting(
    tmp_path: Path, damage: str
) -> None:
    copy = tmp_path / "copy"
    async with opened_rig(tmp_path, [call("look", "c0"), call("rate", "c1", n=1)]) as rig:
        whole = (await rig.chats.open(OpenChat(), "played")).session.record.session_id
        await rig.session.send("rate")
        await rig.until("approval_needed")
        damaged = rig.session.record.session_id
        copy.mkdir()
        for file in tmp_path.glob("safelight.db*"):
            shutil.copy(file, copy)
    change(copy, damage, damaged)
    async with serving_rig(copy, PlayedModel([reply("Good.")]), {"look": SpyTool("look")}, whole) as rig:
        assert whole in [chat.session_id for chat in await rig.chats.describe_all()]
        await rig.session.send("go on")
        await rig.idle()
        await rig.chats.end(damaged)
        assert [chat.session_id for chat in await rig.chats.describe_all()] == [whole]


async def test_a_result_that_is_damaged_is_refused_in_words(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1"), reply("Good.")]) as rig:
        await rig.session.send("look")
        await rig.idle()
        session_id = rig.session.record.session_id
        assert await rig.services.store.result(session_id, "c1") is not None
        change(tmp_path, f"UPDATE results SET body = '{{' {OF_CHAT}", session_id)
        with pytest.raises(Conflict, match="damaged"):
            await rig.services.store.result(session_id, "c1")


async def test_a_chat_that_has_ended_meanwhile_takes_no_connections(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        session_id = rig.session.record.session_id
        await rig.chats.end(session_id)
        with pytest.raises(Forbidden):
            await rig.chats.connect(rig.session, (ChatConnection(provider="openai"),))
