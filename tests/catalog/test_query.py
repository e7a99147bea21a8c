"""What a search means."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog import rows
from safelight.catalog.query import match_expression, query_of
from safelight.catalog.schema import MIGRATIONS
from safelight.errors import ToolError
from safelight.wire.bridge_models import PhotoRecord
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bridge.fake_plugin import photo

PHOTOS = (
    photo(1, title="Two dogs on the beach", rating=4, captured="2024-05-01T08:30:00", flag="pick"),
    photo(2, caption="A dog, sleeping", rating=2, captured="2024-05-31T23:59:59.5", label="Red"),
    photo(3, keywords=["Café", "Zürich"], captured="2024-06-01T00:00:00", flag="reject"),
    photo(4, city="São Paulo", country="Brazil", camera="NIKON Z 6", rating=5, captured="2023-12-31T10:00:00"),
    PhotoRecord(photo_id="photo-0005", file_name="DSC_1234-Edit.tif", lens="RF 24-70mm", title="夕焼けの海"),
)


def found(photos: tuple[PhotoRecord, ...] = PHOTOS, **arguments: Any) -> list[int]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(MIGRATIONS[0])
    rows.store(connection, photos)
    query = query_of(SearchPhotosArguments(**arguments))
    ids = rows.photo_ids_of(connection, [n for (n,) in connection.execute(query.sql, query.parameters)])
    connection.close()
    return [int(photo_id.rsplit("-", 1)[1]) for photo_id in ids]


def test_no_argument_finds_the_whole_catalog_newest_first_and_undated_last() -> None:
    assert found() == [3, 2, 1, 4, 5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dog", [2, 1]),
        ("Dogs", [2, 1]),
        ("dog beach", [1]),
        ("beaches", [1]),
        ("cafe zurich", [3]),
        ("CAFÉ", [3]),
        ("sao paulo nikon", [4]),
        ("brazil", [4]),
        ("IMG_0003", [3]),
        ("IMG_000", [3, 2, 1, 4]),
        ("dsc_12", [5]),
        ("edit.tif", [5]),
        ("24-70", [5]),
        ("夕焼け", [5]),
        ("dog OR beach", []),
        ('dog" OR "beach', []),
        ("cat", []),
        ("title:dog", []),
        ("!!!", []),
        ("dog !!!", [2, 1]),
    ],
)
def test_all_words_must_occur_somewhere(text: str, expected: list[int]) -> None:
    assert found(text=text) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"rating_min": 4}, [1, 4]),
        ({"rating_max": 0}, [3, 5]),
        ({"rating_min": 1, "rating_max": 4}, [2, 1]),
        ({"flag": "pick"}, [1]),
        ({"flag": "none"}, [2, 4, 5]),
        ({"label": "red"}, [2]),
        ({"label": "none"}, [3, 1, 4, 5]),
        ({"captured_from": "2024-05", "captured_to": "2024-05"}, [2, 1]),
        ({"captured_from": "2024-05-01", "captured_to": "2024-05-31"}, [2, 1]),
        ({"captured_to": "2023"}, [4]),
        ({"captured_from": "2024-05-31"}, [3, 2]),
        ({"captured_from": "2024", "captured_to": "2023"}, []),
        ({"text": "dog", "rating_min": 3}, [1]),
        ({"sort": "oldest"}, [4, 1, 2, 3, 5]),
        ({"sort": "rating"}, [4, 1, 2, 3, 5]),
        ({"sort": "file_name"}, [5, 1, 2, 3, 4]),
    ],
)
def test_filters_and_orders(arguments: dict[str, Any], expected: list[int]) -> None:
    assert found(**arguments) == expected


@pytest.mark.parametrize(
    ("day", "says"),
    [("2024-02-30", "2024-02-30 is not a date. That month has 29 days."), ("2024-13", "2024-13 is not a date.")],
)
def test_a_day_that_is_none_is_refused_in_words(day: str, says: str) -> None:
    with pytest.raises(ToolError) as caught:
        query_of(SearchPhotosArguments(captured_from=day))
    assert (caught.value.tool_code, caught.value.message) == ("BAD_DATE", says)


def test_what_cannot_find_anything_is_said() -> None:
    arguments = SearchPhotosArguments(
        text="???", rating_min=4, rating_max=2, captured_from="2024-06", captured_to="2024-05-31"
    )
    assert len(query_of(arguments).warnings) == 3
    assert query_of(SearchPhotosArguments(captured_from="2024-05-31", captured_to="2024-05")).warnings == ()


@given(st.text(max_size=200))
def test_no_text_breaks_the_query_language(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(MIGRATIONS[0])
    expression = match_expression(text)
    if expression and not any("\ud800" <= char <= "\udfff" for char in expression):
        connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,)).fetchall()
    connection.close()


def test_a_search_for_own_words_finds_the_photo() -> None:
    for record in PHOTOS:
        for text in (record.file_name, record.title, record.caption):
            if isinstance(text, str):
                assert int(record.photo_id[-1]) in found(text=text)
