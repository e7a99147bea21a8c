"""``safelight chat --inbox`` at a running service: what it shows, what it answers, how it ends."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from safelight.cli import chat
from safelight.cli.display import Display, JsonDisplay, WordsDisplay
from safelight.cli.inbox import SAID_NO_TO_AGENTS, attend, misuse
from safelight.cli.questions import SAID_YES, Answer, AnswersAll
from safelight.cli.terminal import Terminal
from safelight_client import SafelightClient, StreamedEvent, models
from tests.live import Live, live_service
from tests.mcp.asking import agent, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_inbox import plugin_of, rating


@contextlib.asynccontextmanager
async def attended(live: Live, display: Display, answer: Answer) -> AsyncGenerator[None]:
    async with SafelightClient(live.url, agent_token=live.agent_token) as client:
        attending = asyncio.create_task(attend(client, display, AnswersAll(answer)))
        try:
            yield
        finally:
            attending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await attending


class UntilChange(JsonDisplay):
    """Tells when a change was shown."""

    def __init__(self, out: io.BytesIO) -> None:
        super().__init__(out, Terminal(io.StringIO(), io.StringIO(), dim=False), show_questions=False)
        self.changed = asyncio.Event()

    def show(self, event: StreamedEvent) -> None:
        super().show(event)
        if isinstance(event, models.ChangeEvent):
            self.changed.set()


def words() -> tuple[WordsDisplay, io.StringIO]:
    shown = io.StringIO()
    return WordsDisplay(Terminal(io.StringIO(), shown, dim=False)), shown


@requirement("mcp.approvals")
async def test_a_question_that_comes_is_shown_with_its_agent_and_answered(tmp_path: Path) -> None:
    display, shown = words()
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 2),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
        attended(live, display, SAID_YES),
    ):
        assert not (await rating(client)).is_error
        await reader.seen(models.ChangeEvent)
    lines = shown.getvalue().splitlines()
    assert "May it run: Rate photos (changes photos, 2 photos), called by agent Claude?" in lines
    assert "  Asks because of the mode for agents from outside." in lines
    assert "    IMG_0001.jpg: rating 1 -> 5" in lines
    assert any(line.startswith("  If you say always: Rate photos will run without asking") for line in lines)
    assert "  Allowed once." in lines


async def test_a_question_that_waits_already_is_shown_and_what_is_over_is_not(tmp_path: Path) -> None:
    display, shown = words()
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 2),
        agent(live, await mint(live), "auto") as client,
    ):
        async with inbox_reader(live) as reader:
            over = rating(client, rating=2)
            await reader.inbox.answer(await reader.asked(), "deny")
            await over
            await reader.seen(models.ToolSkippedEvent)
            call = rating(client, rating=3)
            await reader.asked(2)
        async with attended(live, display, SAID_NO_TO_AGENTS):
            assert str(SAID_NO_TO_AGENTS.note) in text_of(await call)
    assert "  rating: 3" in shown.getvalue().splitlines()
    assert "  rating: 2" not in shown.getvalue().splitlines()


async def test_with_json_each_event_is_a_line_as_it_came(tmp_path: Path) -> None:
    out = io.BytesIO()
    display = UntilChange(out)
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 2),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
        attended(live, display, SAID_YES),
    ):
        await rating(client)
        await reader.seen(models.ChangeEvent)
        async with asyncio.timeout(5):
            await display.changed.wait()
        told = reader.kinds()
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["type"] for event in events if "seq" in event] == told
    assert events[0]["type"] == "hello"


def given(*options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    chat.add_parser(parser.add_subparsers())
    return parser.parse_args(["chat", *options])


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["Hello"], None),
        (["--inbox", "--yes", "--json"], None),
        ([], "Give a message"),
        (["--inbox", "Hello"], "either"),
        (["--inbox", "--model", "x"], "--model"),
        (["--inbox", "--demo"], "--demo"),
    ],
)
def test_options_that_do_not_fit_each_other_are_told(options: list[str], wrong: str | None) -> None:
    assert (misuse(given(*options)) is None) == (wrong is None)
    assert wrong is None or wrong in str(misuse(given(*options)))


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent by another way there")
async def test_the_program_answers_until_ctrl_c(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live, 2),
        agent(live, await mint(live), "auto") as client,
    ):
        options = ["--inbox", "--yes", "--url", live.url, "--data-dir", str(tmp_path)]
        program = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "safelight", "chat", *options, stderr=asyncio.subprocess.PIPE
        )
        assert program.stderr is not None
        async with asyncio.timeout(30):
            assert b"Ctrl-C" in await program.stderr.readline()
            assert not (await rating(client)).is_error
            program.send_signal(signal.SIGINT)
            await program.stderr.read()
            assert await program.wait() == 130
