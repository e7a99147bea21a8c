"""A chat on real parts - SQLite, gate, MCP in memory - with spy tools and a model that plays a script."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from safelight.catalog.database import Database
from safelight.chat.chats import Chats
from safelight.chat.limits import ChatLimits
from safelight.chat.schema import MIGRATIONS
from safelight.chat.services import ChatServices
from safelight.chat.session import ChatSession
from safelight.chat.store import ChatStore
from safelight.chat.toolbox import Toolbox
from safelight.conversation.parts import AssistantTurn, ToolCall, Usage
from safelight.errors import ModelError
from safelight.gate.gate import Gate
from safelight.gate.journal import Journal
from safelight.gate.permissions import PermissionBook
from safelight.gate.running import RunningCall
from safelight.gate.tool import GatedTool, ToolAnswer
from safelight.guard.secret import Secret
from safelight.guard.tokens import TokenBook
from safelight.models.chat_model import (
    NO_WISHES,
    ChatModel,
    EngineWishes,
    Piece,
    ToolOffer,
    TurnDone,
    TurnPiece,
    TurnReading,
    TurnRequest,
)
from safelight.wire.base import ToolSpec
from safelight.wire.models import Event, OpenChat, Preview, PreviewPhoto

__all__ = ("PlayedModel", "Rig", "SpyTool", "call", "opened_rig", "reply")

NO_LIMITS = ChatLimits()


def reply(text: str, reasoning: str = "") -> AssistantTurn:
    return AssistantTurn(reasoning=reasoning, text=text)


def call(tool: str, call_id: str = "", **arguments: Any) -> AssistantTurn:
    call_id = call_id or f"call_{tool}_{len(arguments)}"
    return AssistantTurn(reasoning="So.", calls=(ToolCall(call_id=call_id, tool=tool, arguments=arguments),))


@dataclass
class PlayedModel:
    """Plays turns in order. ``reads`` comes before each; ``hold`` keeps every turn waiting after its first piece;
    ``fails`` raises instead."""

    turns: list[AssistantTurn]
    model_id: str = "played"
    context_window: int = 8_192
    photos_kept: int = 2
    reads: tuple[TurnReading, ...] = ()
    hold: asyncio.Event | None = None
    fails: ModelError | None = None
    incomplete: str | None = None
    requests: list[TurnRequest] = field(default_factory=list[TurnRequest])
    streaming: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: int = 0

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        assert model_id == self.model_id
        return self

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        pass

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        self.requests.append(request)
        if self.fails is not None:
            raise self.fails
        turn = self.turns.pop(0) if request.may_call or not self.turns or self.turns[0].text else reply("Enough.")
        try:
            for reading in self.reads:
                yield reading
            if turn.reasoning:
                yield TurnPiece("reasoning", turn.reasoning)
            for word in turn.text.split(" ") if turn.text else []:
                yield TurnPiece("text", word + " ")
            self.streaming.set()
            if self.hold is not None:
                await self.hold.wait()
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled += 1
            raise
        usage = Usage(prompt_tokens=100, completion_tokens=10, cached_tokens=50, context_window=8_192)
        if self.incomplete is not None:
            yield TurnDone(turn=turn, finish="length", usage=usage, incomplete_call=self.incomplete)
            return
        yield TurnDone(turn=turn, finish="calls" if turn.calls else "stop", usage=usage)


class SpyTool:
    """A tool that records its runs and can be held inside one."""

    def __init__(self, name: str, *, read_only: bool = False, destructive: bool = True) -> None:
        self.spec = ToolSpec(
            name=name,
            title=f"Spy {name}",
            description="records its runs",
            read_only=read_only,
            destructive=destructive,
            idempotent=True,
            open_world=False,
            on_photos=False,
            input_schema={
                "type": "object",
                "additionalProperties": False,
                "properties": {"n": {"type": "integer"}, "word": {"type": "string"}},
            },
            output_schema={"type": "object"},
        )
        self.runs: list[dict[str, Any]] = []
        self.photos: int | None = 1
        self.started = asyncio.Event()
        self.hold: asyncio.Event | None = None
        self.fails: Exception | None = None
        self.says: dict[str, Any] = {}
        """What its answer says besides."""

    async def count(self, arguments: dict[str, Any]) -> int | None:
        return self.photos

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        photo = PreviewPhoto(photo_id="p1", file_name="a.jpg", before={"n": 0}, after={"n": arguments.get("n")})
        return Preview(photos=[photo], more=0)

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        self.runs.append(arguments)
        self.started.set()
        if self.hold is not None:
            await self.hold.wait()
        if self.fails is not None:
            raise self.fails
        return ToolAnswer(content={"did": self.spec.name, "set_id": "set_1", "count": 2} | self.says)


@dataclass
class Rig:
    """The parts, and a chat on them."""

    database: Database
    services: ChatServices
    chats: Chats
    session: ChatSession
    model: PlayedModel
    tools: Mapping[str, SpyTool]
    permissions: PermissionBook

    async def events(self, after: int = 0) -> list[Event]:
        return [msgspec.json.decode(body, type=Event) for body in await self.session.log.read(after)]

    async def types(self, after: int = 0) -> list[str]:
        return [kind_of(event) for event in await self.events(after)]

    async def idle(self, times: int = 1) -> list[Event]:
        """Wait until the chat has become idle so often; all numbered events."""
        async for seen in self.growing():
            ends = [event for event in seen if kind_of(event) == "busy" and not getattr(event, "busy", True)]
            if len(ends) >= times:
                return seen
        raise AssertionError("the stream ended")

    async def until(self, kind: str, times: int = 1) -> list[Event]:
        """Wait for the n-th event of a type; all numbered events so far."""
        async for seen in self.growing():
            if sum(kind_of(event) == kind for event in seen) >= times:
                return seen
        raise AssertionError("the stream ended")

    async def growing(self) -> AsyncIterator[list[Event]]:
        seen: list[Event] = []
        async with contextlib.aclosing(self.session.log.follow(None)) as chunks:
            async for chunk in chunks:
                seen += [event for event, numbered in parse_frames(chunk) if numbered]
                yield seen


def parse_frames(data: bytes) -> list[tuple[Event, bool]]:
    """The events of stream bytes, each with whether its frame had an id."""
    found: list[tuple[Event, bool]] = []
    for block in data.split(b"\n\n"):
        lines = block.split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                found.append((msgspec.json.decode(line[6:], type=Event), lines[0].startswith(b"id: ")))
    return found


def kind_of(event: Event) -> str:
    return str(event.__struct_config__.tag)


@contextlib.asynccontextmanager
async def opened_rig(
    folder: Path, turns: list[AssistantTurn], limits: ChatLimits = NO_LIMITS, **model: Any
) -> AsyncGenerator[Rig, None]:
    """A chat with the spy tools ``look`` (read), ``show`` (change) and ``rate`` (destructive)."""
    tools = {
        "look": SpyTool("look", read_only=True, destructive=False),
        "show": SpyTool("show", destructive=False),
        "rate": SpyTool("rate"),
    }
    async with serving_rig(folder, PlayedModel(turns, **model), tools, limits=limits) as rig:
        yield rig


@contextlib.asynccontextmanager
async def serving_rig(
    folder: Path,
    model: PlayedModel,
    tools: Mapping[str, SpyTool],
    session_id: str | None = None,
    limits: ChatLimits = NO_LIMITS,
) -> AsyncGenerator[Rig, None]:
    database = Database(folder / "safelight.db", MIGRATIONS)
    chats = Chats(TokenBook(database, Secret("sla_test")))
    gated: dict[str, GatedTool] = {**tools}
    gate = Gate(gated, Journal(database, _now))
    toolbox = Toolbox(gate, gated, chats.find)
    permissions = PermissionBook(folder)
    services = ChatServices(
        store=ChatStore(database),
        models=model,
        toolbox=toolbox,
        permissions=permissions,
        now=_now,
        limits=limits,
    )
    closing = asyncio.Event()
    hosting = asyncio.create_task(toolbox.run(closing))
    try:
        async with asyncio.timeout(10):
            await chats.load(services)
            opened = session_id or (await chats.open(OpenChat(), "played")).session.record.session_id
            session = await chats.get(opened)
            yield Rig(database, services, chats, session, model, tools, permissions)
    finally:
        closing.set()
        await chats.close()
        await hosting
        await database.close()


def _now() -> datetime:
    return datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
