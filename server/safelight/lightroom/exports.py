"""Exports of the simulated Lightroom: pictures rendered in a thread of their own and written as real files."""

from __future__ import annotations

import io
import logging
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from PIL import Image
from PIL.TiffImagePlugin import ImageFileDirectory_v2

from safelight.lightroom.lua_value import LuaTable, mapping, text
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.lightroom.catalog import Catalog
    from safelight.lightroom.disk import Disk
    from safelight.lightroom.photo import Photo
    from safelight.lightroom.scheduler import Scheduler

__all__ = ("Exports",)

_LARGEST: Final = 1600
"""Longer side of a picture that is exported in its own size: a simulated Lightroom has nothing larger to show."""

_ENDINGS: Final = {"JPEG": "jpg", "TIFF": "tif", "PNG": "png", "DNG": "dng"}

_DNG_VERSION: Final = 50706

_log = logging.getLogger(__name__)


class Exports:
    """Renders what ``waitForRender`` waits for, one at a time. ``seconds`` is how long each takes at least."""

    REFUSABLE = ""
    PLAIN = "is_video is_available destination"
    WAITS = "render"

    def __init__(self, catalog: Catalog, scheduler: Scheduler, disk: Disk) -> None:
        self._catalog = catalog
        self._scheduler = scheduler
        self._disk = disk
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.seconds = 0.0
        threading.Thread(target=self._run, name="lightroom-exports", daemon=True).start()

    def is_video(self, photo: int) -> bool:
        return self._catalog.by_id(photo).file_format == "VIDEO"

    def is_available(self, photo: int) -> bool:
        return not self._catalog.by_id(photo).is_offline

    def destination(self, photo: int, folder: bytes, file_format: bytes) -> bytes:
        """Where the file goes when nothing is there yet."""
        return str(self._place(self._catalog.by_id(photo), text(folder), text(file_format))).encode()

    def render(self, task: int, photo: int, settings: LuaTable) -> None:
        """Resumes the task with true and the file's path, or with false and why there is none."""
        scheduler, wanted, values = self._scheduler, self._catalog.by_id(photo), mapping(settings)
        finish = scheduler.outside()

        def work() -> None:
            answer = self._answer(wanted, values)
            finish(lambda: scheduler.resume(task, *answer))

        scheduler.after(self.seconds, lambda: self._queue.put(work))

    def close(self) -> None:
        self._queue.put(None)

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            work()

    def _answer(self, photo: Photo, settings: dict[str, Any]) -> tuple[bool, bytes]:
        try:
            return True, str(self._export(photo, settings)).encode()
        except LightroomRefusal as refusal:
            return False, str(refusal).encode()
        except Exception as error:  # noqa: BLE001 - becomes the reason that the plug-in is given
            _log.exception("no export of %s", photo.path)
            return False, str(error).encode()

    def _export(self, photo: Photo, settings: dict[str, Any]) -> Path:
        if photo.is_offline:
            raise LightroomRefusal(f"The file {photo.file_name} is offline or missing.")
        place = self._place(photo, settings["LR_export_destinationPathPrefix"], settings["LR_format"])
        if place.exists():
            if settings["LR_collisionHandling"] == "skip":
                raise LightroomRefusal(f"{place.name} is there already.")
            if settings["LR_collisionHandling"] == "rename":
                place = Path(text(self._disk.unique_path(str(place).encode())))
        self._disk.write(place, self._rendered(photo, settings))
        return place

    def _place(self, photo: Photo, folder: str, file_format: str) -> Path:
        name = Path(photo.file_name)
        ending = _ENDINGS.get(file_format, name.suffix.removeprefix("."))
        return Path(folder) / f"{name.stem}.{ending}"

    def _rendered(self, photo: Photo, settings: dict[str, Any]) -> bytes:
        file_format = settings["LR_format"]
        original = Path(photo.path)
        if file_format == "ORIGINAL":
            return original.read_bytes() if original.is_file() else self._catalog.pictures.jpeg(photo, _LARGEST)
        size = int(settings.get("LR_size_maxWidth", _LARGEST)) if settings.get("LR_size_doConstrain") else _LARGEST
        picture = self._catalog.pictures.jpeg(photo, min(size, _LARGEST))
        if file_format == "JPEG" and "LR_jpeg_quality" not in settings:
            return picture
        out = io.BytesIO()
        with Image.open(io.BytesIO(picture)) as opened:
            if file_format == "JPEG":
                opened.save(out, "JPEG", quality=max(1, round(100 * settings["LR_jpeg_quality"])))
            elif file_format == "DNG":
                tags = ImageFileDirectory_v2()
                tags[_DNG_VERSION] = b"\x01\x04\x00\x00"
                opened.save(out, "TIFF", tiffinfo=tags)
            else:
                opened.save(out, file_format)
        return out.getvalue()
