"""Whatever was changed and taken back in whatever order: undoing all of it, newest first, leaves no trace."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from safelight.errors import ToolError
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench

PHOTOS = [f"photo-{number:04}" for number in range(1, 5)]
TEXTS = st.sampled_from(["", "a", "b"])

Step = tuple[str, dict[str, Any]] | int

photos = st.lists(st.sampled_from(PHOTOS), min_size=1, max_size=4, unique=True)
changes = st.one_of(
    st.tuples(st.just("set_rating"), st.fixed_dictionaries({"rating": st.integers(0, 5), "photo_ids": photos})),
    st.tuples(
        st.just("set_flag"),
        st.fixed_dictionaries({"flag": st.sampled_from(["pick", "none", "reject"]), "photo_ids": photos}),
    ),
    st.tuples(
        st.just("set_label"), st.fixed_dictionaries({"label": st.sampled_from(["red", "none"]), "photo_ids": photos})
    ),
    st.tuples(st.just("set_metadata"), st.fixed_dictionaries({"title": TEXTS, "city": TEXTS, "photo_ids": photos})),
    st.tuples(
        st.just("set_metadata"),
        st.fixed_dictionaries({"latitude": st.just(1.5), "longitude": st.floats(-9, 9), "photo_ids": photos}),
    ),
    st.tuples(st.just("set_metadata"), st.fixed_dictionaries({"clear_gps": st.just(True), "photo_ids": photos})),
    st.tuples(
        st.sampled_from(["add_to_collection", "remove_from_collection"]),
        st.fixed_dictionaries({"collection": st.just("Rome"), "photo_ids": photos}),
    ),
)
steps = st.lists(st.one_of(changes, st.integers(0, 20)), max_size=10)
"""A number takes back an earlier change, which may be in parts or not at all."""


@requirement("perm.undo")
@given(steps)
def test_undoing_everything_newest_first_leaves_every_photo_as_it_was(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_play(Path(folder), steps))


async def _play(folder: Path, steps: list[Step]) -> None:
    bench = Workbench(folder)
    try:
        await _play_on(bench, steps)
    finally:
        await bench.close()


async def _play_on(bench: Workbench, steps: list[Step]) -> None:
    records = [
        photo(1, rating=3, flag="pick", label="My own"),
        photo(2, title="a", city="b"),
        photo(3, latitude=1.5, longitude=-0.0),
        photo(4),
    ]
    async with asyncio.timeout(20), FakePlugin(bench.bridge, records) as plugin:
        plugin.add_collection("Rome", members=PHOTOS[:2])
        history: list[tuple[str, Any]] = []
        for step in steps:
            before = _seen(plugin)
            change_id = await _take(bench, step, [change_id for change_id, _ in history])
            if change_id is not None:
                history.append((change_id, before))
        for change_id, before in reversed(history):
            content = (await _call(bench, "undo_change", change_id=change_id)).content
            assert content["failed"] == content["not_attempted"] == []
            assert _seen(plugin) == before


async def _take(bench: Workbench, step: Step, history: list[str]) -> str | None:
    if not isinstance(step, int):
        name, arguments = step
        return (await _call(bench, name, **arguments)).content.get("change_id")
    if not history:
        return None
    try:
        answer = await _call(bench, "undo_change", change_id=history[step % len(history)])
    except ToolError as error:
        assert error.tool_code == "ALREADY_UNDONE"
        return None
    return answer.content.get("change_id")


async def _call(bench: Workbench, name: str, **arguments: Any) -> ToolAnswer:
    """Without the schemas, which other tests hold the tools against: they take most of the time."""
    return await bench.tools[name].run(arguments, RunningCall(name, "person", bench.journal))


def _seen(plugin: FakePlugin) -> Any:
    def plain(record: Any) -> dict[str, Any]:
        fields = {name: getattr(record, name) for name in record.__struct_fields__ if name != "edited"}
        return {name: value for name, value in fields.items() if value is not UNSET and value != "none"}

    (rome,) = plugin.collections.values()
    return [plain(record) for record in plugin.photos.values()], sorted(rome.members)
