"""``safelight chat``: one message to the model, its answer and its questions on the terminal."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from safelight.cli.connection import Subparsers, add_connection_options, connect, explain

if TYPE_CHECKING:
    import argparse

    from safelight_client import SafelightClient

__all__ = ("add_parser", "demo_options", "model_id", "run")

_MODES = ("ask_all", "auto_read", "auto_safe", "auto_all")
_ABOUT = """Send one message to an AI model that works the Lightroom catalog. The answer goes to standard output,
everything else to standard error. Ends with 0 on an answer, 3 when a call was denied, 1 on an error. With --inbox it
shows and answers what agents from outside ask, until Ctrl-C."""


def add_parser(subparsers: Subparsers) -> None:
    """Add ``chat`` with its options."""
    parser = subparsers.add_parser("chat", help="chat on the terminal", description=_ABOUT)
    parser.add_argument("text", nargs="?", help="the message")
    parser.add_argument(
        "--inbox", action="store_true", help="in place of a message: answer what agents from outside ask, until Ctrl-C"
    )
    parser.add_argument("--model", metavar="ID", help="the model; otherwise the service's own choice")
    parser.add_argument("--mode", choices=_MODES, help="what runs without asking, for this chat")
    answers = parser.add_mutually_exclusive_group()
    answers.add_argument("--yes", action="store_true", help="allow whatever is asked, once each")
    answers.add_argument("--no", action="store_true", help="deny whatever is asked")
    parser.add_argument("--json", action="store_true", help="print each event as one line of JSON")
    add_connection_options(parser)
    demo = parser.add_argument_group("without Lightroom")
    demo.add_argument("--demo", action="store_true", help="run a service and a simulated Lightroom for this message")
    demo.add_argument("--photos", metavar="DIR", help="with --demo: the catalog is made from this folder")
    demo.add_argument("--lrcat", metavar="FILE", help="with --demo: the catalog is made from a copy of this one")
    demo.add_argument("--count", type=int, metavar="N", help="with --demo: how many photos the drawn catalog has")
    parser.set_defaults(run=run)


def demo_options(args: argparse.Namespace) -> list[str]:
    """The options that ``--demo`` hands on to ``safelight demo``."""
    given = {"--model": model_id(args.model), "--photos": args.photos, "--lrcat": args.lrcat, "--count": args.count}
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]


def model_id(named: str | None) -> str | None:
    """The model's id as the service understands it: a scripted model's file does not depend on the folder."""
    kind, colon, path = (named or "").partition(":")
    return f"scripted:{Path(path).resolve()}" if kind == "scripted" and colon else named


def run(args: argparse.Namespace) -> int:
    """Carry the command out; the exit status is its result."""
    import asyncio

    from safelight.cli.inbox import misuse
    from safelight.cli.outcome import FAILED, INTERRUPTED
    from safelight.errors import StartRefused
    from safelight_client import SafelightClientError

    if (wrong := misuse(args)) is not None:
        raise StartRefused(wrong)
    # SIGTERM goes the way of an exception, so that a demonstration's child and folder go too.
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        with ExitStack() as stack:
            client = _client(args, stack)
            # The loop takes the signal for itself and leaves it without a handler.
            stack.callback(signal.signal, signal.SIGTERM, _leave)
            return asyncio.run(_chat_until_told(args, client))
    except KeyboardInterrupt:
        return INTERRUPTED
    except StartRefused as error:
        sys.stderr.write(f"safelight: {error.message}\n")
    except SafelightClientError as error:
        sys.stderr.write(f"{explain(error, hint=', or try `safelight chat --demo`')}\n")
    finally:
        signal.signal(signal.SIGTERM, before)
    return FAILED


def _leave(number: int, frame: object) -> NoReturn:
    del frame
    sys.exit(128 + number)


def _client(args: argparse.Namespace, stack: ExitStack) -> SafelightClient:
    if not args.demo:
        return connect(args.url, args.data_dir)
    from safelight.cli.demo_service import demo_service
    from safelight_client import SafelightClient, read_token

    ready = stack.enter_context(demo_service(demo_options(args)))
    return SafelightClient(ready.url, agent_token=read_token(ready.agent_token_file))


async def _chat_until_told(args: argparse.Namespace, client: SafelightClient) -> int:
    """The chat; SIGTERM cancels it as Ctrl-C does, so that it can stop its run in the service."""
    import asyncio

    told: list[int] = []
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - it runs in one

    def leave() -> None:
        told.append(128 + signal.SIGTERM)
        task.cancel()

    # Windows has no such signal: a program that is ended there is ended at once.
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)
    try:
        return await _chat(args, client)
    except asyncio.CancelledError:
        if told:
            return told[0]
        raise


async def _chat(args: argparse.Namespace, client: SafelightClient) -> int:
    from safelight.cli.conversation import converse
    from safelight.cli.display import JsonDisplay, WordsDisplay
    from safelight.cli.inbox import SAID_NO_TO_AGENTS, WAITING, attend
    from safelight.cli.outcome import FAILED
    from safelight.cli.questions import NOBODY, SAID_NO, SAID_YES, AnswersAll, AsksPerson
    from safelight.cli.terminal import Keyboard, Terminal, shows_dim

    dim = shows_dim(is_tty=sys.stderr.isatty(), environ=os.environ, platform=sys.platform)
    terminal = Terminal(sys.stdout, sys.stderr, dim=dim)
    asks = not (args.yes or args.no) and sys.stdin.isatty() and sys.stderr.isatty()
    if asks:
        answerer = AsksPerson(terminal, Keyboard())
    else:
        said_no = SAID_NO_TO_AGENTS if args.inbox else SAID_NO
        answerer = AnswersAll(SAID_YES if args.yes else said_no if args.no else NOBODY)
    display = JsonDisplay(sys.stdout.buffer, terminal, show_questions=asks) if args.json else WordsDisplay(terminal)
    async with client:
        if args.inbox:
            terminal.line(WAITING)
            await attend(client, display, answerer)
            return FAILED
        chat = await client.start_chat(model_id(args.model), args.mode)
        if chat.sends_to is not None:
            terminal.line(f"This conversation goes to {chat.sends_to}.")
        outcome = await converse(chat, args.text, display, answerer)
    if outcome.failure is not None:
        terminal.line(f"safelight: {outcome.failure}")
    return outcome.exit_status
