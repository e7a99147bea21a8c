"""The ways back to an agent from outside while its call waits, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import mcp_types
import msgspec

from safelight.tools.mcp_agent import NoForm
from safelight.tools.mcp_form import Form, Said, said_in
from safelight.tools.mcp_progress import ProgressReport
from safelight.tools.wire_names import LEFT

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

    from safelight.gate.gate import Passage
    from safelight.tools.mcp_server import Context

__all__ = ("ANSWER_S", "AskedForm", "OpenLine", "PausedLine", "shows_forms")

logger = logging.getLogger(__name__)

ANSWER_S: Final = 600.0
"""How long a person may take over a form in the era in which no request stays open meanwhile."""


def shows_forms(session: ServerSession) -> bool:
    """Whether the client has said that it can show a form. Naming no kind means forms, as they were the first kind."""
    declared = session.client_capabilities
    elicitation = None if declared is None else declared.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


class OpenLine:
    """The request stays open until the call has its end. In the era of sessions a form goes to the client as a request
    of ours; otherwise there is none."""

    def __init__(self, context: Context, progress: ProgressReport) -> None:
        self._context = context
        self._progress = progress

    async def fill_in(self, form: Form) -> Said:
        session = self._context.session
        if not (shows_forms(session) and session.can_send_request):
            raise NoForm
        try:
            result = await session.elicit_form(form.message, form.schema, self._context.request_id)
        except Exception as error:  # whatever is wrong with the way there, the inbox is left
            logger.info("A client that declared forms could not show one: %s", error)
            raise NoForm from error
        return said_in(result.action, result.content)

    async def left(self) -> None:
        """Cancelling is heard by other ways; a client may also just close the connection."""
        request = self._context.request
        left: asyncio.Event | None = None if request is None else request.scope.get(LEFT)
        await (left or asyncio.Event()).wait()

    async def tell_waiting(self) -> None:
        await self._progress.tell_waiting()


class AskedForm(msgspec.Struct, frozen=True, eq=False):
    """A form that is out, with where its own answer goes: an answer never counts for another form."""

    form: Form
    said: asyncio.Future[Said]

    def answered(self, response: object) -> None:
        """What a request brought as the answer. Says nothing to a question that has had its end elsewhere."""
        if self.said.done():
            return
        given = response if isinstance(response, mcp_types.ElicitResult) else None
        action, content = ("cancel", None) if given is None else (given.action, given.content)
        self.said.set_result(said_in(action, content))


class PausedLine:
    """Each form ends a request, and the next request brings the answer: the era in which a server sends no requests.
    The call itself stands still meanwhile, so that what goes on is what was shown."""

    def __init__(self) -> None:
        self._forms: asyncio.Queue[AskedForm] = asyncio.Queue()
        self._report: ProgressReport | None = None

    async def fill_in(self, form: Form) -> Said:
        asked = AskedForm(form, asyncio.get_running_loop().create_future())
        self._forms.put_nowait(asked)
        async with asyncio.timeout(ANSWER_S):
            return await asked.said

    async def left(self) -> None:
        """While a form is out nobody is there who could leave; a request that is cancelled ends the call."""
        await asyncio.Event().wait()

    async def tell_waiting(self) -> None:
        """No request is open that could be told anything."""

    async def progress(self, done: int, total: int) -> None:
        """The gate's ``Progress``, for whichever request waits now."""
        if self._report is not None:
            await self._report(done, total)

    async def until_form_or_end(self, call: asyncio.Task[Passage], session: ServerSession) -> Passage | AskedForm:
        """Wait with a request for the next form, or for the end. Cancelled, it cancels the call."""
        self._report = ProgressReport(session)
        form = asyncio.create_task(self._forms.get())
        waiting: set[asyncio.Task[Any]] = {call, form}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            call.cancel()
            raise
        finally:
            form.cancel()
            self._report = None
        return call.result() if call.done() else form.result()
