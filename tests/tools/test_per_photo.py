"""Every tool that changes photos says of each photo what came of it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from safelight.gate.decision import class_of
from safelight.wire.tool_table import TOOLS
from tests.requirement import requirement
from tests.tools.conftest import Studio

WRITES: Final[dict[str, dict[str, Any]]] = {
    "add_to_collection": {"collection": "Favourites"},
    "remove_from_collection": {"collection": "Favourites"},
    "create_snapshot": {"name": "Before"},
    "create_virtual_copies": {"name": "Square"},
    "set_rating": {"rating": 5},
    "set_flag": {"flag": "pick"},
    "set_label": {"label": "red"},
    "set_metadata": {"title": "New"},
    "edit_keywords": {"add": ["New"]},
    "set_develop_settings": {"settings": {"exposure": 1}},
    "apply_preset": {"preset": "Deep Blacks"},
    "copy_develop_settings": {},
    "auto_tone": {},
    "reset_develop": {},
}
"""Of the others on photos, show_photos and export_photos write nothing into the catalog."""


def test_every_tool_that_writes_photos_is_tried_here() -> None:
    on_photos = {name for name, spec in TOOLS.items() if spec.on_photos and class_of(spec) != "read"}
    assert set(WRITES) == on_photos - {"show_photos", "export_photos"}


@requirement("tool.per-photo")
@pytest.mark.parametrize("tool", WRITES)
async def test_a_write_accounts_for_every_photo_and_says_what_failed_and_why(studio: Studio, tool: str) -> None:
    known = studio.ids(5, 7)
    for photo_id in known:
        studio.change(photo_id, rating=1, pick=0, label="", title="Old")
    arguments = WRITES[tool] | ({"photo_id": studio.ids(9)[0]} if tool == "copy_develop_settings" else {})
    if tool in {"copy_develop_settings", "reset_develop"}:
        await studio.content("set_develop_settings", settings={"contrast": 20}, photo_ids=[*studio.ids(9), *known])
    if tool == "copy_develop_settings":
        await studio.content("set_develop_settings", settings={"contrast": 30}, photo_ids=studio.ids(9))
    if tool == "remove_from_collection":
        await studio.content("add_to_collection", collection="Favourites", photo_ids=known)
    answer = (await studio.run(tool, **arguments, photo_ids=[*known, "nobody"])).content
    done = [copy["photo_id"] for copy in answer["copies"]] if "copies" in answer else answer["applied"]
    assert sorted(done) == sorted(known)
    (failure,) = answer["failed"]
    assert failure["photo_id"] == "nobody"
    assert failure["reason"]
    assert answer["not_attempted"] == []
