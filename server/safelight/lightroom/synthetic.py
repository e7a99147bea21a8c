"""Large catalogs of made-up photos, the same for the same numbers: for measuring, and for tests of what grows."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, structs

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.photo import Keyword, Photo, Pick
from safelight.lightroom.pictures import CardPictures
from safelight.lightroom.synthetic_words import (
    CAMERAS,
    CAPTIONS,
    CREATORS,
    KEYWORDS,
    NAMES,
    PLACES,
    TITLES,
    Camera,
    Place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ("synthetic_catalog", "synthetic_keywords", "synthetic_photos")

_FIRST_DAY: Final = datetime(2015, 1, 1, 6)  # noqa: DTZ001 - a capture time has no zone
_DAYS: Final = 3652
_FOLDER: Final = "/Volumes/Photos"
_OFFLINE_FOLDER: Final = "/Volumes/Archive"
"""A disk that is not connected: the first years are on it."""
_OFFLINE_YEARS: Final = 2
_COPY_EVERY: Final = 25
_OUTING: Final = 40
"""So many photos in a row are of one place."""

_RATINGS: Final[tuple[int | None, ...]] = (None,) * 14 + (1, 2, 3, 3, 4, 5)
_PICKS: Final[tuple[Pick, ...]] = (0,) * 16 + (1, 1, 1, -1)
_LABELS: Final = ("",) * 17 + ("Red", "Green", "Zur Prüfung")
_ISOS: Final = (64, 100, 100, 200, 400, 800, 1600, 3200, 6400)
_APERTURES: Final = (1.4, 1.8, 2.8, 4.0, 5.6, 8.0, 11.0)
_SHUTTERS: Final = (30.0, 1.0, 0.1, 0.01667, 0.008, 0.004, 0.002, 0.0005)
_EDITS: Final[tuple[dict[str, Any] | None, ...]] = (
    *(None,) * 5,
    {"Exposure2012": 0.35, "Highlights2012": -40, "Shadows2012": 25},
    {"Exposure2012": -0.2, "Vibrance": 15, "Clarity2012": 10, "CropLeft": 0.05, "CropRight": 0.95},
    {"ConvertToGrayscale": True, "Contrast2012": 30},
)


class _Outing(Struct, frozen=True):
    place: Place
    camera: Camera
    folder: str
    name: str
    creator: str


def synthetic_keywords() -> tuple[Keyword, ...]:
    """A tree of about 150, parents first; some names stand in two places of it."""
    numbers: dict[tuple[str, ...], int] = {}
    for path in KEYWORDS:
        for length in range(1, len(path) + 1):
            numbers.setdefault(path[:length], len(numbers) + 1)
    return tuple(
        Keyword(
            local_id=number,
            name=path[-1],
            parent=numbers.get(path[:-1]),
            include_on_export=path[0] != "Workflow",
        )
        for path, number in numbers.items()
    )


def synthetic_photos(count: int, seed: int = 1) -> Iterator[Photo]:
    """So many photos over ten years, oldest first, in constant memory; keywords are ids of ``synthetic_keywords``.

    Every 25th is a virtual copy of the one before it; the photos of the first two years are offline.
    """
    random = Random(seed)  # noqa: S311 - the same photos every time
    keywords = [keyword.local_id for keyword in synthetic_keywords()]
    # A few words are under many photos, most under few, as in real catalogs.
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(keywords))))
    random.shuffle(keywords)
    step = timedelta(days=_DAYS) / max(count, 1)
    master: Photo | None = None
    outing = _outing(random, _FIRST_DAY)
    for number in range(count):
        if number % _OUTING == 0:
            outing = _outing(random, _FIRST_DAY + number * step)
        if master is not None and number % _COPY_EVERY == _COPY_EVERY - 1:
            yield _virtual_copy(master, number, random)
            continue
        tags = tuple(dict.fromkeys(random.choices(keywords, cum_weights=weights, k=random.randrange(6))))
        master = _photo(number, _FIRST_DAY + number * step, outing, tags, random)
        yield master


def synthetic_catalog(count: int, seed: int = 1) -> Catalog:
    """A catalog of these photos with collections in sets. Its pictures are grey cards with the file's name.

    About 900 bytes a photo: a million of them fit into a gigabyte.
    """
    catalog = Catalog(
        synthetic_photos(count, seed),
        CardPictures(),
        path=f"{_FOLDER}/Synthetic.lrcat",
        keywords=synthetic_keywords(),
    )
    best: dict[int, list[int]] = {}
    places: dict[str, list[int]] = {}
    for photo in catalog.photos():
        if photo.rating == 5 and photo.captured is not None:
            best.setdefault(photo.captured.year, []).append(photo.local_id)
        if photo.pick == 1:
            places.setdefault(photo.country, []).append(photo.local_id)
    _add_set(catalog, "Best of the year", {f"{year}": ids for year, ids in sorted(best.items())})
    _add_set(catalog, "Countries", dict(sorted(places.items())))
    return catalog


def _add_set(catalog: Catalog, name: str, collections: dict[str, list[int]]) -> None:
    parent = catalog.add_collection(name, "set").local_id
    for child, ids in collections.items():
        catalog.add_collection(child, parent=parent, photo_ids=ids)


def _outing(random: Random, day: datetime) -> _Outing:
    place = random.choice(PLACES)
    disk = _OFFLINE_FOLDER if day.year < _FIRST_DAY.year + _OFFLINE_YEARS else _FOLDER
    return _Outing(
        place=place,
        camera=random.choice(CAMERAS),
        folder=f"{disk}/{day.year}/{day.year}-{day.month:02}-{day.day:02} {place.city}/",
        name=random.choice(NAMES),
        creator=random.choice(CREATORS),
    )


def _photo(number: int, captured: datetime, outing: _Outing, keywords: tuple[int, ...], random: Random) -> Photo:
    camera, place = outing.camera, outing.place
    name = f"{outing.name}{number:06}.{camera.extension}"
    is_upright = random.random() < 0.2
    return Photo(
        local_id=number + 1,
        uuid=_uuid(random),
        path=outing.folder + name,
        file_name=name,
        title=_some(TITLES, random, 0.3),
        caption=_some(CAPTIONS, random, 0.2),
        rating=random.choice(_RATINGS),
        pick=random.choice(_PICKS),
        label=random.choice(_LABELS),
        captured=captured.replace(microsecond=0),
        keywords=keywords,
        creator=outing.creator,
        copyright=f"© {outing.creator}" if number % 3 else "",
        city=place.city,
        state=place.state,
        country=place.country,
        gps=place.gps if number % 2 else None,
        camera=camera.name,
        lens=random.choice(camera.lenses),
        iso=random.choice(_ISOS),
        aperture=random.choice(_APERTURES),
        shutter=random.choice(_SHUTTERS),
        focal_length=random.choice(camera.focal_lengths),
        width=camera.height if is_upright else camera.width,
        height=camera.width if is_upright else camera.height,
        file_format=camera.file_format,
        is_offline=outing.folder.startswith(_OFFLINE_FOLDER),
        develop=random.choice(_EDITS),
        last_edit=500_000_000.0 + number,
    )


def _virtual_copy(master: Photo, number: int, random: Random) -> Photo:
    return structs.replace(
        master,
        local_id=number + 1,
        uuid=_uuid(random),
        copy_of=master.local_id,
        copy_name="Copy 1",
        rating=random.choice(_RATINGS),
        develop=_EDITS[-1],
    )


def _some(texts: Sequence[str], random: Random, share: float) -> str:
    return random.choice(texts) if random.random() < share else ""


def _uuid(random: Random) -> str:
    digits = f"{random.getrandbits(128):032X}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
