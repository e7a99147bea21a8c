"""What was shown is what runs: a call that waits for an answer keeps the photos, the collection and the preset."""

from __future__ import annotations

import pytest

from safelight.errors import ToolError
from safelight.gate.gate import Gate, Ran
from safelight.gate.principal import Allowed, Question, Reply
from tests.bridge.fake_plugin import FakePlugin
from tests.gate.test_hard_gate import Person
from tests.requirement import requirement
from tests.tools.conftest import Workbench


@requirement("perm.frozen")
@pytest.mark.parametrize("written", ["selection", " selection", "selection\n", "view "])
async def test_however_the_selection_is_written_it_is_kept_as_it_was(
    bench: Workbench, plugin: FakePlugin, written: str
) -> None:
    plugin.view = ["photo-0001", "photo-0002", "photo-0003"]
    tool = bench.tools["set_rating"]
    frozen = await tool.freeze({"rating": 1, "set": written})
    plugin.selection = plugin.view = ["photo-0004", "photo-0005"]
    content = await bench.content("set_rating", **frozen)
    assert content["applied"] == ["photo-0001", "photo-0002", "photo-0003"]


@requirement("perm.frozen")
@pytest.mark.parametrize("other", ["rome", "Trips > Rome"])
async def test_no_other_collection_takes_the_place_of_one_that_has_gone(
    bench: Workbench, plugin: FakePlugin, other: str
) -> None:
    shown = plugin.add_collection("Rome")
    frozen = await bench.tools["delete_collection"].freeze({"collection": "Rome"})
    del plugin.collections[shown.record.collection_id]
    *path, name = other.split(" > ")
    plugin.add_collection(name, path=path)
    assert (await bench.error("delete_collection", **frozen)).tool_code == "COLLECTION_NOT_FOUND"
    assert plugin.collection_at(*path, name) is not None


@requirement("perm.frozen")
@pytest.mark.parametrize("tool", ["add_to_collection", "remove_from_collection"])
async def test_photos_go_into_or_out_of_the_collection_that_was_meant(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    meant = plugin.add_collection("Rome", path=["Trips"], members=["photo-0001"])
    frozen = await bench.tools[tool].freeze({"collection": "rome", "set": "selection"})
    nearer = plugin.add_collection("rome", members=["photo-0002"])
    await bench.content(tool, **frozen)
    assert len(meant.members) != 1
    assert nearer.members == ["photo-0002"]


@requirement("perm.frozen")
async def test_the_preset_that_was_meant_is_applied_though_another_took_its_name(
    bench: Workbench, plugin: FakePlugin
) -> None:
    (meant,) = (await bench.content("list_presets", query="hard"))["presets"]
    frozen = await bench.tools["apply_preset"].freeze({"preset": "hard", "photo_ids": ["photo-0001"]})
    assert frozen == {"preset": meant["preset_id"], "photo_ids": ["photo-0001"]}


@requirement("perm.frozen")
async def test_who_changes_the_preset_still_means_the_photos_that_were_shown(
    bench: Workbench, plugin: FakePlugin
) -> None:
    def edit(question: Question) -> Reply:
        plugin.selection = ["photo-0004", "photo-0005"]
        return Allowed(arguments={**question.arguments, "preset": "Café"})

    gate = Gate({"apply_preset": bench.tools["apply_preset"]}, bench.journal)
    passage = await gate.call(Person(edit), "call_1", "apply_preset", {"preset": "Hard", "set": "selection"})
    assert isinstance(passage, Ran)
    sent = [command.arguments for command in plugin.received if command.name == "apply_preset"]
    assert [(s["preset_id"], s["photo_ids"]) for s in sent] == [
        ("preset-4", ["photo-0001", "photo-0002", "photo-0003"])
    ]


@requirement("perm.frozen")
@pytest.mark.parametrize("argument", ["add", "replace"])
async def test_the_keyword_that_was_shown_is_the_one_that_photos_get(
    bench: Workbench, plugin: FakePlugin, argument: str
) -> None:
    plugin.edit("photo-0001", keywords=["Animals > Dog"])
    frozen = await bench.tools["edit_keywords"].freeze({argument: ["dog"], "photo_ids": ["photo-0002"]})
    plugin.edit("photo-0003", keywords=["dog"])
    await bench.content("edit_keywords", **frozen)
    assert plugin.photos["photo-0002"].keywords == ["Animals > Dog"]


async def test_keywords_that_contradict_each_other_are_no_question(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.edit("photo-0001", keywords=["Animals > Dog"])
    with pytest.raises(ToolError) as caught:
        await bench.tools["edit_keywords"].freeze({"add": ["dog"], "remove": ["Dog"], "set": "selection"})
    assert caught.value.tool_code == "KEYWORDS_CONTRADICT"
