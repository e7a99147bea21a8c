"""What every tool that changes photos says when it cannot: each its own code and sentence, and nothing half told."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest

from safelight.bridge.sentences import SENTENCES
from safelight.wire.tool_table import COMMANDS
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench

WRITING: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "set_rating": ("write_photos", {"rating": 1}),
    "set_flag": ("write_photos", {"flag": "reject"}),
    "set_label": ("write_photos", {"label": "red"}),
    "set_metadata": ("write_photos", {"title": "New"}),
    "edit_keywords": ("edit_keywords", {"add": ["New"]}),
    "set_develop_settings": ("write_develop", {"settings": {"contrast": 5}}),
    "apply_preset": ("apply_preset", {"preset": "Hard"}),
    "create_snapshot": ("create_snapshots", {"name": "Before"}),
    "create_virtual_copies": ("create_virtual_copies", {}),
    "add_to_collection": ("add_to_collection", {"collection": "Best"}),
}
"""The command that each tool sends, and arguments with which it changes something."""

ANSWERS: Final = {"create_virtual_copies": "copies"}


async def kept_still(bench: Workbench, plugin: FakePlugin, tool: str, code: str) -> None:
    """The call is refused with the code and its sentence, and nothing stands in the journal."""
    error = await bench.error(tool, set="selection", **WRITING[tool][1])
    assert error.tool_code == code
    assert error.message.startswith(SENTENCES[code])
    assert (await bench.journal.changes())[0] == ()
    assert plugin.writes.develop == {}


@pytest.mark.parametrize("tool", list(WRITING))
@requirement("perm.read-only-switch")
async def test_the_read_only_switch_refuses_every_change(bench: Workbench, plugin: FakePlugin, tool: str) -> None:
    plugin.add_collection("Best")
    plugin.read_only = True
    await kept_still(bench, plugin, tool, "READ_ONLY")


@pytest.mark.parametrize("tool", list(WRITING))
async def test_agents_that_are_turned_off_change_nothing(bench: Workbench, plugin: FakePlugin, tool: str) -> None:
    plugin.add_collection("Best")
    plugin.agents_on = False
    await kept_still(bench, plugin, tool, "AGENTS_OFF")


@pytest.mark.parametrize("tool", list(WRITING))
async def test_a_catalog_that_is_busy_is_said_and_may_be_tried_again(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    plugin.add_collection("Best")
    plugin.fail(WRITING[tool][0], "CATALOG_BUSY", retriable=True)
    await kept_still(bench, plugin, tool, "CATALOG_BUSY")
    assert (await bench.run(tool, set="selection", **WRITING[tool][1])).ok


@requirement("tool.per-photo")
@pytest.mark.parametrize("tool", list(WRITING))
async def test_an_unknown_photo_fails_alone(bench: Workbench, plugin: FakePlugin, tool: str) -> None:
    plugin.add_collection("Best")
    content = await bench.content(tool, photo_ids=["nope", "photo-0004"], **WRITING[tool][1])
    assert len(content[ANSWERS.get(tool, "applied")]) == 1
    assert [f["photo_id"] for f in content["failed"]] == ["nope"]
    assert "no photo with this id" in content["failed"][0]["reason"]
    sent = [c.arguments for c in plugin.received if COMMANDS[c.name][0] == "write"]
    assert "nope" not in str(sent)


@pytest.mark.parametrize("tool", list(WRITING))
async def test_unknown_photos_alone_fail_each_and_nothing_is_sent(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    plugin.add_collection("Best")
    answer = await bench.run(tool, photo_ids=["nope", "neither"], **WRITING[tool][1])
    assert not answer.ok
    assert [f["photo_id"] for f in answer.content["failed"]] == ["nope", "neither"]
    assert "change_id" not in answer.content
    assert plugin.names("write") == []


@requirement("bridge.identity")
@pytest.mark.parametrize("tool", list(WRITING))
async def test_a_set_of_another_catalog_is_stale_for_every_tool(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    set_id = (await bench.content("search_photos"))["set_id"]
    async with FakePlugin(bench.bridge, [photo(1)], catalog_id="another") as other:
        other.add_collection("Best")
        error = await bench.error(tool, set=set_id, **WRITING[tool][1])
        assert (error.tool_code, other.names("write")) == ("SET_STALE", [])


@requirement("bridge.identity", "tool.per-photo")
@pytest.mark.parametrize("tool", list(WRITING))
async def test_another_catalog_in_mid_job_ends_it_and_every_photo_is_accounted_for(bench: Workbench, tool: str) -> None:
    command, arguments = WRITING[tool]
    photos = [photo(n) for n in range(1, 1_101)]
    async with FakePlugin(bench.bridge, photos) as plugin:
        plugin.add_collection("Best")
        running = asyncio.create_task(bench.run(tool, set="view", **arguments))
        await plugin.reached(command)
        plugin.hold(command)
        await plugin.reached(command)
        async with FakePlugin(bench.bridge, [photo(1)], catalog_id="another") as other:
            bench.clock.advance(400)
            bench.bridge.tick()
            content = (await running).content
            assert other.names("write") == []
    told = [f["photo_id"] for f in content["failed"]] + content["not_attempted"]
    done = content.get("applied") or [copy["photo_id"] for copy in content["copies"]]
    assert sorted([*told, *done]) == [record.photo_id for record in photos]
    assert done
    assert content["failed"]
    states = (await bench.journal.change(content["change_id"])).states
    assert states["done"] == len(done)
    assert states.get("unknown", 0) + states.get("failed", 0) == len(content["failed"])
