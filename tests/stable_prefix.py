"""Watches every chat of a test: each request to its model begins with the bytes of the request before."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Generator

import msgspec
import pytest

from safelight.chat.prompting import Prompting
from safelight.conversation.parts import History
from safelight.models.chat_model import ChatModel, Piece, ToolOffer, TurnRequest

__all__ = ("MOVES_PREFIX", "encoded_request", "watching")

MOVES_PREFIX = pytest.mark.moves_prefix
"""For a test that moves the prefix by other means than fitting, e.g. with another list of tools."""

_turn = Prompting.turn


def encoded_request(request: TurnRequest) -> bytes:
    """What a model reads before its answer, in the order in which it reads it."""
    return b"\n".join(map(msgspec.json.encode, (request.system, request.tools, *request.history, None)))[:-4]


class _Watched:
    """A model whose requests are looked at on their way."""

    def __init__(self, model: ChatModel, prompting: Prompting, requests: dict[Prompting, tuple[bytes, int]]) -> None:
        self.model_id = model.model_id
        self.context_window = model.context_window
        self.photos_kept = model.photos_kept
        self.broken: list[str] = []
        self._model = model
        self._prompting = prompting
        self._requests = requests

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        await self._model.prepare(system, tools)

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        now = encoded_request(request)
        before, moved = self._requests.get(self._prompting, (b"", 0))
        self._requests[self._prompting] = (now, self._prompting.moved)
        if moved == self._prompting.moved and not now.startswith(before):
            same = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(now))
            self.broken.append(f"...{before[same - 20 : same + 60]!r} became ...{now[same - 20 : same + 60]!r}")
        async with contextlib.aclosing(self._model.turn(request)) as pieces:
            async for piece in pieces:
                yield piece


@contextlib.contextmanager
def watching() -> Generator[list[str], None, None]:
    """The list of what was broken, filled while the block lasts."""
    broken: list[str] = []
    requests: dict[Prompting, tuple[bytes, int]] = {}

    async def turn(
        self: Prompting, model: ChatModel, history: History, offers: tuple[ToolOffer, ...], *, may_call: bool
    ) -> AsyncGenerator[Piece, None]:
        watched = _Watched(model, self, requests)
        try:
            async with contextlib.aclosing(_turn(self, watched, history, offers, may_call=may_call)) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            broken.extend(watched.broken)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prompting, "turn", turn)
        yield broken
