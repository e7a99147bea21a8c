"""Pictures of a catalog: from files, turned upright, or a grey card that says which file it stands for."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont, ImageOps

if TYPE_CHECKING:
    from safelight.lightroom.photo import Photo

__all__ = ("CardPictures", "FilePictures", "OriginalPictures")

_log = logging.getLogger(__name__)

_JPEG_QUALITY: Final = 88
_PAPER: Final = (128, 128, 128)
_INK: Final = (240, 240, 240)
_USUAL_RATIO: Final = 2 / 3
_NARROWEST: Final = 1 / 3
_SMALLEST_LETTERS: Final = 8


class FilePictures:
    """Pictures from files, turned upright."""

    def jpeg(self, photo: Photo, size: int) -> bytes:
        with Image.open(photo.path) as opened:
            opened.draft("RGB", (size, size))
            picture = ImageOps.exif_transpose(opened).convert("RGB")
        picture.thumbnail((size, size))
        return _jpeg(picture)


class CardPictures:
    """A grey card of the photo's shape with its file name, the same for all: no file is needed."""

    def jpeg(self, photo: Photo, size: int) -> bytes:
        shorter = max(1, round(size * _ratio(photo)))
        card = Image.new("RGB", (size, shorter) if photo.width >= photo.height else (shorter, size), _PAPER)
        letters = ImageFont.load_default(max(_SMALLEST_LETTERS, min(card.size) // 10))
        middle = (card.width / 2, card.height / 2)
        ImageDraw.Draw(card).text(middle, photo.file_name, fill=_INK, font=letters, anchor="mm")
        return _jpeg(card)


class OriginalPictures:
    """The original where it is on this computer and can be read, a grey card otherwise."""

    def __init__(self) -> None:
        self._files = FilePictures()
        self._cards = CardPictures()

    def jpeg(self, photo: Photo, size: int) -> bytes:
        if not photo.is_offline:
            try:
                return self._files.jpeg(photo, size)
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
                _log.info("%s is shown as a grey card: %s", photo.path, error)
        return self._cards.jpeg(photo, size)


def _ratio(photo: Photo) -> float:
    sides = sorted((photo.width, photo.height))
    return max(_NARROWEST, sides[0] / sides[1]) if sides[0] > 0 else _USUAL_RATIO


def _jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_JPEG_QUALITY)
    return out.getvalue()
