"""How much memory this computer has left, as each system says it. Clean copies of files in memory count as left."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast

import msgspec

__all__ = ("Memory", "linux_memory", "macos_memory", "memory_now", "windows_memory")

_LINE: Final = re.compile(r"^(\w+):\s+(\d+) kB$", re.MULTILINE)
_TOOL_SECONDS: Final = 2.0
_KIB: Final = 1_024
_UNLIMITED: Final = 1 << 60
"""The first version of control groups writes a number near 2^63 where there is no limit."""


class Memory(msgspec.Struct, frozen=True):
    """In bytes: what can be had without anything being pushed out, and all that this process could ever have."""

    available: int
    total: int


def memory_now(system: str = sys.platform) -> Memory | None:
    """None where the system does not say."""
    try:
        if system == "darwin":
            return macos_memory(_said("/usr/bin/vm_stat"), _said("/usr/sbin/sysctl", "-n", "hw.memsize"))
        if system == "win32":
            return windows_memory()
        return linux_memory(Path("/"))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def linux_memory(root: Path) -> Memory | None:
    """By ``/proc/meminfo``, and by the control groups of this process where they leave it less."""
    found = {name: int(number) * _KIB for name, number in _LINE.findall((root / "proc/meminfo").read_text("ascii"))}
    if "MemAvailable" not in found or "MemTotal" not in found:
        return None
    memory = Memory(found["MemAvailable"], found["MemTotal"])
    for group in _groups(root):
        limited = _limited(group)
        if limited is not None:
            memory = Memory(min(memory.available, limited.available), min(memory.total, limited.total))
    return memory


def macos_memory(vm_stat: str, memsize: str) -> Memory | None:
    """By what ``vm_stat`` and ``sysctl -n hw.memsize`` print. Memory that other programs have not used for a while
    counts too: macOS compresses it away."""
    page = re.search(r"page size of (\d+) bytes", vm_stat)
    counts = {name: int(number) for name, number in re.findall(r'^"?([^":\n]+)"?:\s+(\d+)\.$', vm_stat, re.MULTILINE)}
    if page is None or "Pages free" not in counts:
        return None
    kinds = ("Pages free", "Pages inactive", "Pages speculative", "Pages purgeable")
    return Memory(sum(counts.get(kind, 0) for kind in kinds) * int(page[1]), int(memsize))


class _MemoryStatus(ctypes.Structure):
    """``MEMORYSTATUSEX``."""

    _fields_ = [  # noqa: RUF012  # ctypes wants it so
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *(
            (name, ctypes.c_uint64)
            for name in ("total", "available", "all_pages", "pages", "all_addresses", "addresses")
        ),
        ("more", ctypes.c_uint64),
    ]


def windows_memory(libraries: Any = None) -> Memory | None:
    """By ``GlobalMemoryStatusEx``."""
    status = _MemoryStatus()
    status.length = ctypes.sizeof(status)
    kernel: Any = (libraries or cast("Any", ctypes)).windll.kernel32
    if not kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return Memory(int(status.available), int(status.total))


def _groups(root: Path) -> list[Path]:
    """The folders of the memory groups that this process is in, the outer ones too. In a container the inner name may
    not be there, and its root stands for it."""
    folders: list[Path] = []
    for line in (root / "proc/self/cgroup").read_text("ascii").splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers in ("", "memory") and ".." not in name:
            base = root / "sys/fs/cgroup" / controllers
            inner = PurePosixPath(name.lstrip("/"))
            folders += [base / one for one in (inner, *inner.parents)]
    return folders


def _limited(group: Path) -> Memory | None:
    """What a group leaves; None where it has no limit."""
    for limit_file, usage_file, prefix in (
        ("memory.max", "memory.current", ""),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
    ):
        limit = _number(group / limit_file)
        usage = _number(group / usage_file)
        if limit is not None and usage is not None and limit < _UNLIMITED:
            kept = _file_copies(group / "memory.stat", prefix)
            return Memory(max(limit - max(usage - kept, 0), 0), limit)
    return None


def _file_copies(stat: Path, prefix: str) -> int:
    try:
        lines = dict(line.split(" ", 1) for line in stat.read_text("ascii").splitlines())
        return sum(int(lines.get(f"{prefix}{kind}_file", 0)) for kind in ("active", "inactive"))
    except (OSError, ValueError):
        return 0


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):  # "max", for one
        return None


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=_TOOL_SECONDS, check=True).stdout  # noqa: S603  # fixed words
