"""Finds the service of a data folder, and starts it when none runs, apart from this program and its end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.errors import StartRefused

if TYPE_CHECKING:
    from pathlib import Path

    from safelight_client import Runtime

__all__ = ("running_service",)

READY_S: Final = 60.0
"""How long a service that was started may take until it answers."""

_ANSWER_S: Final = 5.0
_LOOK_S: Final = 0.1
_AGAIN_S: Final = 0.5
_SAID_LINES: Final = 4
_HELD: Final = "Another Safelight is running"
"""What a service says that finds another on the data folder."""
_APART: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)


async def running_service(data_dir: Path, port: int) -> Runtime:
    """The service that answers for this data folder. One that has to be started listens on ``port``.

    Several programs may ask at once: one service wins, and all get it. Raises ``StartRefused`` when none answers in
    time, with what the one that was started said last.
    """
    if (found := await _answering(data_dir)) is not None:
        return found
    said = ""
    try:
        async with asyncio.timeout(READY_S):
            while True:
                start = _Start(data_dir, port)
                while not start.has_ended():
                    if (found := await _answering(data_dir)) is not None:
                        return found
                    await asyncio.sleep(_LOOK_S)
                # Another may have been quicker and answer, or be at its end and leave the place free.
                if (found := await _answering(data_dir)) is not None:
                    return found
                said = start.last_words()
                if _HELD not in said:
                    break
                await asyncio.sleep(_AGAIN_S)
    except TimeoutError:
        said = f"{said} Nothing answered within {READY_S:g} seconds.".strip()
    raise StartRefused(f"The service could not be started. {said}")


async def _answering(data_dir: Path) -> Runtime | None:
    import httpx

    from safelight_client import ServiceUnreachable, read_runtime

    try:
        runtime = read_runtime(data_dir)
        async with httpx.AsyncClient(timeout=_ANSWER_S, trust_env=False) as client:
            health = msgspec.json.decode((await client.get(f"{runtime.url}/v1/health")).content, type=_Health)
    except (ServiceUnreachable, httpx.HTTPError, httpx.InvalidURL, msgspec.DecodeError, UnicodeDecodeError):
        return None
    # Another program may have been given the port of a service that was killed.
    return runtime if health.name == "safelight" else None


class _Health(msgspec.Struct, frozen=True):
    name: str


class _Start:
    """One try to start the service. What it says goes to ``service.log`` in the data folder."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self._log = data_dir / "service.log"
        command = [sys.executable, "-P", "-m", "safelight", "serve", "--data-dir", str(data_dir), "--port", str(port)]
        environment = {name: value for name, value in os.environ.items() if name != "SAFELIGHT_APP_TOKEN"}
        try:
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._log.open("ab") as log:
                self._begins = log.tell()
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    cwd=data_dir,
                    env=environment,
                    start_new_session=sys.platform != "win32",
                    creationflags=_APART,
                )
        except OSError as error:
            raise StartRefused(f"The service cannot be started: {error}") from None

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def last_words(self) -> str:
        with self._log.open("rb") as file:
            file.seek(self._begins)
            lines = file.read().decode("utf-8", "replace").split("\n")
        said = [line.strip().removeprefix("safelight: ") for line in lines if line.strip()]
        return " ".join(said[-_SAID_LINES:]) or "It said nothing."
