"""Writes files and folders that look like models from outside; nothing can be computed with them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ("chat_values", "gguf_bytes", "projector_values", "write_gguf", "write_mlx")

Value: TypeAlias = str | bool | int | float | list[str] | list[int]


def chat_values(architecture: str = "llama", **changed: Value) -> dict[str, Value]:
    """What a small chat model says of itself; ``changed`` keys belong to the architecture."""
    own: dict[str, Value] = {
        "context_length": 4_096,
        "block_count": 2,
        "embedding_length": 64,
        "feed_forward_length": 128,
        "attention_head_count": 4,
        "attention_head_count_kv": 2,
        **changed,
    }
    named = {f"{architecture}.{key.replace('attention_', 'attention.', 1)}": value for key, value in own.items()}
    return {"general.architecture": architecture, **named}


def projector_values(width: int = 64, *, sees: bool = True) -> dict[str, Value]:
    """What a projector says of itself."""
    return {"general.architecture": "clip", "clip.has_vision_encoder": sees, "clip.vision.projection_dim": width}


def gguf_bytes(values: dict[str, Value], *, tensors: int = 1, version: int = 3) -> bytes:
    """The beginning of a GGUF file."""
    fields = b"".join(_text(key) + _value(value) for key, value in values.items())
    return b"GGUF" + struct.pack("<IQQ", version, tensors, len(values)) + fields


def write_gguf(path: Path, values: dict[str, Value] | None = None) -> Path:
    """A file with this beginning; a small chat model's where none is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gguf_bytes(values or chat_values()))
    return path


def write_mlx(folder: Path, shards: int = 1, **changed: Any) -> Path:
    """A folder of a quantised chat model; ``changed`` keys of its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "quantization": {"bits": 4, "group_size": 64},
        "max_position_embeddings": 131_072,
        "hidden_size": 2_048,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 8_192,
        "vocab_size": 128_256,
    }
    (folder / "config.json").write_text(json.dumps(config | changed), encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    for number in range(1, shards + 1):
        name = "model.safetensors" if shards == 1 else f"model-{number:05}-of-{shards:05}.safetensors"
        (folder / name).write_bytes(bytes(100))
    return folder


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Value) -> bytes:
    match value:
        case str():
            return struct.pack("<I", 8) + _text(value)
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<IQ", 10, value)
        case float():
            return struct.pack("<Id", 12, value)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(_text(str(one)) for one in value)
        case _:
            return struct.pack("<IIQ", 9, 5, len(value)) + b"".join(struct.pack("<i", int(one)) for one in value)
