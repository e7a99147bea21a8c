"""A catalog from a folder of photos, read with Pillow: EXIF, IPTC and XMP, then an ``.xmp`` sidecar beside the file.

The files are only read. Where several places name the same thing, the later one in that order wins.
"""

from __future__ import annotations

import logging
import uuid
from typing import TYPE_CHECKING

from PIL import Image

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.embedded import embedded_metadata
from safelight.lightroom.keywords import KeywordTree
from safelight.lightroom.photo import Photo
from safelight.lightroom.pictures import FilePictures

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("FolderEmpty", "folder_catalog")

_log = logging.getLogger(__name__)

_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp", ".gif"})
_FORMATS = {".jpg": "JPG", ".jpeg": "JPG", ".tif": "TIFF", ".tiff": "TIFF"}
_NAMESPACE = uuid.UUID("6b1f0a52-2c1d-4a55-9d0e-5afe11947001")


class FolderEmpty(Exception):
    """There is no photo in the folder that could be read; the message names it."""


def _photo(path: Path, root: Path, number: int, tree: KeywordTree) -> Photo | None:
    try:
        with Image.open(path) as picture:
            found = embedded_metadata(picture, path)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        _log.warning("%s was left out: %s", path, error)
        return None
    relative = path.relative_to(root).as_posix()
    return Photo(
        local_id=number,
        uuid=str(uuid.uuid5(_NAMESPACE, relative)).upper(),
        path=str(path),
        file_name=path.name,
        file_format=_FORMATS.get(path.suffix.lower(), path.suffix[1:].upper()),
        last_edit=path.stat().st_mtime - LIGHTROOM_EPOCH,
        title=found.title,
        caption=found.caption,
        rating=found.rating,
        label=found.label,
        captured=found.captured,
        keywords=tuple(tree.ensure(*names) for names in found.keywords),
        headline=found.headline,
        creator=found.creator,
        copyright=found.copyright,
        location=found.location,
        city=found.city,
        state=found.state,
        country=found.country,
        gps=found.gps,
        camera=found.camera,
        lens=found.lens,
        iso=found.iso,
        aperture=found.aperture,
        shutter=found.shutter,
        focal_length=found.focal_length,
        width=found.width,
        height=found.height,
    )


def folder_catalog(folder: Path) -> Catalog:
    """All photos below the folder, sorted by path, hidden files and folders left out; files that cannot be read are
    named in the log. Raises ``FolderEmpty`` when none is left.
    """
    root = folder.resolve()
    photos: list[Photo] = []
    tree = KeywordTree()
    for path in sorted(root.rglob("*")):
        is_hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if not is_hidden and path.suffix.lower() in _ENDINGS and path.is_file():
            photo = _photo(path, root, len(photos) + 1, tree)
            if photo is not None:
                photos.append(photo)
    if not photos:
        raise FolderEmpty(f"There is no photo in {folder} that could be read.")
    return Catalog(photos, FilePictures(), path=str(root / f"{root.name}.lrcat"), keywords=tree.all())
