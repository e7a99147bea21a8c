"""A folder with a model for MLX: told apart from other folders of safetensors, and read for what matters of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import msgspec

from safelight.engines.model_facts import ModelFacts, Shape

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("CONFIG", "TOKENIZER", "Config", "is_for_mlx", "mlx_facts", "read_config")

Config: TypeAlias = dict[str, Any]

CONFIG: Final = "config.json"
TOKENIZER: Final = "tokenizer.json"

_MOST_BYTES: Final = 4_000_000
_WRITES: Final = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_OTHER_USES: Final = ("embed", "rerank")
"""Models of these names are built like chat models and answer nothing."""


def read_config(path: Path) -> Config | None:
    """The configuration; None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=Config)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def is_for_mlx(config: Config, name: str) -> bool:
    """Whether the folder ``name`` (``owner/repository`` where it is known) holds weights that were made for MLX: it
    says how they were quantised, or comes from those who convert them."""
    return isinstance(config.get("quantization"), dict) or name.lower().startswith("mlx-community/")


def mlx_facts(config: Config, name: str) -> ModelFacts:
    """What the configuration says. Where a model sees pictures too, its language part is described on its own."""
    nested = config.get("text_config")
    text = cast("Config", nested) if isinstance(nested, dict) else config
    shape = _shape(text)
    chats = _writes(config) and not any(word in name.lower() for word in _OTHER_USES)
    return ModelFacts(
        role="chat" if chats else "other",
        context_window=_whole(text, "max_position_embeddings") or None,
        parameters=shape.parameters if shape else None,
        token_bytes=shape.token_bytes if shape else None,
        width=_whole(text, "hidden_size") or None,
    )


def _writes(config: Config) -> bool:
    named = config.get("architectures")
    architectures = cast("list[object]", named) if isinstance(named, list) else []
    return config.get("is_encoder_decoder") is not True and any(str(one).endswith(_WRITES) for one in architectures)


def _shape(text: Config) -> Shape | None:
    layers, width, heads = (_whole(text, key) for key in ("num_hidden_layers", "hidden_size", "num_attention_heads"))
    if not (layers and width and heads):
        return None
    return Shape(
        layers=layers,
        width=width,
        heads=heads,
        head_width=_whole(text, "head_dim") or width // heads,
        cached_heads=layers * (_whole(text, "num_key_value_heads") or heads),
        inner=_whole(text, "moe_intermediate_size") or _whole(text, "intermediate_size"),
        experts=_whole(text, "num_experts") or _whole(text, "num_local_experts"),
        vocabulary=_whole(text, "vocab_size"),
    )


def _whole(values: Config, key: str) -> int:
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
