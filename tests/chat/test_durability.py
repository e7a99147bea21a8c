"""Chats in the database: read when somebody asks, one session of each, let go of when nothing goes on in them."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog.database import Database
from safelight.chat.chats import MOST_LOADED
from safelight.chat.schema import MIGRATIONS
from safelight.chat.standing import Standing, title_of
from safelight.chat.store import ChatRecord, ChatStore, StoredChat
from safelight.conversation.parts import AssistantTurn, Message, UserMessage
from safelight.conversation.prompt import CUT_OFF
from safelight.errors import Forbidden
from safelight.guard.secret import digest
from safelight.wire.models import (
    AssistantTurnEvent,
    BusyEvent,
    Event,
    OpenChat,
    QueuedEvent,
    ToolCallEvent,
    UserMessageEvent,
    WarningEvent,
)
from tests.chat.rig import PlayedModel, Rig, SpyTool, call, kind_of, opened_rig, reply, serving_rig
from tests.requirement import requirement

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

# The scripts as version 2 of the file had them: what people's files were made with does not change with the code.
TABLES_1 = """
CREATE TABLE tokens (token_id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
                     created TEXT NOT NULL);

CREATE TABLE sessions (session_id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
                     PRIMARY KEY (session_id, seq)) WITHOUT ROWID;
CREATE TABLE transcript (session_id TEXT NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL,
                         PRIMARY KEY (session_id, position)) WITHOUT ROWID;
CREATE TABLE results (session_id TEXT NOT NULL, call_id TEXT NOT NULL, body BLOB NOT NULL,
                      PRIMARY KEY (session_id, call_id)) WITHOUT ROWID;
