"""The inbox: what agents from outside ask."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from safelight.chat.inbox import INBOX
from safelight.chat.questions import Answerer
from safelight.guard.doors import PERSON, holder_of
from safelight.guard.principals import AgentHolder
from safelight.routes.body import read_body
from safelight.routes.keyed import Post
from safelight.routes.service import Service
from safelight.wire.models import ApprovalAnswer, ApprovalList

__all__ = ("InboxController",)

_STREAM_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}


class InboxController(Controller):
    """For the person at any chat's page, and for the holder of the agent token; never for the agents that ask."""

    path = "/v1/inbox"
    opt = PERSON

    @get(sync_to_thread=False)
    def list_inbox(self, service: NamedDependency[Service]) -> ApprovalList:
        return ApprovalList(approvals=service.inbox.open())

    @get("/events", sync_to_thread=False)
    def follow_inbox(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Stream:
        after, seen = request.query_params.get("after"), request.headers.get("last-event-id")
        return Stream(service.inbox.log.follow(after, seen), media_type="text/event-stream", headers=_STREAM_HEADERS)

    @post("/{call_id:str}", status_code=200)
    async def answer_inbox(
        self, call_id: FromPath[str], request: Request[Any, Any, Any], service: NamedDependency[Service]
    ) -> Response[bytes]:
        body = await read_body(request, ApprovalAnswer)
        by: Answerer = "agent" if isinstance(holder_of(request.scope), AgentHolder) else "page"
        answer = Post(request, "answer_inbox", 200, body, owner=INBOX)
        return await answer.once_kept(service.keyed, lambda kept: service.inbox.answer(call_id, body, by, kept))
