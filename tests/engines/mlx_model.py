"""Folders that MLX can load, written at test time: a real small model, and a tiny one by chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import mlx.core
import numpy as np
from tokenizers import AddedToken, Tokenizer
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

from tests.engines.gguf import small_gguf

__all__ = ("small_folder", "windowed_folder")

mx: Any = mlx.core

_CONTROL: Final = 3
"""GGUF's mark for a control token."""

_FEW_TOKENS: Final = 2_048

_NAMES: Final = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_norm": "input_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "ffn_norm": "post_attention_layernorm",
}


def small_folder(folder: Path, *, layers: int = 30) -> Path:
    """SmolLM2 as MLX wants it, with the weights of the installed package's GGUF file, bit for bit. With its first
    ``layers`` alone it is faster and makes no sense."""
    weights, facts = _gguf()
    folder.mkdir(parents=True, exist_ok=True)
    kept = {_name(name): value for name, value in weights.items() if _layer(name) < layers}
    mx.save_safetensors(str(folder / "model.safetensors"), kept)
    config = {
        "model_type": "llama",
        "hidden_size": int(facts["llama.embedding_length"]),
        "num_hidden_layers": layers,
        "intermediate_size": int(facts["llama.feed_forward_length"]),
        "num_attention_heads": int(facts["llama.attention.head_count"]),
        "num_key_value_heads": int(facts["llama.attention.head_count_kv"]),
        "rms_norm_eps": float(facts["llama.attention.layer_norm_rms_epsilon"]),
        "rope_theta": float(facts["llama.rope.freq_base"]),
        "rope_traditional": True,  # GGUF files hold the heads' halves interleaved
        "max_position_embeddings": int(facts["llama.context_length"]),
        "tie_word_embeddings": True,
        "quantization": {"group_size": 32, "bits": 4},
    }
    _write(folder, facts, config)
    return folder


def windowed_folder(folder: Path) -> Path:
    """A tiny Gemma 3 with the shortest tokens of SmolLM2's vocabulary and weights by chance. Every other layer sees 16
    tokens back."""
    facts = dict(_gguf()[1])
    facts["tokenizer.ggml.tokens"] = facts["tokenizer.ggml.tokens"][:_FEW_TOKENS]
    known = set(facts["tokenizer.ggml.tokens"])
    merges = facts["tokenizer.ggml.merges"]
    facts["tokenizer.ggml.merges"] = [merge for merge in merges if merge.replace(" ", "") in known]
    folder.mkdir(parents=True, exist_ok=True)
    width, inner, heads, head_width, layers = 64, 128, 2, 32, 4
    chance = np.random.default_rng(1)

    def weights(*shape: int) -> Any:
        return mx.array(chance.normal(0, 0.3, shape), dtype=mx.float32)

    tensors = {"model.embed_tokens.weight": weights(len(facts["tokenizer.ggml.tokens"]), width)}
    tensors["lm_head.weight"] = weights(len(facts["tokenizer.ggml.tokens"]), width)
    tensors["model.norm.weight"] = weights(width)
    for layer in range(layers):
        parts = {
            "self_attn.q_proj": (heads * head_width, width),
            "self_attn.k_proj": (head_width, width),
            "self_attn.v_proj": (head_width, width),
            "self_attn.o_proj": (width, heads * head_width),
            "self_attn.q_norm": (head_width,),
            "self_attn.k_norm": (head_width,),
            "mlp.gate_proj": (inner, width),
            "mlp.up_proj": (inner, width),
            "mlp.down_proj": (width, inner),
            "input_layernorm": (width,),
            "post_attention_layernorm": (width,),
            "pre_feedforward_layernorm": (width,),
            "post_feedforward_layernorm": (width,),
        }
        for part, shape in parts.items():
            tensors[f"model.layers.{layer}.{part}.weight"] = weights(*shape)
    mx.save_safetensors(str(folder / "model.safetensors"), tensors)
    config = {
        "model_type": "gemma3_text",
        "hidden_size": width,
        "num_hidden_layers": layers,
        "intermediate_size": inner,
        "num_attention_heads": heads,
        "head_dim": head_width,
        "num_key_value_heads": 1,
        "query_pre_attn_scalar": head_width,
        "sliding_window": 16,
        "sliding_window_pattern": 2,
        "max_position_embeddings": 8_192,
    }
    _write(folder, facts, config)
    return folder


def _gguf() -> tuple[dict[str, Any], dict[str, Any]]:
    return mx.load(str(small_gguf()), return_metadata=True)


def _layer(name: str) -> int:
    return int(name.split(".")[1]) if name.startswith("blk.") else -1


def _name(name: str) -> str:
    part, _, kind = name.rpartition(".")
    if not part.startswith("blk."):
        return {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}[part] + f".{kind}"
    _, layer, part = part.split(".")
    return f"model.layers.{layer}.{_NAMES[part]}.{kind}"


def _write(folder: Path, facts: dict[str, Any], config: dict[str, Any]) -> None:
    tokens: list[str] = facts["tokenizer.ggml.tokens"]
    ends = int(facts["tokenizer.ggml.eos_token_id"])
    config = {"vocab_size": len(tokens), "eos_token_id": ends, **config}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    told = {
        "bos_token": tokens[int(facts["tokenizer.ggml.bos_token_id"])],
        "eos_token": tokens[ends],
        "chat_template": facts["tokenizer.chat_template"],
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(told), encoding="utf-8")
    _tokenizer(facts, tokens).save(str(folder / "tokenizer.json"))


def _tokenizer(facts: dict[str, Any], tokens: list[str]) -> Tokenizer:
    merges = [(left, right) for left, _, right in (merge.partition(" ") for merge in facts["tokenizer.ggml.merges"])]
    tokenizer: Any = Tokenizer(BPE(vocab={token: index for index, token in enumerate(tokens)}, merges=merges))
    parts: Any = [Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = Sequence(parts)
    tokenizer.decoder = ByteLevelDecoder()
    kinds = facts["tokenizer.ggml.token_type"].tolist()[: len(tokens)]
    control = [token for token, kind in zip(tokens, kinds, strict=True) if kind == _CONTROL]
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in control])
    return tokenizer
