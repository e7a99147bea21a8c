"""The index and the jobs over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.fake_plugin import FakePlugin, photo
from tests.embedding.onnx_models import coloured, install_picture_model
from tests.live import Live, live_service
from tests.requirement import requirement


@pytest.fixture
async def live(tmp_path: Path) -> AsyncGenerator[Live]:
    async with asyncio.timeout(60), live_service(tmp_path) as live:
        yield live


def plugin_of(live: Live, count: int = 3) -> FakePlugin:
    return FakePlugin(live.application.service.bridge, [photo(n, title=f"Photo {n}") for n in range(1, count + 1)])


async def ended(live: Live, job_id: str) -> dict[str, Any]:
    """The job at its end, as the list of jobs tells it."""
    await live.application.service.jobs.wait(job_id, 20)
    jobs = (await live.http.get("/v1/jobs")).json()["jobs"]
    return next(job for job in jobs if job["job_id"] == job_id)


async def filled(live: Live) -> None:
    """The whole catalog is in the index."""
    await ended(live, (await live.http.post("/v1/index/sync", json={"what": "catalog"})).json()["job_id"])


async def test_before_the_first_catalog_every_route_says_to_start_lightroom(live: Live) -> None:
    requests: list[tuple[str, str, Any]] = [
        ("GET", "status", None),
        ("POST", "sync", {"what": "catalog"}),
        ("POST", "search", {"arguments": {}}),
    ]
    for method, path, body in requests:
        answer = await live.http.request(method, f"/v1/index/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "plugin_offline"), path
        assert "Start Lightroom" in answer.json()["detail"]


@requirement("index.routes")
async def test_the_status_tells_what_searches_can_find(live: Live) -> None:
    async with plugin_of(live):
        await filled(live)
        status = (await live.http.get("/v1/index/status")).json()
    assert status.pop("synced").startswith("20")
    assert status == {
        "catalog_id": "fake-catalog",
        "catalog": "Fake Catalog",
        "photos": 3,
        "texts": {"photos": 0},
        "pictures": {"photos": 0},
        "syncing": False,
    }


@requirement("index.routes")
async def test_a_sync_is_a_job_that_ends_with_every_photo_read(live: Live) -> None:
    async with plugin_of(live, 600) as plugin:
        await filled(live)
        plugin.received.clear()
        answer = await live.http.post("/v1/index/sync", json={"what": "catalog"})
        assert answer.status_code == 202
        job = await ended(live, answer.json()["job_id"])
        assert plugin.names().count("read_photos") == 2
    assert (job["kind"], job["state"], job["done"], job["total"]) == ("index", "done", 600, 600)


async def test_a_second_sync_joins_the_first_and_cancelling_ends_it(live: Live) -> None:
    async with plugin_of(live, 1100) as plugin:
        await filled(live)
        await plugin.reached("read_photos")
        released = plugin.hold("read_photos")
        first = (await live.http.post("/v1/index/sync", json={"what": "catalog"})).json()
        second = (await live.http.post("/v1/index/sync", json={"what": "catalog"})).json()
        assert second["job_id"] == first["job_id"]
        await plugin.reached("read_photos")
        assert (await live.http.get("/v1/index/status")).json()["syncing"]
        cancelled = await live.http.delete(f"/v1/jobs/{first['job_id']}")
        assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
        plugin.received.clear()
        released.set()
        job = await ended(live, first["job_id"])
        assert (job["state"], job["done"]) == ("cancelled", 500)
        assert plugin.names().count("read_photos") == 0
    assert (await live.http.delete(f"/v1/jobs/{first['job_id']}")).status_code == 200
    assert [job["state"] for job in (await live.http.get("/v1/jobs")).json()["jobs"]] == ["done"]
    assert (await live.http.delete(f"/v1/jobs/{first['job_id']}")).status_code == 404


async def test_a_sync_that_fails_says_why(live: Live) -> None:
    async with plugin_of(live) as plugin:
        await filled(live)
        plugin.fail("list_photo_ids", "AGENTS_OFF")
        job = (await live.http.post("/v1/index/sync", json={"what": "catalog"})).json()
        job = await ended(live, job["job_id"])
    assert job["state"] == "failed"
    assert "turned off" in job["message"]


@pytest.mark.parametrize("what", ["texts", "pictures"])
async def test_embeddings_without_a_model_are_refused_in_words(live: Live, what: str) -> None:
    async with plugin_of(live):
        answer = await live.http.post("/v1/index/sync", json={"what": what})
    assert (answer.status_code, answer.json()["code"]) == (409, "no_model")


@requirement("index.routes", "index.pixels")
async def test_a_model_that_is_put_into_the_models_folder_serves_searches_at_once(live: Live, tmp_path: Path) -> None:
    async with plugin_of(live) as plugin:
        await filled(live)
        install_picture_model(tmp_path / "models" / "colours")
        plugin.jpegs = {"photo-0001": coloured(20, 240, 20), "photo-0002": coloured(240, 20, 20)}
        status = (await live.http.get("/v1/index/status")).json()
        assert status["pictures"] == {"model": "colours", "photos": 0}
        job = (await live.http.post("/v1/index/sync", json={"what": "pictures"})).json()
        assert job["kind"] == "pictures"
        job = await ended(live, job["job_id"])
        assert (job["state"], job["message"][:20]) == ("done", "1 photo was left out")
        status = (await live.http.get("/v1/index/status")).json()
        assert (status["texts"], status["pictures"]) == ({"photos": 0}, {"model": "colours", "photos": 2})
        answer = await live.http.post("/v1/index/search", json={"arguments": {"shows": "red"}})
    assert [p["photo_id"] for p in answer.json()["answer"]["photos"]] == ["photo-0002"]


@requirement("index.routes")
async def test_a_search_answers_what_the_tool_answers(live: Live) -> None:
    async with plugin_of(live):
        arguments = {"text": "photo", "sort": "oldest", "limit": 2, "facets": True}
        answer = await live.http.post("/v1/index/search", json={"arguments": arguments})
        assert answer.status_code == 200
        assert answer.json() == {"answer": await live.application.service.search.page(arguments)}
    assert [p["photo_id"] for p in answer.json()["answer"]["photos"]] == ["photo-0001", "photo-0002"]


@pytest.mark.parametrize(
    ("arguments", "field", "says"),
    [
        ({"rating_min": 9}, "arguments.rating_min", "9"),
        ({"colour": "red"}, "arguments", "colour"),
        ({"filter": "iso>"}, "arguments", "at character 5"),
        ({"captured_to": "2024-02-30"}, "arguments", "29 days"),
    ],
)
async def test_bad_arguments_are_refused_with_the_field(
    live: Live, arguments: dict[str, Any], field: str, says: str
) -> None:
    async with plugin_of(live):
        answer = await live.http.post("/v1/index/search", json={"arguments": arguments})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["field"]) == (400, "invalid_body", field)
    assert says in problem["detail"]


async def test_a_set_that_is_unknown_has_the_tools_own_code(live: Live) -> None:
    async with plugin_of(live):
        answer = await live.http.post("/v1/index/search", json={"arguments": {"within": "set_none"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "set_unknown")


async def test_the_page_of_any_chat_may_look_at_the_index_and_the_jobs_but_not_start_a_sync(
    live: Live, tmp_path: Path
) -> None:
    script = tmp_path / "hello.json"
    script.write_text('[{"text": "Hello."}]', encoding="utf-8")
    chat = await live.open_chat(model=f"scripted:{script}")
    async with plugin_of(live), live.client(chat["chat_token"]) as page:
        assert (await page.get("/v1/index/status")).status_code == 200
        assert (await page.get("/v1/jobs")).json() == {"jobs": []}
        assert (await page.post("/v1/index/sync", json={"what": "catalog"})).status_code == 403
        assert (await page.post("/v1/index/search", json={"arguments": {}})).status_code == 403


async def test_a_damaged_index_is_built_anew_and_the_status_says_so(live: Live, tmp_path: Path) -> None:
    file = tmp_path / "catalogs" / "fake-catalog" / "index.db"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"not a database" * 1000)
    async with plugin_of(live):
        await filled(live)
        status = (await live.http.get("/v1/index/status")).json()
    assert status["photos"] == 3
    assert "damaged" in status["message"]
