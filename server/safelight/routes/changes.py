"""What was changed in the catalog, and taking it back."""

from __future__ import annotations

import contextlib
import secrets
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from safelight.errors import Conflict, Forbidden, InvalidBody, NotFound, RequestRefused, ToolError
from safelight.gate.gate import Ran
from safelight.gate.journal import JournalChange
from safelight.gate.person import Person
from safelight.guard.doors import PERSON, holder_of
from safelight.guard.principals import ChatHolder, Holder
from safelight.routes.keyed import Post
from safelight.routes.service import Service
from safelight.wire.models import Change, ChangeDetails, ChangeEvent, ChangeItem, ChangeList, UndoReport

__all__ = ("ChangesController",)

_SHOWN_ITEMS: Final = 1_000
_PAGE: Final = 50
_MOST: Final = 200
_LONGEST_QUERY: Final = 200
_UNKNOWN: Final = "CHANGE_UNKNOWN"
_MAY_HAVE_CHANGED: Final = frozenset({"TIMEOUT_UNKNOWN_OUTCOME", "INTERNAL_ERROR"})


class ChangesController(Controller):
    """For the person at any chat's page, and for the holder of the agent token."""

    path = "/v1/changes"
    opt = PERSON

    @get()
    async def list_changes(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> ChangeList:
        given = request.query_params
        query = given.get("query", "")
        if len(query) > _LONGEST_QUERY:
            raise InvalidBody(f"query may have {_LONGEST_QUERY} characters at most (field query).", field="query")
        changes, following = await service.journal.changes(
            _limit(given.get("limit", str(_PAGE))), given.get("before"), query
        )
        return ChangeList(changes=[_shown(change) for change in changes], next=following or msgspec.UNSET)

    @get("/{change_id:str}")
    async def get_change(self, change_id: FromPath[str], service: NamedDependency[Service]) -> ChangeDetails:
        try:
            change = await service.journal.change(change_id)
        except ToolError as error:
            raise _refusal(error.tool_code, error.message) from None
        items = await service.journal.items(change_id, _SHOWN_ITEMS)
        return ChangeDetails(
            change=_shown(change),
            items=[msgspec.convert(item, ChangeItem, from_attributes=True) for item in items],
        )

    @post("/{change_id:str}/undo", status_code=200)
    async def undo_change(
        self, change_id: FromPath[str], request: Request[Any, Any, Any], service: NamedDependency[Service]
    ) -> Response[bytes]:
        post = Post(request, "undo_change", 200)
        return await post.once(service.keyed, lambda: self._undo(change_id, holder_of(request.scope), service))

    async def _undo(self, change_id: str, holder: Holder, service: Service) -> UndoReport | RequestRefused:
        """The report, or a refusal that may have changed something. Raises one that has changed nothing."""
        call_id = f"call_{secrets.token_hex(8)}"
        passage = await service.gate.call(Person(), call_id, "undo_change", {"change_id": change_id})
        if isinstance(passage, Ran):
            report = msgspec.convert(passage.answer.content, UndoReport)
            if isinstance(holder, ChatHolder) and report.change_id is not msgspec.UNSET:
                await _tell(holder, service, _taken_back(change_id, report.change_id, len(report.applied)))
            return report
        code = getattr(passage, "code", "not_allowed")
        refusal = _refusal(code, passage.text.removeprefix(f"{code}: "))
        if code in _MAY_HAVE_CHANGED:
            return refusal
        raise refusal


def _taken_back(change_id: str, by: str, photos: int) -> ChangeEvent:
    return ChangeEvent(seq=0, change_id=by, tool="undo_change", photos=photos, undoes=change_id.strip())


async def _tell(holder: ChatHolder, service: Service, event: ChangeEvent) -> None:
    """All pages of the chat from which a change was taken back show that, or all that show the inbox. A chat that has
    just ended shows nothing."""
    with contextlib.suppress(Forbidden):
        session = await service.chats.get(holder.session_id)
        log = session.log if session.record.model else service.inbox.log
        await log.append(event)


def _refusal(code: str, text: str) -> NotFound | Conflict:
    return NotFound(text) if code == _UNKNOWN else Conflict(text, code=code.lower())


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= _MOST):
        raise InvalidBody(f"limit must be a whole number from 1 to {_MOST} (field limit).", field="limit")
    return int(text)


def _shown(change: JournalChange) -> Change:
    return Change(
        change_id=change.change_id,
        time=datetime.fromisoformat(change.time),
        tool=change.tool,
        by=change.by,
        catalog_id=change.catalog_id,
        state=_state(change),
        items=change.changed,
        undoable=change.kind != "lasting" and change.left > 0,
        undoes=change.undoes or msgspec.UNSET,
    )


def _state(change: JournalChange) -> Literal["done", "partly", "unknown", "undone"]:
    """Undone as a whole counts as undone, also where a part had failed before."""
    has = change.states.keys()
    if "unknown" in has:
        return "unknown"
    if "done" not in has:
        return "undone"
    return "partly" if has & {"failed", "undone"} else "done"
