"""``safelight mcp``: the tools for an agent that starts a program and speaks MCP on its standard input and output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from safelight.errors import StartRefused
from safelight.settings import DEFAULT_PORT, default_data_dir

if TYPE_CHECKING:
    import argparse

    from safelight.cli.connection import Subparsers
    from safelight.cli.mcp_session import Address
    from safelight_client import Secret

__all__ = ("TOKEN_VARIABLE", "add_parser", "run")

TOKEN_VARIABLE: Final = "SAFELIGHT_APP_TOKEN"  # noqa: S105  # the name of one

_ABOUT = f"""Hand on what an agent (Claude Desktop, for one) says on standard input to the running service, and the
answers to standard output. The service is started when none runs. Without a token of its own the agent gets one that is
made once and kept in the data folder. Environment: {TOKEN_VARIABLE} holds a token."""


def add_parser(subparsers: Subparsers) -> None:
    """Add ``mcp`` with its options."""
    parser = subparsers.add_parser(
        "mcp", help="the tools for an agent that talks on standard input and output", description=_ABOUT
    )
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument("--token-file", type=Path, metavar="FILE", help="use the app token in this file")
    whose.add_argument(
        "--role",
        choices=("viewer", "editor", "owner"),
        default="editor",
        help="role of the token that is made otherwise (default %(default)s)",
    )
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="data folder of the service")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port of a service that this starts (default %(default)s)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Hand on until standard input ends. Raises ``StartRefused`` when the token that is named cannot be read."""
    import asyncio

    from safelight.cli.mcp_forward import Forwarder
    from safelight.cli.mcp_lines import Wire

    given = _given_token(args.token_file, os.environ.get(TOKEN_VARIABLE, ""))
    data_dir: Path = (args.data_dir or default_data_dir()).absolute()

    wire = Wire.claimed()

    async def find() -> Address:
        return await _address(data_dir, args.port, args.role, given)

    async def forward() -> None:
        await Forwarder(find, wire.put).run(wire.lines())

    asyncio.run(forward())
    return 0


async def _address(data_dir: Path, port: int, role: str, given: Secret | None) -> Address:
    from safelight.cli.background import running_service
    from safelight.cli.mcp_session import Address
    from safelight.cli.stdio_token import stdio_token, token_path

    runtime = await running_service(data_dir, port)
    if given is not None:
        return Address(url=runtime.url, token=given, refused=_REFUSED)
    path = token_path(data_dir, role)
    token = await stdio_token(runtime, path, role)
    return Address(url=runtime.url, token=token, refused=_REVOKED.format(path=path))


def _given_token(file: Path | None, variable: str) -> Secret | None:
    from safelight_client import Secret

    if file is None and not variable.strip():
        return None
    place = f"the variable {TOKEN_VARIABLE}" if file is None else f"the file {file}"
    try:
        return Secret((variable if file is None else file.read_text(encoding="utf-8")).strip())
    except (OSError, ValueError):
        text = f"There is no token in {place}. Make one with: safelight token mint NAME --role editor"
        raise StartRefused(text) from None


_REFUSED = (
    "Safelight refuses the token that this agent was given. Make another with: safelight token mint NAME --role editor"
)
_REVOKED = (
    "Safelight refuses the token of this agent: it was revoked. To let the agent in again, delete the file {path} and "
    "start the agent anew."
)
