"""Tiny models that see, with weights by chance: a chat model and its projector, of the two kinds that place pictures
differently. What they write makes no sense, but differs with every picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from tests.engines.gguf_writer import Fact, Floats, write_tensors

__all__ = ("CONTROL", "Pair", "gemma_pair", "qwen_pair")

CONTROL: Final = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<start_of_image>",
    "<end_of_image>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<image>",
)
"""The control tokens of both models' vocabulary; its other tokens are single bytes."""

_WIDE: Final = 64
_INNER: Final = 96
_LAYERS: Final = 2
_HEADS: Final = 2
_HEAD: Final = _WIDE // _HEADS

_EYE: Final = 32
_EYE_HEADS: Final = 2
_EYE_INNER: Final = 48
_PATCH: Final = 8
_SIDE: Final = 64


class Pair(msgspec.Struct, frozen=True):
    """The two files."""

    model: Path
    projector: Path


def gemma_pair(folder: Path, *, width: int = _WIDE, side: int = _SIDE) -> Pair:
    """Gemma 3: a picture becomes ``side`` pixels wide and high and then 16 tokens, or more with a larger side, each of
    which sees the others; layers with a sliding window. The projector makes ``width`` numbers of each."""
    weights = _Weights(1)
    facts: dict[str, Fact] = {
        **_chat("gemma3"),
        "gemma3.attention.sliding_window": 64,
        "gemma3.attention.key_length": _HEAD,
        "gemma3.attention.value_length": _HEAD,
    }
    tensors = weights.text()
    for layer in range(_LAYERS):
        begin = f"blk.{layer}."
        for name, size in (("post_attention_norm", _WIDE), ("attn_k_norm", _HEAD), ("attn_q_norm", _HEAD)):
            tensors[f"{begin}{name}.weight"] = weights.near_one(size)
        tensors[f"{begin}post_ffw_norm.weight"] = weights.near_one(_WIDE)
    eye = weights.eye()
    eye["v.patch_embd.bias"] = weights(_EYE)
    eye["v.position_embd.weight"] = weights((side // _PATCH) ** 2, _EYE)
    eye["mm.input_projection.weight"] = weights(_EYE, width)
    eye["mm.soft_emb_norm.weight"] = weights.near_one(_EYE)
    seen: dict[str, Fact] = {
        **_projector("gemma3"),
        "clip.vision.projector.scale_factor": 2,
        "clip.vision.image_size": side,
    }
    return _written(folder, "gemma", (facts, tensors), (seen, eye))


def qwen_pair(folder: Path) -> Pair:
    """Qwen2-VL: a picture keeps its proportions, and takes fewer places than tokens."""
    weights = _Weights(2)
    quarter = _HEAD // 2 // 4
    facts: dict[str, Fact] = {**_chat("qwen2vl"), "qwen2vl.rope.dimension_sections": [quarter * 2, quarter, quarter, 0]}
    tensors = weights.text()
    for layer in range(_LAYERS):
        for name in ("attn_q", "attn_k", "attn_v"):
            tensors[f"blk.{layer}.{name}.bias"] = weights(_WIDE)
    eye = weights.eye()
    eye["v.patch_embd.weight.1"] = weights(_EYE, 3, _PATCH, _PATCH)
    eye["mm.0.weight"] = weights(_EYE * 4, _EYE * 4)
    eye["mm.0.bias"] = weights(_EYE * 4)
    eye["mm.2.weight"] = weights(_WIDE, _EYE * 4)
    eye["mm.2.bias"] = weights(_WIDE)
    return _written(folder, "qwen", (facts, tensors), (_projector("qwen2vl_merger"), eye))


class _Weights:
    """Numbers by chance, the same with every run."""

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)

    def __call__(self, *shape: int) -> Floats:
        spread = 1.0 / np.sqrt(shape[-1]) if len(shape) > 1 else 0.1
        return (self._chance.standard_normal(shape) * spread).astype(np.float32)

    def near_one(self, size: int) -> Floats:
        return np.float32(1) + self(size)

    def text(self) -> dict[str, Floats]:
        """What both chat models have."""
        tokens = 256 + len(CONTROL) + 1
        tensors = {"token_embd.weight": self(tokens, _WIDE), "output_norm.weight": self.near_one(_WIDE)}
        tensors["output.weight"] = self(tokens, _WIDE) * np.float32(4)
        for layer in range(_LAYERS):
            begin = f"blk.{layer}."
            for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
                tensors[f"{begin}{name}.weight"] = self(_WIDE, _WIDE) * np.float32(2)
            for name in ("attn_norm", "ffn_norm"):
                tensors[f"{begin}{name}.weight"] = self.near_one(_WIDE)
            tensors[f"{begin}ffn_gate.weight"] = self(_INNER, _WIDE)
            tensors[f"{begin}ffn_up.weight"] = self(_INNER, _WIDE)
            tensors[f"{begin}ffn_down.weight"] = self(_WIDE, _INNER)
        return tensors

    def eye(self) -> dict[str, Floats]:
        """What both projectors have."""
        tensors = {"v.patch_embd.weight": self(_EYE, 3, _PATCH, _PATCH)}
        tensors["v.post_ln.weight"], tensors["v.post_ln.bias"] = self.near_one(_EYE), self(_EYE)
        begin = "v.blk.0."
        for name in ("ln1", "ln2"):
            tensors[f"{begin}{name}.weight"], tensors[f"{begin}{name}.bias"] = self.near_one(_EYE), self(_EYE)
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            tensors[f"{begin}{name}.weight"], tensors[f"{begin}{name}.bias"] = self(_EYE, _EYE), self(_EYE)
        tensors[f"{begin}ffn_up.weight"], tensors[f"{begin}ffn_up.bias"] = self(_EYE_INNER, _EYE), self(_EYE_INNER)
        tensors[f"{begin}ffn_down.weight"], tensors[f"{begin}ffn_down.bias"] = self(_EYE, _EYE_INNER), self(_EYE)
        return tensors


def _chat(architecture: str) -> dict[str, Fact]:
    own: dict[str, Fact] = {
        "context_length": 4_096,
        "embedding_length": _WIDE,
        "block_count": _LAYERS,
        "feed_forward_length": _INNER,
        "attention.head_count": _HEADS,
        "attention.head_count_kv": _HEADS,
        "attention.layer_norm_rms_epsilon": 1e-6,
        "rope.freq_base": 10_000.0,
    }
    tokens = [*_byte_texts(), *CONTROL, "ab"]
    return {
        "general.architecture": architecture,
        **{f"{architecture}.{key}": value for key, value in own.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * 256 + [3] * len(CONTROL) + [1],
        "tokenizer.ggml.merges": ["a b"],
        "tokenizer.ggml.eos_token_id": 256 + CONTROL.index("<|im_end|>"),
        "tokenizer.ggml.bos_token_id": 256,
        "tokenizer.ggml.add_bos_token": False,
    }


def _projector(kind: str) -> dict[str, Fact]:
    own: dict[str, Fact] = {
        "image_size": _SIDE,
        "patch_size": _PATCH,
        "embedding_length": _EYE,
        "feed_forward_length": _EYE_INNER,
        "block_count": 1,
        "projection_dim": _WIDE,
        "attention.head_count": _EYE_HEADS,
        "attention.layer_norm_epsilon": 1e-6,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    return {
        "general.architecture": "clip",
        "clip.has_vision_encoder": True,
        "clip.projector_type": kind,
        "clip.use_gelu": True,
        **{f"clip.vision.{key}": value for key, value in own.items()},
    }


def _written(folder: Path, name: str, chat: tuple[Any, Any], projector: tuple[Any, Any]) -> Pair:
    folder.mkdir(parents=True, exist_ok=True)
    return Pair(
        write_tensors(folder / f"{name}.gguf", *chat),
        write_tensors(folder / f"mmproj-{name}.gguf", *projector),
    )


def _byte_texts() -> list[str]:
    """A character for each byte, as GPT-2's vocabulary has it: a byte that no text shows takes one from 256 on."""
    shown = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    hidden = iter(range(256, 512))
    return [chr(byte if byte in shown else next(hidden)) for byte in range(256)]
