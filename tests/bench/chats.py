"""A thousand chats: stored ones at the start of the service, and pages that are open on them while nothing goes on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from safelight.catalog.database import Database
from safelight.chat.log import EventLog
from safelight.chat.schema import MIGRATIONS
from safelight.chat.standing import Standing
from safelight.chat.store import ChatRecord, ChatStore, StoredChat
from safelight.conversation.parts import AssistantTurn, UserMessage
from safelight.guard.secret import digest
from tests.bench.events import EVENTS
from tests.bench.machine import resident_mb
from tests.bench.measured import Measured, measured

__all__ = ("measure",)

CHATS: Final = 1_000
MESSAGES: Final = 20
STARTS: Final = 9
IDLE_S: Final = 45.0
"""Three rounds of keep-alive comments."""


def measure() -> list[Measured]:
    """The service as a process of its own, by turns on an empty data folder and on one with chats."""
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty"), Path(folder, "full")
        asyncio.run(_fill(full))
        starts: dict[Path, list[float]] = {empty: [], full: []}
        for data_dir in (empty, full):
            _start(data_dir)  # fills the disk's cache
        for _ in range(STARTS):
            for data_dir, seconds in starts.items():
                seconds.append(_start(data_dir))
        # The quickest of each: a difference this small drowns in what else the machine does.
        more_s = min(starts[full]) - min(starts[empty])
        cpu, megabytes = _idle_pages(full)
    return [
        measured(f"service: start with {CHATS:,} stored chats, longer than with none", more_s, "s", target=0.05),
        measured(f"events: {CHATS:,} idle pages, each on its chat, processor", cpu, "%", target=2),
        measured(f"events: {CHATS:,} idle pages, each on its chat, memory", megabytes, "MB", target=100),
    ]


async def _fill(data_dir: Path) -> None:
    database = Database(data_dir / "safelight.db", MIGRATIONS)
    store, now = ChatStore(database), datetime.now(UTC)
    for n in range(CHATS):
        record = ChatRecord(session_id=f"chat_{n}", token_hash=digest(_token(n)), model="none", created=now)
        await store.add(StoredChat(record=record, standing=Standing(last_active=now), providers=(), head=0))
        log = EventLog(database, record.session_id, 0, Standing(last_active=now))
        for position in range(0, MESSAGES, 2):
            said = store.saying(record.session_id, position, UserMessage(text="Which photos show boats? " * 4))
            await log.append_all([*EVENTS], said)
            answer = AssistantTurn(text="There are 120 photos with boats. " * 8)
            await database.run(store.saying(record.session_id, position + 1, answer))
    await database.close()


def _token(n: int) -> str:
    return f"slc_{n:040}"


@contextlib.contextmanager
def _served(data_dir: Path) -> Generator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    command = [sys.executable, "-m", "safelight", "serve", "--port", "0", "--data-dir", str(data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
        process.terminate()
    assert process.returncode == 0


def _start(data_dir: Path) -> float:
    began = time.perf_counter()
    with _served(data_dir):
        return time.perf_counter() - began


def _idle_pages(data_dir: Path) -> tuple[float, float]:
    """Percent of one core, and the memory that the pages add."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8_192), most))
    with _served(data_dir) as (process, ready), contextlib.ExitStack() as pages:
        time.sleep(3)  # what the service loads behind the ready line is not the pages'
        before = resident_mb(process.pid)
        host, port = ready["url"].removeprefix("http://").split(":")
        for n in range(CHATS):
            page = pages.enter_context(socket.create_connection((host, int(port)), timeout=20))
            head = f"GET /v1/chat/sessions/chat_{n}/events?after={MESSAGES // 2 * len(EVENTS)} HTTP/1.1\r\n"
            page.sendall(f"{head}Host: {host}:{port}\r\nAuthorization: Bearer {_token(n)}\r\n\r\n".encode())
            assert page.recv(100).startswith(b"HTTP/1.1 200")
        used, began = _cpu_s(process.pid), time.monotonic()
        time.sleep(IDLE_S)
        percent = 100 * (_cpu_s(process.pid) - used) / (time.monotonic() - began)
        return percent, resident_mb(process.pid) - before


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
