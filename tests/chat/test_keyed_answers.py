"""Keyed requests are done once: at the same time, one after the other, over cancelled callers and full memories."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from safelight.catalog.database import Database
from safelight.chat.keyed_answers import KeyedAnswers
from safelight.chat.keyed_store import (
    KEYED_SCHEMA,
    MOST_BYTES,
    MOST_KEPT,
    REMEMBERED_S,
    Answered,
    KeyedRequest,
    RecentAnswers,
    keeping,
)
from safelight.errors import Conflict
from tests.requirement import requirement


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Work:
    """Counts how often it is done; waits for ``go`` and fails as told."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.done = 0
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.go.set()
        self.fails: Exception | None = None

    async def __call__(self) -> Answered:
        self.begun.set()
        await self.go.wait()
        if self.fails is not None:
            raise self.fails
        self.done += 1
        return Answered(202, b"%d" % self.done)

    async def kept(self, keep: Callable[[Answered], Any]) -> Answered:
        answered = await self()
        await self.database.run(keep(answered))
        return answered


def asked(key: str = "k", digest: str = "d", owner: str = "chat_1", action: str = "send") -> KeyedRequest:
    return KeyedRequest(owner, action, key, digest)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    database = Database(tmp_path / "keyed.db", [KEYED_SCHEMA])
    yield database
    await database.close()


Once = Callable[[KeyedRequest], Coroutine[Any, Any, Answered]]


def both(answers: KeyedAnswers, work: Work) -> list[Once]:
    return [lambda request: answers.once(request, work), lambda request: answers.once_kept(request, work.kept)]


@pytest.mark.parametrize("way", [0, 1])
@requirement("session.idempotent")
async def test_what_comes_while_the_first_is_worked_on_waits_for_its_answer(database: Database, way: int) -> None:
    work = Work(database)
    once = both(KeyedAnswers(database), work)[way]
    work.go.clear()
    tasks = [asyncio.create_task(once(asked())) for _ in range(10)]
    await work.begun.wait()
    other = asyncio.create_task(once(asked(digest="other")))
    tasks.append(asyncio.create_task(once(asked())))
    work.go.set()
    with pytest.raises(Conflict) as refused:
        await other
    assert refused.value.code == "idempotency_conflict"
    assert set(await asyncio.gather(*tasks)) == {Answered(202, b"1")}
    assert work.done == 1
    for apart in (asked("K"), asked(owner="chat_2"), asked(action="stop")):
        await once(apart)
    assert work.done == 4


@pytest.mark.parametrize("way", [0, 1])
@requirement("session.idempotent")
async def test_a_repetition_is_answered_also_beside_a_request_that_does_not_fit(database: Database, way: int) -> None:
    work = Work(database)
    once = both(KeyedAnswers(database), work)[way]
    first = await once(asked())
    wrong = asyncio.create_task(once(asked(digest="other")))
    again = asyncio.create_task(once(asked()))
    assert isinstance((await asyncio.gather(wrong, return_exceptions=True))[0], Conflict)
    assert await again == first
    assert work.done == 1


@pytest.mark.parametrize("way", [0, 1])
async def test_a_caller_who_goes_away_leaves_the_work_going_on(database: Database, way: int) -> None:
    work = Work(database)
    once = both(KeyedAnswers(database), work)[way]
    work.go.clear()
    first = asyncio.create_task(once(asked()))
    await work.begun.wait()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    again = asyncio.create_task(once(asked()))
    work.go.set()
    assert await again == Answered(202, b"1")
    assert work.done == 1


@pytest.mark.parametrize("way", [0, 1])
async def test_a_failure_is_shared_by_those_who_wait_and_forgotten(database: Database, way: int) -> None:
    work = Work(database)
    once = both(KeyedAnswers(database), work)[way]
    work.fails = Conflict("Not now.", code="queue_full")
    work.go.clear()
    tasks = [asyncio.create_task(once(asked())) for _ in range(3)]
    await work.begun.wait()
    work.go.set()
    assert await asyncio.gather(*tasks, return_exceptions=True) == [work.fails] * 3
    work.fails = None
    assert await once(asked(digest="another body")) == Answered(202, b"1")


