"""The service is killed with SIGKILL at drawn points of chats that are under way: nothing that was seen is lost,
nothing is done twice, and every chat goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.e2e.crash import AUTO_ALL, CountingLightroom, Page, Service, counting_lightroom
from tests.e2e.crash_checks import check_closed, check_messages, titles_of, writes_of
from tests.e2e.crash_round import Died, drawn_script, run_and_kill, write_script
from tests.requirement import requirement

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a POSIX signal")

MODES: Final = (None, None, "ask_all", "auto_read", "auto_safe")


@requirement("limit.crash", "session.durable", "perm.resolved-always", "session.idempotent")
@pytest.mark.parametrize(
    ("seed", "kills"),
    [(0, 15), *(pytest.param(seed, 20, marks=pytest.mark.long) for seed in range(1, 11))],
)
async def test_a_kill_at_any_point_loses_nothing_that_was_seen_and_repeats_no_write(
    tmp_path: Path, seed: int, kills: int
) -> None:
    """anomalyco/opencode#43277, openchamber PR#3002, openchamber PR#2641, openclaw#117096: after a restart the chat was
    busy for ever."""
    data, log = tmp_path / "data", tmp_path / "log"
    service = Service(data, log)
    ended: list[Died] = []
    every: list[Page] = []
    try:
        with counting_lightroom(data) as lightroom:
            for number in range(kills):
                dice = Random(f"{seed}/{number}")
                await connected(service)
                pages = await opened(service, tmp_path, lightroom, dice, f"s{seed}r{number}")
                every += pages
                ended.append(await run_and_kill(service, pages, lightroom, dice, f"s{seed}r{number}"))
                service = Service(data, log)
                for page in pages:
                    await come_back(service, page)
            await connected(service)
            for page in every:
                await look_back(service, page)
            await check_writes(service, every, lightroom)
    finally:
        service.bury()
    assert "Traceback" not in log.read_text(encoding="utf-8")
    tell(ended)


async def connected(service: Service) -> None:
    """Wait until Lightroom has found the service."""
    async with service.client() as client:
        for _ in range(1_000):
            if (await client.get("/v1/index/status")).status_code == 200:
                return
            await asyncio.sleep(0.02)
    raise AssertionError("Lightroom did not connect")


async def opened(service: Service, folder: Path, lightroom: CountingLightroom, dice: Random, label: str) -> list[Page]:
    """One or two new chats with scripts of their own."""
    pages: list[Page] = []
    for place in range(dice.choice((1, 2))):
        script = folder / f"{label}.{place}.json"
        write_script(script, drawn_script(dice, f"{label}.{place}", lightroom.photo_ids))
        pages.append(await Page.opened(service, script, dice.choice(MODES)))
    async with service.client() as client:
        path = f"/v1/chat/sessions/{pages[0].session_id}/permissions"
        assert (await client.put(path, json=AUTO_ALL)).status_code == 200
    return pages


async def come_back(service: Service, page: Page) -> None:
    """The page of a chat that was cut off connects again, with its old token, to a service that has just begun."""
    chat = await page.get(service)
    assert chat["busy"] is False
    assert await page.get(service, "/approvals") == {"approvals": []}
    events = await page.read_up_to(service, chat["head"])
    assert len(page.seen) == chat["head"], "an event that was seen is gone"
    check_closed(events)
    assert (await page.get(service))["head"] == chat["head"], "the chat was not closed before the service was ready"
    for call_id in {event["call_id"] for event in events if event["type"] == "approval_needed"} - {*page.answered}:
        answer = await page.post(service, f"/approvals/{call_id}", {"decision": "once"})
        assert answer.status_code in {404, 409}
    write_script(page.script, [])
    for key, sent in page.sent.items():
        await page.say(service, key, sent.text)
    await go_on(service, page)
    check_messages(page.events(), [sent.text for sent in page.sent.values()])


async def go_on(service: Service, page: Page) -> None:
    """A new message is answered, behind whatever was sent again."""
    said = await page.say(service, "go-on", "Go on")
    answered = False
    async with asyncio.timeout(20), contextlib.aclosing(page.follow(service, 0)) as events:
        async for event in events:
            answered = answered or (event["type"] == "assistant_turn" and event["seq"] > said["seq"])
            is_idle = event["type"] == "busy" and not event["busy"]
            if answered and is_idle and (await page.get(service))["head"] == event["seq"]:
                return


async def look_back(service: Service, page: Page) -> None:
    """After all kills, every chat is as it was when it was last read."""
    chat = await page.get(service)
    before = len(page.seen)
    check_closed(await page.read_up_to(service, chat["head"]))
    assert chat["head"] == before == len(page.seen)


async def check_writes(service: Service, pages: list[Page], lightroom: CountingLightroom) -> None:
    """Each write reached Lightroom as often as its chat's log says, and stands in the journal once."""
    bounds: dict[str, tuple[int, int]] = {}
    for page in pages:
        bounds |= writes_of(page.events(), page.answered)
    wrong = {
        title: (least, lightroom.written[title], most)
        for title, (least, most) in bounds.items()
        if not least <= lightroom.written[title] <= most
    }
    assert wrong == {}
    assert set(lightroom.written) <= set(bounds)
    told: Counter[str] = Counter()
    for change in await journal(service):
        told.update(titles_of(change))
    assert {title: told[title] for title in lightroom.written} == dict.fromkeys(lightroom.written, 1)
    assert max(told.values(), default=1) == 1


async def journal(service: Service) -> list[dict[str, Any]]:
    """All changes with their items."""
    found: list[dict[str, Any]] = []
    async with service.client() as client:
        before: dict[str, str] = {}
        while True:
            page = (await client.get("/v1/changes", params={"limit": "200", **before})).json()
            for change in page["changes"]:
                found.append((await client.get(f"/v1/changes/{change['change_id']}")).json())
            if "next" not in page:
                return found
            before = {"before": page["next"]}


def tell(ended: list[Died]) -> None:
    """Where the kills fell (seen with ``pytest -s``); they must not all fall on the same kind of place."""
    places = Counter(died.last for died in ended)
    print(f"\n{len(ended)} kills, by what the pages had seen last: {dict(places.most_common())}")
    print(f"by what they were drawn for: {dict(Counter(died.point.kind for died in ended))}")
    print(f"frames seen before: {sorted(died.frames for died in ended)}")
    assert len(places) >= 4
