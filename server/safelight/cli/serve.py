"""``safelight serve``: the service alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from safelight.settings import DEFAULT_PORT, MOST_DAYS, Settings, default_data_dir

if TYPE_CHECKING:
    import argparse

__all__ = ("add_parser", "add_service_arguments", "days", "run", "settings_of")


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("serve", help="run the service for the plug-in in Lightroom")
    add_service_arguments(parser)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--dev", action="store_true", help="offer the developer tools at /mcp")
    parser.set_defaults(run=run)


def add_service_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``serve`` and ``demo`` share."""
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help="0 takes a free one (default %(default)s)")
    parser.add_argument("--data-dir", type=Path, default=None, help="where Safelight keeps its data")
    parser.add_argument("--model", default=None, help="model of new chats that name none")
    parser.add_argument(
        "--keep-days",
        type=days,
        default=None,
        metavar="N",
        help="keep conversations for N days after their last event, 0 not beyond the end of the service "
        "(default: as `safelight data keep` has set, else 30)",
    )


def run(arguments: argparse.Namespace) -> int:
    from safelight.cli.serving import run_service

    return run_service(settings_of(arguments))


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that the arguments name."""
    data_dir: Path = arguments.data_dir or default_data_dir()
    return Settings(
        data_dir=data_dir.absolute(),
        host=getattr(arguments, "host", "127.0.0.1"),
        port=arguments.port,
        model=arguments.model,
        dev=getattr(arguments, "dev", False),
        keep_days=arguments.keep_days,
    )


def days(text: str) -> int:
    """A number of days to keep conversations for."""
    number = int(text)
    if not 0 <= number <= MOST_DAYS:
        raise ValueError(text)
    return number


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65_535:
        raise ValueError(text)
    return port
