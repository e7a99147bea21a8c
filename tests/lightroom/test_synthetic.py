"""Large made-up catalogs: believable, the same every time, and made without holding more than one photo."""

from __future__ import annotations

import io
import tracemalloc
import unicodedata
from collections import Counter
from itertools import islice

from PIL import Image

from safelight.lightroom.synthetic import synthetic_catalog, synthetic_keywords, synthetic_photos
from tests.requirement import requirement


@requirement("lightroom.simulator")
def test_the_same_number_and_seed_give_the_same_photos() -> None:
    assert list(synthetic_photos(300)) == list(synthetic_photos(300))
    assert list(synthetic_photos(300)) != list(synthetic_photos(300, seed=2))
    assert list(synthetic_photos(0)) == []


@requirement("lightroom.simulator")
def test_the_photos_are_like_those_of_a_real_catalog() -> None:
    photos = list(synthetic_photos(5000))
    assert [photo.local_id for photo in photos] == list(range(1, 5001))
    assert len({photo.uuid for photo in photos}) == 5000
    times = [photo.captured for photo in photos if photo.captured]
    assert times == sorted(times)
    assert (times[-1] - times[0]).days > 3640
    ratings = Counter(photo.rating for photo in photos)
    assert ratings.keys() == {None, 1, 2, 3, 4, 5}
    assert ratings[None] > 3000 > 200 > 0 < ratings[5]
    names = "".join(photo.file_name for photo in photos)
    assert all(letter in names for letter in "ßŻ京")
    assert unicodedata.normalize("NFC", names) != names, "some are decomposed"
    offline = [photo for photo in photos if photo.is_offline]
    assert 500 < len(offline) < 1500
    words = Counter(keyword for photo in photos for keyword in photo.keywords)
    assert words.most_common(1)[0][1] > 10 * words.most_common()[-1][1], "few words are under many photos"


@requirement("lightroom.simulator")
def test_virtual_copies_share_the_file_of_a_photo_before_them() -> None:
    by_id = {photo.local_id: photo for photo in synthetic_photos(1000)}
    copies = [photo for photo in by_id.values() if photo.copy_of is not None]
    assert len(copies) == 40
    for copy in copies:
        master = by_id[copy.copy_of or 0]
        assert (master.copy_of, master.path) == (None, copy.path)
        assert master.uuid != copy.uuid


@requirement("lightroom.simulator")
def test_keywords_are_a_tree_in_which_a_name_stands_twice() -> None:
    keywords = {keyword.local_id: keyword for keyword in synthetic_keywords()}
    assert len(keywords) > 140
    seen: set[int] = set()
    for keyword in keywords.values():
        assert keyword.parent is None or keyword.parent in seen, "parents stand first"
        seen.add(keyword.local_id)
    assert Counter(keyword.name for keyword in keywords.values())["Orange"] == 2
    used = {keyword for photo in synthetic_photos(3000) for keyword in photo.keywords}
    assert used <= keywords.keys()


@requirement("lightroom.simulator")
def test_a_catalog_has_collections_in_sets_and_cards_for_pictures() -> None:
    catalog = synthetic_catalog(2000)
    assert {child.name for child in catalog.children(None)} == {"Best of the year", "Countries"}
    assert catalog.by_id(catalog.collection("2020").photo_ids[0]).rating == 5
    with Image.open(io.BytesIO(catalog.pictures.jpeg(catalog.photos()[0], 120))) as card:
        assert max(card.size) == 120


@requirement("lightroom.simulator")
def test_a_million_photos_can_pass_by_in_little_memory() -> None:
    photos = synthetic_photos(1_000_000)
    next(photos)
    tracemalloc.start()
    try:
        last = max(photo.local_id for photo in islice(photos, 3_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert last == 3_001
    assert peak < 100_000
