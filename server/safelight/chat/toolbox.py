"""The chat's side of MCP: it is a client of the same server that external agents call, in memory."""

from __future__ import annotations

import base64
import copy
import logging
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from safelight.conversation.parts import Image
from safelight.gate.decision import class_of
from safelight.late import Late, import_aside
from safelight.models.chat_model import ToolOffer
from safelight.tools.wire_names import CALL_ID, ERROR_CODE, PHOTO_ID, SESSION_ID, SKIPPED

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    import mcp_types
    from mcp import Client

    from safelight.gate.gate import Gate
    from safelight.gate.principal import Principal
    from safelight.gate.tool import GatedTool
    from safelight.tools.mcp_server import Context
    from safelight.wire.models import ToolClass

__all__ = ("SWITCHES", "CallOutcome", "Toolbox")

logger = logging.getLogger(__name__)

SkipReason = Literal["not_allowed", "stopped", "turned_off", "read_only", "agents_off"]

SWITCHES: Final[dict[str, SkipReason]] = {"READ_ONLY": "read_only", "AGENTS_OFF": "agents_off"}
"""Errors that a call ends with when a switch in Lightroom kept it from anything at all; a call that had done something
answers with what it did."""


class CallOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came back from a call. ``skipped`` says why it did not run; then ``text`` tells the model."""

    ok: bool
    text: str
    content: dict[str, Any] | None = None
    images: tuple[Image, ...] = ()
    skipped: SkipReason | None = None


_LOST: Final = (
    "INTERNAL_ERROR: The call was lost inside Safelight. Whether it changed anything is unknown; look before you "
    "repeat it."
)


class Toolbox:
    """The tools as chats see them. Usable from any task once ``run`` goes on; earlier calls wait."""

    def __init__(self, gate: Gate, tools: Mapping[str, GatedTool], chat_of: Callable[[str], Principal | None]) -> None:
        self._gate = gate
        self._tools = tools
        self._chat_of = chat_of
        self._client: Late[Client] = Late()
        self._offers: tuple[ToolOffer, ...] | None = None

    async def run(self, closing: asyncio.Event) -> None:
        """Load the SDK and hold the client until ``closing``. It must be left in the task that entered it: this one."""
        try:
            await self._hold(closing)
        except BaseException as error:
            self._client.fail(error)
            raise

    async def _hold(self, closing: asyncio.Event) -> None:
        server_module = await import_aside("safelight.tools.mcp_server")
        client_module = await import_aside("mcp")
        straight = server_module.straight_to(self._gate, self._caller_of)
        server = server_module.build_server(self._tools, straight, server_module.described_in_process)
        async with client_module.Client(server) as client:
            self._client.set(client)
            await closing.wait()

    async def offers(self) -> tuple[ToolOffer, ...]:
        """Every tool, in the contract's order, with the chat's own choice of ``set`` or ``photo_ids`` in its schema."""
        if self._offers is None:
            client = await self._client.get()
            listed = await client.list_tools()
            self._offers = tuple(self._as_offer(tool) for tool in listed.tools)
        return self._offers

    async def call(self, session_id: str, call_id: str, tool: str, arguments: dict[str, Any]) -> CallOutcome:
        """Call a tool for a chat. The call passes the gate, which may ask the person."""
        client = await self._client.get()
        if tool not in self._tools:
            return CallOutcome(ok=False, text=f"UNKNOWN_TOOL: there is no tool called {tool[:100]}.")
        meta: Any = {SESSION_ID: session_id, CALL_ID: call_id}
        try:
            return _as_outcome(await client.call_tool(tool, arguments, meta=meta))
        except Exception:  # noqa: BLE001  # every call has a result, whatever its way through MCP met
            logger.exception("The call of %s was lost", tool)
            return CallOutcome(ok=False, text=_LOST)

    async def count(self, tool: str, arguments: dict[str, Any]) -> int | None:
        """Photos that a call would aim at, where that is known."""
        return await self._gate.count(tool, arguments)

    def title_and_class(self, tool: str) -> tuple[str, ToolClass]:
        """For showing; a tool that does not exist is destructive and titled by its name."""
        found = self._tools.get(tool)
        return (found.spec.title, class_of(found.spec)) if found else (tool, "destructive")

    def _caller_of(self, context: Context) -> tuple[Principal, str]:
        meta: Mapping[str, Any] = context.meta or {}
        principal = self._chat_of(str(meta.get(SESSION_ID)))
        if principal is None:
            raise LookupError("a call for a chat that has ended")
        return principal, str(meta.get(CALL_ID))

    def _as_offer(self, tool: mcp_types.Tool) -> ToolOffer:
        schema = copy.deepcopy(tool.input_schema)
        spec = self._tools[tool.name].spec
        if spec.on_photos:
            schema["oneOf"] = [{"required": ["set"]}, {"required": ["photo_ids"]}]
        return ToolOffer(name=tool.name, title=spec.title, description=tool.description or "", input_schema=schema)


def _as_outcome(result: mcp_types.CallToolResult) -> CallOutcome:
    texts = [block.text for block in result.content if block.type == "text"]
    images = tuple(
        Image(mime_type=block.mime_type, data=base64.b64decode(block.data), photo_id=(block.meta or {}).get(PHOTO_ID))
        for block in result.content
        if block.type == "image"
    )
    meta = result.meta or {}
    skipped: SkipReason | None = meta.get(SKIPPED) or SWITCHES.get(str(meta.get(ERROR_CODE)))
    content = cast("dict[str, Any] | None", result.structured_content)
    return CallOutcome(
        ok=not result.is_error,
        text="\n".join(texts),
        content=content,
        images=images,
        skipped=skipped,
    )
