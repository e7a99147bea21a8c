"""Thumbnails that come late, first as an error, or not at all."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from safelight.lightroom import SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement


def thumbnail(bridge: FakeBridge, lightroom: SimulatedLightroom, **options: Any) -> tuple[int, int]:
    photo = lightroom.catalog.photos()[0]
    answer = bridge.ask("get_thumbnail", {"photo_id": photo.uuid, "size": 64}, **options)
    with Image.open(io.BytesIO(base64.b64decode(answer["jpeg_base64"], validate=True))) as opened:
        return opened.size


@requirement("bridge.delivery")
def test_a_thumbnail_that_comes_late_is_waited_for(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.answer_thumbnails("ok", after=0.3)
    assert max(thumbnail(bridge, lightroom)) == 64
    assert lightroom.dropped_thumbnails == 0


@requirement("bridge.delivery")
def test_an_error_before_the_picture_is_passed_over(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.answer_thumbnails("error first", after=0.2)
    assert max(thumbnail(bridge, lightroom)) == 64


@requirement("bridge.delivery")
def test_a_thumbnail_that_comes_after_the_deadline_is_let_go(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.answer_thumbnails("twice", after=0.5)
    with pytest.raises(Refused) as refused:
        thumbnail(bridge, lightroom, deadline=0.4)
    assert (refused.value.code, refused.value.retriable) == ("THUMBNAIL_UNAVAILABLE", True)
    bridge.wait_for(lambda: lightroom.dropped_thumbnails == 2, "the late answers")
    lightroom.answer_thumbnails("ok")
    assert max(thumbnail(bridge, lightroom)) == 64


@requirement("bridge.delivery")
def test_an_error_without_a_picture_is_told_in_lightrooms_words(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.answer_thumbnails("error")
    with pytest.raises(Refused, match="the preview could not be made"):
        thumbnail(bridge, lightroom)
