"""The embedding models that the user has installed, loaded on first use."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

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
Found = TypeVar("Found")
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
                self._text = {files.model_id: await _tried("safelight.embedding.texts", "TextModel", files)}
            return _usable(self._text[files.model_id])

    async def picture_model(self) -> PictureModel:
        """The image model. Raises ``NotByMeaning`` NO_MODEL or MODEL_DAMAGED."""
        async with self._loading:
            files = await self._picture_files()
            if files.model_id not in self._picture:
                self._picture = {files.model_id: await _tried("safelight.embedding.pictures", "PictureModel", files)}
            return _usable(self._picture[files.model_id])

    async def _text_files(self) -> TextFiles:
        return _needed(await _found(find_text_model, self._models), NO_TEXT_MODEL)

    async def _picture_files(self) -> PictureFiles:
        return _needed(await _found(find_picture_model, self._models), NO_IMAGE_MODEL)


async def _found(find: Callable[[Path], Found], models: Path) -> Found:
    try:
        return await asyncio.to_thread(find, models)
    except OSError as error:
        text = f"The models folder of Safelight's data folder cannot be read: {error.strerror}."
        raise NotByMeaning("MODEL_DAMAGED", text) from error


def _needed(files: Files | None, sentence: str) -> Files:
    if files is None:
        raise NotByMeaning("NO_MODEL", sentence)
    if missing := missing_packages():
        text = f"The model {files.name} needs what is not installed: {', '.join(missing)}. Install safelight[semantic]."
        raise NotByMeaning("NO_PACKAGES", text)
    return files


async def _tried(module: str, name: str, files: TextFiles | PictureFiles) -> Any:
    """The model, or why it is none, which then holds until its files change."""
    try:
        return await asyncio.to_thread(getattr(await import_aside(module), name), files)
    except NotByMeaning as error:
        return error
    except (ImportError, OSError) as error:
        first_line = str(error).partition("\n")[0][:200].rstrip(". ")
        text = f"The packages that run embedding models do not work. Install safelight[semantic] again. ({first_line})"
        return NotByMeaning("NO_PACKAGES", text)


def _usable(model: Model | NotByMeaning) -> Model:
    if isinstance(model, NotByMeaning):
        raise model
    return model
