"""No request ever reads the lines of another one, whatever was left early, cancelled, stopped or killed before."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, rule

from safelight.engines.engine import Job, Written
from safelight.errors import ModelError
from tests.engines.mlx_rig import BOUND, fake_engine, scripted, written
from tests.requirement import requirement

T = TypeVar("T")

lengths = st.integers(0, 5)


class LinesMachine(RuleBasedStateMachine):
    """The engine's own process is a stand-in that goes on writing where a real one might, and every piece that it
    writes is told apart from all others."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self._engine = self.run(_made(Path(self._folder.name)))
        self._names = itertools.count()
        self._crashes = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(asyncio.wait_for(work, BOUND))

    def pieces(self, count: int) -> list[str]:
        return [f"<{next(self._names)}>" for _ in range(count)]

    @rule(count=lengths, stale=st.booleans())
    def a_whole_answer(self, count: int, stale: bool) -> None:
        pieces = self.pieces(count)
        text, done = self.run(written(self._engine, scripted(*pieces, stale=stale)))
        assert (text, done.finish) == ("".join(pieces), "stop")
        self._crashes = 0

    @rule(count=lengths, late=lengths, stale=st.booleans(), data=st.data())
    def an_answer_that_is_left_early(self, count: int, late: int, stale: bool, data: st.DataObject) -> None:
        pieces = self.pieces(count)
        read = data.draw(st.integers(0, count))
        assert self.run(self._left(scripted(*pieces, then="wait", late=late, stale=stale), read)) == pieces[:read]

    @rule(count=lengths, late=lengths)
    def an_answer_that_is_cancelled_while_it_waits(self, count: int, late: int) -> None:
        pieces = self.pieces(count)
        assert self.run(self._cancelled(scripted(*pieces, then="wait", late=late), count)) == pieces

    @rule(first=lengths, second=lengths)
    def two_answers_at_once(self, first: int, second: int) -> None:
        wanted = [self.pieces(first), self.pieces(second)]

        async def both() -> list[tuple[str, Written]]:
            return await asyncio.gather(*(written(self._engine, scripted(*one)) for one in wanted))

        assert [text for text, _ in self.run(both())] == ["".join(one) for one in wanted]
        self._crashes = 0

    @rule(openings=st.lists(st.text(max_size=4), max_size=4))
    def likelihoods(self, openings: list[str]) -> None:
        scores = self.run(self._engine.likelihoods(tuple(openings), "x"))
        assert scores == tuple(-float(len(one)) for one in openings)
        self._crashes = 0

    @rule(count=lengths, then=st.sampled_from(["die", "half a line", "nonsense"]))
    def a_process_that_dies(self, count: int, then: str) -> None:
        if self._crashes:
            return  # the second in a row would mean a pause
        pieces = self.pieces(count)
        got: list[str] = []
        with pytest.raises(ModelError, match="The MLX process ended"):
            self.run(self._collected(scripted(*pieces, then=then), got))
        assert got == pieces
        self._crashes += 1

    def teardown(self) -> None:
        self.run(self._engine.close())
        self._runner.close()
        self._folder.cleanup()

    async def _left(self, job: Job, count: int) -> list[str]:
        got: list[str] = []
        async with aclosing(self._engine.generate(job)) as answer:
            while len(got) < count:
                got.append(str(await anext(answer)))
        return got

    async def _cancelled(self, job: Job, count: int) -> list[str]:
        got: list[str] = []
        all_read = asyncio.Event()

        async def read() -> None:
            async with aclosing(self._engine.generate(job)) as answer:
                if not count:
                    all_read.set()
                async for piece in answer:
                    got.append(str(piece))
                    if len(got) == count:
                        all_read.set()

        reading = asyncio.create_task(read())
        await all_read.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        return got

    async def _collected(self, job: Job, got: list[str]) -> None:
        async with aclosing(self._engine.generate(job)) as answer:
            async for piece in answer:
                got.append(str(piece))


async def _made(folder: Path) -> Any:
    return fake_engine(folder)


LinesMachine.TestCase.settings = settings(stateful_step_count=12, max_examples=settings().max_examples // 6)
TestLines = requirement("mlx.stop")(LinesMachine.TestCase)
