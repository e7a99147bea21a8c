"""The facts that stand beside a message."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs
from safelight.chat.facts import Glance, GlanceAtLightroom, facts
from safelight.conversation.parts import UserMessage
from safelight.wire.models import PermissionsUpdate
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.chat.rig import opened_rig, reply
from tests.requirement import requirement

CATALOG = [photo(number) for number in range(12)]
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@requirement("prompt.stable-prefix")
@pytest.mark.parametrize(
    ("glance", "told"),
    [
        (Glance(), ""),
        (
            Glance(connected=True, selected=3, photos=12_000),
            " 3 photos are selected. 12,000 photos are in the catalog.",
        ),
        (Glance(connected=True, selected=1), " 1 photo is selected."),
        (Glance(connected=True, selected=0), " 0 photos are selected."),
        (Glance(connected=False, photos=7), " 7 photos are in the catalog. Lightroom is not connected."),
    ],
)
def test_facts_are_short_and_stand_in_a_fixed_order(glance: Glance, told: str) -> None:
    assert facts(NOON, "auto_read", glance) == (
        f"Today is Friday, 2026-05-01. The user is asked before every change.{told}"
    )


@requirement("prompt.stable-prefix")
async def test_facts_stay_in_the_conversation_as_they_were(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello."), reply("Hello again.")]) as rig:
        await rig.session.send("hi")
        await rig.idle()
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=200))
        await rig.session.send("hi")
        await rig.idle(times=2)
        told = [m.context for m in rig.model.requests[1].history if isinstance(m, UserMessage)]
        assert told == [facts(NOON, "auto_read", Glance()), facts(NOON, "auto_all", Glance())]


# --- looking -------------------------------------------------------------------------------------------------


@pytest.fixture
async def parts(tmp_path: Path) -> AsyncIterator[tuple[Bridge, Catalogs]]:
    bridge = Bridge()
    catalogs = Catalogs(tmp_path, bridge)
    bridge.observe(catalogs.follow)
    yield bridge, catalogs
    bridge.closing()
    await catalogs.close()


async def test_before_lightroom_was_ever_there_only_that_is_known(parts: tuple[Bridge, Catalogs]) -> None:
    assert await GlanceAtLightroom(*parts)() == Glance(connected=False)


async def test_a_glance_shows_the_selection_and_the_catalog(parts: tuple[Bridge, Catalogs]) -> None:
    async with FakePlugin(parts[0], CATALOG):
        assert await GlanceAtLightroom(*parts)() == Glance(connected=True, selected=3, photos=12)


async def test_while_lightroom_is_busy_or_away_the_index_still_knows_the_catalog(
    parts: tuple[Bridge, Catalogs],
) -> None:
    bridge, catalogs = parts
    async with FakePlugin(bridge, CATALOG) as plugin:
        await (await catalogs.present()).sync.run()
        plugin.fail("get_state", "CATALOG_BUSY")
        assert await GlanceAtLightroom(bridge, catalogs)() == Glance(connected=True, photos=12)
        release = plugin.hold("get_state")
        began = time.monotonic()
        assert await GlanceAtLightroom(bridge, catalogs)() == Glance(connected=True, photos=12)
        assert 0.2 < time.monotonic() - began < 5
        release.set()