"""
TABLES_2 = """
CREATE TABLE changes (
    n INTEGER PRIMARY KEY AUTOINCREMENT, change_id TEXT NOT NULL UNIQUE, time TEXT NOT NULL, tool TEXT NOT NULL,
    by TEXT NOT NULL, catalog_id TEXT NOT NULL, kind TEXT NOT NULL, subject BLOB NOT NULL, undoes TEXT
);
CREATE TABLE change_items (
    n INTEGER NOT NULL REFERENCES changes (n) ON DELETE CASCADE, item_id TEXT NOT NULL, name TEXT NOT NULL,
    before BLOB NOT NULL, after BLOB NOT NULL, state TEXT NOT NULL, PRIMARY KEY (n, item_id)
) WITHOUT ROWID;
"""


def put_chat(
    connection: sqlite3.Connection, session_id: str, events: list[Event], history: tuple[Message, ...]
) -> None:
    """A chat as version 2 wrote it."""
    record = ChatRecord(session_id=session_id, token_hash=digest(session_id), model="played", created=NOW)
    row = (session_id, record.token_hash, msgspec.json.encode(record))
    connection.execute("INSERT INTO sessions (session_id, token_hash, body) VALUES (?, ?, ?)", row)
    for seq, event in enumerate(events, 1):
        body = msgspec.json.encode(msgspec.structs.replace(event, seq=seq))
        connection.execute("INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)", (session_id, seq, body))
    for position, message in enumerate(history):
        row = (session_id, position, msgspec.json.encode(message))
        connection.execute("INSERT INTO transcript (session_id, position, body) VALUES (?, ?, ?)", row)


def write_version_2(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(f"{TABLES_1}{TABLES_2}PRAGMA user_version = 2;")
    said = UserMessageEvent(seq=0, message_id="m1", text="Find\nthe \t boats " + "and ships " * 20)
    asked = UserMessage(text=said.text)
    answered = [AssistantTurnEvent(seq=0, reasoning="", text="Here."), BusyEvent(seq=0, busy=False)]
    busy = BusyEvent(seq=0, busy=True)
    put_chat(connection, "chat_idle", [said, busy, *answered], (asked, AssistantTurn(text="Here.")))
    look = call("look", "c1")
    called = ToolCallEvent(seq=0, call_id="c1", tool="look", title="Look", class_="read", arguments={}, photos=None)
    cut_off: list[Event] = [said, busy, called, QueuedEvent(seq=0, message_id="m2", text="And?")]
    put_chat(connection, "chat_cut", cut_off, (asked, look))
    put_chat(connection, "chat_new", [], ())
    connection.commit()
    connection.close()


@asynccontextmanager
async def brought_back(folder: Path, session_id: str) -> AsyncGenerator[Rig, None]:
    async with serving_rig(folder, PlayedModel([reply("Good.")]), {"look": SpyTool("look")}, session_id) as rig:
        yield rig


async def fill(database: Database, count: int) -> None:
    """Chats with a message and an answer each."""
    store = ChatStore(database)
    for n in range(count):
        record = ChatRecord(session_id=f"chat_{n}", token_hash=digest(f"slc_{n}"), model="played", created=NOW)
        standing = Standing(last_active=NOW + timedelta(seconds=n), title=f"Message {n}")
        await store.add(StoredChat(record=record, standing=standing, providers=(), head=0))
        message = UserMessage(text=f"Message {n}")
        await database.run(store.saying(record.session_id, 0, message))


@requirement("session.durable")
async def test_a_file_of_version_2_is_brought_up_and_its_cut_off_chat_is_closed_and_goes_on(tmp_path: Path) -> None:
    write_version_2(tmp_path / "safelight.db")
    async with brought_back(tmp_path, "chat_cut") as rig:
        chats = {chat.session_id: chat for chat in await rig.chats.describe_all()}
        assert list(chats) == ["chat_idle", "chat_cut", "chat_new"]
        assert chats["chat_idle"].title.startswith("Find the boats and ships and")
        assert len(chats["chat_idle"].title) <= 80
        assert (chats["chat_new"].title, chats["chat_new"].head) == ("", 0)
        assert all(abs(chat.last_active - datetime.now(UTC)) < timedelta(minutes=5) for chat in chats.values())
        assert [chat.busy for chat in chats.values()] == [False, False, False]
        kinds = await rig.types(4)
        assert kinds == ["tool_skipped", "unqueued", "stopped", "busy"]
        (unqueued,) = [event for event in await rig.events(4) if kind_of(event) == "unqueued"]
        assert getattr(unqueued, "reason", None) == "returned"
        assert rig.session.history[-1] == AssistantTurn(text=CUT_OFF)
        await rig.session.send("go on")
        await rig.idle(times=2)
    connection = sqlite3.connect(tmp_path / "safelight.db")
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("SELECT count(*) FROM sessions WHERE running = 1").fetchone() == (0,)
    connection.close()


async def test_a_start_reads_no_conversation_and_a_chat_is_read_when_somebody_asks(tmp_path: Path) -> None:
    database = Database(tmp_path / "safelight.db", MIGRATIONS)
    await fill(database, 20)
    await database.close()
    async with brought_back(tmp_path, "chat_7") as rig:
        assert [rig.chats.find(f"chat_{n}") is not None for n in range(20)] == [n == 7 for n in range(20)]
        assert [chat.title for chat in await rig.chats.describe_all()] == [f"Message {n}" for n in range(20)]
        session = await rig.chats.get("chat_3")
        assert session.history == (UserMessage(text="Message 3"),)


async def test_all_who_ask_for_one_chat_at_once_get_the_same_session(tmp_path: Path) -> None:
    database = Database(tmp_path / "safelight.db", MIGRATIONS)
    await fill(database, 3)
    await database.close()
    async with brought_back(tmp_path, "chat_0") as rig:
        asking = [asyncio.create_task(rig.chats.get("chat_1")) for _ in range(10)]
        await asyncio.sleep(0)
        asking[0].cancel()  # whoever asked first goes away; the others still get it
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert {id(session) for session in found[1:]} == {id(await rig.chats.get("chat_1"))}


async def test_a_chat_that_is_ended_while_it_is_read_is_not_there(tmp_path: Path) -> None:
    database = Database(tmp_path / "safelight.db", MIGRATIONS)
    await fill(database, 3)
    await database.close()
    async with brought_back(tmp_path, "chat_0") as rig:
        asking = asyncio.create_task(rig.chats.get("chat_1"))
        await asyncio.sleep(0)
        await rig.chats.end("chat_1")
        with pytest.raises(Forbidden):
            await asking
        assert rig.chats.find("chat_1") is None
        with pytest.raises(Forbidden):
            await rig.chats.end("chat_1")


@requirement("event.bounded")
async def test_idle_chats_are_let_go_of_and_those_in_use_stay_the_same(tmp_path: Path) -> None:
    database = Database(tmp_path / "safelight.db", MIGRATIONS)
    await fill(database, MOST_LOADED + 40)
    await database.close()
    hold = asyncio.Event()
    model = PlayedModel([reply("Good.")], hold=hold)
    async with serving_rig(tmp_path, model, {"look": SpyTool("look")}, "chat_0") as rig:
        await rig.session.send("work")
        await asyncio.wait_for(model.streaming.wait(), 5)
        stream = (await rig.chats.get("chat_1")).follow(None, None)  # read by a page, and held by nothing else
        await anext(stream)
        held = await rig.chats.get("chat_2")
        for n in range(3, MOST_LOADED + 40):
            await rig.chats.get(f"chat_{n}")
        gc.collect()
        loaded = [n for n in range(MOST_LOADED + 40) if rig.chats.find(f"chat_{n}") is not None]
        assert loaded[:3] == [0, 1, 2]
        assert len(loaded) <= MOST_LOADED + 3
        assert await rig.chats.get("chat_2") is held
        await held.log.append(WarningEvent(seq=0, message="still one writer"))
        session = await rig.chats.get("chat_1")
        await session.log.append(WarningEvent(seq=0, message="to the page"))
        assert b"to the page" in await asyncio.wait_for(anext(stream), 5)
        await stream.aclose()
        hold.set()
        await rig.idle()


async def test_a_chat_that_was_let_go_of_comes_back_as_it_was(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello."), reply("Again.")]) as rig:
        rig.session = (await rig.chats.open(OpenChat(), "played")).session  # the first one is held by the rig
        await rig.session.send("hello")
        await rig.idle()
        before = (rig.session.describe(), rig.session.history)
        session_id = rig.session.record.session_id
        for _ in range(MOST_LOADED + 2):
            await rig.chats.open(OpenChat(), "played")
        rig.session = (await rig.chats.open(OpenChat(), "played")).session
        gc.collect()
        assert rig.chats.find(session_id) is None
        rig.session = await rig.chats.get(session_id)
        after = (rig.session.describe(), rig.session.history)
        assert msgspec.structs.replace(after[0], last_active=before[0].last_active) == before[0]
        assert abs(after[0].last_active - before[0].last_active) < timedelta(milliseconds=1)
        assert after[1] == before[1]
        await rig.session.send("again")
        await rig.idle(times=2)


async def test_the_list_of_chats_says_when_each_was_last_active_and_what_it_began_with(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello."), reply("Again.")]) as rig:
        opened = rig.session.describe()
        assert (opened.title, opened.questions, opened.needs_connections) == ("", 0, [])
        await rig.session.send("  First\x07 message \n here ")
        await rig.idle()
        await rig.session.send("second")
        await rig.idle(times=2)
        (chat,) = await rig.chats.describe_all()
        assert chat.title == "First message here"
        assert chat.last_active >= opened.last_active
        assert chat == rig.session.describe()


async def test_a_question_is_counted_while_it_waits(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1)]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        assert (rig.session.describe().questions, rig.session.describe().busy) == (1, True)
        await rig.session.stop()
        await rig.idle()
        assert rig.session.describe().questions == 0


@given(st.text(max_size=300))
def test_a_title_is_one_short_line_of_what_can_be_seen(text: str) -> None:
    title = title_of(text)
    assert len(title) <= 80
    assert title == title.strip()
    assert not any(letter in title for letter in "\n\r\t\x00\x1b\u202e")
    assert title_of(title) == title
    assert msgspec.json.encode(title)


@given(st.lists(st.sampled_from(["busy", "idle", "say", "warn"]), max_size=12))
def test_a_run_goes_on_as_the_newest_busy_event_says_and_the_title_is_the_first_message(kinds: list[str]) -> None:
    makes: dict[str, Event] = {
        "busy": BusyEvent(seq=0, busy=True),
        "idle": BusyEvent(seq=0, busy=False),
        "warn": WarningEvent(seq=0, message="w"),
    }
    events = [
        UserMessageEvent(seq=0, message_id="m", text=f"say {place}") if kind == "say" else makes[kind]
        for place, kind in enumerate(kinds)
    ]
    whole = Standing(last_active=NOW).after(events, NOW)
    one_by_one = Standing(last_active=NOW)
    for event in events:
        one_by_one = one_by_one.after([event], NOW)
    assert whole == one_by_one
    said = [place for place, kind in enumerate(kinds) if kind == "say"]
    assert whole.title == (f"say {said[0]}" if said else "")
    work = [kind for kind in kinds if kind in ("busy", "idle")]
    assert whole.running is (work[-1:] == ["busy"])
