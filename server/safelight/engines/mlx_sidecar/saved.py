"""MLX's cache of a conversation as bytes, and back."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, Final

import mlx.core
from mlx_lm.models.cache import KVCache, RotatingKVCache

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ("can_be_saved", "pack", "unpack")

_NUMBERS: Final = "numbers"

mx: Any = mlx.core


def can_be_saved(cache: Sequence[Any]) -> bool:
    """Whether ``pack`` knows every layer's kind, and each has read something."""
    return all(type(layer) in {KVCache, RotatingKVCache} and not layer.empty() for layer in cache)


def pack(cache: Sequence[Any]) -> memoryview:
    """The state of layers that can be saved."""
    arrays: dict[str, Any] = {}
    numbers: list[list[int]] = []
    for index, layer in enumerate(cache):
        keys, values, *rest = layer.state
        arrays[f"{index}.keys"], arrays[f"{index}.values"] = keys, values
        numbers.append(list(rest))
    file = io.BytesIO()
    mx.save_safetensors(file, arrays, {_NUMBERS: json.dumps(numbers)})
    return file.getbuffer()


def unpack(cache: Sequence[Any], data: bytes | memoryview) -> None:
    """Puts the state into new layers of the same model. Raises ``ValueError``, ``LookupError`` or ``RuntimeError`` for
    another model's."""
    arrays, told = mx.load(io.BytesIO(data), format="safetensors", return_metadata=True)
    numbers: list[list[int]] = json.loads(told[_NUMBERS])
    for index, (layer, rest) in enumerate(zip(cache, numbers, strict=True)):
        layer.state = (arrays[f"{index}.keys"], arrays[f"{index}.values"], *rest)
    mx.eval([layer.state for layer in cache])
