"""A change that Lightroom has made is reported, whatever becomes of the search index meanwhile."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from safelight.errors import ToolError
from tests.bridge.fake_plugin import FakePlugin
from tests.requirement import requirement
from tests.tools.conftest import Workbench

TROUBLE = ToolError("INDEX_UNUSABLE", "The search index cannot be used now.")


async def _spoil(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = await bench.catalogs.present()

    async def fail(*arguments: Any) -> NoReturn:
        del arguments
        raise TROUBLE

    monkeypatch.setattr(catalog.index, "update", fail)
    monkeypatch.setattr(catalog.sets, "save", fail)


@requirement("perm.undo")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("set_rating", {"rating": 1}), ("edit_keywords", {"add": ["Dog"]}), ("create_virtual_copies", {})],
)
async def test_a_change_is_reported_though_the_index_cannot_take_it_over(
    bench: Workbench,
    plugin: FakePlugin,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    await _spoil(bench, monkeypatch)
    content = await bench.content(tool, photo_ids=["photo-0001"], **arguments)
    assert content["failed"] == []
    assert (await bench.journal.change(content["change_id"])).states == {"done": 1}


async def test_a_write_whose_answer_is_lost_is_settled_without_the_index(
    bench: Workbench, plugin: FakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _spoil(bench, monkeypatch)
    plugin.answer_with("write_photos", {"nonsense": True})
    content = await bench.content("set_rating", photo_ids=["photo-0001"], rating=1)
    assert content["applied"] == ["photo-0001"]


async def test_the_status_is_told_without_an_index(
    bench: Workbench, plugin: FakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> NoReturn:
        raise TROUBLE

    monkeypatch.setattr(bench.catalogs, "present", fail)
    status = await bench.content("get_status")
    assert (status["connected"], "indexed" in status) == (True, False)
