"""``safelight data``: the conversations that Safelight keeps, and for how long."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from safelight.cli.connection import Subparsers, add_connection_options, connect, explain
from safelight.cli.serve import days
from safelight.cli.words import safe
from safelight.settings import default_data_dir

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from safelight_client import SafelightClient, models

__all__ = ("add_parser", "chat_table", "run")

_ABOUT = """Conversations stand in Safelight's data folder: what was said and what the tools answered, but no key. They
are erased some days after their last event (30, or what `keep` sets), or when you delete them. The journal of changes
to your catalog stays, so that they can be taken back."""


def add_parser(subparsers: Subparsers) -> None:
    """Add ``data list``, ``data delete`` and ``data keep``."""
    parser = subparsers.add_parser("data", help="conversations that are kept", description=_ABOUT)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="list the conversations, the one used last first")
    delete = actions.add_parser("delete", help="end a conversation and erase it")
    which = delete.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?", help="as `safelight data list` shows it")
    which.add_argument("--all", action="store_true", help="all of them, also those in which something goes on")
    for action in (listed, delete):
        add_connection_options(action)
        action.set_defaults(run=run)
    keep = actions.add_parser("keep", help="set for how many days conversations are kept")
    keep.add_argument("days", type=days, help="days after the last event; 0: not beyond the end of the service")
    keep.add_argument("--data-dir", type=Path, metavar="DIR", help="data folder of the service")
    keep.set_defaults(run=_keep)


def run(args: argparse.Namespace) -> int:
    """Carry out what the running service does; the exit status is its result."""
    import asyncio

    from safelight_client import SafelightClientError

    try:
        return asyncio.run(_act(args, connect(args.url, args.data_dir)))
    except KeyboardInterrupt:
        return 130
    except SafelightClientError as error:
        sys.stderr.write(f"{explain(error)}\n")
        return 1


async def _act(args: argparse.Namespace, client: SafelightClient) -> int:
    async with client:
        chats = (await client.list_chats()).sessions
        if args.action == "list":
            for line in chat_table(chats):
                sys.stdout.write(f"{line}\n")
            return 0
        doomed = [chat.session_id for chat in chats if args.all or chat.session_id == args.id]
        if not (doomed or args.all):
            sys.stderr.write("safelight: There is no conversation with this id. See `safelight data list`.\n")
            return 1
        for session_id in doomed:
            await _delete(client, session_id)
        what = f"{len(doomed)} conversations are" if args.all else f"Conversation {args.id} is"
        sys.stderr.write(f"{what} erased.\n")
        return 0


async def _delete(client: SafelightClient, session_id: str) -> None:
    import contextlib

    from safelight_client import Forbidden

    with contextlib.suppress(Forbidden):  # it has been ended since the list was read
        await client.delete_chat(session_id)


def _keep(args: argparse.Namespace) -> int:
    """Write the settings file; a service that runs reads it at its next start."""
    import msgspec

    from safelight.chat.kept_settings import read_settings, write_settings
    from safelight.settings import Settings

    folder: Path = args.data_dir or default_data_dir()
    path = Settings(data_dir=folder).settings_file
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = msgspec.structs.replace(read_settings(path), keep_days=args.days)
        write_settings(path, kept)
    except OSError as error:
        sys.stderr.write(f"safelight: {path} cannot be written ({error.strerror}).\n")
        return 1
    said = f"Conversations are kept for {args.days} days after their last event"
    if args.days == 0:
        said = "Conversations are not kept: they end with Safelight, and what is stored now is erased"
    sys.stderr.write(f"{said}, from the next start of Safelight on.\n")
    return 0


def chat_table(chats: Sequence[models.Chat]) -> list[str]:
    """A line for each conversation: id, when it was last active, title; the one used last first."""
    if not chats:
        return ["No conversations are kept."]
    width = max(len(chat.session_id) for chat in chats)
    newest_first = sorted(chats, key=lambda chat: chat.last_active, reverse=True)
    return [
        f"{chat.session_id:<{width}}  {chat.last_active.astimezone():%Y-%m-%d %H:%M}  {safe(chat.title)}".rstrip()
        for chat in newest_first
    ]
