"""The endless stream, over connections that fail in every way: each numbered event once, in order, none lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight_client import (
    Forbidden,
    ServiceFailed,
    ServiceUnreachable,
    StreamBroken,
    StreamedEvent,
    UnknownEvent,
    models,
    seq_of,
)
from safelight_client._backoff import FIRST_PAUSE_S, LONGEST_PAUSE_S, Backoff
from safelight_client._follow import follow_stream
from tests.requirement import requirement

UNREACHABLE: Final = ServiceUnreachable("away")


class Connection(msgspec.Struct, frozen=True):
    """One connection: events that the reader has come again, then so many new ones, then it fails."""

    repeat: int
    new: int
    ends_with: str


class Service:
    """An event log whose stream fails as told, then works. Time passes only in pauses."""

    def __init__(self, log: list[StreamedEvent], connections: list[Connection], erased: int = 0) -> None:
        self.log = log
        self.erased = erased
        self.waiting = list(connections)
        self.afters: list[int] = []
        self.pauses: list[float] = []
        self.now = 0.0

    def connect(self, after: int) -> AsyncGenerator[StreamedEvent, None]:
        self.afters.append(after)
        plan = self.waiting.pop(0) if self.waiting else Connection(0, len(self.log), "resync ended")
        return self.stream(after, plan)

    async def stream(self, after: int, plan: Connection) -> AsyncGenerator[StreamedEvent, None]:
        await asyncio.sleep(0)
        if plan.ends_with == "unreachable":
            raise UNREACHABLE
        if plan.ends_with == "failed":
            raise ServiceFailed(503, "busy", "Later.")
        hello = models.HelloEvent(head=len(self.log), time=datetime.now(UTC), keepalive_s=15.0)
        yield msgspec.structs.replace(hello, first=self.erased + 1) if self.erased else hello
        after = max(after, self.erased)
        for event in self.log[max(0, after - plan.repeat) : after + plan.new]:
            yield event
        if plan.ends_with == "gap":
            yield models.BusyEvent(seq=after + plan.new + 2, busy=True)
        if plan.ends_with == "broken":
            raise StreamBroken("cut")
        if plan.ends_with == "resync future_after":
            yield models.ResyncEvent(reason="future_after")
        if plan.ends_with == "resync behind":
            yield models.ResyncEvent(reason="behind")
        if plan.ends_with == "resync of a later version":
            yield UnknownEvent("resync", None, {"type": "resync", "reason": "moved"})
        if plan.ends_with == "resync ended":
            yield models.ResyncEvent(reason="ended")

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now

    def follow(self, after: int = 0, patience_s: float | None = 60.0) -> AsyncGenerator[StreamedEvent, None]:
        backoff = Backoff(chance=lambda: 0.0)
        return follow_stream(
            self.connect, after, patience_s=patience_s, backoff=backoff, pause=self.pause, clock=self.clock
        )


def a_log(length: int) -> list[StreamedEvent]:
    make: list[Callable[[int], StreamedEvent]] = [
        lambda seq: models.BusyEvent(seq=seq, busy=bool(seq % 2)),
        lambda seq: models.AssistantTurnEvent(seq=seq, reasoning="", text=f"turn {seq}"),
        lambda seq: UnknownEvent("of_tomorrow", seq, {"type": "of_tomorrow", "seq": seq}),
    ]
    return [make[seq % 3](seq) for seq in range(1, length + 1)]


async def collect(stream: AsyncGenerator[StreamedEvent, None]) -> list[StreamedEvent]:
    async with asyncio.timeout(20), aclosing(stream) as events:
        return [event async for event in events]


def numbered(events: list[StreamedEvent]) -> list[StreamedEvent]:
    return [event for event in events if seq_of(event) is not None]


FAILURES: Final = (
    *("unreachable", "failed", "gap", "broken", "clean end"),
    *("resync behind", "resync of a later version"),
)
connections = st.builds(
    Connection, repeat=st.integers(0, 3), new=st.integers(0, 4), ends_with=st.sampled_from(FAILURES)
)


@requirement("event.replay-property")
@given(st.integers(0, 20), st.integers(0, 20), st.lists(connections, max_size=8))
def test_every_numbered_event_comes_once_and_in_order_whatever_the_connections_do(
    length: int, after: int, failing: list[Connection]
) -> None:
    service = Service(a_log(length), failing)
    after = min(after, length)
    events = asyncio.run(collect(service.follow(after, patience_s=None)))
    assert numbered(events) == service.log[after:]


@requirement("event.replay-property")
def test_a_reconnect_at_every_position_gives_the_whole() -> None:
    log = a_log(12)
    for cut in range(len(log) + 1):
        service = Service(log, [Connection(0, cut, "broken")])
        assert numbered(asyncio.run(collect(service.follow()))) == log
        assert service.afters == [0, cut]


async def test_live_events_are_handed_on_and_change_no_place() -> None:
    live: list[StreamedEvent] = [models.DeltaEvent(kind="text", text="a", offset=0), UnknownEvent("hum", None, {})]
    service = Service([models.BusyEvent(seq=1, busy=True), *live, models.BusyEvent(seq=2, busy=False)], [])
    events = await collect(service.follow())
    assert [type(event) for event in events] == [
        *(models.HelloEvent, models.BusyEvent, models.DeltaEvent, UnknownEvent, models.BusyEvent, models.ResyncEvent),
    ]


async def test_pauses_double_up_to_ten_seconds_and_begin_anew_after_something_came() -> None:
    away = Connection(0, 0, "unreachable")
    service = Service(a_log(1), [*[away] * 7, Connection(0, 1, "broken"), away])
    await collect(service.follow(patience_s=None))
    assert service.pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 0.5, 1.0]


def test_pauses_are_shortened_by_chance_by_half_at_most() -> None:
    for chance, factor in ((0.0, 1.0), (1.0, 0.5)):
        backoff = Backoff(chance=lambda chance=chance: chance)
        assert backoff.next_pause() == FIRST_PAUSE_S * factor
    backoff = Backoff()
    pauses = [backoff.next_pause() for _ in range(2000)]
    assert FIRST_PAUSE_S / 2 <= pauses[0] <= FIRST_PAUSE_S
    assert all(LONGEST_PAUSE_S / 2 <= pause <= LONGEST_PAUSE_S for pause in pauses[5:])


@pytest.mark.parametrize(
    ("connection", "error"),
    [
        (Connection(0, 0, "unreachable"), ServiceUnreachable),
        (Connection(0, 0, "clean end"), StreamBroken),
        (Connection(0, 0, "gap"), StreamBroken),
        (Connection(0, 0, "failed"), ServiceFailed),
        (Connection(0, 0, "resync behind"), StreamBroken),
    ],
)
async def test_patience_ends_when_nothing_comes(connection: Connection, error: type[Exception]) -> None:
    service = Service(a_log(3), [connection] * 1000)
    with pytest.raises(error):
        await collect(service.follow(patience_s=60.0))
    assert 50.0 < service.now <= 60.0


async def test_without_patience_the_first_failure_is_the_last() -> None:
    service = Service([], [Connection(0, 0, "unreachable")])
    with pytest.raises(ServiceUnreachable):
        await collect(service.follow(patience_s=0.0))
    assert service.afters == [0]


async def test_a_reader_that_is_behind_connects_again_at_once() -> None:
    service = Service(a_log(5), [Connection(0, 3, "resync behind")])
    assert numbered(await collect(service.follow())) == service.log
    assert (service.afters, service.pauses) == ([0, 3], [])


async def test_a_place_that_the_service_does_not_know_leads_back_to_the_start() -> None:
    service = Service(a_log(3), [Connection(0, 0, "resync future_after")])
    events = await collect(service.follow(after=99))
    assert models.ResyncEvent(reason="future_after") in events
    assert (numbered(events), service.afters) == (service.log, [99, 0])


@pytest.mark.parametrize("erased", [0, 2])
async def test_a_service_that_refuses_the_start_too_is_broken(erased: int) -> None:
    service = Service(a_log(erased), [Connection(0, 0, "resync future_after")] * 3, erased)
    with pytest.raises(StreamBroken):
        await collect(service.follow())
    assert service.afters == [0]


@requirement("event.replay-property")
@given(st.integers(0, 12), st.integers(0, 12), st.lists(connections, max_size=4))
def test_events_that_are_no_longer_kept_are_no_gap(erased: int, after: int, failing: list[Connection]) -> None:
    plans = [Connection(0, plan.new, plan.ends_with) for plan in failing]
    service = Service(a_log(12), plans, erased)
    events = asyncio.run(collect(service.follow(after, patience_s=None)))
    assert numbered(events) == service.log[max(after, erased) :]


async def test_an_ended_chat_ends_the_stream_and_a_refusal_is_raised() -> None:
    service = Service(a_log(2), [])
    assert (await collect(service.follow()))[-1] == models.ResyncEvent(reason="ended")

    async def refused(_after: int) -> AsyncGenerator[StreamedEvent, None]:
        raise Forbidden(403, "forbidden", "This request is not allowed.")
        yield  # pyright: ignore[reportUnreachable] - makes it a generator

    with pytest.raises(Forbidden):
        await collect(follow_stream(refused, 0, patience_s=None))
