"""``safelight demo`` as a process of its own, for tests from the outside."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

__all__ = ("running_demo",)

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def running_demo(data_dir: Path, *options: str) -> Generator[dict[str, Any], None, None]:
    """The demo's ready line; the demo ends with the block, and must end well."""
    command = [sys.executable, "-m", "safelight", "demo", "--port", "0", "--data-dir", str(data_dir), *options]
    with (data_dir / "demo.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT)
        late = threading.Timer(120, process.kill)
        late.start()
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            late.cancel()
            assert line, (data_dir / "demo.log").read_text(encoding="utf-8")
            yield json.loads(line)
        finally:
            late.cancel()
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0, (data_dir / "demo.log").read_text(encoding="utf-8")
            process.stdout.close()  # type: ignore[union-attr]  # it was asked for
