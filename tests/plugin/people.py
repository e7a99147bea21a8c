"""What tests of the plug-in's dialogs share: who fills them in, and where the service's program lies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from safelight.lightroom.panels import Panel

Answer = Literal["ok", "cancel"]

CHAT = "Chat with Your Catalog..."
INBOX = "Questions from Other Agents..."
INDEX = "Analyze & Index Photos..."
READ_ONLY = "Turn Read-Only Mode On or Off"


def fills(values: dict[str, str], answer: Answer = "ok") -> Callable[[Panel], Answer]:
    """A person who fills the fields of a dialog in and answers it."""

    def visit(panel: Panel) -> Answer:
        for key, value in values.items():
            panel.fill(key, value)
        return answer

    return visit


def install_program(folder: Path, script: str) -> Path:
    """A program for sh; it stands for the service's own."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "safelight"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return program
