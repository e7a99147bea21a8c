"""A chat with a model in MLX's process, through everything that stands between the two, while the process is killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import aclosing
from pathlib import Path

import pytest

from safelight.conversation.parts import UserMessage
from safelight.engines.engine import EngineSettings, LocalEngine
from safelight.engines.mlx import MlxEngine
from safelight.engines.slots import Slots
from safelight.errors import ModelError
from safelight.models.chat_model import ToolOffer, TurnDone, TurnPiece, TurnRequest
from safelight.models.local import LocalChatModel
from tests.engines.mlx_model import windowed_folder
from tests.engines.mlx_rig import BOUND
from tests.requirement import requirement

WORD = {"type": "object", "properties": {"word": {"type": "string", "maxLength": 12}}, "required": ["word"]}
FIND = ToolOffer(name="find", title="Find", description="Finds photos.", input_schema=WORD)
REQUEST = TurnRequest(system="You find photos.", tools=(FIND,), history=(UserMessage(text="Find boats."),))


@requirement("limit.crash")
@pytest.mark.parametrize("kills", [1, pytest.param(12, marks=pytest.mark.long)])
async def test_a_chat_goes_on_after_its_models_process_was_killed(tmp_path: Path, kills: int) -> None:
    engines: list[MlxEngine] = []

    def make(settings: EngineSettings) -> LocalEngine:
        engines.append(MlxEngine(settings))
        return engines[-1]

    settings = EngineSettings(kind="mlx", path=windowed_folder(tmp_path), context_tokens=4_096)
    slots = Slots(make, check=lambda _: None)
    model = LocalChatModel("mlx:tiny", lambda: slots.engine_for(settings), context_window=4_096, small=False)
    chance = random.Random(kills)
    async with asyncio.timeout(BOUND * kills):
        undisturbed = await _turn(model)
        for _ in range(kills):
            got = 0
            when = chance.randrange(1, 6)
            with pytest.raises(ModelError, match="the system killed it"):
                async with aclosing(model.turn(REQUEST)) as pieces:
                    async for piece in pieces:
                        got += isinstance(piece, TurnPiece)
                        if got == when:
                            pid = engines[-1].pid
                            assert pid is not None
                            os.kill(pid, signal.SIGKILL)
            assert await _turn(model) == undisturbed
        await slots.close()


async def _turn(model: LocalChatModel) -> tuple[str, str, list[object]]:
    """What was thought, answered and called; calls have an id by chance besides."""
    async with aclosing(model.turn(REQUEST)) as pieces:
        last = [piece async for piece in pieces][-1]
    assert isinstance(last, TurnDone)
    return last.turn.reasoning, last.turn.text, [(call.tool, call.arguments) for call in last.turn.calls]
