"""Selectors speak of the catalog's own data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from safelight.evaluation.selectors import select
from safelight.evaluation.tasks import Selector
from tests.evaluation.tasks import START


def chosen(**selector: Any) -> list[int]:
    uuids = select(msgspec.convert(selector, Selector), START)
    return sorted(START.photos[uuid].photo.local_id for uuid in uuids)


@pytest.mark.parametrize(
    ("selector", "ids"),
    [
        ({"selected": True}, [1, 2, 3]),
        ({"all": True}, list(range(1, 61))),
        ({"rating_min": 1, "rating_max": 1}, [12, 24, 36, 48]),
        ({"rating_max": 0, "flag": "pick", "label": "none"}, [13, 33, 53]),
        ({"flag": "reject", "rating_min": 1}, [19, 39, 59]),
        ({"label": "red"}, [4, 14, 24, 34, 44, 54]),
        ({"month": "2024-06"}, [29, 49]),
        ({"year": 2025, "camera": "fuji"}, [15, 35, 55]),
        ({"keyword": "mia"}, [12, 24, 36, 48]),
        ({"keyword": "animals", "year": 2023}, [18, 28]),
        ({"word": "bruno", "file_type": "jpeg"}, [4, 28]),
        ({"word": "img_4001"}, [1]),
        ({"word": "beach", "selected": True}, [1]),
        ({"file_type": "raw"}, []),
    ],
)
def test_a_selector_means_the_photos_for_which_all_of_it_holds(selector: dict[str, Any], ids: list[int]) -> None:
    assert chosen(**selector) == ids
