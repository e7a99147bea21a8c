"""The seam between the chat and every model: one turn in, streamed pieces and a finished turn out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

import msgspec

from safelight.conversation.parts import AssistantTurn, Finish, History, Usage
from safelight.conversation.sampling import GREEDY, Sampling
from safelight.engines.engine import GrammarName

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

__all__ = (
    "ANSWER_TOKENS",
    "NO_WISHES",
    "ChatModel",
    "EngineWishes",
    "ModelSource",
    "Piece",
    "ToolOffer",
    "TurnDone",
    "TurnPiece",
    "TurnReading",
    "TurnRequest",
    "TurnWarning",
)


ANSWER_TOKENS: Final = 4_096
"""Tokens that an answer may take."""


class ToolOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as offered to a model. ``input_schema`` is the JSON Schema that MCP lists, plus the chat's own
    ``oneOf`` of ``set`` and ``photo_ids`` where the tool works on photos."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]


class TurnRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a model needs for one turn. ``system`` and ``tools`` are byte-stable over a chat.

    ``may_call`` false keeps the tool list and forbids calls, so that the last step of a run must answer.
    """

    system: str
    tools: tuple[ToolOffer, ...]
    history: History
    may_call: bool = True
    sampling: Sampling = GREEDY
    max_tokens: int = ANSWER_TOKENS


class TurnPiece(msgspec.Struct, frozen=True, tag="piece"):
    """A streamed piece of the running turn, whole characters only."""

    kind: Literal["reasoning", "text"]
    text: str


class TurnReading(msgspec.Struct, frozen=True, tag="reading"):
    """How far a model on this computer has read a long conversation, in tokens. It may come anew from 0."""

    done: int
    total: int


class TurnWarning(msgspec.Struct, frozen=True, tag="warning"):
    """Something the person should know about this turn, e.g. a tool that had to be set aside."""

    message: str


class TurnDone(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """The whole turn, authoritative over the pieces. The last thing a turn yields.

    With ``finish`` ``length`` the calls hold only complete ones; ``incomplete_call`` names a call that the token
    limit cut, which must never run.
    """

    turn: AssistantTurn
    finish: Finish
    usage: Usage
    incomplete_call: str | None = None


Piece: TypeAlias = TurnPiece | TurnReading | TurnWarning | TurnDone


class EngineWishes(msgspec.Struct, frozen=True, kw_only=True):
    """What a chat asks of the engine of a model on this computer; None leaves the usual. ``context_tokens`` are held
    altogether, and each of ``parallel`` photos described side by side has its part of them."""

    context_tokens: int | None = None
    parallel: int | None = None
    grammar: GrammarName | None = None


NO_WISHES: Final = EngineWishes()


class ChatModel(Protocol):
    """A model that can take a turn. Closing the generator, or cancelling the task that iterates it, stops the model
    at the next token; errors are ``safelight.errors.ModelError``."""

    model_id: str
    context_window: int
    photos_kept: int
    """So many of a conversation's newest pictures are sent to it; older ones as a line of text. 0 for a model that sees
    none, which is told so."""

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        """Do ahead what the first turn with this prompt and these tools would have to; may do nothing. Raises
        ``ModelError``."""
        ...

    def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]: ...


class ModelSource(Protocol):
    """Resolves a model id anew for every turn, so that no session holds an engine."""

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        """The model, or ``ModelMissing`` that says how to get one. Cheap: weights load inside the first turn."""
        ...
