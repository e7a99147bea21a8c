"""How long conversations are kept, and that nothing of them is left when they are erased."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.app import create_app
from safelight.chat.kept_settings import KeptSettings, read_settings, write_settings
from safelight.chat.retention import erase_old_daily
from safelight.errors import StartRefused
from safelight.settings import Settings
from tests.chat.rig import opened_rig, reply
from tests.live import Live, live_service
from tests.requirement import requirement

CANARY = "the-heron-at-dawn-4711"


def script(folder: Path) -> str:
    file = folder / "script.json"
    turns = [{"text": "I will look."}, {"text": "Yes."}]
    file.write_text(json.dumps(turns), encoding="utf-8")
    return f"scripted:{file}"


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(10):
        while not await holds():
            pass


async def say(live: Live, text: str) -> dict[str, Any]:
    """A chat with a message and its answer."""
    chat = await live.open_chat()
    base = f"/v1/chat/sessions/{chat['session_id']}"
    await live.http.post(f"{base}/messages", json={"text": text})

    async def answered() -> bool:
        now = (await live.http.get(base)).json()
        return not now["busy"] and now["head"] > 2

    await until(answered)
    return chat


def files_with(folder: Path, text: str) -> list[str]:
    """The files of the data folder that hold the text."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "script.json"]
    return sorted(path.name for path in files if text.encode() in path.read_bytes())


async def titles(live: Live) -> list[str]:
    return [chat["title"] for chat in (await live.http.get("/v1/chat/sessions")).json()["sessions"]]


@contextlib.asynccontextmanager
async def stored_days_ago(folder: Path, ages: list[float]) -> AsyncGenerator[list[str], None]:
    """Chats of a service that has ended, each with its age in days; their titles are their places."""
    async with live_service(folder, script(folder)) as live:
        chats = [await say(live, f"{place} {CANARY}") for place in range(len(ages))]
    connection = sqlite3.connect(folder / "safelight.db")
    for age, chat in zip(ages, chats, strict=True):
        when = (datetime.now(UTC) - timedelta(days=age)).timestamp()
        connection.execute("UPDATE sessions SET last_active = ? WHERE session_id = ?", (when, chat["session_id"]))
    connection.commit()
    connection.close()
    yield [chat["session_id"] for chat in chats]


