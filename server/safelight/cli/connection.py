"""How a command finds the running service, and what is said when it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import argparse

    from safelight_client import SafelightClient, SafelightClientError

__all__ = ("Subparsers", "add_connection_options", "connect", "explain")


class Subparsers(Protocol):
    """What ``ArgumentParser.add_subparsers`` gives."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser: ...


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """``--url`` and ``--data-dir``."""
    parser.add_argument("--url", help="address of the service; otherwise the one that the data folder names")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="data folder of the service")


def connect(url: str | None, data_dir: Path | None) -> SafelightClient:
    """A client with the agent token. Raises ``ServiceUnreachable`` when no service runs for the data folder."""
    from safelight_client import SafelightClient, default_data_dir, read_token

    if url is None:
        return SafelightClient.from_runtime(data_dir)
    return SafelightClient(url, agent_token=read_token((data_dir or default_data_dir()) / "agent-token"))


def explain(error: SafelightClientError, *, hint: str = "") -> str:
    """The error as one line for the person, with what to do."""
    from safelight_client import AnswerUnreadable, Forbidden, ServiceUnreachable, StreamBroken

    advice: dict[type[Any], str] = {
        ServiceUnreachable: f"Start it from Lightroom or with `safelight serve`{hint}.",
        StreamBroken: "Look whether the service still runs, and ask again.",
        AnswerUnreadable: "Use the same version of the service and of this program.",
        Forbidden: "If the service was set up with another data folder, name it with --data-dir.",
    }
    said = next((text for kind, text in advice.items() if isinstance(error, kind)), "")
    return f"safelight: {error.message} {said}".rstrip()
