"""Made-up photos for an index, the same ones on every run, with words as unevenly spread as in real catalogs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Final

from msgspec import UNSET

from safelight.wire.bridge_models import PhotoRecord

__all__ = ("COMMON", "RARE", "made_up_photos")

COMMON: Final = (
    "dog", "beach", "sunset", "family", "wedding", "mountain", "street", "night", "portrait", "garden",
    "concert", "harbour", "snow", "forest", "city", "birthday", "bridge", "market", "river", "cat",
)  # fmt: skip
RARE: Final = tuple(
    first + last
    for first in ("alder", "birch", "cedar", "dune", "ember", "fern", "grove", "heath", "inlet", "jade")
    for last in ("ford", "wick", "mere", "holm", "stead", "dale", "crest", "moor", "haven", "gate")
)
PLACES: Final = (
    ("Lisbon", "Portugal"), ("Hamburg", "Germany"), ("Oia", "Greece"), ("Lyon", "France"), ("Bergen", "Norway"),
    ("Kyoto", "Japan"), ("Porto", "Portugal"), ("Cortina", "Italy"), ("Galway", "Ireland"), ("Tromsø", "Norway"),
)  # fmt: skip
CAMERAS: Final = ("NIKON Z 6", "Canon EOS R5", "X-T4", "ILCE-7M3", "iPhone 14 Pro")
LENSES: Final = ("24-70mm f/2.8", "50mm f/1.4", "70-200mm f/4", "XF 23mm f/2")
RATINGS: Final = (0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 4, 4, 5)
FIRST_DAY: Final = datetime(2015, 1, 1, 8)  # noqa: DTZ001  # a capture time has no zone


def made_up_photos(count: int) -> Iterator[PhotoRecord]:
    """So many photos over ten years, oldest first."""
    random = Random(7)
    step = timedelta(days=3652) / count
    for number in range(count):
        city, country = random.choice(PLACES)
        words = [*random.choices(COMMON, k=3), *random.choices(RARE, k=2)]
        rating = random.choice(RATINGS)
        yield PhotoRecord(
            photo_id=f"{random.getrandbits(128):032X}",
            file_name=f"IMG_{number:06}.CR3",
            path=f"/photos/{2015 + number * 10 // count}/IMG_{number:06}.CR3",
            title=f"{words[0]} at the {words[3]}" if random.random() < 0.4 else UNSET,
            caption=f"A {words[1]} and a {words[2]} near {words[4]} in {city}" if random.random() < 0.3 else UNSET,
            rating=rating or UNSET,
            flag=random.choice(("pick", "none", "none", "none", "reject")),
            label=random.choice(("red", "green")) if random.random() < 0.1 else UNSET,
            captured=(FIRST_DAY + number * step).isoformat(timespec="seconds"),
            keywords=words,
            city=city,
            country=country,
            camera=random.choice(CAMERAS),
            lens=random.choice(LENSES),
            iso=random.choice((100, 200, 400, 1600, 6400)),
            width=6000,
            height=4000,
            file_format="RAW",
            virtual_copy=False,
            edited=600_000_000.0 + number,
        )
