"""The machine that is measured on, and what a process takes of its memory."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.bench.measured import Machine

__all__ = ("peak_mb", "resident_mb", "this_machine")

PACKAGES: Final = (
    "litestar", "llama-cpp-python", "llguidance", "lupa", "mcp", "msgspec", "numpy", "safelight", "uvicorn",
)  # fmt: skip
MIB: Final = 1024 * 1024


def this_machine() -> Machine:
    """Its facts, as they are now."""
    return Machine(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        memory_gb=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3, 1),
        system=f"{platform.system()} {platform.machine()}",
        load=round(os.getloadavg()[0], 2),
        python=platform.python_version(),
        versions={name: importlib.metadata.version(name) for name in PACKAGES},
    )


def resident_mb(pid: int) -> float:
    """MiB of memory that a process has now."""
    if sys.platform == "linux":
        return _status(pid, "VmRSS")
    asked = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(asked.stdout) / 1024


def peak_mb(pid: int | None = None) -> float:
    """The most MiB of memory that a process, or this one, ever had; of another one, where only Linux tells, what it has
    now."""
    if sys.platform == "linux":
        return _status(os.getpid() if pid is None else pid, "VmHWM")
    if pid is not None:
        return resident_mb(pid)
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


def _status(pid: int, name: str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(name)


def _cpu() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
