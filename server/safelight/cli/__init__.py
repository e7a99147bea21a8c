"""The command line: ``safelight serve | demo | chat | eval | data | token | mcp``."""

from __future__ import annotations

import argparse
import sys

from safelight.errors import SafelightError
from safelight.version import VERSION

__all__ = ("main",)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is the command's own. 2 means that it could not start."""
    from safelight.cli import chat, data, demo, eval, mcp, serve, token

    parser = argparse.ArgumentParser(prog="safelight", description="Talk to your Lightroom catalog.")
    parser.add_argument("--version", action="version", version=f"safelight {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="command")
    for command in (serve, demo, chat, eval, data, token, mcp):
        command.add_parser(commands)
    given = parser.parse_args(arguments)
    try:
        return given.run(given)
    except SafelightError as error:
        sys.stderr.write(f"safelight: {error.message}\n")
        return 2
    except KeyboardInterrupt:
        return 130
