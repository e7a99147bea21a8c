"""What made-up photos are made of: cameras, places, keywords, and names of files in several languages."""

from __future__ import annotations

import unicodedata
from typing import Final

from msgspec import Struct

__all__ = ("CAMERAS", "CAPTIONS", "CREATORS", "KEYWORDS", "NAMES", "PLACES", "TITLES", "Camera", "Place")


class Camera(Struct, frozen=True):
    """``extension`` and ``file_format`` are of the files it writes."""

    name: str
    extension: str
    file_format: str
    width: int
    height: int
    lenses: tuple[str, ...]
    focal_lengths: tuple[float, ...]


class Place(Struct, frozen=True):
    """``gps`` is its middle."""

    city: str
    state: str
    country: str
    gps: tuple[float, float]


CAMERAS: Final = (
    Camera("NIKON Z 8", "NEF", "RAW", 8256, 5504, ("NIKKOR Z 24-70mm f/2.8 S", "NIKKOR Z 85mm f/1.8 S"), (24, 50, 85)),
    Camera(
        "Canon EOS R5", "CR3", "RAW", 8192, 5464, ("RF24-70mm F2.8 L IS USM", "RF100-500mm F4.5-7.1"), (35, 70, 400)
    ),
    Camera("X-T4", "RAF", "RAW", 6240, 4160, ("XF23mmF2 R WR", "XF56mmF1.2 R"), (23, 56)),
    Camera("ILCE-7M4", "ARW", "RAW", 7008, 4672, ("FE 24-105mm F4 G OSS", "FE 50mm F1.8"), (24, 50, 105)),
    Camera("LEICA Q2", "DNG", "DNG", 8368, 5584, ("SUMMILUX 1:1.7/28 ASPH.",), (28,)),
    Camera("iPhone 15 Pro", "jpg", "JPG", 4032, 3024, ("iPhone 15 Pro back triple camera 6.765mm f/1.78",), (6.765,)),
)

PLACES: Final = (
    Place("Lisbon", "Lisboa", "Portugal", (38.7223, -9.1393)),
    Place("Porto", "Porto", "Portugal", (41.1579, -8.6291)),
    Place("München", "Bayern", "Deutschland", (48.1371, 11.5754)),
    Place("Hamburg", "Hamburg", "Deutschland", (53.5511, 9.9937)),
    Place("Łódź", "Łódzkie", "Polska", (51.7592, 19.4560)),
    Place("Kraków", "Małopolskie", "Polska", (50.0647, 19.9450)),
    Place("京都市", "京都府", "日本", (35.0116, 135.7681)),
    Place("Tromsø", "Troms", "Norway", (69.6492, 18.9553)),
    Place("Galway", "Connacht", "Ireland", (53.2707, -9.0568)),
    Place("Oia", "Santorini", "Greece", (36.4618, 25.3753)),
    Place("Montréal", "Québec", "Canada", (45.5019, -73.5674)),
    Place("Reykjavík", "", "Iceland", (64.1466, -21.9426)),
)

_DECOMPOSED: Final = unicodedata.normalize("NFD", "Großmütterchen_")
"""As macOS used to write it."""

NAMES: Final = (
    *("IMG_", "IMG_", "_DSC", "_DSC", "DSCF", "P10", "PXL_", "L10"),
    *("Straße_am_Fluß_", "Żółw_", "Zdjęcie_", "京都の朝_", "写真_", _DECOMPOSED),
)

CREATORS: Final = ("Anna Schmidt", "Zofia Wójcik", "田中 健", "J. O'Neill")

TITLES: Final = tuple(
    f"{first} {second}"
    for first in ("Morning at", "Evening at", "Rain over", "Walking to", "Last light on", "Fog in")
    for second in ("the harbour", "the bridge", "the market", "the old town", "the lake", "the hill", "the garden")
)
CAPTIONS: Final = tuple(
    f"{who} {what} {when}"
    for who in ("A dog", "Two children", "An old man", "The bride", "A street musician", "A flock of birds")
    for what in ("waits", "crosses the square", "plays in the sand", "looks into the camera", "sits by the water")
    for when in ("before the storm", "in the afternoon", "after the rain", "at dusk")
)

_BRANCHES: Final = {
    "Animals": {
        "Birds": "Crane Eagle Gull Heron Owl Puffin Robin Stork Swan Tern",
        "Mammals": "Bear Cat Deer Dog Fox Horse Otter Seal Whale Wolf",
        "Insects": "Ant Bee Beetle Butterfly Dragonfly Moth",
    },
    "People": {"Family": "Anna Ben Clara Emil Mia Oma Opa Tom Zofia", "Friends": "Aiko Jan Lena Marek Nils Olga Pia"},
    "Places": {
        "Nature": "Beach Cave Cliff Desert Forest Glacier Island Lake Meadow Mountain River Valley Waterfall",
        "Town": "Alley Bridge Castle Church Harbour Market Museum Park Square Station Street Tower",
    },
    "Events": {
        "Private": "Birthday Christmas Graduation Holiday Party Wedding",
        "Public": "Concert Fair Marathon Parade",
    },
    "Plants": {"Flowers": "Lily Orchid Poppy Rose Tulip", "Trees": "Birch Cherry Fir Maple Oak Orange"},
    "Colours": {"Warm": "Orange Red Yellow", "Cold": "Blue Green Violet"},
    "Sky": {"Light": "Dawn Dusk Night Noon Rainbow Sunrise Sunset", "Weather": "Cloud Fog Rain Snow Storm"},
    "Technique": {"Kind": "Aerial Landscape Macro Panorama Portrait Street", "Look": "Bokeh Monochrome Silhouette"},
    "Workflow": {"State": "Done Retouch Send Unsorted", "Client": "Bauer Kowalski Suzuki"},
}

KEYWORDS: Final = tuple(
    (top, branch, leaf)
    for top, branches in _BRANCHES.items()
    for branch, leaves in branches.items()
    for leaf in leaves.split()
)
"""Their paths from the top."""
