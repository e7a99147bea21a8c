"""Search by meaning: photos by what their pictures show or their texts say, through the vectors of the index."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import NotByMeaning

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.catalog.vectors import Vectors
    from safelight.embedding.embedders import Embedders, EmbeddingKind
    from safelight.wire.bridge_models import PhotoRecord

__all__ = ("Meaning", "Nearness", "PictureLikeness", "text_of")

NONE_YET: Final = {
    "texts": "The texts have not been indexed by meaning yet (index_photos with texts does it).",
    "pictures": "The pictures have not been indexed yet (index_photos with pictures does it).",
}


def text_of(record: PhotoRecord) -> str:
    """What was written about a photo and where it was taken, for a sentence model; "" when there is nothing."""
    texts = [record.title, record.headline, record.caption]
    places = [record.location, record.city, record.state, record.country]
    keywords = [] if record.keywords is UNSET else [path.rpartition(" > ")[2] for path in record.keywords]
    parts = [*texts, ", ".join(keywords), ", ".join(place for place in places if place)]
    return ". ".join(part.strip() for part in parts if part and part.strip())


@dataclass(frozen=True)
class Nearness:
    """How near photos are to a vector. Every method ranks numbers of photos, in the transaction of its connection."""

    vectors: Vectors
    kind: EmbeddingKind
    model_id: str
    vector: Any

    def nearest(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> list[int]:
        """The nearest of these photos, nearest first, at most 100. Those without a vector are never among them."""
        return [number for number, _ in self.scored(connection, numbers)]

    def only_nearest(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> list[int]:
        """The same photos in the order in which they were given."""
        kept = set(self.nearest(connection, numbers))
        return [number for number in numbers if number in kept]

    def fused(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> list[int]:
        """All of these photos: first those that stand high in the given order and are near."""
        from safelight.catalog.ranking import fused

        if not numbers:
            return []
        told = self.vectors.similarities(connection, self.kind, self.model_id, self.vector, numbers)
        by_meaning = told.numbers[(-told.scores).argsort(kind="stable")].tolist()
        return fused(numbers, by_meaning)

    def scored(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> list[tuple[int, float]]:
        """As ``nearest``, with the cosines."""
        from safelight.catalog.ranking import nearest

        told = self.vectors.similarities(connection, self.kind, self.model_id, self.vector, numbers)
        best = nearest(told.scores, told.usual)
        return list(zip(told.numbers[best].tolist(), told.scores[best].tolist(), strict=True))


@dataclass(frozen=True)
class PictureLikeness:
    """How alike the pictures of a catalog are."""

    vectors: Vectors
    model_id: str

    def scored(self, connection: sqlite3.Connection, number: int) -> list[tuple[int, float]] | None:
        """The photos that look most like this one, with their cosines; None when it has no vector."""
        vector = self.vectors.vector_of(connection, "pictures", self.model_id, number)
        if vector is None:
            return None
        others = [other for (other,) in connection.execute("SELECT n FROM photos WHERE n <> ?", (number,))]
        return Nearness(self.vectors, "pictures", self.model_id, vector).scored(connection, others)


class Meaning:
    """Turns words into vectors with the installed models."""

    def __init__(self, embedders: Embedders) -> None:
        self._embedders = embedders

    async def model_id(self, kind: EmbeddingKind) -> str:
        """Of the model that would be used. Raises ``NotByMeaning`` NO_MODEL or NO_PACKAGES."""
        return (await self._embedders.files(kind)).model_id

    async def of_picture(self, catalog: OpenCatalog) -> PictureLikeness:
        """How alike pictures are; no model is loaded. Raises ``NotByMeaning``: NO_MODEL, NO_PACKAGES."""
        return PictureLikeness(catalog.vectors, await self.model_id("pictures"))

    async def of_pictures(self, catalog: OpenCatalog, words: str) -> Nearness:
        """How near pictures are to words. Raises ``NotByMeaning``."""
        await self._indexed(catalog, "pictures")
        model = await self._embedders.picture_model()
        vector = await asyncio.to_thread(model.words, words)
        return Nearness(catalog.vectors, "pictures", model.model_id, vector)

    async def of_texts(self, catalog: OpenCatalog, words: str) -> Nearness:
        """How near photos' texts are to words. Raises as ``of_pictures``."""
        await self._indexed(catalog, "texts")
        model = await self._embedders.text_model()
        vector = (await asyncio.to_thread(model.embed, [words]))[0]
        if vector is None:
            raise NotByMeaning("MODEL_DAMAGED", "The text model makes nothing of these words.")
        return Nearness(catalog.vectors, "texts", model.model_id, vector)

    async def _indexed(self, catalog: OpenCatalog, kind: EmbeddingKind) -> None:
        if not await catalog.vectors.count(kind, await self.model_id(kind)):
            raise NotByMeaning("NOT_INDEXED", NONE_YET[kind])
