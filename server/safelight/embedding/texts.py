"""A sentence model: texts of like meaning get vectors of like direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from safelight.embedding.runtime import Session, Tokenizer, damaged, read_config, refusing_damage, unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from safelight.embedding.files import TextFiles

__all__ = ("TextModel",)

MOST_TOKENS: Final = 256
MOST_CHARACTERS: Final = 4000
"""Of a text; the rest would be cut by the tokenizer."""

POOLED: Final = ("sentence_embedding", "text_embeds")
ONE_A_TOKEN: Final = ("token_embeddings", "last_hidden_state")


class _Pooling(msgspec.Struct):
    pooling_mode_cls_token: bool = False


class TextModel:
    """Loaded and tried; threads may share it. Raises ``NotByMeaning`` MODEL_DAMAGED when it cannot be used."""

    def __init__(self, files: TextFiles) -> None:
        self.name = files.name
        self.model_id = files.model_id
        with refusing_damage(files.name):
            pooling = read_config(files.pooling, _Pooling)
            self._first_token = pooling.pooling_mode_cls_token
            self._session = Session(files.model)
            self._tokenizer = Tokenizer(files.tokenizer, MOST_TOKENS)
        if self.embed(["photo"])[0] is None:
            raise damaged(files.name, "its vectors are no numbers")

    def embed(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """A vector of length 1 for each text, None where the model gives none. Raises ``NotByMeaning``."""
        with refusing_damage(self.name):
            tokens = self._tokenizer.tokens([text[:MOST_CHARACTERS] for text in texts])
            feeds = {
                "input_ids": tokens.ids,
                "attention_mask": tokens.mask,
                "token_type_ids": np.zeros_like(tokens.ids),
            }
            output = self._session.run(feeds, (*POOLED, *ONE_A_TOKEN))
            return unit_rows(self._pooled(output, tokens.mask) if output.ndim == 3 else output)

    def _pooled(self, output: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._first_token:
            return output[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        return np.sum(output * weights, axis=1) / np.maximum(np.sum(weights, axis=1), 1.0)
