"""The tool that looks at photos closely."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from safelight.gate.tool import ToolAnswer
from safelight.tools.details import LARGE, MOST_PICTURES, SMALL
from safelight.tools.photo_texts import shutter_text
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


def sizes(answer: ToolAnswer) -> list[int]:
    return [max(Image.open(io.BytesIO(image.data)).size) for image in answer.images]


@requirement("tool.list-read")
async def test_more_details_are_given_by_group(studio: Studio) -> None:
    (one,) = studio.ids(2)
    studio.change(
        one,
        iso=400,
        aperture=2.8,
        shutter=0.004,
        focal_length=35.0,
        creator="Ada",
        state="Leiria",
        gps=(39.6, -9.07),
    )
    usual = (await studio.content("get_photos", photo_ids=[one]))["photos"][0]
    assert usual["iso"] == 400
    assert not {"aperture", "shutter", "creator", "state", "latitude", "folder"} & usual.keys()
    (full,) = (await studio.content("get_photos", photo_ids=[one], fields=["exif", "iptc", "place", "file"]))["photos"]
    assert (full["aperture"], full["shutter"], full["focal_length"]) == (2.8, "1/250", 35)
    assert (full["creator"], full["state"], full["latitude"], full["longitude"]) == ("Ada", "Leiria", 39.6, -9.07)
    assert full["folder"] == studio.catalog.photo(one).path.rsplit("/", 1)[0]


async def test_few_pictures_are_larger_than_many_and_no_more_than_eight_are_given(studio: Studio) -> None:
    two = await studio.run("get_photos", photo_ids=studio.ids(2, 3), thumbnails=True)
    many = await studio.run("get_photos", photo_ids=studio.ids(2, 12), thumbnails=True)
    assert sizes(two) == [LARGE] * 2
    assert sizes(many) == [SMALL] * MOST_PICTURES
    assert "first 8 photos only" in many.content["warnings"][0]
    assert not (await studio.run("get_photos", photo_ids=studio.ids(2, 3))).images


async def test_a_picture_that_lightroom_has_not_is_said_and_the_others_are_given(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.fail("get_thumbnail", "THUMBNAIL_UNAVAILABLE")
    answer = await bench.run("get_photos", set="selection", thumbnails=True)
    assert len(answer.images) == 2
    assert answer.content["warnings"] == ["No picture of photo-0001: Lightroom has no preview of this photo."]


async def test_what_was_read_is_in_the_index_at_once(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.edit("photo-0004", title="Heron")
    await bench.content("get_photos", photo_ids=["photo-0004"])
    found, _ = await (await bench.catalogs.present()).index.search(SearchPhotosArguments(text="heron"))
    assert found == ("photo-0004",)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.004, "1/250"), (0.25, "1/4"), (0.5, "0.5"), (1, "1"), (1.3, "1.3"), (30, "30"), (0, "0"), (-1, "0")],
)
def test_exposures_are_told_as_cameras_do(seconds: float, text: str) -> None:
    assert shutter_text(seconds) == text


@requirement("context.compact-results")
async def test_ten_thousand_photos_are_a_page_a_set_and_a_count(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 10_001)]) as plugin:
        content = await bench.content("get_photos", set="view", offset=9_990, limit=100)
        assert (content["count"], len(content["photos"])) == (10_000, 10)
        reads = [c for c in plugin.received if c.name == "read_photos" and len(c.arguments["photo_ids"]) == 10]
        assert len(reads) == 1
