"""The photos of a catalog file: images, not files, since a virtual copy is an image without a file of its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import structs

from safelight.lightroom import lrcat_values as values
from safelight.lightroom.develop import own
from safelight.lightroom.lrcat_tables import Joined
from safelight.lightroom.lrcat_xmp import title_and_headline
from safelight.lightroom.lua_literal import LuaTextRefused, lua_literal
from safelight.lightroom.photo import Photo, Snapshot

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from safelight.lightroom.lrcat_originals import Originals
    from safelight.lightroom.lrcat_tables import LrcatTables

__all__ = ("read_photos",)

_log = logging.getLogger(__name__)

_EXIF: Final = "AgHarvestedExifMetadata"
_IPTC: Final = "AgHarvestedIptcMetadata"

_JOINS: Final[dict[str, Joined]] = {
    "f": Joined("AgLibraryFile", "id_local", "i.rootFile"),
    "d": Joined("AgLibraryFolder", "id_local", "f.folder"),
    "r": Joined("AgLibraryRootFolder", "id_local", "d.rootFolder"),
    "e": Joined(_EXIF, "image", "i.id_local"),
    "h": Joined(_IPTC, "image", "i.id_local"),
    "t": Joined("AgLibraryIPTC", "image", "i.id_local"),
    "x": Joined("Adobe_AdditionalMetadata", "image", "i.id_local"),
    "s": Joined("Adobe_imageDevelopSettings", "image", "i.id_local"),
    "camera": Joined("AgInternedExifCameraModel", "id_local", "e.cameraModelRef"),
    "lens": Joined("AgInternedExifLens", "id_local", "e.lensRef"),
    "creator": Joined("AgInternedIptcCreator", "id_local", "h.creatorRef"),
    "location": Joined("AgInternedIptcLocation", "id_local", "h.locationRef"),
    "city": Joined("AgInternedIptcCity", "id_local", "h.cityRef"),
    "state": Joined("AgInternedIptcState", "id_local", "h.stateRef"),
    "country": Joined("AgInternedIptcCountry", "id_local", "h.countryRef"),
}

_COLUMNS: Final[dict[str, str]] = {
    **{
        name: f"i.{name}"
        for name in (
            *("id_local", "id_global", "masterImage", "copyName", "captureTime", "rating", "pick", "colorLabels"),
            *("fileFormat", "fileWidth", "fileHeight", "orientation", "touchTime"),
        )
    },
    **{name: f"f.{name}" for name in ("baseName", "extension")},
    **{name: f"r.{name}" for name in ("absolutePath", "relativePathFromCatalog")},
    "pathFromRoot": "d.pathFromRoot",
    **{
        name: f"e.{name}"
        for name in (
            "aperture",
            "shutterSpeed",
            "isoSpeedRating",
            "focalLength",
            "gpsLatitude",
            "gpsLongitude",
            "hasGPS",
        )
    },
    **{name: f"t.{name}" for name in ("caption", "copyright")},
    **{name: f"{name}.value" for name in ("camera", "lens", "creator", "location", "city", "state", "country")},
    "xmp": "x.xmp",
    "adjusted": "s.hasDevelopAdjustmentsEx",
    "adjustedBefore": "s.hasDevelopAdjustments",
    "settings": "s.text",
}


def read_photos(tables: LrcatTables, originals: Originals, keywords: Mapping[int, tuple[int, ...]]) -> list[Photo]:
    """In the order of their capture time, with the keywords that ``keywords`` gives for their local ids."""
    snapshots = _snapshots(tables)
    photos: dict[int, Photo] = {}
    for row in _rows(tables):
        # Damaged catalogs hold second rows of settings for some images.
        if row["id_local"] not in photos:
            photo = _photo(row, originals, keywords.get(row["id_local"], ()))
            shots = tuple(snapshots.get(photo.local_id, ()))
            photos[photo.local_id] = structs.replace(photo, develop=_develop(row, photo), snapshots=shots)
    return [photo if _has_master(photo, photos) else structs.replace(photo, copy_of=None) for photo in photos.values()]


def _has_master(photo: Photo, photos: Mapping[int, Photo]) -> bool:
    """Whether it is a virtual copy of a photo that is there and is no copy itself."""
    master = None if photo.copy_of is None else photos.get(photo.copy_of)
    return master is not None and master.copy_of is None


def _rows(tables: LrcatTables) -> Iterator[sqlite3.Row]:
    order = "captureTime, i.id_local" if tables.has("Adobe_images", "captureTime") else "i.id_local"
    return tables.joined("Adobe_images", _JOINS, _COLUMNS, order)


def _photo(row: sqlite3.Row, originals: Originals, keywords: tuple[int, ...]) -> Photo:
    name = _file_name(row)
    root = originals.root(values.text(row["absolutePath"]), values.text(row["relativePathFromCatalog"]))
    folder = root + values.text(row["pathFromRoot"])
    file = originals.file(folder, name)
    title, headline = title_and_headline(row["xmp"])
    width, height = values.upright(row["fileWidth"], row["fileHeight"], row["orientation"])
    return Photo(
        local_id=row["id_local"],
        uuid=str(row["id_global"]),
        path=file or folder + name,
        file_name=name,
        title=title,
        caption=values.text(row["caption"]),
        headline=headline,
        rating=values.stars(row["rating"]),
        pick=values.pick(row["pick"]),
        label=values.text(row["colorLabels"]),
        captured=values.captured(row["captureTime"]),
        keywords=keywords,
        creator=values.text(row["creator"]),
        copyright=values.text(row["copyright"]),
        location=values.text(row["location"]),
        city=values.text(row["city"]),
        state=values.text(row["state"]),
        country=values.text(row["country"]),
        gps=values.gps(row["gpsLatitude"], row["gpsLongitude"]) if row["hasGPS"] else None,
        camera=values.text(row["camera"]),
        lens=values.text(row["lens"]),
        iso=values.whole(row["isoSpeedRating"]),
        aperture=values.aperture(row["aperture"]),
        shutter=values.shutter(row["shutterSpeed"]),
        focal_length=values.number(row["focalLength"]),
        width=width,
        height=height,
        file_format=values.text(row["fileFormat"]),
        copy_of=values.whole(row["masterImage"]),
        copy_name=values.text(row["copyName"]),
        is_offline=file is None,
        last_edit=values.number(row["touchTime"]) or 0.0,
    )


def _file_name(row: sqlite3.Row) -> str:
    extension = values.text(row["extension"])
    return values.text(row["baseName"]) + (f".{extension}" if extension else "")


def _develop(row: sqlite3.Row, photo: Photo) -> dict[str, Any] | None:
    """The settings of a photo that Lightroom calls adjusted: the catalog keeps a full set of every other one too."""
    adjusted = row["adjustedBefore"] if row["adjusted"] is None else row["adjusted"]
    if (values.number(adjusted) or 0) <= 0:
        return None
    return own(photo, _settings(row["settings"], photo.local_id))


def _snapshots(tables: LrcatTables) -> dict[int, list[Snapshot]]:
    found: dict[int, list[Snapshot]] = {}
    columns = ("image", "name", "snapshotID", "text")
    for row in tables.rows("Adobe_libraryImageDevelopSnapshot", *columns, order=("id_local",)):
        snapshot = Snapshot(
            snapshot_id=values.text(row["snapshotID"]),
            name=values.text(row["name"]),
            settings=_settings(row["text"], row["image"]),
        )
        found.setdefault(row["image"], []).append(snapshot)
    return found


def _settings(text: Any, image: int) -> dict[str, Any]:
    """Named settings with a value; empty for a text that is no table of them."""
    try:
        table = lua_literal(values.text(text))
    except LuaTextRefused as error:
        _log.info("The develop settings of image %s were left out: %s", image, error)
        return {}
    entries = cast("dict[str, Any]", table) if isinstance(table, dict) else {}
    return {name: value for name, value in entries.items() if value != {}}
