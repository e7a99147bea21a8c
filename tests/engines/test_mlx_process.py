"""MLX's process from the service's side: whatever it does, people get an answer or a sentence, within a bound."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from safelight.engines.engine import EngineSettings, Job
from safelight.engines.mlx import MlxEngine
from safelight.engines.mlx_process import Patience
from safelight.engines.mlx_restarts import Restarts
from safelight.errors import ContextTooSmall, ModelError, ModelMissing
from tests.engines.mlx_rig import BOUND, fake_engine, scripted, written
from tests.requirement import requirement

HASTY = Patience(silence=0.2, sign_of_life=0.3, stop=0.3, unload=0.3, leave=0.3)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@requirement("mlx.sidecar")
@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("die", r"the system killed it.*Send the message again.*I saw it coming \| metal: out of luck"),
        ("abort", r"it crashed \(SIGABRT\)\. .*smaller model if .*\[METAL\] Insufficient Memory"),
        ("give up", r"it gave up \(exit status 1\).*RuntimeError: no weights left"),
        ("half a line", "the system killed it"),
        ("nonsense", "wrote what cannot be read"),
        ("long line", "wrote what cannot be read"),
    ],
)
async def test_a_process_that_ends_is_said_with_its_last_words_and_started_again(
    tmp_path: Path, then: str, words: str
) -> None:
    engine = fake_engine(tmp_path)
    pieces: list[object] = []
    async with asyncio.timeout(BOUND):
        with pytest.raises(ModelError, match=words):
            async with aclosing(engine.generate(scripted("one", "two", then=then))) as answer:
                async for piece in answer:
                    pieces.append(piece)
        assert pieces == ["one", "two"]
        assert (await written(engine, scripted("three")))[0] == "three"
        await engine.close()


@requirement("mlx.sidecar")
async def test_a_crash_loop_ends_in_words_also_when_the_engine_is_made_anew(tmp_path: Path) -> None:
    engine = fake_engine(tmp_path)
    for _ in range(2):
        with pytest.raises(ModelError, match="killed"):
            await written(engine, scripted(then="die"))
    with pytest.raises(ModelError, match=r"2 times in a row.* in [1-5] seconds"):
        await written(engine, scripted("x"))
    await engine.close()
    with pytest.raises(ModelError, match="2 times in a row"):
        await written(fake_engine(tmp_path), scripted("x"))


def test_pauses_between_restarts_grow_and_end_with_an_answer() -> None:
    now = 0.0
    restarts = Restarts(lambda: now)
    pauses: list[float] = []
    for _ in range(12):
        restarts.check()
        restarts.crashed()
        started = now
        while _refuses(restarts.check):
            now += 1
        pauses.append(now - started)
    assert pauses == [0, 5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300]
    restarts.answered()
    restarts.crashed()
    restarts.check()


def _refuses(check: Callable[[], None]) -> bool:
    try:
        check()
    except ModelError:
        return True
    return False


@pytest.mark.parametrize(
    ("mode", "job", "patience", "words"),
    [
        ("good", scripted("x", then="deaf"), HASTY, "it did not answer for 0 seconds"),
        ("good", scripted("x", then="wait"), Patience(silence=0.2, answer=0.5), "it wrote nothing for 0 seconds"),
        ("slow", scripted("x"), Patience(load=0.3), "it wrote nothing for 0 seconds"),
        ("mute", scripted("x"), Patience(start=0.3), "did not start in time"),
        ("newer", scripted("x"), Patience(), "of another version"),
        ("dead", scripted("x"), Patience(), r"exit status 1.*this Mac is too old"),
    ],
)
async def test_a_process_that_hangs_or_does_not_start_is_given_up_in_words(
    tmp_path: Path, mode: str, job: Job, patience: Patience, words: str
) -> None:
    engine = fake_engine(tmp_path, mode, patience)
    with pytest.raises(ModelError, match=words):
        await written(engine, job)
    await engine.close()


async def test_what_the_process_refuses_keeps_its_kind(tmp_path: Path) -> None:
    engine = fake_engine(tmp_path)
    with pytest.raises(ContextTooSmall, match="too long"):
        await written(engine, scripted(then="fail"))
    assert (await written(engine, scripted("on")))[0] == "on"
    await engine.close()
    with pytest.raises(ModelMissing, match="no such folder"):
        await written(fake_engine(tmp_path, "broken"), scripted("x"))


@requirement("mlx.stop")
async def test_a_process_that_cannot_be_stopped_is_ended_and_that_is_no_crash(tmp_path: Path) -> None:
    engine = fake_engine(tmp_path, patience=HASTY)
    async with asyncio.timeout(BOUND):
        for _ in range(3):
            answer = engine.generate(scripted("x", then="deaf"))
            assert await anext(answer) == "x"
            pid = engine.pid
            await answer.aclose()
            assert (await written(engine, scripted("y")))[0] == "y"
            assert engine.pid != pid
        await engine.close()


@pytest.mark.parametrize("mode", ["good", "stubborn"])
async def test_closing_ends_the_process_within_a_bound_whatever_it_does(tmp_path: Path, mode: str) -> None:
    engine = fake_engine(tmp_path, mode, HASTY)
    answer = engine.generate(scripted("x", then="wait" if mode == "good" else "deaf"))
    async with asyncio.timeout(BOUND):
        assert await anext(answer) == "x"
        pid = engine.pid
        assert pid is not None
        waiting = asyncio.ensure_future(anext(answer))  # noqa: TID251  # the rest of a generator is no coroutine
        await engine.close()
        with pytest.raises(ModelError, match="unloaded"):
            await waiting
        assert not is_running(pid)
        await engine.close()
        with pytest.raises(ModelError, match="unloaded"):
            await written(engine, scripted("x"))


async def test_loading_can_be_cancelled_and_leaves_no_process(tmp_path: Path) -> None:
    engine = fake_engine(tmp_path, "slow")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.7):
            await written(engine, scripted("x"))
    pid = engine.pid
    async with asyncio.timeout(BOUND):
        await engine.close()
    assert pid is None or not is_running(pid)


async def test_the_process_gets_no_keys_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    show = "import os, sys; sys.exit(' '.join(sorted(os.environ.values())))"
    engine = MlxEngine(EngineSettings(kind="mlx", path=tmp_path), command=(sys.executable, "-c", show))
    with pytest.raises(ModelError, match="exit status 1") as caught:
        await written(engine, scripted("x"))
    assert os.environ["PATH"] in caught.value.message
    assert "canary" not in caught.value.message


async def test_without_mlx_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", _nothing)
    with pytest.raises(ModelError, match=r"pip install 'safelight\[mlx\]'"):
        await written(fake_engine(tmp_path), scripted("x"))


def _nothing(_name: str) -> None:
    return None


def test_the_libraries_are_imported_in_the_process_only() -> None:
    code = (
        "import sys, safelight.engines.mlx;"
        "print([name for name in ('mlx', 'mlx_lm', 'tokenizers', 'llguidance', 'numpy') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=BOUND, check=True)
    assert ran.stdout.strip() == "[]"
