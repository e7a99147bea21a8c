"""Writes GGUF files that llama.cpp loads: facts, and tensors of 32-bit floats."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ("Fact", "Floats", "write_tensors")

Fact: TypeAlias = str | bool | int | float | list[str] | list[int] | list[float]
Floats: TypeAlias = NDArray[np.float32]

_ALIGNMENT: Final = 32
_F32: Final = 0


def write_tensors(path: Path, facts: Mapping[str, Fact], tensors: Mapping[str, Floats]) -> Path:
    """A file with these facts and tensors. Integers and floats take 32 bits; the last axis of a tensor is the one that
    lies together, which GGUF names first."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    head += b"".join(_text(key) + _fact(fact) for key, fact in facts.items())
    data = bytearray()
    for name, tensor in tensors.items():
        sides = tensor.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(sides)}QIQ", len(sides), *sides, _F32, len(data))
        data += tensor.astype("<f4").tobytes()
        data += bytes(-len(data) % _ALIGNMENT)
    path.write_bytes(head + bytes(-len(head) % _ALIGNMENT) + data)
    return path


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _fact(fact: Fact) -> bytes:
    match fact:
        case str():
            return struct.pack("<I", 8) + _text(fact)
        case bool():
            return struct.pack("<I?", 7, fact)
        case int():
            return struct.pack("<II", 4, fact)
        case float():
            return struct.pack("<If", 6, fact)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(fact)) + b"".join(_text(str(one)) for one in fact)
        case [float(), *_]:
            return struct.pack("<IIQ", 9, 6, len(fact)) + b"".join(struct.pack("<f", one) for one in fact)
        case _:
            return struct.pack("<IIQ", 9, 5, len(fact)) + b"".join(struct.pack("<i", one) for one in fact)