async def test_waiting_is_bounded_and_says_that_the_first_goes_on(database: Database) -> None:
    work = Work(database)
    answers = KeyedAnswers(database, patience_s=0.0)
    work.go.clear()
    first = asyncio.create_task(answers.once(asked(), work))
    await work.begun.wait()
    with pytest.raises(Conflict) as refused:
        await answers.once(asked(), work)
    assert refused.value.code == "idempotency_pending"
    work.go.set()
    assert await first == await answers.once(asked(), work)


async def test_memory_keeps_the_newest_thousand_for_a_day(database: Database) -> None:
    clock = Clock()
    answers = KeyedAnswers(database, clock=clock)
    work = Work(database)
    for number in range(MOST_KEPT + 1):
        await answers.once(asked(str(number)), work)
    assert await answers.once(asked("1"), work) == Answered(202, b"2")
    assert await answers.once(asked("0"), work) == Answered(202, b"%d" % (MOST_KEPT + 2))
    clock.now = REMEMBERED_S - 1
    assert await answers.once(asked("0"), work) == Answered(202, b"%d" % (MOST_KEPT + 2))
    clock.now = REMEMBERED_S
    assert await answers.once(asked("0"), work) == Answered(202, b"%d" % (MOST_KEPT + 3))


async def test_of_each_chat_the_newest_thousand_are_kept(database: Database) -> None:
    answers = KeyedAnswers(database)
    await database.run(keeping(asked("0", owner="other"), Answered(202, b"other")))

    def fill(connection: Any) -> None:
        for number in range(MOST_KEPT + 1):
            keeping(asked(str(number)), Answered(202, b"first"))(connection)

    await database.run(fill)
    work = Work(database)
    assert await answers.once_kept(asked("1"), work.kept) == Answered(202, b"first")
    assert await answers.once_kept(asked("0", owner="other"), work.kept) == Answered(202, b"other")
    assert await answers.once_kept(asked("0"), work.kept) == Answered(202, b"1")


@requirement("session.idempotent")
async def test_an_answer_is_kept_with_what_was_done_or_neither_is(database: Database) -> None:
    """A second answer to one key fails, and its transaction with it."""
    await database.run(lambda connection: connection.execute("CREATE TABLE effects (what TEXT)"))
    keep = keeping(asked(), Answered(202, b"1"))

    def effect(connection: Any) -> None:
        connection.execute("INSERT INTO effects VALUES ('done')")
        keep(connection)

    await database.run(effect)
    with pytest.raises(Exception, match="UNIQUE"):
        await database.run(effect)
    counted = await database.run(lambda connection: connection.execute("SELECT count(*) FROM effects").fetchone())
    assert counted == (1,)


async def test_an_erased_chat_is_forgotten_and_no_other(database: Database) -> None:
    answers = KeyedAnswers(database)
    work = Work(database)
    gone, stays = asked(owner="chat_1"), asked(owner="chat_10")
    await answers.once(gone, work)
    await answers.once(stays, work)
    answers.forget("chat_1")
    assert await answers.once(stays, work) == Answered(202, b"2")
    assert await answers.once(gone, work) == Answered(202, b"3")


def test_large_answers_in_memory_are_bounded_by_their_size_and_the_newest_is_kept_in_any_case() -> None:
    answers = RecentAnswers(Clock())
    half = Answered(200, b"x" * (MOST_BYTES // 2))
    for key in ("1", "2", "2"):
        answers.keep(asked(key), half)
    assert [answers.find(asked(key)) is not None for key in "12"] == [True, True]
    answers.keep(asked("3"), half)
    assert [answers.find(asked(key)) is not None for key in "123"] == [False, True, True]
    answers.keep(asked("4"), Answered(200, b"x" * (2 * MOST_BYTES)))
    assert [answers.find(asked(key)) is not None for key in "1234"] == [False, False, False, True]
