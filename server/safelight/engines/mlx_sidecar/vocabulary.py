"""The vocabulary of a model's tokenizer.json: text to tokens and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from llguidance import LLTokenizer
from tokenizers import Tokenizer

from safelight.engines.mlx_sidecar.folder import tokenizer_text
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from safelight.engines.mlx_sidecar.folder import ModelFolder

__all__ = ("Vocabulary",)


class Vocabulary:
    """One tokenizer for prompts, answers and grammars alike."""

    def __init__(self, folder: ModelFolder) -> None:
        try:
            source, self._special = _with_marks_as_control(tokenizer_text(folder.path))
            self._tokenizer: Any = Tokenizer.from_str(source)
            self.ends = frozenset(folder.ends) or self._ids_of(folder.eos_token)
            self.for_grammars: LLTokenizer = LLTokenizer(source, eos_token=sorted(self.ends))
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001  # tokenizers raises nothing narrower
            raise ModelError(f"The tokenizer.json in {folder.path} cannot be used: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.size = self.for_grammars.vocab_size
        self.never_written = sorted(token for token in self._special - self.ends if token < self.size)
        """Control tokens that do not end a turn."""
        start: list[int] = self._tokenizer.encode("", add_special_tokens=True).ids[:1]
        self.start = [token for token in start if token not in self.ends]
        """What every text begins with."""

    def tokenize(self, text: str, *, control: bool) -> list[int]:
        """The tokens of ``text``; control tokens that it spells out are such only with ``control``."""
        self._tokenizer.encode_special_tokens = not control
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def text(self, tokens: Iterable[int]) -> bytes:
        """The bytes that tokens stand for; control tokens stand for none."""
        return self.for_grammars.decode_bytes([token for token in tokens if token not in self._special])

    def _ids_of(self, token: str) -> frozenset[int]:
        found: int | None = self._tokenizer.token_to_id(token)
        if found is None:
            raise ModelError("The model's folder does not say which token ends a turn (eos_token).")
        return frozenset({found})


def _with_marks_as_control(text: str) -> tuple[str, set[int]]:
    """``text`` with every added token that looks like a mark (``<think>``, ``[INST]``) made a control token, and the
    ids of all control tokens: no person's text and no answer may hold one."""
    value: Any = json.loads(text)
    special: set[int] = set()
    for token in value.get("added_tokens") or ():
        content: str = token["content"]
        if token.get("special") or (content[:1], content[-1:]) in {("<", ">"), ("[", "]")}:
            token["special"] = True
            special.add(token["id"])
    return json.dumps(value), special
