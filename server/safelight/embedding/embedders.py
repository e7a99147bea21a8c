"""The embedding models that the user has installed, loaded on first use."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from safelight.embedding.files import find_picture_model, find_text_model, missing_packages
from safelight.errors import NotByMeaning
from safelight.late import import_aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from safelight.embedding.files import PictureFiles, TextFiles
    from safelight.embedding.pictures import PictureModel
    from safelight.embedding.texts import TextModel

__all__ = ("Embedders", "EmbeddingKind")

EmbeddingKind: TypeAlias = Literal["texts", "pictures"]
Files = TypeVar("Files", "TextFiles", "PictureFiles")
Model = TypeVar("Model", "TextModel", "PictureModel")

FOLDER: Final = "into the models folder of Safelight's data folder"
NO_TEXT_MODEL: Final = f"No text model is installed. Put a folder with model.onnx and tokenizer.json {FOLDER}."
NO_IMAGE_MODEL: Final = (
    "No image model is installed. Put a folder with text_model.onnx, vision_model.onnx, tokenizer.json and "
    f"preprocessor_config.json {FOLDER}."
)


class Embedders:
    """Finds models in ``<data folder>/models`` anew at each call, so that one can be added while the service runs."""

    def __init__(self, data_dir: Path) -> None:
        self._models = data_dir / "models"
        self._text: dict[str, TextModel | NotByMeaning] = {}
        self._picture: dict[str, PictureModel | NotByMeaning] = {}
        self._loading = asyncio.Lock()

    async def files(self, kind: EmbeddingKind) -> TextFiles | PictureFiles:
        """The model that would be used; it is not loaded. Raises ``NotByMeaning`` NO_MODEL."""
        return await (self._text_files() if kind == "texts" else self._picture_files())

    async def text_model(self) -> TextModel:
        """The sentence model. Raises ``NotByMeaning`` NO_MODEL or MODEL_DAMAGED."""
        async with self._loading:
            files = await self._text_files()
            if files.model_id not in self._text:
                make = (await import_aside("safelight.embedding.texts")).TextModel
                self._text = {files.model_id: await _tried(lambda: make(files))}
            return _usable(self._text[files.model_id])

    async def picture_model(self) -> PictureModel:
        """The image model. Raises ``NotByMeaning`` NO_MODEL or MODEL_DAMAGED."""
        async with self._loading:
            files = await self._picture_files()
            if files.model_id not in self._picture:
                make = (await import_aside("safelight.embedding.pictures")).PictureModel
                self._picture = {files.model_id: await _tried(lambda: make(files))}
            return _usable(self._picture[files.model_id])

    async def _text_files(self) -> TextFiles:
        return _needed(await asyncio.to_thread(find_text_model, self._models), NO_TEXT_MODEL)

    async def _picture_files(self) -> PictureFiles:
        return _needed(await asyncio.to_thread(find_picture_model, self._models), NO_IMAGE_MODEL)


def _needed(files: Files | None, sentence: str) -> Files:
    if files is None:
        raise NotByMeaning("NO_MODEL", sentence)
    if missing := missing_packages():
        text = f"The model {files.name} needs what is not installed: {', '.join(missing)}. Install safelight[semantic]."
        raise NotByMeaning("NO_PACKAGES", text)
    return files


async def _tried(load: Callable[[], Model]) -> Model | NotByMeaning:
    """The model, or why it is none, which then holds until its files change."""
    try:
        return await asyncio.to_thread(load)
    except NotByMeaning as error:
        return error


def _usable(model: Model | NotByMeaning) -> Model:
    if isinstance(model, NotByMeaning):
        raise model
    return model
