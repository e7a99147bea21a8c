"""Makes a chat's requests to the model: instructions, tools, and the conversation as it fits."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.conversation.cap import capped_together, limits
from safelight.conversation.estimate import Costs, estimate
from safelight.conversation.fit import Fitted, GivenUp, fit, last_exchange
from safelight.conversation.parts import History, ToolResult, ToolResults
from safelight.conversation.photos import keep_newest, without_pictures
from safelight.conversation.prompt import SYSTEM
from safelight.conversation.repair import repair
from safelight.conversation.sampling import GREEDY, Sampling
from safelight.errors import ContextTooSmall
from safelight.models.chat_model import ANSWER_TOKENS, ChatModel, Piece, ToolOffer, TurnDone, TurnRequest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

__all__ = ("Prompting",)

_UNKNOWN_WINDOW: Final = 8_192
_TRIES: Final = 3
"""How often less is sent when a model says that its window is too small."""

_LESS: Final = 0.7
_ADVICE: Final = "Start a new chat, ask for less at once, or choose a model with a larger window."

_Key = tuple[str, bytes]


class Prompting:
    """One for each chat. What a conversation has given up stays given up, so that request n+1 begins with the bytes of
    request n until more must go; ``moved`` counts how often that was."""

    def __init__(self, sampling: Sampling = GREEDY) -> None:
        self.moved = 0
        self._sampling = sampling
        self._costs = Costs()
        self._refused: dict[_Key, int] = {}
        self._given_up = GivenUp()
        self._photos_gone = 0
        self._window = _UNKNOWN_WINDOW
        self._fixed = 0

    async def turn(
        self, model: ChatModel, history: History, offers: tuple[ToolOffer, ...], *, may_call: bool
    ) -> AsyncGenerator[Piece, None]:
        """The model's next turn; see ``ChatModel.turn``. When the model finds the conversation too long although it
        should fit, less of it is sent, at most three times and only while that makes it shorter. Raises
        ``ModelError``."""
        key = (model.model_id, msgspec.json.encode(offers))
        shown = self._shown(history, model.photos_kept)
        fitted = self._fitted(model, shown, key)
        for more_tries in reversed(range(_TRIES + 1)):
            request = self._request(fitted.history, offers, may_call=may_call)
            begun = False
            try:
                async with aclosing(model.turn(request)) as pieces:
                    async for piece in pieces:
                        begun = True
                        if isinstance(piece, TurnDone):
                            self._costs.learn(key, piece.usage.prompt_tokens, fitted.tokens)
                        yield piece
                return
            except ContextTooSmall:
                self._refused[key] = min(fitted.tokens, self._refused.get(key, fitted.tokens))
                shorter = fit(shown, int(fitted.tokens * _LESS), self._given_up)
                if begun or not more_tries or shorter.tokens >= fitted.tokens:
                    raise
                fitted = self._keep(shorter)

    def recorded(self, history: History, results: Sequence[ToolResult]) -> ToolResults:
        """The results of the turn that ``history`` ends with, as the model is to read them from here on: none larger
        than its share of the window."""
        left = self._window - self._fixed - _answer_room(self._window) - estimate(history[last_exchange(history) :])
        texts = capped_together([result.text for result in results], *limits(self._window, left))
        return ToolResults(
            results=tuple(
                result if text == result.text else msgspec.structs.replace(result, text=text)
                for result, text in zip(results, texts, strict=True)
            )
        )

    def _request(self, history: History, offers: tuple[ToolOffer, ...], *, may_call: bool) -> TurnRequest:
        return TurnRequest(system=SYSTEM, tools=offers, history=history, may_call=may_call, sampling=self._sampling)

    def _shown(self, history: History, photos_kept: int) -> History:
        if not photos_kept:
            return without_pictures(repair(history))
        shown, gone = keep_newest(repair(history), photos_kept)
        self.moved += gone != self._photos_gone
        self._photos_gone = gone
        return shown

    def _fitted(self, model: ChatModel, shown: History, key: _Key) -> Fitted:
        self._window = window = model.context_window
        measured = self._costs.measured(key)
        self._fixed = fixed = min(self._costs.fixed(key), window // 2) if measured is None else measured
        if measured is not None:
            _check(measured, estimate(shown[last_exchange(shown) :]), window)
        room = window - _answer_room(window) - fixed
        refused = self._refused.get(key)
        return self._keep(fit(shown, room if refused is None else min(room, refused - 1), self._given_up))

    def _keep(self, fitted: Fitted) -> Fitted:
        self.moved += fitted.given_up != self._given_up
        self._given_up = fitted.given_up
        return fitted


def _answer_room(window: int) -> int:
    return min(ANSWER_TOKENS, window // 4)


def _check(fixed: int, exchange: int, window: int) -> None:
    """Say at once, with numbers, what no fitting can help."""
    if fixed >= window:
        raise ContextTooSmall(
            f"The instructions and tools alone take {fixed:,} tokens, but the model's window holds {window:,}. "
            "Choose a model with a larger window, or block tools that you do not need."
        )
    if fixed + exchange > window:
        raise ContextTooSmall(
            f"The instructions and tools take {fixed:,} tokens and your last message with its results about "
            f"{exchange:,}, but the model's window holds {window:,}. {_ADVICE}"
        )
