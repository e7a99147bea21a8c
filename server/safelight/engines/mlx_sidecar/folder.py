"""What a model's folder says about the model, read without MLX."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path  # noqa: TC003 - msgspec reads the annotation
from typing import Any, Final, TypeVar

import msgspec

from safelight.errors import ModelError, ModelMissing

__all__ = ("ModelFolder", "positions_of", "read_folder", "tokenizer_text")

_SMALL_FILE: Final = 16 << 20
_TOKENIZER_FILE: Final = 256 << 20

T = TypeVar("T")


class ModelFolder(msgspec.Struct, frozen=True, kw_only=True):
    """What the folder's small files tell. ``ends``: the ids of the tokens that end a turn. ``identity`` changes when
    the weights do."""

    path: Path
    model_type: str
    positions: int | None
    ends: tuple[int, ...]
    template: str | None
    bos_token: str
    eos_token: str
    identity: str


class _Text(msgspec.Struct):
    max_position_embeddings: int | None = None
    eos_token_id: int | list[int] | None = None


class _Config(_Text):
    model_type: str = ""
    text_config: _Text | None = None


class _Generation(msgspec.Struct):
    eos_token_id: int | list[int] | None = None


class _Token(msgspec.Struct):
    content: str


class _NamedTemplate(msgspec.Struct):
    name: str
    template: str


class _Tokenizer(msgspec.Struct):
    bos_token: str | _Token | None = None
    eos_token: str | _Token | None = None
    chat_template: str | list[_NamedTemplate] | None = None


class _TemplateFile(msgspec.Struct):
    chat_template: str


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


def read_folder(path: Path) -> ModelFolder:
    """Raises ``ModelMissing`` where there is no folder, ``ModelError`` for one that cannot be a model's or is not
    whole."""
    if not path.is_dir():
        raise ModelMissing(f"The model's folder {path} is not there any more.")
    config = _read(path / "config.json", _Config)
    if config is None or not config.model_type:
        raise ModelError(f"{path} is no model's folder for MLX: its config.json names no model_type.")
    _check_whole(path)
    generation = _read(path / "generation_config.json", _Generation) or _Generation()
    tokenizer = _read(path / "tokenizer_config.json", _Tokenizer) or _Tokenizer()
    inner = config.text_config or _Text()
    return ModelFolder(
        path=path,
        model_type=config.model_type,
        positions=config.max_position_embeddings or inner.max_position_embeddings,
        ends=_ids(generation.eos_token_id, config.eos_token_id, inner.eos_token_id),
        template=_template(path, tokenizer),
        bos_token=_content(tokenizer.bos_token),
        eos_token=_content(tokenizer.eos_token),
        identity=_identity(path),
    )


def positions_of(path: Path) -> int | None:
    """How many tokens the model was made for; None where the folder does not say."""
    try:
        config = _read(path / "config.json", _Config)
    except ModelError:
        return None
    if config is None:
        return None
    return config.max_position_embeddings or (config.text_config or _Text()).max_position_embeddings


def tokenizer_text(path: Path) -> str:
    """The folder's tokenizer.json. Raises ``ModelError``."""
    text = _text(path / "tokenizer.json", _TOKENIZER_FILE)
    if text is None:
        raise ModelError(f"{path} has no tokenizer.json, which is needed. Choose another copy of this model.")
    return text


def _identity(path: Path) -> str:
    digest = hashlib.sha256((path / "config.json").read_bytes())
    for file in sorted([*path.glob("tokenizer.json"), *path.glob("model*.safetensors")]):
        facts = file.stat()
        digest.update(f"{file} {facts.st_size} {facts.st_mtime_ns}".encode(errors="replace"))
    return digest.hexdigest()


def _check_whole(path: Path) -> None:
    index = _read(path / "model.safetensors.index.json", _Index)
    wanted = sorted(set(index.weight_map.values())) if index else []
    for name in wanted:
        if not (path / name).is_file():
            raise ModelError(f"{path} is not whole: {name} is missing. Download the model again.")
    if not wanted and not any(path.glob("model*.safetensors")):
        raise ModelError(f"{path} holds no weights (model.safetensors). Download the model again.")


def _template(path: Path, tokenizer: _Tokenizer) -> str | None:
    # The order in which Hugging Face looks.
    if (text := _text(path / "chat_template.jinja", _SMALL_FILE)) is not None:
        return text
    if (file := _read(path / "chat_template.json", _TemplateFile)) is not None:
        return file.chat_template
    if isinstance(tokenizer.chat_template, list):
        named = {one.name: one.template for one in tokenizer.chat_template}
        return named.get("default")
    return tokenizer.chat_template


def _ids(*given: int | list[int] | None) -> tuple[int, ...]:
    ids: dict[int, None] = {}
    for one in given:
        ids.update(dict.fromkeys([one] if isinstance(one, int) else one or ()))
    return tuple(ids)


def _content(token: str | _Token | None) -> str:
    return token.content if isinstance(token, _Token) else token or ""


def _read(path: Path, kind: type[T]) -> T | None:
    text = _text(path, _SMALL_FILE)
    if text is None:
        return None
    try:
        # Not msgspec's own reader: such files hold NaN and Infinity.
        value: Any = json.loads(text)
        return msgspec.convert(value, kind)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged or of an unknown kind ({error}). Download the model again.") from error


def _text(path: Path, limit: int) -> str | None:
    try:
        if path.stat().st_size > limit:
            raise ModelError(f"{path} is too large to be what its name says. Download the model again.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
