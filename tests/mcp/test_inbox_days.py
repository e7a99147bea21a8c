"""The inbox's events are kept for as many days as conversations are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from safelight.chat.inbox import Inbox
from safelight.chat.retention import erase_kept
from safelight.chat.store import ChatStore
from tests.chat.test_retention import CANARY, files_with
from tests.mcp.test_form import question
from tests.mcp.test_inbox_log import inbox_at, told

NOW = datetime.now(UTC)
TOMORROW = NOW + timedelta(days=1)


async def asked(inbox: Inbox, call_id: str, word: str) -> None:
    assert await inbox.announce(question(call_id=call_id, arguments={"word": word})) is None
    await inbox.ended(call_id, None)


async def test_events_of_the_inbox_are_erased_when_they_are_older(tmp_path: Path) -> None:
    async with inbox_at(tmp_path) as inbox:
        await asked(inbox, "old", CANARY)
        assert files_with(tmp_path, CANARY) != []
        await inbox.erase_older(NOW)
        assert len(await told(inbox)) == inbox.log.head
        noted = inbox.log.head
        await asked(inbox, "new", "boats")
        await inbox.erase_older(TOMORROW)
        assert [event.seq for event in await told(inbox)] == list(range(noted + 1, inbox.log.head + 1))
        assert inbox.log.first == noted + 1
        assert files_with(tmp_path, CANARY) == []


async def test_events_are_numbered_on_when_all_before_have_been_erased(tmp_path: Path) -> None:
    async with inbox_at(tmp_path) as inbox:
        await asked(inbox, "old", CANARY)
        await inbox.erase_older(TOMORROW)
        head = inbox.log.head
        assert await told(inbox) == []
    async with inbox_at(tmp_path) as inbox:
        assert (inbox.log.first, inbox.log.head) == (head + 1, head)
        await inbox.erase_older(TOMORROW)
        await asked(inbox, "new", "boats")
        assert (await told(inbox))[0].seq == head + 1


async def test_nothing_of_the_inbox_is_left_when_nothing_is_to_be_kept(tmp_path: Path) -> None:
    async with inbox_at(tmp_path) as inbox:
        await asked(inbox, "old", CANARY)
        await inbox.erase_older(NOW)
    async with inbox_at(tmp_path) as inbox:
        await erase_kept(ChatStore(inbox._database))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # the same file
    async with inbox_at(tmp_path) as inbox:
        assert (inbox.log.first, inbox.log.head) == (1, 0)
        assert files_with(tmp_path, CANARY) == []
