"""Calls of agents from outside on their way to the gate: who makes them, how they are asked about, what the inbox keeps
of them."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Final

import mcp_types
import msgspec
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from safelight.gate.gate import Passage
from safelight.gate.running import to_its_end
from safelight.guard.doors import holder_of
from safelight.guard.principals import AppHolder
from safelight.tools.mcp_agent import Caller, OutsideAgent
from safelight.tools.mcp_lines import ANSWER_S, AskedForm, OpenLine, PausedLine, shows_forms
from safelight.tools.mcp_progress import ProgressReport

if TYPE_CHECKING:
    from safelight.gate.gate import Gate
    from safelight.gate.running import Progress
    from safelight.tools.mcp_agent import Access, Inbox, Line
    from safelight.tools.mcp_server import Context

__all__ = ("MOST_PAUSED", "OutsideCalls", "sealed_forms")

MOST_PAUSED: Final = 100
"""Calls that may stand still for a form; further ones ask in the inbox."""

_FORM: Final = "permission"


class _Paused(msgspec.Struct, frozen=True, eq=False):
    """A call that stands still until a request brings the answer to its form."""

    caller: Caller
    line: PausedLine
    call: asyncio.Task[Passage]
    asked: AskedForm


def caller_of(context: Context) -> Caller:
    """Whose token the request came with; nothing that it says of itself is heeded."""
    request = context.request
    if request is None:
        raise LookupError("a call at /mcp without its HTTP request")
    holder = holder_of(request.scope)
    if isinstance(holder, AppHolder):
        return Caller(token_id=holder.token_id, name=holder.name, role=holder.role)
    return Caller(token_id=None, name="with the agent token", role="owner")


def sealed_forms() -> RequestStateBoundary:
    """What travels with a form is sealed by the SDK, for a while, for one token and for one tool with its arguments."""
    key = secrets.token_bytes(32)
    security = RequestStateSecurity(keys=[key], ttl=ANSWER_S, bind_principal=lambda context: caller_of(context).key)
    return RequestStateBoundary(security, default_audience="safelight")


class OutsideCalls:
    """What the server does with ``tools/call``."""

    def __init__(self, gate: Gate, access: Access, inbox: Inbox) -> None:
        self._gate = gate
        self._access = access
        self._inbox = inbox
        self._paused: dict[str, _Paused] = {}
        self._calls: set[asyncio.Task[Passage]] = set()

    async def __call__(
        self, context: Context, parameters: mcp_types.CallToolRequestParams
    ) -> Passage | mcp_types.InputRequiredResult:
        """Take the call to the gate, and give what came of it; or the form that has to be filled in first. A request
        that brings a form back goes on with the very call that stands still, once. A cancelled request cancels the
        call."""
        if parameters.request_state is not None:
            return await self._go_on(context, parameters.request_state, parameters.input_responses or {})
        caller = caller_of(context)
        name, arguments = parameters.name, dict(parameters.arguments or {})
        in_rounds = shows_forms(context.session) and not context.session.can_send_request
        if not in_rounds or len(self._paused) >= MOST_PAUSED:
            progress = ProgressReport(context.session)
            return await self._take(caller, OpenLine(context, progress), name, arguments, progress)
        line = PausedLine()
        call = asyncio.create_task(self._take(caller, line, name, arguments, line.progress))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        return await self._until_form_or_end(context, caller, line, call)

    async def _go_on(
        self, context: Context, state: str, responses: dict[str, Any]
    ) -> Passage | mcp_types.InputRequiredResult:
        """The SDK has opened the seal: the state is one of ours, for this token, this tool and these arguments."""
        paused = self._paused.pop(state, None)
        if paused is None or paused.caller.key != caller_of(context).key:
            raise MCPError(code=mcp_types.INVALID_PARAMS, message=_OVER)
        paused.asked.answered(responses.get(_FORM))
        return await self._until_form_or_end(context, paused.caller, paused.line, paused.call)

    async def _until_form_or_end(
        self, context: Context, caller: Caller, line: PausedLine, call: asyncio.Task[Passage]
    ) -> Passage | mcp_types.InputRequiredResult:
        asked = await line.until_form_or_end(call, context.session)
        if not isinstance(asked, AskedForm):
            return asked
        state = secrets.token_urlsafe(24)
        self._paused[state] = _Paused(caller, line, call, asked)
        asyncio.get_running_loop().call_later(ANSWER_S, self._paused.pop, state, None)
        parameters = mcp_types.ElicitRequestFormParams(message=asked.form.message, requested_schema=asked.form.schema)
        return mcp_types.InputRequiredResult(
            input_requests={_FORM: mcp_types.ElicitRequest(params=parameters)}, request_state=state
        )

    async def _take(
        self, caller: Caller, line: Line, name: str, arguments: dict[str, Any], progress: Progress
    ) -> Passage:
        agent = OutsideAgent(caller, self._access, self._inbox, line)
        call_id = f"call_{secrets.token_hex(8)}"
        passage: Passage | None = None
        try:
            passage = await self._gate.call(agent, call_id, name, arguments, progress)
            return passage
        finally:
            await to_its_end(self._inbox.ended(call_id, passage))


_OVER: Final = (
    "This form was brought back before, or too late. Nothing runs by it. Call the tool again if it is still wanted."
)
