"""What a chat tells of changes to the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.wire.models import ApprovalAnswer, ChangeEvent
from tests.chat.rig import PlayedModel, SpyTool, call, kind_of, opened_rig, reply, serving_rig
from tests.requirement import requirement


@requirement("change.journal", "event.types")
@pytest.mark.parametrize(
    ("says", "photos"),
    [
        ({"applied": ["a", "b"], "failed": []}, 2),
        ({"copies": [{"photo_id": "a", "copy_id": "b"}]}, 1),
        ({"collection_id": "7"}, 0),
    ],
)
async def test_a_change_is_told_right_after_the_call_that_made_it(
    tmp_path: Path, says: dict[str, Any], photos: int
) -> None:
    async with opened_rig(tmp_path, [call("look", n=1), reply("Done.")]) as rig:
        rig.tools["look"].says = {"change_id": "change_1", **says}
        await rig.session.send("go")
        events = await rig.idle()
    kinds = [kind_of(event) for event in events]
    place = kinds.index("change")
    assert kinds[place - 1] == "tool_done"
    event = events[place]
    assert isinstance(event, ChangeEvent)
    assert (event.seq, event.change_id, event.tool, event.photos) == (place + 1, "change_1", "look", photos)


async def test_a_call_that_changed_nothing_tells_of_no_change(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", n=1), reply("Done.")]) as rig:
        await rig.session.send("go")
        assert "change" not in [kind_of(event) for event in await rig.idle()]


@requirement("perm.frozen", "change.journal")
async def test_an_undo_that_the_person_turned_to_another_change_tells_of_that_one(tmp_path: Path) -> None:
    undo = SpyTool("undo_change")
    schema = {"type": "object", "properties": {"change_id": {"type": "string"}}}
    undo.spec = msgspec.structs.replace(undo.spec, input_schema=schema)
    undo.says = {"change_id": "change_3", "applied": []}
    model = PlayedModel([call("undo_change", "c1", change_id="change_1"), reply("Done.")])
    async with serving_rig(tmp_path, model, {"undo_change": undo}) as rig:
        await rig.session.send("undo")
        await rig.until("approval_needed")
        edited = ApprovalAnswer(decision="once", arguments={"change_id": "change_2"})
        await rig.session.answer("c1", edited, "page")
        (change,) = [event for event in await rig.idle() if isinstance(event, ChangeEvent)]
    assert undo.runs == [{"change_id": "change_2"}]
    assert (change.change_id, change.undoes) == ("change_3", "change_2")
