"""The jobs that make vectors of photos: they can be paused, ended and gone on with at any time."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from safelight.catalog.meaning import text_of
from safelight.catalog.thumbnails import read_jpeg
from safelight.catalog.vectors import MadeVector
from safelight.errors import BridgeError, NotByMeaning
from safelight.wire.bridge_models import PhotoRecord

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from numpy import float32
    from numpy.typing import NDArray

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.catalog.vectors import PhotoRow
    from safelight.embedding.pictures import PictureModel
    from safelight.embedding.texts import TextModel
    from safelight.jobs.jobs import JobHandle

__all__ = ("RETRY_S", "embed_pictures", "embed_texts")

RETRY_S: Final = 2.0
"""So often a paused job looks whether it can go on."""

LOOKED_THROUGH: Final = 1000
TEXTS: Final = 16
PICTURES: Final = 4
"""Photos that are done at a time: few, so that a job ends quickly and a crash loses little."""

SMALLEST: Final = 64
LARGEST: Final = 1600
"""Sizes of pictures that the plug-in gives."""

WAITS: Final = frozenset({"PLUGIN_OFFLINE", "CATALOG_BUSY", "CATALOG_CHANGED", "AGENTS_OFF"})
"""With these Lightroom is away or busy; with others this one photo cannot be had."""

NO_ANSWER: Final = frozenset({"TIMEOUT", "TIMEOUT_UNKNOWN_OUTCOME"})
"""With these it may have gone away meanwhile: the photo is asked for once more."""

Input = TypeVar("Input", str, bytes)

_decoder = msgspec.json.Decoder(PhotoRecord)


async def embed_texts(catalog: OpenCatalog, model: TextModel, handle: JobHandle) -> None:
    """Give every photo that has texts a vector of them, where it has none that is true. Lightroom is not needed."""
    known = await catalog.vectors.begin("texts", model.model_id)
    wanted: list[tuple[int, str]] = []
    emptied: list[int] = []
    async for photo in _photos(catalog):
        text = text_of(_decoder.decode(photo.record))
        if not text:
            emptied += [photo.number] if photo.number in known else []
        elif known.get(photo.number) != _digest(text):
            wanted.append((photo.number, text))
    await catalog.vectors.forget("texts", emptied)
    # Texts of one length waste no padding.
    wanted.sort(key=lambda one: len(one[1]))
    made_anew = sum(number in known for number, _ in wanted)
    progress = _Progress(handle, len(known) - len(emptied) - made_anew, len(wanted))
    for start in range(0, len(wanted), TEXTS):
        if handle.cancelled:
            return
        batch = wanted[start : start + TEXTS]
        vectors = await _embedded(model.embed, [text for _, text in batch])
        made = [
            MadeVector(number, _digest(text), vector)
            for (number, text), vector in zip(batch, vectors, strict=True)
            if vector is not None
        ]
        await catalog.vectors.store("texts", model.model_id, made)
        progress.add(len(batch), left_out=len(batch) - len(made))


async def embed_pictures(
    catalog: OpenCatalog, model: PictureModel, handle: JobHandle, *, retry_s: float = RETRY_S
) -> None:
    """Give every photo a vector of its picture, where it has none or was edited since; what came into the index last is
    done first. It waits while Lightroom is away or busy. What cannot be had is left out, and counted in the job's
    message."""
    known = await catalog.vectors.begin("pictures", model.model_id)
    wanted = [
        msgspec.structs.replace(photo, record=b"")
        async for photo in _photos(catalog)
        if known.get(photo.number) != repr(photo.edited)
    ]
    wanted.reverse()
    size = min(max(model.preprocessing.asked_size, SMALLEST), LARGEST)
    made_anew = sum(photo.number in known for photo in wanted)
    progress = _Progress(handle, len(known) - made_anew, len(wanted))
    for start in range(0, len(wanted), PICTURES):
        batch = wanted[start : start + PICTURES]
        pictures: dict[int, bytes] = {}
        for photo in batch:
            if (jpeg := await _picture(catalog, photo, size, handle, retry_s)) is not None:
                pictures[photo.number] = jpeg
        if handle.cancelled:
            return
        vectors = await _embedded(model.embed, list(pictures.values()))
        vector_of = {n: vector for n, vector in zip(pictures, vectors, strict=True) if vector is not None}
        made = [MadeVector(p.number, repr(p.edited), vector_of[p.number]) for p in batch if p.number in vector_of]
        await catalog.vectors.store("pictures", model.model_id, made)
        progress.add(len(batch), left_out=len(batch) - len(made))


class _Progress:
    """Tells a job how far it is, and how many photos were left out."""

    def __init__(self, handle: JobHandle, before: int, wanted: int) -> None:
        self._handle = handle
        self._done = before
        self._total = before + wanted
        self._left_out = 0
        handle.progress(self._done, self._total)

    def add(self, photos: int, *, left_out: int) -> None:
        self._done += photos
        self._left_out += left_out
        if self._left_out:
            were = "photo was" if self._left_out == 1 else "photos were"
            self._handle.message = f"{self._left_out} {were} left out. Start it again to try them once more."
        self._handle.progress(self._done, self._total)


async def _photos(catalog: OpenCatalog) -> AsyncGenerator[PhotoRow]:
    """All photos of the index, by number; searches can run in between."""
    number = 0
    while photos := await catalog.vectors.photos_after(number, LOOKED_THROUGH):
        for photo in photos:
            yield photo
        number = photos[-1].number


async def _embedded(
    embed: Callable[[Sequence[Input]], list[NDArray[float32] | None]], given: Sequence[Input]
) -> list[NDArray[float32] | None]:
    """In a thread. What makes the model fail is found by trying one at a time, and gets None."""
    if not given:
        return []
    try:
        return await asyncio.to_thread(embed, given)
    except NotByMeaning:
        if len(given) == 1:
            return [None]
    return [vector for one in given for vector in await _embedded(embed, [one])]


async def _picture(catalog: OpenCatalog, photo: PhotoRow, size: int, handle: JobHandle, retry_s: float) -> bytes | None:
    """A photo's picture, None when it cannot be had or the job was cancelled meanwhile."""
    asked_again = False
    while not handle.cancelled:
        try:
            jpeg = await read_jpeg(catalog.source, photo.photo_id, size)
        except BridgeError as error:
            if error.tool_code in NO_ANSWER and not asked_again:
                asked_again = True
                continue
            if error.tool_code not in WAITS:
                return None
            handle.pause(f"Waiting for Lightroom. {error.message}")
            await asyncio.sleep(retry_s)
        else:
            handle.resume()
            return jpeg
    return None


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=12).hexdigest()
