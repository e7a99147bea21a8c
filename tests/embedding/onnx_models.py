"""Tiny embedding models that mean something: words are points, pictures are their mean colour.

install_text_model(data_dir / "models" / "tiny")
install_picture_model(data_dir / "models" / "colours")

ONNX files are protobufs of few kinds of messages, so they are written here without a library.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

__all__ = ("COLOURS", "WORDS", "coloured", "install_picture_model", "install_text_model")

# Three meanings: animals, the sea, buildings.
WORDS: Final[dict[str, tuple[float, ...]]] = {
    "dog": (1.0, 0.0, 0.0),
    "puppy": (0.9, 0.1, 0.0),
    "beach": (0.0, 1.0, 0.0),
    "seaside": (0.05, 0.9, 0.0),
    "church": (0.0, 0.0, 1.0),
    "photo": (0.3, 0.3, 0.3),
}
COLOURS: Final[dict[str, tuple[float, ...]]] = {
    "red": (1.0, -1.0, -1.0),
    "green": (-1.0, 1.0, -1.0),
    "blue": (-1.0, -1.0, 1.0),
    "photo": (0.001, 0.001, 0.001),
}

FLOAT, INT64 = 1, 7
INTS, INT = 7, 2


def coloured(red: int, green: int, blue: int, size: tuple[int, int] = (96, 64)) -> bytes:
    """A JPEG of one colour."""
    out = io.BytesIO()
    Image.new("RGB", size, (red, green, blue)).save(out, "JPEG", quality=95)
    return out.getvalue()


def install_text_model(folder: Path, words: Mapping[str, Sequence[float]] = WORDS) -> None:
    """A sentence model as sentence-transformers writes it: a vector for each token, for the mean of them."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_tokenizer(folder, words)
    look_up = _node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    (folder / "model.onnx").write_bytes(
        _model(
            [look_up],
            {"table": _table(words)},
            inputs={"input_ids": (INT64, ["batch", "length"]), "attention_mask": (INT64, ["batch", "length"])},
            output=("last_hidden_state", ["batch", "length", 3]),
        )
    )


def install_picture_model(
    folder: Path,
    colours: Mapping[str, Sequence[float]] = COLOURS,
    *,
    preprocessor: Mapping[str, Any] | None = None,
    tokens: int | str = "length",
) -> None:
    """A pair as Hugging Face exports CLIP: a word is a colour, a picture its mean colour."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    _write_tokenizer(folder, colours)
    text = [
        _node("Gather", ["table", "input_ids"], ["tokens"]),
        _node("ReduceMean", ["tokens"], ["text_embeds"], axes=[1], keepdims=0),
    ]
    (folder / "onnx" / "text_model_quantized.onnx").write_bytes(
        _model(
            text,
            {"table": _table(colours)},
            inputs={"input_ids": (INT64, ["batch", tokens])},
            output=("text_embeds", ["batch", _table(colours).shape[1]]),
        )
    )
    vision = [_node("ReduceMean", ["pixel_values"], ["image_embeds"], axes=[2, 3], keepdims=0)]
    (folder / "onnx" / "vision_model_quantized.onnx").write_bytes(
        _model(
            vision,
            {},
            inputs={"pixel_values": (FLOAT, ["batch", 3, "height", "width"])},
            output=("image_embeds", ["batch", 3]),
        )
    )
    usual = {
        "do_center_crop": True,
        "do_convert_rgb": None,
        "size": {"shortest_edge": 32},
        "crop_size": {"height": 32, "width": 32},
        "resample": 3,
        "rescale_factor": 1 / 255,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(usual | dict(preprocessor or {})), encoding="utf-8")


def _write_tokenizer(folder: Path, words: Iterable[str]) -> None:
    vocabulary = {"[PAD]": 0, "[UNK]": 1, **{word: number for number, word in enumerate(words, start=2)}}
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")


def _table(words: Mapping[str, Sequence[float]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    points = np.array(list(words.values()), np.float32)
    return np.concatenate([np.zeros((2, points.shape[1]), np.float32), points])


# --- protobuf: a field is its number and its kind, then a number or bytes with their length --------------------------


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _int(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _part(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _number(field << 3 | 2) + _number(len(data)) + data


def _node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: int | list[int]) -> bytes:
    parts = [_part(1, name) for name in inputs] + [_part(2, name) for name in outputs] + [_part(4, kind)]
    for name, value in attributes.items():
        if isinstance(value, int):
            parts.append(_part(5, _part(1, name) + _int(3, value) + _int(20, INT)))
        else:
            parts.append(_part(5, _part(1, name) + b"".join(_int(8, one) for one in value) + _int(20, INTS)))
    return b"".join(parts)


def _tensor(name: str, values: np.ndarray[Any, np.dtype[np.float32]]) -> bytes:
    shape = b"".join(_int(1, side) for side in values.shape)
    return shape + _int(2, FLOAT) + _part(8, name) + _part(9, values.tobytes())


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sides = b"".join(_part(1, _int(1, side) if isinstance(side, int) else _part(2, side)) for side in shape)
    return _part(1, name) + _part(2, _part(1, _int(1, kind) + _part(2, sides)))


def _model(
    nodes: Sequence[bytes],
    constants: Mapping[str, np.ndarray[Any, np.dtype[np.float32]]],
    *,
    inputs: Mapping[str, tuple[int, Sequence[int | str]]],
    output: tuple[str, Sequence[int | str]],
) -> bytes:
    graph = [_part(1, node) for node in nodes]
    graph.append(_part(2, "tiny"))
    graph += [_part(5, _tensor(name, values)) for name, values in constants.items()]
    graph += [_part(11, _value(name, kind, shape)) for name, (kind, shape) in inputs.items()]
    graph.append(_part(12, _value(output[0], FLOAT, output[1])))
    opset = _part(1, "") + _int(2, 13)
    return _int(1, 8) + _part(7, b"".join(graph)) + _part(8, opset)
