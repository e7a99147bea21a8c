"""Search descriptions: what is not documented is refused, and the rest finds the right photos."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from safelight.lightroom import Catalog, Photo
from safelight.lightroom.metadata import LightroomRefusal
from safelight.lightroom.search_description import search_description
from tests.lightroom.no_pictures import NoPictures
from tests.requirement import requirement


def catalog_of(*photos: dict[str, Any]) -> Catalog:
    made: list[Photo] = []
    for number, values in enumerate(photos):
        photo = Photo(local_id=number, uuid=f"u{number}", path=f"/p/{number}.jpg", file_name="a.jpg")
        made.append(structs.replace(photo, **values))
    return Catalog(made, NoPictures(), path="/c.lrcat")


def rule(criteria: str, operation: str, value: Any, value2: Any = None) -> dict[str, Any]:
    made = {"criteria": criteria, "operation": operation, "value": value}
    return made if value2 is None else {**made, "value2": value2}


REFUSED: list[tuple[Any, str]] = [
    (rule("stars", "==", 5), "unknown search criteria: 'stars'"),
    (rule("rating", "inRange", 1, 3), "rating knows no operation 'inRange'"),
    (rule("captureTime", "inRange", "2024-01-01", "2024-12-31"), "captureTime knows no operation 'inRange'"),
    (rule("captureTime", ">=", "2024-01-01"), "captureTime knows no operation '>='"),
    (rule("captureTime", "==", "1 May 2024"), "captureTime cannot be compared with '1 May 2024'"),
    (rule("captureTime", "==", "2024-5-1"), "captureTime cannot be compared"),
    (rule("captureTime", "==", "2024-02-30"), "captureTime cannot be compared"),
    (rule("captureTime", "==", 20240501), "captureTime cannot be compared"),
    (rule("rating", "==", "5"), "rating cannot be compared with '5'"),
    (rule("rating", "==", True), "rating cannot be compared"),
    (rule("rating", "in", 1), "value2 belongs to the operation 'in'"),
    (rule("rating", "==", 1, 3), "value2 belongs to the operation 'in'"),
    (rule("rating", "any", 1), "rating knows no operation 'any'"),
    (rule("labelColor", "==", "red"), "labelColor cannot be compared with 'red'"),
    (rule("labelColor", ">", 1), "labelColor knows no operation '>'"),
    (rule("keywords", "==", "dog"), "keywords knows no operation '=='"),
    (rule("keywords", "contains", "dog"), "keywords knows no operation 'contains'"),
    (rule("camera", "empty", ""), "camera knows no operation 'empty'"),
    (rule("hasAdjustments", "==", True), "hasAdjustments knows no operation '=='"),
    (rule("hasAdjustments", "isTrue", None), "hasAdjustments cannot be compared with None"),
    ({"criteria": "rating", "value": 5}, "rating knows no operation 'None'"),
    ({**rule("rating", "==", 5), "unit": "stars"}, "a criterion knows no entry 'unit'"),
    ({"1": rule("rating", "==", 5), "combine": "and"}, "combine must be union, intersect or exclude"),
    ([rule("rating", "==", 5), rule("pick", "==", 1)], "combine must be union, intersect or exclude"),
    ({"combine": "union"}, "nothing to combine"),
    ({"1": rule("rating", "==", 5), "combine": "union", "sort": "rating"}, "searchDesc knows no entry 'sort'"),
    ({}, "searchDesc must be a table with a criterion"),
    ({"1": "rating", "combine": "union"}, "searchDesc must be a table with a criterion"),
]


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("description", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_lightroom_would_ignore_without_a_word_is_refused(description: Any, says: str) -> None:
    """Automaat #150: a filter of dates did nothing, since its operator had a wrong name."""
    with pytest.raises(LightroomRefusal) as refused:
        search_description(description)
    assert says in str(refused.value)


PHOTOS: tuple[dict[str, Any], ...] = (
    {
        "rating": 5,
        "pick": 1,
        "label": "Red",
        "captured": datetime.fromisoformat("2024-05-31T23:59"),
        "camera": "Canon EOS R5",
    },
    {
        "rating": 3,
        "pick": -1,
        "label": "blue",
        "captured": datetime.fromisoformat("2024-06-01"),
        "camera": "Canon EOS R6",
    },
    {"rating": None, "label": "To print", "title": "A dog at sea", "develop": {"Exposure2012": 1.0}, "width": 3},
    {
        "rating": 1,
        "captured": datetime.fromisoformat("2025-01-01"),
        "city": "Rome",
        "gps": (41.9, 12.5),
        "iso": 800,
        "develop": {},
    },
)

