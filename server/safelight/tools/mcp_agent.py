"""An agent from outside as the gate's principal: its role and the permissions for agents bound what it may do; who is
asked is the person at the agent's own program, where that can show a form, otherwise whoever has the inbox open."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from safelight.errors import Conflict, NotFound
from safelight.gate.principal import Denied, Profile
from safelight.tools.mcp_form import Said, form_of
from safelight.wire.models import Role

if TYPE_CHECKING:
    from safelight.gate.gate import Passage
    from safelight.gate.permissions import AgentPermissions
    from safelight.gate.principal import Question, Reply
    from safelight.guard.tokens import TokenBook
    from safelight.tools.mcp_form import Form
    from safelight.wire.models import ApprovalAnswer, Permissions

__all__ = ("Access", "Caller", "Inbox", "Line", "NoForm", "OutsideAgent")

_NOBODY: Final = (
    "{title} needs the user's permission, and nobody can be asked now: nobody has Safelight's inbox open. Nothing was "
    "changed. Ask your user to open it (in Lightroom, Library > Plug-in Extras > Questions from Other Agents, or on a "
    "terminal `safelight chat --inbox`), and then call again."
)
_TAKEN_BACK: Final = (
    "The token that this call came with was taken back, so it did not run. Nothing was changed. Ask your user for "
    "another token."
)
_NO_ANSWER: Final = (
    "Nobody answered the form in time, so this call did not run. Nothing was changed. Ask the user before you call "
    "again."
)


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Whose token a call came with. ``token_id`` is that of an app token, None for the agent token."""

    token_id: str | None
    name: str
    role: Role

    @property
    def key(self) -> str:
        """Tells two callers apart whose names are alike."""
        return "agent" if self.token_id is None else f"app {self.token_id}"


class Access:
    """What agents from outside may do, at each moment."""

    def __init__(self, permissions: AgentPermissions, tokens: TokenBook) -> None:
        self._permissions = permissions
        self._tokens = tokens

    def permissions(self) -> Permissions:
        return self._permissions.current()

    def is_let_in(self, caller: Caller) -> bool:
        """Whether the token that the caller came with still opens /mcp."""
        return caller.token_id is None or self._tokens.stands(caller.token_id)


class NoForm(Exception):
    """The agent's program shows no form, or could not."""


class Inbox(Protocol):
    """Where the questions of agents from outside are written down, and answered from more than one side: the first
    answer counts. A call that asks nothing leaves no trace in it."""

    async def announce(self, question: Question) -> Denied | None:
        """Write down who wants to call what. Refuses where no question can be put."""
        ...

    async def ask(self, question: Question) -> Reply:
        """Put the question, and wait for its end. Cancelled, it ends as stopped."""
        ...

    async def answer_for_client(self, call_id: str, answer: ApprovalAnswer) -> None:
        """The answer of the person at the agent's program. Raises ``NotFound`` and ``Conflict`` where none waits."""
        ...

    async def unattended(self) -> str:
        """Returns once nobody has been reading the inbox for so long that nobody counts as there, with the reason."""
        ...

    async def expire(self, call_id: str, note: str, text: str) -> None:
        """End a question that nobody will answer: ``note`` for the record, ``text`` for the agent."""
        ...

    async def withdraw(self, call_id: str) -> None:
        """Nobody waits for the answer any more: the question ends as stopped."""
        ...

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        """The call is about to run with these arguments. Refuses when the service is about to end."""
        ...

    async def ended(self, call_id: str, passage: Passage | None) -> None:
        """What the call came to; None when it was cut off."""
        ...


class Line(Protocol):
    """The way back to whoever calls."""

    async def fill_in(self, form: Form) -> Said:
        """Have the person there fill in a form. Raises ``NoForm``, or ``TimeoutError`` when nothing came back."""
        ...

    async def left(self) -> None:
        """Returns when the caller has gone."""
        ...

    async def tell_waiting(self) -> None:
        """Keep the caller from giving up while a question waits. Goes on until it is cancelled."""
        ...


class OutsideAgent:
    """The principal of one call at /mcp."""

    def __init__(self, caller: Caller, access: Access, inbox: Inbox, line: Line) -> None:
        self._caller = caller
        self._access = access
        self._inbox = inbox
        self._line = line
        self._text: str | None = None

    def profile(self) -> Profile:
        now = self._access.permissions()
        return Profile(
            by=f"agent {self._caller.name}",
            role=self._caller.role,
            mode=now.mode,
            rules=now.rules,
            bulk_limit=now.bulk_limit,
        )

    async def ask(self, question: Question) -> Reply:
        refused = self._taken_back() or await self._inbox.announce(question)
        if refused is not None:
            return refused
        asking = asyncio.create_task(self._inbox.ask(question))
        aside = [
            asyncio.create_task(work)
            for work in (self._seek_answer(question), self._leave(question.call_id), self._line.tell_waiting())
        ]
        try:
            reply = await asyncio.shield(asking)
        except asyncio.CancelledError:
            asking.cancel()
            raise
        finally:
            for task in aside:
                task.cancel()
        if isinstance(reply, Denied) and self._text is not None:
            return Denied(why=reply.why, text=self._text)
        return reply

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        ending = await self._inbox.running(call_id, arguments)
        return ending or self._taken_back()

    def _taken_back(self) -> Denied | None:
        """Who was let in when the call came is not let run it after their token has been revoked."""
        if self._access.is_let_in(self._caller):
            return None
        return Denied(why="not_allowed", text=_TAKEN_BACK)

    async def _seek_answer(self, question: Question) -> None:
        """From the person at the agent's program; where no form can be shown, for as long as the inbox is attended."""
        call_id = question.call_id
        with suppress(Conflict, NotFound):  # it was answered in the inbox meanwhile
            try:
                said = await self._line.fill_in(form_of(question))
            except NoForm:
                note = await self._inbox.unattended()
                await self._inbox.expire(call_id, note, _NOBODY.format(title=question.title))
            except TimeoutError:
                await self._inbox.expire(call_id, "the agent's program brought back no answer in time", _NO_ANSWER)
            else:
                await self._inbox.answer_for_client(call_id, said.answer)
                self._text = said.text

    async def _leave(self, call_id: str) -> None:
        await self._line.left()
        await self._inbox.withdraw(call_id)
