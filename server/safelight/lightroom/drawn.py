"""A small catalog of drawn pictures with believable metadata, the same every time."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.keywords import KeywordTree
from safelight.lightroom.photo import Photo, Pick
from safelight.lightroom.scenes import draw_scene
from safelight.lightroom.search_description import Criterion

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("drawn_catalog", "write_drawn_photos")

_FOLDER = "/Users/you/Pictures"
_NAMESPACE = uuid.UUID("6b1f0a52-2c1d-4a55-9d0e-5afe11947000")


class _Subject(Struct, frozen=True):
    scene: str
    titles: tuple[str, ...]
    captions: tuple[str, ...]
    keywords: tuple[str, ...]
    """Paths, as "animals > dog"."""
    places: tuple[tuple[str, str], ...]
    months: tuple[int, ...]


_SUBJECTS = (
    _Subject(
        "beach",
        ("Beach umbrella", "Low tide", "A day at the sea"),
        ("A red umbrella on an empty beach", "Sand and sea at noon"),
        ("nature > beach", "nature > sea", "summer", "holiday"),
        (("Nazaré", "Portugal"), ("Barcelona", "Spain")),
        (6, 7, 8),
    ),
    _Subject(
        "sunset",
        ("Last light", "Sunset over the bay", "Red evening"),
        ("The sun goes down behind the horizon", "Evening glow over the water"),
        ("sunset", "nature > sea", "evening", "nature > sky"),
        (("Oia", "Greece"), ("Nazaré", "Portugal")),
        (5, 8, 9),
    ),
    _Subject(
        "mountain",
        ("Three peaks", "Above the valley", "First snow on the ridge"),
        ("Snow-covered peaks over a green valley", "View from the pass in the morning"),
        ("nature > mountain", "landscape", "hiking", "nature > snow"),
        (("Zermatt", "Switzerland"), ("Cortina", "Italy")),
        (6, 9, 10),
    ),
    _Subject(
        "dog",
        ("Bruno in the park", "Waiting for the ball", "Good dog"),
        ("Bruno plays in the park", "The dog sits in the grass"),
        ("animals > dog", "animals > pet", "park", "animals > dog > Bruno"),
        (("Hamburg", "Germany"),),
        (4, 5, 10),
    ),
    _Subject(
        "wedding",
        ("The first dance", "Bride and groom", "Yes"),
        ("Anna and Tom after the ceremony", "The couple under flowers"),
        ("wedding", "people", "people > Anna", "people > Tom"),
        (("Lyon", "France"),),
        (6,),
    ),
    _Subject(
        "birds",
        ("Cranes", "Heading south", "Morning flight"),
        ("Cranes over the moor in autumn", "A flock of birds in the sky"),
        ("animals > birds", "wildlife", "nature > sky", "autumn"),
        (("Linum", "Germany"), ("Höfn", "Iceland")),
        (3, 10, 11),
    ),
    _Subject(
        "city",
        ("Night windows", "Skyline", "After work"),
        ("Lit windows of the city at night",),
        ("city", "night", "architecture", "lights"),
        (("New York", "United States"), ("Tokyo", "Japan")),
        (1, 2, 11),
    ),
    _Subject(
        "forest",
        ("Quiet wood", "Firs", "Path into the forest"),
        ("Fog between the firs", "A forest after the rain"),
        ("nature > forest", "nature > trees", "landscape", "green"),
        (("Freiburg", "Germany"),),
        (4, 9, 10),
    ),
    _Subject(
        "flowers",
        ("Summer meadow", "Colours", "In the garden"),
        ("Wild flowers in a meadow",),
        ("nature > flowers", "garden", "spring", "macro"),
        (("Keukenhof", "Netherlands"),),
        (4, 5),
    ),
    _Subject(
        "snow",
        ("Snowman", "White morning"),
        ("The children built a snowman",),
        ("nature > snow", "winter", "snowman", "people > children"),
        (("Innsbruck", "Austria"),),
        (1, 2, 12),
    ),
    _Subject(
        "boat",
        ("Under sail", "Leaving the harbour"),
        ("A sailing boat on a calm sea",),
        ("boat", "sailing", "nature > sea", "harbour"),
        (("Kiel", "Germany"), ("Split", "Croatia")),
        (6, 7),
    ),
    _Subject(
        "birthday",
        ("Seven candles", "Birthday cake"),
        ("Mia's birthday with cake and balloons",),
        ("birthday", "people > family", "cake", "people > family > Mia"),
        (("Hamburg", "Germany"),),
        (3,),
    ),
)

_CAMERAS = (
    ("NIKON Z 6_2", "NIKKOR Z 24-70mm f/4 S", 6048, 4024),
    ("Canon EOS R6", "RF70-200mm F2.8 L IS USM", 5472, 3648),
    ("FUJIFILM X-T5", "XF35mmF1.4 R", 7728, 5152),
    ("ILCE-7M4", "FE 24-105mm F4 G OSS", 7008, 4672),
)
_COORDINATES = {
    "Nazaré": (39.6012, -9.0701),
    "Barcelona": (41.3784, 2.1925),
    "Oia": (36.4618, 25.3753),
    "Zermatt": (46.0207, 7.7491),
    "Cortina": (46.5405, 12.1357),
    "Hamburg": (53.5511, 9.9937),
    "Lyon": (45.764, 4.8357),
    "Linum": (52.7781, 12.8779),
    "Höfn": (64.2539, -15.2082),
    "New York": (40.7484, -73.9857),
    "Tokyo": (35.6586, 139.7454),
    "Freiburg": (47.999, 7.8421),
    "Keukenhof": (52.2697, 4.5462),
    "Innsbruck": (47.2692, 11.4041),
    "Kiel": (54.3233, 10.1228),
    "Split": (43.5081, 16.4402),
}
_APERTURES = (1.8, 2.8, 4.0, 5.6, 8.0, 11.0)
_SHUTTERS = (1 / 2000, 1 / 500, 1 / 250, 1 / 125, 1 / 60, 0.5)
_FOCAL_LENGTHS = (24.0, 35.0, 50.0, 85.0, 135.0)
_RATINGS = (None, None, 5, 3, None, 4, 2, 5, None, 3, 4, 1)
_PICKS: tuple[Pick, ...] = (0, 0, 1, 0, 0, 0, 1, 0, -1, 0)
_LABELS = ("", "", "", "Red", "", "", "Green", "", "Yellow", "")
_COPY_EVERY = 20


class _DrawnPictures:
    """Draws a picture when it is asked for; a virtual copy looks like its master."""

    def __init__(self) -> None:
        self._scenes: dict[str, tuple[str, int]] = {}

    def add(self, path: str, scene: str, seed: int) -> None:
        self._scenes[path] = (scene, seed)

    def jpeg(self, photo: Photo, size: int) -> bytes:
        scene, seed = self._scenes[photo.path]
        return draw_scene(scene, seed, size)


def _photo(number: int, subject: _Subject, rng: Random, tree: KeywordTree) -> Photo:
    camera, lens, width, height = _CAMERAS[number % len(_CAMERAS)]
    city, country = rng.choice(subject.places)
    day = datetime(2021 + number % 5, rng.choice(subject.months), 1 + number % 28)  # noqa: DTZ001 - local time
    captured = day + timedelta(hours=rng.randint(7, 20), minutes=rng.randint(0, 59), seconds=rng.randint(0, 59))
    words = () if number % 11 == 10 else sorted(subject.keywords[: 2 + number % 3], key=str.lower)
    name = f"{'_DSC' if number % 2 else 'IMG_'}{4001 + number * 7:04d}.jpg"
    return Photo(
        local_id=number + 1,
        uuid=str(uuid.uuid5(_NAMESPACE, str(number))).upper(),
        path=f"{_FOLDER}/{captured:%Y}/{captured:%Y-%m-%d}/{name}",
        file_name=name,
        title="" if number % 4 == 3 else rng.choice(subject.titles),
        caption="" if number % 3 == 2 else rng.choice(subject.captions),
        rating=_RATINGS[number % len(_RATINGS)],
        pick=_PICKS[number % len(_PICKS)],
        label=_LABELS[number % len(_LABELS)],
        captured=captured,
        keywords=tuple(tree.ensure(*word.split(" > ")) for word in words),
        headline=f"{subject.scene.capitalize()} in {city}" if number % 6 == 0 else "",
        creator="Alex Morgan",
        copyright=f"© {captured:%Y} Alex Morgan" if number % 2 == 0 else "",
        location="Old town" if number % 9 == 4 else "",
        city=city,
        country=country,
        gps=None if number % 3 == 1 else _COORDINATES[city],
        camera=camera,
        lens=lens,
        iso=rng.choice((100, 200, 400, 800, 1600, 3200)),
        aperture=_APERTURES[number % len(_APERTURES)],
        shutter=_SHUTTERS[number % len(_SHUTTERS)],
        focal_length=_FOCAL_LENGTHS[number % len(_FOCAL_LENGTHS)],
        width=width,
        height=height,
        last_edit=700_000_000.0 + number * 3600,
    )


def _photos(count: int, tree: KeywordTree) -> list[tuple[Photo, str, int]]:
    made: list[tuple[Photo, str, int]] = []
    for number in range(count):
        rng = Random(number * 7919 + 17)  # noqa: S311 - the same pictures every time
        subject = _SUBJECTS[number % len(_SUBJECTS)]
        photo = _photo(number, subject, rng, tree)
        if number % _COPY_EVERY == _COPY_EVERY - 1:
            master, scene, seed = made[-1]
            copy = structs.replace(
                master,
                local_id=photo.local_id,
                uuid=photo.uuid,
                copy_of=master.local_id,
                copy_name="Copy 1",
                rating=None,
            )
            made.append((copy, scene, seed))
        else:
            made.append((photo, subject.scene, number))
    return made


def drawn_catalog(count: int = 60) -> Catalog:
    """A catalog of ``count`` photos, virtual copies included. The pictures are drawn when somebody looks at them."""
    pictures = _DrawnPictures()
    photos: list[Photo] = []
    tree = KeywordTree()
    for photo, scene, seed in _photos(count, tree):
        pictures.add(photo.path, scene, seed)
        photos.append(photo)
    catalog = Catalog(photos, pictures, path=f"{_FOLDER}/Drawn Photos.lrcat", keywords=tree.all())
    catalog.add_collection("Favourites", photo_ids=[photo.local_id for photo in photos if photo.rating == 5])
    catalog.add_collection("Five Stars", "smart", search=Criterion("rating", "==", 5))
    trips = catalog.add_collection("Trips", "set")
    portugal = [photo.local_id for photo in photos if photo.country == "Portugal"]
    catalog.add_collection("Portugal", parent=trips.local_id, photo_ids=portugal)
    return catalog


def write_drawn_photos(folder: Path, count: int = 60, size: int = 1200) -> list[Path]:
    """Writes the pictures (not the virtual copies) as JPEG files, without metadata; returns their paths."""
    paths: list[Path] = []
    for photo, scene, seed in _photos(count, KeywordTree()):
        if photo.copy_of is None:
            path = folder / photo.file_name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(draw_scene(scene, seed, size))
            paths.append(path)
    return paths
