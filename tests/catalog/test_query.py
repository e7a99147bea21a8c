"""What a search means."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog import rows
from safelight.catalog.query import query_of
from safelight.catalog.schema import MIGRATIONS
from safelight.catalog.text_query import text_query
from safelight.errors import ToolError
from safelight.wire.bridge_models import PhotoRecord
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bridge.fake_plugin import photo
from tests.requirement import requirement

PHOTOS = (
    photo(1, title="Two dogs on the beach", rating=4, captured="2024-05-01T08:30:00", flag="pick"),
    photo(2, caption="A dog, sleeping", rating=2, captured="2024-05-31T23:59:59.5", label="Red"),
    photo(3, keywords=["Café", "Zürich"], captured="2024-06-01T00:00:00", flag="reject"),
    photo(4, city="São Paulo", country="Brazil", camera="NIKON Z 6", rating=5, captured="2023-12-31T10:00:00"),
    PhotoRecord(photo_id="photo-0005", file_name="DSC_1234-Edit.tif", lens="RF 24-70mm", title="夕焼けの海"),
)


TODAY = date(2024, 6, 5)
"""A Wednesday."""


def found(
    photos: Sequence[PhotoRecord] = PHOTOS,
    *,
    members: Sequence[str] | None = None,
    marked: Sequence[str] = (),
    **arguments: Any,
) -> list[int]:
    connection = sqlite3.connect(":memory:")
    connection.executescript("".join(MIGRATIONS))
    rows.store(connection, photos, {})
    rows.set_adjusted(connection, marked)
    query = query_of(SearchPhotosArguments(**arguments), today=TODAY, members=members)
    ids = rows.photo_ids_of(connection, [n for (n,) in connection.execute(query.sql, query.parameters)])
    connection.close()
    return [int(photo_id.rsplit("-", 1)[1]) for photo_id in ids]


def test_no_argument_finds_the_whole_catalog_newest_first_and_undated_last() -> None:
    assert found() == [3, 2, 1, 4, 5]


@requirement("index.catalog")
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
        ("海", [5]),
        ("けの海", [5]),
        ("海夕", []),
        ("cat OR dog", [2, 1]),
        ("beach OR sleeping dog", [2, 1]),
        ("dog beach OR sleeping", [2, 1]),
        ("OR dog OR", [2, 1]),
        ("dog or beach", []),
        ("dog -sleeping", [1]),
        ("-dog -edit", [3, 4]),
        ("-", []),
        ('"dogs on"', [1]),
        ('"on dogs"', []),
        ('dog -"the beach"', [2]),
        ('dog" OR "beach', []),
        ("beac*", [1]),
        ("beac", []),
        ("cat", []),
        ("title:dog", []),
        ("!!!", []),
        ("dog !!!", [2, 1]),
    ],
)
def test_all_words_must_occur_somewhere(text: str, expected: list[int]) -> None:
    assert found(text=text) == expected


@requirement("index.catalog")
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
        ({"sort": "best"}, [3, 2, 1, 4, 5]),
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
        query_of(SearchPhotosArguments(captured_from=day), today=TODAY)
    assert (caught.value.tool_code, caught.value.message) == ("BAD_DATE", says)


def test_what_cannot_find_anything_is_said() -> None:
    arguments = SearchPhotosArguments(
        text="???", rating_min=4, rating_max=2, captured_from="2024-06", captured_to="2024-05-31"
    )
    assert len(query_of(arguments, today=TODAY).warnings) == 3
    sound = SearchPhotosArguments(captured_from="2024-05-31", captured_to="2024-05")
    assert query_of(sound, today=TODAY).warnings == ()


@given(st.text(max_size=200))
def test_no_text_breaks_the_query_language(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript("".join(MIGRATIONS))
    query = text_query(text)
    for expression in (query.match, query.without) if query else ():
        if expression:
            connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,)).fetchall()
    connection.close()


def test_a_search_for_own_words_finds_the_photo() -> None:
    for record in PHOTOS:
        for text in (record.file_name, record.title, record.caption):
            if isinstance(text, str):
                assert int(record.photo_id[-1]) in found(text=text)


MANY_KINDS = (
    photo(1, file_format="RAW", keywords=["Animals > Dog"], camera="NIKON Z 6", lens="NIKKOR Z 50mm f/1.8 S", iso=100),
    photo(2, file_format="JPG", keywords=["Animals > Dog > Poodle"], camera="Canon EOS R5", iso=1600, title="Walk"),
    photo(3, file_format="DNG", keywords=["Hot dog"], latitude=53.5, longitude=10.0, copyright="Me", iso=6400),
    photo(4, file_format="HEIC", path="C:\\Photos\\2024\\Rome\\IMG_0004.heic", city="Roma", country="Italia"),
    photo(5, file_format="VIDEO", path="/photos/2023/Tromsø/a.mov", location="Fjellheisen", caption="Up"),
    photo(6, file_format="TIFF", virtual_copy=True, aperture=2.8, shutter=0.004000001, focal_length=35.0, width=6000),
)


@requirement("index.catalog")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"keyword": "dog"}, [2, 1]),
        ({"keyword": "DOG"}, [2, 1]),
        ({"keyword": "animals"}, [2, 1]),
        ({"keyword": "Animals>Dog"}, [2, 1]),
        ({"keyword": "dog > poodle"}, [2]),
        ({"keyword": "hot dog"}, [3]),
        ({"keyword": "do"}, []),
        ({"camera": "nikon"}, [1]),
        ({"camera": "z nikon"}, [1]),
        ({"camera": "%"}, []),
        ({"lens": "50MM"}, [1]),
        ({"place": "roma"}, [4]),
        ({"place": "fjell"}, [5]),
        ({"folder": "2024\\Rome"}, [4]),
        ({"folder": "2024/rome"}, [4]),
        ({"folder": "tromso"}, [5]),
        ({"folder": "IMG_0004"}, []),
        ({"file_type": "raw"}, [1]),
        ({"file_type": "jpeg"}, [2]),
        ({"file_type": "video"}, [5]),
        ({"file_name": "IMG_000?.jpg"}, [6, 5, 4, 3, 2, 1]),
        ({"file_name": "*3.J*"}, [3]),
        ({"file_name": "0003"}, [3]),
        ({"file_name": "IMG_[0]*"}, []),
        ({"missing": "keywords"}, [6, 5, 4]),
        ({"missing": "gps"}, [6, 5, 4, 2, 1]),
        ({"missing": "copyright"}, [6, 5, 4, 2, 1]),
        ({"missing": "title"}, [6, 5, 4, 3, 1]),
        ({"missing": "caption"}, [6, 4, 3, 2, 1]),
        ({"virtual_copy": True}, [6]),
        ({"virtual_copy": False, "file_type": "tiff"}, []),
        ({"adjusted": True}, [3]),
        ({"adjusted": False, "keyword": "animals"}, [2, 1]),
        ({"members": ["photo-0002", "gone", "photo-0004"]}, [4, 2]),
        ({"members": [], "rating_max": 5}, []),
        ({"filter": "iso>=1600 and (camera:canon or not keyword:dog)"}, [3, 2]),
        ({"filter": "iso<1600"}, [1]),
        ({"filter": "not iso<1600"}, [6, 5, 4, 3, 2]),
        ({"filter": "iso!=100"}, [6, 5, 4, 3, 2]),
        ({"filter": "aperture=2.8 and shutter=1/250 and focal<=35 and width:6000"}, [6]),
        ({"filter": "lat>50 and lon<11"}, [3]),
        ({"filter": "camera='nikon z 6' or camera=canon"}, [1]),
        ({"filter": "place=ROMA or place=Ital"}, [4]),
        ({"filter": "place:ital and place!=italia"}, []),
        ({"filter": "title:walks or caption:up"}, [5, 2]),
        ({"filter": "captured<2024-01-03 or captured:2024-01-06"}, [6, 2, 1]),
        ({"filter": "captured>2024-01-05 and year=2024"}, [6]),
        ({"filter": "file_name:*5.jpg or file_name=img_0006.JPG"}, [6, 5]),
        ({"filter": "missing:keywords and missing!=caption"}, [5]),
        ({"filter": "virtual_copy:yes or adjusted:yes"}, [6, 3]),
        ({"filter": "flag:none and label=none and rating=0 and file_type:heic"}, [4]),
        ({"filter": "text:'roma -xyz' or folder:tromsø or lens:nikkor or place:none"}, [5, 4, 1]),
    ],
)
def test_every_argument_finds_what_it_says(arguments: dict[str, Any], expected: list[int]) -> None:
    assert found(MANY_KINDS, marked=["photo-0003"], **arguments) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("today", ["2024-06-05"]),
        ("yesterday", ["2024-06-04"]),
        ("this_week", ["2024-06-03", "2024-06-04", "2024-06-05", "2024-06-09"]),
        ("last_week", ["2024-05-27", "2024-06-02"]),
        ("this_month", ["2024-06-02", "2024-06-03", "2024-06-04", "2024-06-05", "2024-06-09", "2024-06-10"]),
        ("last_month", ["2024-05-26", "2024-05-27"]),
        ("last_year", ["2023-12-31"]),
    ],
)
def test_spans_of_days_begin_on_monday_and_hold_both_ends(when: Any, expected: list[str]) -> None:
    days = ["2023-12-31", "2024-05-26", "2024-05-27", "2024-06-02", "2024-06-03", "2024-06-04", "2024-06-05"]
    days += ["2024-06-09", "2024-06-10"]
    photos = [photo(n, captured=f"{day}T{'23:59:59.9' if n % 2 else '00:00:00'}") for n, day in enumerate(days)]
    assert [days[n] for n in found(photos, when=when, sort="oldest")] == expected


@requirement("index.catalog")
@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("Tromsø", "tromso"), ("TROMSØ", "Tromsø"), ("Łódź", "lodz"), ("Straße", "STRASSE"), ("Ærø", "aero"),
        ("Đà Nẵng", "da nang"), ("Zürich", "Zu\u0308rich"), ("Zu\u0308rich", "Zürich"), ("İstanbul", "istanbul"),
        ("Αθήνα", "αθηνα"), ("Орёл", "орел"), ("東京タワー", "タワ"), ("東京タワー", "京タ"), ("ｶﾞｲﾄﾞ", "ガイド"),
        ("서울특별시", "특별"), ("กรุงเทพ", "เทพ"), ("हिन्दी", "हिन्दी"), ("ＡＢＣ", "abc"), ("𝐁old", "bold"),
        ("Hochzeitsfotos", "hochzeit*"), ("L’été", "l'ete"),
    ],
)  # fmt: skip
def test_words_are_found_however_they_are_written(written: str, searched: str) -> None:
    for field in ("title", "caption", "city", "camera", "lens"):
        assert found([photo(1, **{field: written}), photo(2)], text=searched) == [1], field
    assert found([photo(1, keywords=[written]), photo(2)], text=searched) == [1]


def test_a_file_name_that_a_mac_has_taken_apart_is_found() -> None:
    apart = unicodedata.normalize("NFD", "Ångström größe 1.jpg")
    photos = [PhotoRecord(photo_id="photo-0001", file_name=apart, path=f"/Fotos/{apart}")]
    assert found(photos, text="Ångström") == found(photos, file_name="ångström*") == [1]


def test_the_best_have_the_word_in_what_the_photographer_wrote() -> None:
    photos = [
        PhotoRecord(photo_id="photo-0001", file_name="harbour.jpg", captured="2024-03-01T00:00:00"),
        photo(2, lens="Harbour 50mm"),
        photo(3, title="Harbour"),
        photo(4, caption="A long walk to a harbour and back again with many other words that count less"),
    ]
    assert found(photos, text="harbour", sort="best")[:2] == [3, 4]
    assert found(photos, text="harbour -walk", sort="best", rating_max=0)[0] == 3
    assert found(photos, text="-harbour", sort="best") == []


@given(pattern=st.text(alphabet="*?[]ab^-", min_size=1, max_size=60))
def test_a_pattern_is_taken_by_the_letter_but_for_stars_and_question_marks(pattern: str) -> None:
    names = ["a", "ab", "a[b]", "abab.ab", "^-]"]
    photos = [PhotoRecord(photo_id=f"photo-{n:04}", file_name=name) for n, name in enumerate(names)]
    plain = "*" not in pattern and "?" not in pattern
    wanted = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    expected = [n for n, name in enumerate(names) if (pattern in name if plain else re.fullmatch(wanted, name))]
    assert sorted(found(photos, file_name=pattern)) == expected


@pytest.mark.parametrize("text", ["dog＂beach", '"dog＂ beach"', "-cat＂s dog", "＂", "dog＂*"])
def test_no_sign_breaks_out_of_a_searched_word(text: str) -> None:
    assert set(found(text=text)) <= {1, 2}


@pytest.mark.parametrize("day", ["٢٠٢٤-٠٥", "2024-05\n"])
def test_a_day_in_other_digits_is_that_day(day: str) -> None:
    assert found(captured_from=day, captured_to=day) == [2, 1]


@pytest.mark.parametrize(
    ("filter_", "fits"),
    [
        ("shutter<=1/250", True),
        ("shutter>=1/250", True),
        ("shutter<1/250", False),
        ("shutter>1/250", False),
        ("shutter<1/200", True),
        ("shutter>1/320", True),
    ],
)
@pytest.mark.parametrize("kept", [0.004000001, 0.003999999])
def test_a_rounded_time_of_exposure_stands_on_one_side_of_a_bound_as_its_name_does(
    filter_: str, fits: bool, kept: float
) -> None:
    assert found([photo(1, shutter=kept)], filter=filter_) == ([1] if fits else [])
