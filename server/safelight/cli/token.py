"""``safelight token``: app tokens for other programs, minted and revoked at the running service."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from safelight.cli.connection import Subparsers, add_connection_options, connect, explain
from safelight.cli.words import safe

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from safelight_client import SafelightClient, models

__all__ = ("add_parser", "run", "token_table")

_ABOUT = """App tokens open the tools at /mcp for one other program, with a role: a viewer may look, an editor may also
change what is no photo, an owner may do everything. They open no chat and answer no question."""


def add_parser(subparsers: Subparsers) -> None:
    """Add ``token mint``, ``token list`` and ``token revoke``."""
    parser = subparsers.add_parser("token", help="tokens for other programs", description=_ABOUT)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    mint = actions.add_parser("mint", help="make a token; it is shown this one time, on standard output")
    mint.add_argument("name", help="which program it is for")
    mint.add_argument("--role", choices=("viewer", "editor", "owner"), required=True)
    listed = actions.add_parser("list", help="list the tokens, without their values")
    revoke = actions.add_parser("revoke", help="revoke a token; it opens nothing from now on")
    revoke.add_argument("id", help="as `safelight token list` shows it")
    for action in (mint, listed, revoke):
        add_connection_options(action)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Carry the command out; the exit status is its result."""
    import asyncio

    from safelight_client import SafelightClientError

    try:
        asyncio.run(_act(args, connect(args.url, args.data_dir)))
    except KeyboardInterrupt:
        return 130
    except SafelightClientError as error:
        sys.stderr.write(f"{explain(error)}\n")
        return 1
    return 0


async def _act(args: argparse.Namespace, client: SafelightClient) -> None:
    from safelight_client import models

    async with client:
        if args.action == "mint":
            minted = await client.mint_token(models.NewToken(name=args.name, role=args.role))
            sys.stderr.write(f"Token {minted.token_id} ({args.role}). It is shown only now:\n")
            sys.stderr.flush()
            sys.stdout.write(f"{minted.token}\n")
        elif args.action == "list":
            for line in token_table((await client.list_tokens()).tokens):
                sys.stdout.write(f"{line}\n")
        else:
            await client.revoke_token(args.id)
            sys.stderr.write(f"Token {args.id} is revoked.\n")


def token_table(tokens: Sequence[models.TokenInfo]) -> list[str]:
    """A line for each token: id, role, day of minting, name."""
    if not tokens:
        return ["There are no tokens. Make one with `safelight token mint NAME --role viewer`."]
    width = max(len(token.token_id) for token in tokens)
    return [
        f"{token.token_id:<{width}}  {token.role:<6}  {token.created:%Y-%m-%d}  {safe(token.name)}" for token in tokens
    ]
