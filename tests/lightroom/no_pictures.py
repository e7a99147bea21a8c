"""The pictures of a catalog whose pictures nobody asks for."""

from __future__ import annotations

from safelight.lightroom.photo import Photo

__all__ = ("NoPictures",)


class NoPictures:
    """A ``PictureSource`` that fails the test which asks it."""

    def jpeg(self, photo: Photo, size: int) -> bytes:
        raise AssertionError(f"nobody asks for a picture of {photo.path} here")
