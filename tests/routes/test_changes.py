"""The journal over HTTP: reading, searching, taking back."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from safelight.gate.person import Person
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import CONTRACT, Live, live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted


@contextlib.asynccontextmanager
async def service_with_photos(folder: Path) -> AsyncGenerator[tuple[Live, FakePlugin]]:
    photos = [photo(n, rating=3) for n in range(1, 4)]
    async with (
        live_service(folder, model=scripted(folder)) as live,
        FakePlugin(live.application.service.bridge, photos, catalog_id="catalog") as plugin,
    ):
        yield live, plugin


async def rated(live: Live, rating: int, **target: Any) -> str:
    """The id of a change that was made through the gate."""
    passage = await live.application.service.gate.call(
        Person(), "call_1", "set_rating", {"rating": rating, **(target or {"set": "view"})}
    )
    return str(passage.answer.content["change_id"])  # type: ignore[union-attr]  # anything else is a failure of the test


def fits(schema: str, body: Any) -> None:
    jsonschema.validate(body, {"$ref": f"#/components/schemas/{schema}", "components": CONTRACT["components"]})


@requirement("change.journal")
async def test_changes_are_listed_read_and_searched(tmp_path: Path) -> None:
    async with service_with_photos(tmp_path) as (live, _):
        first = await rated(live, 1, photo_ids=["photo-0001"])
        second = await rated(live, 5)
        listed = (await live.http.get("/v1/changes")).json()
        fits("ChangeList", listed)
        assert [c["change_id"] for c in listed["changes"]] == [second, first]
        newest = listed["changes"][0]
        assert (newest["tool"], newest["by"], newest["state"]) == ("set_rating", "person", "done")
        assert (newest["items"], newest["undoable"], newest["catalog_id"]) == (3, True, "catalog")
        page = (await live.http.get("/v1/changes", params={"limit": 1})).json()
        assert page["next"] == second
        rest = (await live.http.get("/v1/changes", params={"before": second})).json()
        assert [c["change_id"] for c in rest["changes"]] == [first]
        found = (await live.http.get("/v1/changes", params={"query": "img_0002"})).json()
        assert [c["change_id"] for c in found["changes"]] == [second]
        details = (await live.http.get(f"/v1/changes/{first}")).json()
        fits("ChangeDetails", details)
        assert details["items"] == [
            {
                "item_id": "photo-0001",
                "name": "IMG_0001.jpg",
                "before": {"rating": 3},
                "after": {"rating": 1},
                "state": "done",
            }
        ]


@requirement("perm.undo")
async def test_a_page_takes_a_change_back_with_one_click(tmp_path: Path) -> None:
    async with service_with_photos(tmp_path) as (live, plugin):
        change_id = await rated(live, 1)
        plugin.edit("photo-0002", rating=4)
        chat = await live.open_chat()
        async with live.client(chat["chat_token"]) as page:
            answer = await page.post(f"/v1/changes/{change_id}/undo")
            assert answer.status_code == 200, answer.text
            fits("UndoReport", answer.json())
            assert answer.json()["applied"] == ["photo-0001", "photo-0003"]
            assert [f["photo_id"] for f in answer.json()["failed"]] == ["photo-0002"]
            changes = (await page.get("/v1/changes")).json()["changes"]
        assert [(c["tool"], c["by"], c["state"], c["undoable"]) for c in changes] == [
            ("undo_change", "person", "done", True),
            ("set_rating", "person", "partly", True),
        ]
        assert changes[0]["undoes"] == change_id
        assert [p.rating for p in plugin.photos.values()] == [3, 4, 3]


@requirement("perm.undo", "contract.errors")
async def test_what_cannot_be_taken_back_says_why(tmp_path: Path) -> None:
    async with service_with_photos(tmp_path) as (live, plugin):
        for unknown in (live.http.get("/v1/changes/change_x"), live.http.post("/v1/changes/change_x/undo")):
            answer = await unknown
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        change_id = await rated(live, 1)
        plugin.read_only = True
        answer = await live.http.post(f"/v1/changes/{change_id}/undo")
        assert (answer.status_code, answer.json()["code"]) == (409, "read_only")
        assert answer.json()["detail"].startswith("The read-only switch")
        plugin.read_only = False
        await live.http.post(f"/v1/changes/{change_id}/undo")
        answer = await live.http.post(f"/v1/changes/{change_id}/undo")
        assert (answer.status_code, answer.json()["code"]) == (409, "already_undone")
        (changed,) = [c for c in (await live.http.get("/v1/changes")).json()["changes"] if c["change_id"] == change_id]
        assert (changed["state"], changed["undoable"]) == ("undone", False)


@requirement("contract.errors")
@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"query": "x" * 201}, "query"),
    ],
)
async def test_a_parameter_that_breaks_the_contract_is_named(
    tmp_path: Path, parameters: dict[str, str], field: str
) -> None:
    async with service_with_photos(tmp_path) as (live, _):
        answer = await live.http.get("/v1/changes", params=parameters)
        assert (answer.status_code, answer.json()["field"]) == (400, field)
