"""A service that is killed at a chosen point of its chats, pages that remember every byte they saw, and a Lightroom
that counts what was written into its catalog."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import httpx

from safelight.lightroom import SimulatedLightroom, drawn_catalog
from safelight.lightroom.catalog import Catalog

__all__ = ("AUTO_ALL", "CountingLightroom", "Event", "KillPoint", "Page", "Sent", "Service", "counting_lightroom")

ROOT: Final = Path(__file__).parents[2]
AUTO_ALL: Final[dict[str, Any]] = {"mode": "auto_all", "rules": {}, "bulk_limit": 200}

Event = dict[str, Any]

_TLS: Final = ssl.create_default_context()
"""Never used; made once, since each client would read all certificates of this computer."""


@dataclass(frozen=True)
class KillPoint:
    """When a service is killed: behind so many frames of its streams, after so many seconds, or at the so-many-th
    write, before Lightroom makes it or when it has made it."""

    kind: Literal["frames", "seconds", "before write", "behind write"]
    number: float

    @staticmethod
    def drawn(dice: Random) -> KillPoint:
        kind = dice.choice(("frames", "frames", "seconds", "seconds", "before write", "behind write"))
        if kind == "frames":
            return KillPoint("frames", dice.randint(1, 150))
        if kind == "seconds":
            return KillPoint("seconds", dice.uniform(0.0, 0.9))
        return KillPoint(kind, dice.randint(1, 2))


class Service:
    """``safelight serve`` as a process of its own."""

    def __init__(self, data_dir: Path, log: Path) -> None:
        command = [sys.executable, "-m", "safelight", "serve", "--port", "0", "--data-dir", str(data_dir)]
        with log.open("ab") as stderr:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, cwd=ROOT)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, log.read_text(encoding="utf-8")
        ready = json.loads(line)
        self.url: str = ready["url"]
        self.agent_token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        self.frames = 0
        """Frames that pages have seen of it."""
        self.last = "nothing"
        """Type of the newest of them."""

    def kill(self) -> None:
        """SIGKILL; may be called again, and from any thread."""
        self.process.kill()

    def bury(self) -> None:
        """Kill it and wait until the system has taken everything of it away."""
        self.process.kill()
        self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def is_dead(self) -> bool:
        return self.process.poll() is not None

    def client(self, token: str = "") -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {token or self.agent_token}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20, verify=_TLS)


@dataclass
class Sent:
    """A message with its key; ``answer`` is None where the post was cut off."""

    text: str
    answer: dict[str, Any] | None = None


@dataclass
class Page:
    """One chat with its own token. What it has seen is kept over kills."""

    session_id: str
    token: str
    script: Path
    seen: dict[int, bytes] = field(default_factory=dict[int, bytes])
    """The bytes of each numbered event."""
    sent: dict[str, Sent] = field(default_factory=dict[str, Sent])
    """By idempotency key."""
    answered: dict[str, str] = field(default_factory=dict[str, str])
    """Call -> decision that the service confirmed."""

    @staticmethod
    async def opened(service: Service, script: Path, mode: str | None) -> Page:
        body = {"model": f"scripted:{script}"} | ({} if mode is None else {"mode": mode})
        async with service.client() as client:
            answer = await client.post("/v1/chat/sessions", json=body)
        assert answer.status_code == 201, answer.text
        chat = answer.json()
        return Page(chat["session_id"], chat["chat_token"], script)

    @property
    def path(self) -> str:
        return f"/v1/chat/sessions/{self.session_id}"

    def events(self) -> list[Event]:
        """All numbered events that it has seen, in order."""
        return [json.loads(self.seen[seq]) for seq in sorted(self.seen)]

    async def follow(self, service: Service, after: int) -> AsyncGenerator[Event, None]:
        """Every event from a number on; each numbered one is the next, and the same bytes as ever."""
        newest = after
        url = f"{self.path}/events"
        async with (
            service.client(self.token) as client,
            client.stream("GET", url, params={"after": after}) as answer,
        ):
            assert answer.status_code == 200
            async for seq, body in _frames(answer):
                event = json.loads(body)
                if seq is not None:
                    assert seq == newest + 1 == event["seq"], f"{seq} came behind {newest}"
                    newest = seq
                    assert self.seen.setdefault(seq, body) == body, f"event {seq} has changed"
                service.frames += 1
                service.last = event["type"]
                yield event

    async def read_up_to(self, service: Service, head: int) -> list[Event]:
        """The whole log from its beginning."""
        found: list[Event] = []
        if head:
            async with contextlib.aclosing(self.follow(service, 0)) as events:
                async for event in events:
                    if "seq" in event:
                        found.append(event)
                    if event.get("seq") == head:
                        break
        return found

    async def post(self, service: Service, path: str, body: object = None, key: str = "") -> httpx.Response:
        headers = {"idempotency-key": key} if key else {}
        async with service.client(self.token) as client:
            return await client.post(self.path + path, json=body, headers=headers)

    async def get(self, service: Service, path: str = "") -> dict[str, Any]:
        async with service.client(self.token) as client:
            answer = await client.get(self.path + path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def say(self, service: Service, key: str, text: str) -> dict[str, Any]:
        """Send a message, or send it again, which is answered the same."""
        sent = self.sent.setdefault(key, Sent(text))
        answer = await self.post(service, "/messages", {"text": text}, key)
        assert answer.status_code == 202, answer.text
        said = answer.json()
        assert sent.answer in (None, said), "a message that was sent again was answered otherwise"
        sent.answer = said
        return said


class CountingLightroom:
    """A simulated Lightroom that counts how often each title was written, and can kill a service at a write."""

    def __init__(self, data_dir: Path) -> None:
        self.catalog = drawn_catalog(24)
        self.photo_ids = [photo.uuid for photo in self.catalog.photos()]
        self.written: Counter[str] = Counter()
        self.before_write: Callable[[], None] = _nothing
        self.behind_write: Callable[[], None] = _nothing
        self._change = self.catalog.change_photo
        self.catalog.change_photo = self._counted
        self.lightroom = running(self.catalog, data_dir)

    def _counted(self, local_id: int, **values: Any) -> None:
        if "title" in values:
            self.before_write()
        self._change(local_id, **values)
        if "title" in values:
            self.written[values["title"]] += 1
            self.behind_write()


def running(catalog: Catalog, data_dir: Path) -> SimulatedLightroom:
    """Lightroom with this catalog, which looks for a lost service again soon."""
    lightroom = SimulatedLightroom(catalog, data_folder=data_dir, transform=_impatient)
    lightroom.start()
    return lightroom


@contextlib.contextmanager
def counting_lightroom(data_dir: Path) -> Generator[CountingLightroom]:
    counting = CountingLightroom(data_dir)
    try:
        yield counting
        assert counting.lightroom.errors == ()
    finally:
        counting.lightroom.close()


def _nothing() -> None:
    pass


def _impatient(file: str, source: str) -> str:
    if Path(file).stem != "Bridge":
        return source
    changed = source.replace("FIRST_BACKOFF, LONGEST_BACKOFF = 1, 5", "FIRST_BACKOFF, LONGEST_BACKOFF = 0.1, 0.2")
    assert changed != source
    return changed


async def _frames(answer: httpx.Response) -> AsyncGenerator[tuple[int | None, bytes], None]:
    """Number and data of each whole frame of a stream; a frame that is cut off was not seen."""
    rest = b""
    async for chunk in answer.aiter_raw():
        *whole, rest = (rest + chunk).split(b"\n\n")
        for frame in whole:
            fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if not line.startswith(b":"))
            if b"data" in fields:
                yield (int(fields[b"id"]) if b"id" in fields else None), fields[b"data"]


async def quiet(work: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end; what a dead service did to it does not matter."""
    work.cancel()
    with contextlib.suppress(asyncio.CancelledError, httpx.TransportError):
        await work