FOUND: list[tuple[Any, set[int]]] = [
    (rule("rating", "==", 5), {0}),
    (rule("rating", ">=", 0), {0, 1, 3}),
    (rule("rating", "<=", 5), {0, 1, 3}),
    (rule("rating", "==", 0), {2}),
    (rule("rating", "!=", 3), {0, 2, 3}),
    (rule("rating", "in", 1, 3), {1, 3}),
    (rule("rating", ">", 1), {0, 1}),
    (rule("rating", "<", 3), {3}),
    (rule("pick", "==", -1), {1}),
    (rule("pick", "!=", -1), {0, 2, 3}),
    (rule("isoSpeedRating", ">", 400), {3}),
    (rule("labelColor", "==", 1), {0}),
    (rule("labelColor", "==", 4), {1}),
    (rule("labelColor", "==", "custom"), {2}),
    (rule("labelColor", "==", "none"), {3}),
    (rule("labelColor", "!=", "none"), {0, 1, 2}),
    (rule("labelText", "all", "print"), {2}),
    (rule("labelText", "empty", ""), {3}),
    (rule("captureTime", "in", "2024-05-01", "2024-05-31"), {0}),
    (rule("captureTime", "==", "2024-06-01"), {1}),
    (rule("captureTime", "!=", "2024-06-01"), {0, 2, 3}),
    (rule("captureTime", ">", "2024-05-31"), {1, 3}),
    (rule("captureTime", "<", "2024-06-01"), {0}),
    (rule("camera", "==", "canon eos r5"), {0}),
    (rule("camera", "!=", "Canon EOS R5"), {1, 2, 3}),
    (rule("camera", "all", "canon r6"), {1}),
    (rule("camera", "any", "r5 r6"), {0, 1}),
    (rule("camera", "noneOf", "r5"), {1, 2, 3}),
    (rule("camera", "beginsWith", "canon"), {0, 1}),
    (rule("camera", "endsWith", "R6"), {1}),
    (rule("title", "words", "dog"), {2}),
    (rule("title", "words", "do"), set[int]()),
    (rule("title", "all", "do"), {2}),
    (rule("title", "notEmpty", ""), {2}),
    (rule("city", "==", "rome"), {3}),
    (rule("iptc", "any", "rome dog"), {2, 3}),
    (rule("all", "any", "canon"), {0, 1}),
    (rule("all", "all", "a.jpg"), {0, 1, 2, 3}),
    (rule("hasAdjustments", "isTrue", True), {2}),
    (rule("hasAdjustments", "isFalse", True), {0, 1, 3}),
    (rule("hasGPSData", "isTrue", True), {3}),
    (rule("fileFormat", "==", "JPG"), {0, 1, 2, 3}),
    (rule("aspectRatio", "==", "landscape"), {2}),
    ({"1": rule("rating", "==", 5), "2": rule("pick", "==", -1), "combine": "union"}, {0, 1}),
    ({"1": rule("rating", ">", 1), "2": rule("pick", "==", -1), "combine": "intersect"}, {1}),
    ({"1": rule("rating", "==", 5), "2": rule("pick", "==", -1), "combine": "exclude"}, {2, 3}),
    (
        {
            "1": {"1": rule("rating", "==", 5), "2": rule("rating", "==", 1), "combine": "union"},
            "2": rule("hasGPSData", "isTrue", True),
            "combine": "intersect",
        },
        {3},
    ),
]


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("description", "found"), FOUND, ids=[str(description) for description, _ in FOUND])
def test_a_search_finds_what_fits(description: Any, found: set[int]) -> None:
    assert set(catalog_of(*PHOTOS).matching(search_description(description))) == found


@requirement("lightroom.simulator")
def test_keywords_and_collections_are_searched_by_name() -> None:
    catalog = catalog_of({}, {}, {})
    dog = catalog.keywords.ensure("Animals", "Dog")
    catalog.change_photo(1, keywords=(dog, catalog.keywords.ensure("Golden hour")))
    catalog.add_collection("Best of 2024", photo_ids=[2])
    for description, found in (
        (rule("keywords", "words", "dog"), [1]),
        (rule("keywords", "all", "golden dog"), [1]),
        (rule("keywords", "empty", ""), [0, 2]),
        (rule("collection", "all", "best"), [2]),
    ):
        assert catalog.matching(search_description(description)) == found


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
}


@requirement("lightroom.simulator")
@given(
    ratings=st.lists(st.integers(1, 5), max_size=8),
    operation=st.sampled_from(sorted(_COMPARED)),
    value=st.integers(0, 5),
)
def test_ratings_compare_as_numbers_do(ratings: list[int], operation: str, value: int) -> None:
    catalog = catalog_of(*({"rating": rating} for rating in ratings))
    found = catalog.matching(search_description(rule("rating", operation, value)))
    assert found == [place for place, rating in enumerate(ratings) if _COMPARED[operation](rating, value)]
