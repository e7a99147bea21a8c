"""The terminal and the keyboard: streams kept apart, questions asked, typed answers understood."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import pytest

from safelight.cli.questions import NOBODY, Answer, AsksPerson, decision_for
from safelight.cli.terminal import Keyboard, Terminal, shows_dim
from safelight_client import Decision, models

if TYPE_CHECKING:
    from collections.abc import Generator

ALL: list[Decision] = ["once", "chat", "always", "deny"]
WITHOUT_ALWAYS: list[Decision] = ["once", "chat", "deny"]


@pytest.mark.parametrize(
    ("is_tty", "environ", "platform", "dim"),
    [
        (True, {"TERM": "xterm"}, "linux", True),
        (True, {}, "darwin", True),
        (False, {"TERM": "xterm"}, "linux", False),
        (True, {"TERM": "dumb"}, "linux", False),
        (True, {"NO_COLOR": "1"}, "linux", False),
        (True, {}, "win32", False),
        (True, {"WT_SESSION": "x"}, "win32", True),
    ],
)
def test_dim_text_is_for_terminals_that_know_how(
    is_tty: bool, environ: dict[str, str], platform: str, dim: bool
) -> None:
    assert shows_dim(is_tty=is_tty, environ=environ, platform=platform) is dim


def test_the_answer_alone_is_standard_output() -> None:
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out, err, dim=True)
    terminal.thinking("They want ")
    terminal.thinking("stars.")
    terminal.line("Search photos (only looks)")
    terminal.answer("Here ")
    terminal.answer("they are\x1b[2J.")
    terminal.prompt("Allow it? ")
    terminal.answer("")
    assert out.getvalue() == "Here they are\ufffd[2J.\n"
    assert err.getvalue() == (
        "\x1b[2mThinking: They want \x1b[22m\x1b[2mstars.\x1b[22m\nSearch photos (only looks)\nAllow it? "
    )


def test_a_console_without_a_letter_shows_another() -> None:
    raw = io.BytesIO()
    terminal = Terminal(io.TextIOWrapper(raw, encoding="ascii"), io.StringIO(), dim=False)
    terminal.answer("Füchse")
    assert raw.getvalue() == b"F?chse"


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        *(("o", "once"), ("O ", "once"), ("once", "once"), ("c", "chat"), ("chat", "chat"), ("a", "always")),
        *(("always", "always"), ("d", "deny"), ("deny", "deny"), ("don't", "deny"), ("no", "deny"), ("n", "deny")),
        *(("", None), ("y", None), ("yes", None), ("oo", None), ("\x1b", None), ("allow", None)),
    ],
)
def test_what_a_typed_word_stands_for(typed: str, decision: str | None) -> None:
    assert decision_for(typed, ALL) == decision
    assert decision_for(typed, WITHOUT_ALWAYS) == (None if decision == "always" else decision)


@contextmanager
def keyboard() -> Generator[tuple[Keyboard, TextIO]]:
    """A keyboard, and what writes to it."""
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as stdin, os.fdopen(writing, "w", 1, encoding="utf-8") as typist:
        try:
            yield Keyboard(stdin), typist
        finally:
            typist.close()
            for thread in threading.enumerate():
                if thread.name == "keyboard":
                    thread.join(20)


def a_question(kind: Any = "mode") -> models.ApprovalNeededEvent:
    reason = models.ApprovalReason(kind=kind)
    return models.ApprovalNeededEvent(seq=1, call_id="c", reason=reason, preview=None)


async def ask(typed: list[str], kind: Any = "mode") -> tuple[Answer, str]:
    """The answer to a question when these lines are typed, each once it is asked for."""
    err = io.StringIO()
    terminal = Terminal(io.StringIO(), err, dim=False)
    with keyboard() as (keys, typist):
        prompt = terminal.prompt

        def type_on_prompt(text: str) -> None:
            prompt(text)
            # The keyboard throws away what was typed before it is asked for a line.
            line = typed.pop(0) if typed else None
            asyncio.get_running_loop().call_soon(typist.close if line is None else lambda: typist.write(line + "\n"))

        terminal.prompt = type_on_prompt
        async with asyncio.timeout(20):
            answer = await AsksPerson(terminal, keys).answer(a_question(kind))
    return answer, err.getvalue()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (["o"], Answer("once")),
        (["what?", "", "c"], Answer("chat")),
        (["a"], Answer("always")),
        (["d", ""], Answer("deny")),
        (["d", " Only the best three. "], Answer("deny", "Only the best three.")),
        (["d"], Answer("deny")),
        ([], NOBODY),
        (["?"] * 5, Answer("deny", "The user did not answer clearly.")),
    ],
)
async def test_the_person_is_asked_until_the_answer_is_clear(typed: list[str], answer: Answer) -> None:
    assert (await ask(typed))[0] == answer


async def test_always_is_not_offered_for_a_bulk_question() -> None:
    answer, shown = await ask(["a", "o"], "bulk")
    assert answer == Answer("once")
    assert "lways" not in shown
    assert "[a]lways" in (await ask(["o"]))[1]


async def test_a_line_typed_for_a_question_that_was_withdrawn_answers_no_other() -> None:
    with keyboard() as (keys, typist):
        waiting = asyncio.create_task(keys.line())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        arrived = asyncio.Event()
        put = keys._lines.put_nowait  # pyright: ignore[reportPrivateUsage] - to know when it waits

        def note(item: str | None) -> None:
            put(item)
            arrived.set()

        keys._lines.put_nowait = note  # pyright: ignore[reportPrivateUsage] - to know when it waits
        async with asyncio.timeout(20):
            typist.write("o\n")
            await arrived.wait()
            asked = asyncio.create_task(keys.line())
            await asyncio.sleep(0)
            typist.write("d\n")
            assert await asked == "d"
            typist.close()
            assert await keys.line() is None
            assert await keys.line() is None
