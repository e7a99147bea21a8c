"""What the way to a tool and back costs: client, server and gate, without the tool itself."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from safelight.chat.toolbox import Toolbox
from safelight.gate.gate import Gate
from safelight.gate.journal import Journal
from safelight.gate.principal import Denied, NobodyToAsk, Profile, Question, Reply
from safelight.gate.running import RunningCall
from safelight.gate.tool import GatedTool, ToolAnswer
from safelight.tools.photo_texts import compact
from safelight.wire.models import Preview
from safelight.wire.tool_table import TOOLS
from tests.bench.measured import Measured, measured
from tests.bench.photos import made_up_photos
from tests.gate.journal import open_journal

__all__ = ("measure",)

WARM_UP: Final = 50
CALLS: Final = 500
REPEATS: Final = 5
ARGUMENTS: Final[dict[str, Any]] = {"text": "dog beach", "rating_min": 3, "captured_from": "2024-05"}


class PreparedSearch:
    """``search_photos`` with an answer that is ready: a page of ten photos. Keeps the seconds that its runs took."""

    spec = TOOLS["search_photos"]

    def __init__(self) -> None:
        self.took: list[float] = []
        photos = [compact(photo) for photo in made_up_photos(10)]
        self._answer = ToolAnswer(content={"set_id": "k7xm", "count": 10, "photos": photos})

    async def count(self, arguments: dict[str, Any]) -> int | None:
        return None

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        return None

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        began = time.perf_counter()
        answer = self._answer
        self.took.append(time.perf_counter() - began)
        return answer


class Owner:
    """Somebody who may do everything that needs no question."""

    def profile(self) -> Profile:
        return Profile(by="owner", role="owner", mode="auto_read", rules={}, bulk_limit=200)

    async def ask(self, question: Question) -> Reply:
        return NobodyToAsk()

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        return None


def measure() -> list[Measured]:
    """The median over calls, and of that the median over repeats."""
    over = statistics.median(asyncio.run(_overhead()) for _ in range(REPEATS))
    name = "tool call: through the in-memory MCP client and the gate, over the tool's own time"
    return [measured(name, over * 1e3, "ms", target=0.7)]


async def _overhead() -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with open_journal(Path(folder)) as journal:
            return await _overhead_with(journal)


async def _overhead_with(journal: Journal) -> float:
    tool, owner = PreparedSearch(), Owner()
    tools: dict[str, GatedTool] = {tool.spec.name: tool}
    toolbox = Toolbox(Gate(tools, journal), tools, lambda _: owner)
    closing = asyncio.Event()
    hosting = asyncio.create_task(toolbox.run(closing))
    try:
        await toolbox.offers()  # as before every run of a chat
        for number in range(WARM_UP):
            await _call(toolbox, number)
        tool.took.clear()
        whole = [await _call(toolbox, number) for number in range(CALLS)]
    finally:
        closing.set()
        await hosting
    return statistics.median(all_of - own for all_of, own in zip(whole, tool.took, strict=True))


async def _call(toolbox: Toolbox, number: int) -> float:
    began = time.perf_counter()
    outcome = await toolbox.call("chat_0123456789abcdef", f"call_{number}", "search_photos", ARGUMENTS)
    seconds = time.perf_counter() - began
    assert outcome.ok
    return seconds
