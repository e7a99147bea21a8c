"""Makes a chat's request to the model: instructions, tools, and the conversation as it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from safelight.conversation.prompt import SYSTEM
from safelight.conversation.repair import repair
from safelight.models.chat_model import ToolOffer, TurnRequest

if TYPE_CHECKING:
    from safelight.conversation.parts import History

__all__ = ("Prompting",)


class Prompting:
    """One for each chat."""

    def __init__(self, temperature: float) -> None:
        self._temperature = temperature

    def request(self, history: History, offers: tuple[ToolOffer, ...], *, may_call: bool) -> TurnRequest:
        """The request for the next turn."""
        return TurnRequest(
            system=SYSTEM, tools=offers, history=repair(history), may_call=may_call, temperature=self._temperature
        )
