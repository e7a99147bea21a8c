"""What the list of chats says of one is kept with its events, at no more cost than it is worth."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from safelight.catalog.database import Database
from safelight.chat.log import EventLog
from safelight.chat.schema import MIGRATIONS
from safelight.chat.standing import Standing
from safelight.chat.store import ChatRecord, ChatStore, StoredChat
from safelight.wire.models import BusyEvent, UserMessageEvent, WarningEvent

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        pytest.param(Standing(last_active=NOW + timedelta(seconds=59)), False, id="time alone, soon after"),
        pytest.param(Standing(last_active=NOW + timedelta(seconds=60)), True, id="time alone, a minute after"),
        pytest.param(Standing(last_active=NOW - timedelta(hours=1)), True, id="a clock that was set back"),
        pytest.param(Standing(last_active=NOW, title="Boats"), True, id="a title"),
        pytest.param(Standing(last_active=NOW, running=True), True, id="a run"),
    ],
)
def test_a_title_and_a_run_are_kept_at_once_and_the_time_within_a_minute(now: Standing, due: bool) -> None:
    assert now.is_due(Standing(last_active=NOW)) is due


async def test_an_event_of_a_run_writes_no_other_row_and_its_begin_and_end_do(tmp_path: Path) -> None:
    database = Database(tmp_path / "safelight.db", MIGRATIONS)
    store = ChatStore(database)
    record = ChatRecord(session_id="chat_1", token_hash="0" * 64, model="played", created=NOW)
    chat = StoredChat(record=record, standing=Standing(last_active=datetime.now(UTC)), providers=(), head=0)
    await store.add(chat)
    log = EventLog(database, "chat_1", 0, chat.standing)

    async def kept() -> Standing:
        (found,) = await store.all()
        return found.standing

    await log.append_all([UserMessageEvent(seq=0, message_id="m1", text="Boats"), BusyEvent(seq=0, busy=True)])
    begun = await kept()
    assert (begun.title, begun.running) == ("Boats", True)
    for n in range(3):
        await log.append(WarningEvent(seq=0, message=str(n)))
    assert await kept() == begun
    await log.append(BusyEvent(seq=0, busy=False))
    ended = await kept()
    assert ended.running is False
    assert ended.last_active > begun.last_active
    assert log.standing is not None
    assert abs(log.standing.last_active - ended.last_active) < timedelta(milliseconds=1)
    await database.close()
