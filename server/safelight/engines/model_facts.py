"""What matters of a model before it is loaded: whether it can chat, how far it reads, how large it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from safelight.engines.gguf_header import GgufHeader

__all__ = ("SMALL_PARAMETERS", "ModelFacts", "Shape", "gguf_facts", "labelled_parameters")

SMALL_PARAMETERS: Final = 900_000_000
"""Below this a model needs worked examples."""

_CACHED_NUMBER_BYTES: Final = 2

_NO_CHAT: Final = frozenset(
    {
        "bert",
        "nomic-bert",
        "nomic-bert-moe",
        "neo-bert",
        "jina-bert-v2",
        "jina-bert-v3",
        "modern-bert",
        "eurobert",
        "gemma-embedding",
        "t5",
        "t5encoder",
        "wavtokenizer-dec",
    }
)
"""Architectures in llama.cpp that read texts, pictures or sound and write no answers."""

_MOST_LAYERS: Final = 10_000
_PROJECTOR: Final = "clip"

_LABEL: Final = re.compile(r"(?:(\d{1,4})x)?(\d{1,6}(?:\.\d{1,4})?)([KMBT])", re.IGNORECASE)
_SCALE: Final = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


class ModelFacts(msgspec.Struct, frozen=True, kw_only=True):
    """None where the file does not say it. A ``projector`` turns pictures into what a chat model reads. ``token_bytes``
    is what the engine keeps of each token of a conversation, ``width`` the length of the vectors in between, by which a
    projector fits or not."""

    role: Literal["chat", "projector", "other"]
    context_window: int | None = None
    parameters: int | None = None
    token_bytes: int | None = None
    width: int | None = None


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of a transformer. ``cached_heads`` are counted over all layers."""

    layers: int
    width: int
    heads: int
    head_width: int
    cached_heads: int
    inner: int
    experts: int
    vocabulary: int

    @property
    def parameters(self) -> int:
        """About so many, embeddings counted once."""
        attention = 2 * self.width * self.heads * self.head_width * self.layers
        cached = 2 * self.width * self.cached_heads * self.head_width
        inner = 3 * self.width * self.inner * max(self.experts, 1) * self.layers
        return self.vocabulary * self.width + attention + cached + inner

    @property
    def token_bytes(self) -> int:
        """A key and a value of two-byte numbers for each cached head."""
        return 2 * self.cached_heads * self.head_width * _CACHED_NUMBER_BYTES


def gguf_facts(header: GgufHeader) -> ModelFacts:
    """By the keys that llama.cpp itself reads. What is no language model has no context length."""
    architecture = header.text("general.architecture")
    context = header.whole(f"{architecture}.context_length")
    is_model = header.text("general.type") in ("", "model")
    embeds = bool(header.whole(f"{architecture}.pooling_type"))
    if architecture == _PROJECTOR:
        sees = header.values.get("clip.has_vision_encoder") is not False
        return ModelFacts(role="projector" if sees else "other", width=header.whole("clip.vision.projection_dim"))
    causal = header.values.get(f"{architecture}.attention.causal") is not False
    shape = _shape(header, architecture)
    chats = is_model and causal and not embeds and architecture not in _NO_CHAT
    return ModelFacts(
        role="chat" if chats and context and header.tensors else "other",
        context_window=context or None,
        parameters=header.whole("general.parameter_count")
        or labelled_parameters(header.text("general.size_label"))
        or (shape.parameters if shape else None),
        token_bytes=_token_bytes(header, architecture, shape) if shape else None,
        width=header.whole(f"{architecture}.embedding_length"),
    )


def labelled_parameters(label: str) -> int | None:
    """The number of parameters in a label such as ``135M``, ``1.7B``, ``8x7B`` or ``30B-A3B``."""
    match = _LABEL.match(label)
    if match is None:
        return None
    times, number, unit = match.groups()
    return int(int(times or 1) * float(number) * _SCALE[unit.upper()])


def _shape(header: GgufHeader, architecture: str) -> Shape | None:
    def whole(key: str) -> int:
        return header.whole(f"{architecture}.{key}") or 0

    layers, width = whole("block_count"), whole("embedding_length")
    heads = whole("attention.head_count") or _largest(header, f"{architecture}.attention.head_count")
    if not (layers and width and heads) or layers > _MOST_LAYERS:
        return None
    return Shape(
        layers=layers,
        width=width,
        heads=heads,
        head_width=whole("attention.key_length") or width // heads,
        cached_heads=sum(_cached_heads(header, architecture, layers, heads)),
        inner=whole("expert_feed_forward_length")
        or whole("feed_forward_length")
        or _largest(header, f"{architecture}.feed_forward_length"),
        experts=whole("expert_count"),
        vocabulary=header.lengths.get("tokenizer.ggml.tokens", 0) or whole("vocab_size"),
    )


def _token_bytes(header: GgufHeader, architecture: str, shape: Shape) -> int:
    """Layer by layer: those with a sliding window may have narrower heads, and the last ones may use what others keep.
    A sliding window saves nothing, since it is kept whole to go back in."""

    def width(kind: str) -> int:
        keys, values = (
            header.whole(f"{architecture}.attention.{name}{kind}") for name in ("key_length", "value_length")
        )
        return (keys or shape.head_width) + (values or keys or shape.head_width)

    sliding = header.values.get(f"{architecture}.attention.sliding_window_pattern")
    slides = sliding if isinstance(sliding, tuple) else ()
    has_narrow = header.whole(f"{architecture}.attention.key_length_swa") is not None
    wide, narrow = width(""), width("_swa") if has_narrow else width("")
    own = shape.layers - (header.whole(f"{architecture}.attention.shared_kv_layers") or 0)
    heads = _cached_heads(header, architecture, shape.layers, shape.heads)[: max(own, 0)]
    numbers = sum(
        count * (narrow if layer < len(slides) and slides[layer] else wide) for layer, count in enumerate(heads)
    )
    return numbers * _CACHED_NUMBER_BYTES


def _cached_heads(header: GgufHeader, architecture: str, layers: int, heads: int) -> tuple[int, ...]:
    """Of each layer; 0 where it keeps no tokens."""
    key = f"{architecture}.attention.head_count_kv"
    listed = header.wholes(key)[:layers]
    return listed if any(listed) else (header.whole(key) or heads,) * layers


def _largest(header: GgufHeader, key: str) -> int:
    return max(header.wholes(key), default=0)