@requirement("session.durable")
async def test_of_a_deleted_chat_no_file_holds_anything(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        kept = await say(live, "a message that stays")
        chat = await say(live, f"Find {CANARY}")
        assert files_with(tmp_path, CANARY) != []
        answer = await live.http.delete(f"/v1/chat/sessions/{chat['session_id']}")
        assert answer.status_code == 204
        assert files_with(tmp_path, CANARY) == []
        assert files_with(tmp_path, chat["session_id"]) == []
        assert files_with(tmp_path, "a message that stays") != []
        assert await titles(live) == ["a message that stays"]
        assert (await live.http.get(f"/v1/chat/sessions/{kept['session_id']}")).status_code == 200


async def test_conversations_that_are_older_are_erased_at_the_start_and_the_others_stay(tmp_path: Path) -> None:
    async with stored_days_ago(tmp_path, [31, 29, 400]) as ids:
        pass
    async with live_service(tmp_path) as live:

        async def erased() -> bool:
            return await titles(live) == [f"1 {CANARY}"]

        await until(erased)
        assert (await live.http.get(f"/v1/chat/sessions/{ids[0]}")).status_code == 403
    assert files_with(tmp_path, ids[0]) == files_with(tmp_path, ids[2]) == []


async def test_the_command_line_counts_more_than_the_settings_file(tmp_path: Path) -> None:
    write_settings(tmp_path / "settings.json", KeptSettings(keep_days=1))
    async with stored_days_ago(tmp_path, [5, 20]):
        pass
    async with live_service(tmp_path, keep_days=10) as live:

        async def erased() -> bool:
            return await titles(live) == [f"0 {CANARY}"]

        await until(erased)


async def test_with_no_days_chats_live_in_memory_and_what_was_kept_before_is_erased(tmp_path: Path) -> None:
    async with stored_days_ago(tmp_path, [0]):
        assert files_with(tmp_path, CANARY) != []
    write_settings(tmp_path / "settings.json", KeptSettings(keep_days=0))
    async with live_service(tmp_path, script(tmp_path)) as live:

        async def nothing_left() -> bool:
            return await asyncio.to_thread(files_with, tmp_path, CANARY) == []

        await until(nothing_left)
        assert await titles(live) == []
        token = await live.mint("viewer")
        chat = await say(live, f"again {CANARY}")
        assert await titles(live) == [f"again {CANARY}"]
        assert files_with(tmp_path, CANARY) == []
        assert files_with(tmp_path, chat["session_id"]) == []
    async with live_service(tmp_path) as live:
        assert await titles(live) == []
        assert (await live.http.get(f"/v1/chat/sessions/{chat['session_id']}")).status_code == 403
        async with live.client(token) as client:  # the tokens of other programs are kept
            assert (await client.get("/v1/chat/sessions")).status_code == 403
            assert len((await live.http.get("/v1/tokens")).json()["tokens"]) == 1


async def test_a_chat_that_somebody_reads_or_in_which_something_goes_on_is_not_erased(tmp_path: Path) -> None:
    hold = asyncio.Event()
    async with opened_rig(tmp_path, [reply("Hello.")], hold=hold) as rig:
        await rig.session.send("hello")
        await rig.until("busy")
        later = datetime.now(UTC) + timedelta(days=1)
        await rig.chats.erase_older(later)
        assert len(await rig.chats.describe_all()) == 1
        hold.set()
        await rig.idle()
        stream = rig.session.follow(None, None)
        await anext(stream)
        await rig.chats.erase_older(later)
        assert len(await rig.chats.describe_all()) == 1
        await stream.aclose()
        await rig.chats.erase_older(datetime.now(UTC) - timedelta(days=1))
        assert len(await rig.chats.describe_all()) == 1
        await rig.chats.erase_older(later)
        assert await rig.chats.describe_all() == []
        rows = await rig.database.run(lambda connection: connection.execute("SELECT * FROM events").fetchall())
        assert rows == []


async def test_old_conversations_are_looked_for_again_every_day_also_after_trouble(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("safelight.chat.retention._DAY_S", 0.01)
    closing = asyncio.Event()
    looked: list[datetime] = []

    class Looking:
        async def erase_older(self, when: datetime) -> None:
            looked.append(when)
            if len(looked) == 1:
                raise sqlite3.OperationalError("database or disk is full")
            if len(looked) == 3:
                closing.set()

    async with asyncio.timeout(10):
        await erase_old_daily([Looking()], 30, closing)
    assert len(looked) == 3
    assert all(abs(datetime.now(UTC) - timedelta(days=30) - when) < timedelta(minutes=1) for when in looked)
    assert "could not be erased: database or disk is full" in caplog.text


def test_without_a_file_conversations_are_kept_for_thirty_days(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "settings.json") == KeptSettings(keep_days=30, approval_expiry_s=None)


@given(st.integers(0, 36_500), st.none() | st.floats(1, 31_536_000))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, days: int, expiry: float | None) -> None:
    folder = tmp_path_factory.mktemp("settings")
    settings = KeptSettings(keep_days=days, approval_expiry_s=expiry)
    write_settings(folder / "settings.json", settings)
    assert read_settings(folder / "settings.json") == settings
    assert [path.name for path in folder.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"keep_days": "30"}', '{"keep_days": -1}', '{"keep_days": 1e9}', '{"keep": 3}', "\xff\xfe"]
    + [
        '{"approval_expiry_s": 0}',
        '{"keep_days": null}',
        '{"keep_days": 30} x',
        "[" * 60_000,
        f'{{"keep_days": {"[" * 60_000}',
    ],
)
def test_a_damaged_file_is_refused_at_the_start_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(StartRefused, match=r"settings\.json cannot be read") as refused:
        create_app(Settings(data_dir=tmp_path, port=0))
    assert "Correct the file" in refused.value.message
    assert len(refused.value.message) < 1_000
    assert file.read_bytes() == text.encode("latin-1")
    assert not (tmp_path / "safelight.db").exists()
