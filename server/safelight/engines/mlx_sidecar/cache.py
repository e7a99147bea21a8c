"""MLX's cache of the conversation that is evaluated, its tokens, and copies to go back to."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

import mlx.core
import msgspec
from mlx_lm.models.cache import KVCache, make_prompt_cache

from safelight.engines.mlx_sidecar.saved import can_be_saved, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ("ConversationCache",)

_COPIES: Final = 4

mx: Any = mlx.core


class _Copy(msgspec.Struct, frozen=True):
    length: int
    layers: dict[int, Any]
    """Of the layers that cannot go back: sliding windows, which have overwritten what they would need, and recurrent
    ones. The others are cut where they are."""


class ConversationCache:
    """What the model has read. After an error in the middle of a step only ``clear`` may follow."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        self.tokens: list[int] = []
        self._cache: list[Any] = make_prompt_cache(self._model)
        self._stiff = [index for index, layer in enumerate(self._cache) if type(layer) is not KVCache]
        self._copies: list[_Copy] = []

    def reuse(self, prompt: Sequence[int]) -> int:
        """How many tokens of the prompt need not be evaluated; what differs behind them is dropped. Of a prompt that is
        held whole, the last token is evaluated anew."""
        shared = 0
        for held, wanted in zip(self.tokens, prompt[:-1], strict=False):
            if held != wanted:
                break
            shared += 1
        if shared < len(self.tokens):
            self._go_back(shared)
        return len(self.tokens)

    def keep_copy(self) -> None:
        """Lets ``reuse`` come back to here, also where some layers cannot go back by themselves."""
        length = len(self.tokens)
        if not self._stiff or any(one.length == length for one in self._copies):
            return
        self._copies.append(_Copy(length, {index: copy.deepcopy(self._cache[index]) for index in self._stiff}))
        if len(self._copies) > _COPIES:
            del self._copies[1]  # the shortest stands behind what begins every conversation

    @property
    def state_bytes(self) -> int | None:
        """About what ``state`` takes; None where it cannot be taken."""
        return sum(layer.nbytes for layer in self._cache) if can_be_saved(self._cache) else None

    def state(self) -> memoryview:
        """All that is held, for ``restore``."""
        return pack(self._cache)

    def restore(self, tokens: Sequence[int], state: bytes | memoryview) -> bool:
        """Holds ``tokens`` from the state after them, and nothing else. False, and nothing is held, when the state is
        another model's."""
        self.clear()
        try:
            unpack(self._cache, state)
        except (ValueError, LookupError, RuntimeError):
            self.clear()
            return False
        self.tokens = list(tokens)
        return True

    def read(self, tokens: Sequence[int]) -> None:
        """Evaluates tokens whose logits nobody needs."""
        self._forward(tokens)
        mx.eval([layer.state for layer in self._cache])
        mx.clear_cache()

    def step(self, tokens: Sequence[int]) -> Any:
        """The logits behind ``tokens``, in one batch, as a float32 row that is being computed."""
        row = self._forward(tokens)[0, -1].astype(mx.float32)
        mx.async_eval(row)
        return row

    def _forward(self, tokens: Sequence[int]) -> Any:
        logits = self._model(mx.array([list(tokens)]), cache=self._cache)
        self.tokens += tokens
        return logits

    def _go_back(self, length: int) -> None:
        if self._stiff:
            copies = [one for one in self._copies if one.length <= length]
            if not copies:
                self.clear()
                return
            self._copies, last = copies, copies[-1]
            length = last.length
            for index, layer in last.layers.items():
                self._cache[index] = copy.deepcopy(layer)
        for index, layer in enumerate(self._cache):
            if index not in self._stiff:
                layer.trim(len(self.tokens) - length)
        del self.tokens[length:]
