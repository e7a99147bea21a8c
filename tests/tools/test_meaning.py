"""Search by meaning and by what pictures show, with tiny models; and what is done without them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from safelight.catalog import embedding_jobs
from safelight.wire.models import Job
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.embedding.onnx_models import COLOURS, WORDS, coloured, install_picture_model, install_text_model
from tests.requirement import requirement
from tests.tools.conftest import Workbench

RED, ORANGE, GREEN, BLUE = (240, 20, 20), (240, 130, 20), (20, 240, 20), (20, 20, 240)


def ids(content: dict[str, Any]) -> list[int]:
    return [int(photo["photo_id"].rsplit("-", 1)[1]) for photo in content["photos"]]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def plugin_of(bench: Workbench, titles: Sequence[str], colours: Sequence[tuple[int, int, int]] = ()) -> FakePlugin:
    plugin = FakePlugin(bench.bridge, [photo(n, title=title) for n, title in enumerate(titles, start=1)])
    plugin.jpegs = {f"photo-{n:04}": coloured(*colour) for n, colour in enumerate(colours, start=1)}
    return plugin


async def indexed(bench: Workbench, what: str) -> Job:
    """The job at its end."""
    job = await bench.content("index_photos", what=what)
    return await bench.jobs.wait(job["job_id"], 8)


async def told(bench: Workbench, job_id: str, state: str) -> Job:
    """The job once it is in this state."""
    reached = asyncio.Event()
    bench.jobs.observe(lambda job: reached.set() if (job.job_id, job.state) == (job_id, state) else None)
    if (job := await bench.jobs.wait(job_id, 0)).state != state:
        await reached.wait()
        job = await bench.jobs.wait(job_id, 0)
    return job


@requirement("index.pixels")
async def test_shows_finds_photos_by_their_pictures_the_best_first(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["a", "b", "c", "d"], [GREEN, ORANGE, BLUE, RED]):
        assert (await indexed(bench, "pictures")).state == "done"
        content = await bench.content("search_photos", shows="red")
        assert ids(content) == [4, 2]
        assert "warnings" not in content
        assert ids(await bench.content("search_photos", shows="red", sort="oldest")) == [2, 4]
        assert ids(await bench.content("search_photos", shows="red", text="b")) == [2]
        assert ids(await bench.content("search_photos", shows="red", captured_to="2024-01-01")) == [1]
        assert ids(await bench.content("get_photos", set=content["set_id"])) == [4, 2]
        status = await bench.indexing.status()
    assert (status.pictures.model, status.pictures.photos) == ("colours", 4)


@requirement("index.pixels")
async def test_pictures_that_are_not_indexed_yet_are_said(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["red wall", "b"], [RED]) as plugin:
        content = await bench.content("search_photos", shows="red")
        assert content["warnings"] == [
            "The pictures have not been indexed yet (index_photos with pictures does it), so shows was looked for in "
            "the photos' texts only."
        ]
        assert ids(content) == [1]
        job = await indexed(bench, "pictures")
        assert (job.state, job.done, job.total) == ("done", 2, 2)
        assert job.message == "1 photo was left out. Start it again to try them once more."
        content = await bench.content("search_photos", shows="red")
        assert content["warnings"] == ["1 of 2 pictures have not been indexed yet; index_photos with pictures does it."]
        plugin.jpegs["photo-0002"] = coloured(*RED)
        assert (await indexed(bench, "pictures")).message is not None


@requirement("index.pixels", "index.catalog")
async def test_without_an_image_model_shows_is_compared_with_what_was_written(bench: Workbench, models: Path) -> None:
    install_text_model(models / "tiny")
    async with plugin_of(bench, ["Puppy", "church", "the seaside", ""]):
        assert (await indexed(bench, "texts")).state == "done"
        content = await bench.content("search_photos", shows="dog")
    assert ids(content) == [1]
    assert content["warnings"] == [
        "No image model is installed, so shows was compared with the meaning of titles, captions, keywords and places "
        "only."
    ]


@requirement("index.catalog")
async def test_text_means_its_words_and_meaning_helps_the_order_or_where_there_are_none(
    bench: Workbench, models: Path
) -> None:
    install_text_model(models / "tiny")
    titles = ["dog church church church", "dog", "puppy", "beach"]
    async with plugin_of(bench, titles):
        await indexed(bench, "texts")
        assert ids(await bench.content("search_photos", text="dog")) == [2, 1]
        content = await bench.content("search_photos", text="dog", sort="best")
        assert (ids(content), "warnings" in content) == ([2, 1], False)
        assert ids(await bench.content("search_photos", text="seaside")) == []
        content = await bench.content("search_photos", text="seaside", sort="best")
        assert ids(content) == [4]
        assert "come nearest in meaning" in content["warnings"][0]
        assert ids(await bench.content("search_photos", text="seaside -dog", sort="best")) == []
        assert ids(await bench.content("search_photos", text="xyzzy", sort="best")) == []


async def test_find_similar_compares_pictures(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["a", "b", "c", "d"], [RED, GREEN, ORANGE, BLUE]):
        await indexed(bench, "pictures")
        content = await bench.content("find_similar", photo_id="photo-0001")
        assert ids(content) == [3]
        assert 0.7 < content["photos"][0]["score"] < 1
        assert "warnings" not in content
        assert (await bench.error("find_similar", photo_id="nope")).tool_code == "PHOTO_NOT_FOUND"


async def test_find_similar_without_pictures_takes_the_same_cameras_photos_of_ten_minutes(
    bench: Workbench, models: Path
) -> None:
    def at(minute: str, camera: str) -> dict[str, Any]:
        return {"captured": f"2024-05-01T10:{minute}", "camera": camera}

    photos = [
        photo(1, **at("20:00", "X")),
        photo(2, **at("29:59", "X")),
        photo(3, **at("19:58", "X")),
        photo(4, **at("20:01", "Y")),
        photo(5, **at("31:00", "X")),
    ]
    async with FakePlugin(bench.bridge, photos) as plugin:
        content = await bench.content("find_similar", photo_id="photo-0001")
        assert ids(content) == [3, 2]
        assert content["warnings"] == [
            "No image model is installed, so these are the photos that the same camera took within ten minutes of it, "
            "nearest first."
        ]
        install_picture_model(models / "colours")
        plugin.jpegs = {"photo-0002": coloured(*RED)}
        await indexed(bench, "pictures")
        content = await bench.content("find_similar", photo_id="photo-0001")
        assert ids(content) == [3, 2]
        assert content["warnings"][0].startswith("The picture of this photo has not been indexed yet")


async def test_a_damaged_model_fails_the_job_and_leaves_the_search_with_words(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["red wall", "b"], [RED, GREEN]):
        await indexed(bench, "pictures")
        path = models / "colours" / "onnx" / "vision_model_quantized.onnx"
        path.write_bytes(b"damaged")
        job = await indexed(bench, "pictures")
        assert job.state == "failed"
        assert str(job.message).startswith("The model colours cannot be used. Install it again.")
        content = await bench.content("search_photos", shows="red")
        assert ids(content) == [1]
        path.unlink()
        error = await bench.error("index_photos", what="pictures")
        assert error.tool_code == "NO_MODEL"
        assert "vision_model.onnx" in error.message


@requirement("index.catalog")
async def test_only_what_is_new_or_was_edited_is_embedded_again(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    install_text_model(models / "tiny")
    async with plugin_of(bench, ["dog", "church", "beach"], [RED, GREEN, BLUE]) as plugin:
        await indexed(bench, "pictures")
        await indexed(bench, "texts")
        plugin.edit("photo-0002", title="puppy")
        plugin.edit("photo-0003", title="")
        plugin.jpegs["photo-0002"] = coloured(*RED)
        bench.clock.now += 100
        plugin.received.clear()
        await indexed(bench, "pictures")
        asked = [command.arguments["photo_id"] for command in plugin.received if command.name == "get_thumbnail"]
        assert sorted(asked) == ["photo-0002", "photo-0003"]
        assert ids(await bench.content("search_photos", shows="red")) == [2, 1]
        job = await indexed(bench, "texts")
        assert (job.done, job.total) == (2, 2)
        assert ids(await bench.content("search_photos", text="doggy dog puppy", sort="best")) == [1, 2]
        status = await bench.indexing.status()
    assert (status.texts.model, status.texts.photos) == ("tiny", 2)


async def test_another_model_makes_every_vector_anew(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["a", "b"], [RED, GREEN]) as plugin:
        await indexed(bench, "pictures")
        turned = {"red": COLOURS["green"], "green": COLOURS["red"], "photo": COLOURS["photo"]}
        install_picture_model(models / "colours", turned)
        assert (await bench.indexing.status()).pictures.photos == 0
        plugin.received.clear()
        await indexed(bench, "pictures")
        assert plugin.names().count("get_thumbnail") == 2
        assert ids(await bench.content("search_photos", shows="red")) == [2]


async def test_a_cancelled_job_keeps_what_it_has_made_and_the_next_goes_on(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, list("abcdefghij"), [RED] * 10) as plugin:
        held: list[str] = []

        def stop(job: Job) -> None:
            if job.kind == "pictures" and job.state == "running" and job.done >= embedding_jobs.PICTURES and not held:
                held.append(job.job_id)
                bench.jobs.cancel(job.job_id)

        bench.jobs.observe(stop)
        job = await indexed(bench, "pictures")
        assert (job.state, job.done, job.total) == ("cancelled", embedding_jobs.PICTURES, 10)
        plugin.received.clear()
        job = await indexed(bench, "pictures")
        assert (job.state, job.done, job.total) == ("done", 10, 10)
        assert plugin.names().count("get_thumbnail") == 10 - embedding_jobs.PICTURES


@pytest.mark.parametrize("code", ["CATALOG_BUSY", "AGENTS_OFF"])
async def test_a_busy_lightroom_pauses_the_job_which_goes_on_by_itself(
    bench: Workbench, models: Path, code: str
) -> None:
    install_picture_model(models / "colours")
    async with plugin_of(bench, ["a", "b"], [RED, GREEN]) as plugin:
        states: list[tuple[str, object]] = []
        bench.jobs.observe(lambda job: states.append((job.state, job.message)))
        plugin.fail("get_thumbnail", code, retriable=True, times=2)
        job = await indexed(bench, "pictures")
    assert (job.state, job.done) == ("done", 2)
    paused = [str(message) for state, message in states if state == "paused"]
    assert paused
    assert all(message.startswith("Waiting for Lightroom. ") for message in paused)


async def test_a_job_waits_for_lightroom_to_come_back_and_can_be_cancelled_meanwhile(
    bench: Workbench, models: Path
) -> None:
    install_picture_model(models / "colours")
    plugin = plugin_of(bench, ["a", "b"], [RED, GREEN])
    async with plugin:
        await (await bench.catalogs.present()).sync.run()
        plugin.fail("get_thumbnail", "CATALOG_CHANGED", times=1_000_000)
        job = await bench.content("index_photos", what="pictures")
        paused = await told(bench, job["job_id"], "paused")
        assert "Waiting for Lightroom." in str(paused.message)
        again = await bench.content("index_photos", what="pictures")
        assert again["job_id"] == job["job_id"]
        bench.jobs.cancel(job["job_id"])
        assert (await bench.jobs.wait(job["job_id"], 5)).state == "cancelled"


async def test_a_job_goes_on_when_lightroom_has_been_away(bench: Workbench, models: Path) -> None:
    install_picture_model(models / "colours")
    plugin = plugin_of(bench, ["a", "b"], [RED, GREEN])
    async with plugin:
        await (await bench.catalogs.present()).sync.run()
        released = plugin.hold("get_thumbnail")
        job = await bench.content("index_photos", what="pictures")
        await plugin.reached("get_thumbnail")
        await plugin.stop()
        bench.clock.advance(600)
        bench.bridge.tick()
        paused = await told(bench, job["job_id"], "paused")
        assert str(paused.message).startswith("Waiting for Lightroom. ")
        released.set()
        async with plugin:
            ended = await bench.jobs.wait(job["job_id"], 5)
    assert (ended.state, ended.done, ended.message) == ("done", 2, UNSET)


async def test_a_photo_that_the_model_fails_on_is_left_out_and_the_rest_is_made(bench: Workbench, models: Path) -> None:
    install_text_model(models / "tiny", {**WORDS, "cursed": (float("nan"), 0.0, 0.0)})
    async with plugin_of(bench, ["dog", "cursed", "church"]):
        job = await indexed(bench, "texts")
        assert (job.state, job.done, job.total) == ("done", 3, 3)
        assert job.message == "1 photo was left out. Start it again to try them once more."
        assert (await bench.indexing.status()).texts.photos == 2
