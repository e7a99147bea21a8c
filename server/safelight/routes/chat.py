"""The chat's routes."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from safelight.chat.questions import Answerer
from safelight.errors import BridgeError, Conflict, InvalidBody, NotFound
from safelight.guard.doors import AGENT, CHAT, holder_of
from safelight.guard.principals import AgentHolder
from safelight.routes.body import read_body
from safelight.routes.service import Service
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalAnswered,
    ApprovalList,
    CallResult,
    Chat,
    ChatList,
    ChatOpened,
    MessageAccepted,
    NewMessage,
    OpenChat,
    Permissions,
    PermissionsUpdate,
    Stopping,
)

__all__ = ("ChatsController", "OneChatController")

Any_Request = Request[Any, Any, Any]

_STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class ChatsController(Controller):
    """All chats; for the holder of the agent token."""

    path = "/v1/chat/sessions"
    opt = AGENT

    @get(sync_to_thread=False)
    def list_chats(self, service: NamedDependency[Service]) -> ChatList:
        return ChatList(sessions=service.chats.describe_all())

    @post()
    async def open_chat(self, request: Any_Request, service: NamedDependency[Service]) -> ChatOpened:
        body = await read_body(request, OpenChat)
        model_id = service.choose_model(None if body.model is msgspec.UNSET else body.model)
        opened = await service.chats.open(body, model_id)
        session_id = opened.session.record.session_id
        token = opened.token.reveal()
        return ChatOpened(
            session_id=session_id,
            chat_token=token,
            page_url=f"{service.base_url(request)}/v1/ui/chat#session={session_id}&token={token}",
            sends_to=opened.session.record.sends_to,
        )


class OneChatController(Controller):
    """One chat; for its page and for the holder of the agent token."""

    path = "/v1/chat/sessions/{session_id:str}"
    opt = CHAT

    @get(sync_to_thread=False)
    def get_chat(self, session_id: FromPath[str], service: NamedDependency[Service]) -> Chat:
        return service.chats.get(session_id).describe()

    @delete()
    async def delete_chat(self, session_id: FromPath[str], service: NamedDependency[Service]) -> None:
        await service.chats.end(session_id)

    @get("/events", sync_to_thread=False)
    def follow_events(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Stream:
        session = service.chats.get(session_id)
        after = request.query_params.get("after")
        if after is None:
            after = request.headers.get("last-event-id")
        return Stream(session.log.follow(after), media_type="text/event-stream", headers=_STREAM_HEADERS)

    @post("/messages", status_code=202)
    async def send_message(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> MessageAccepted:
        session = service.chats.get(session_id)
        body = await read_body(request, NewMessage)
        return await session.send(body.text)

    @put("/queue/{message_id:str}")
    async def edit_queued_message(
        self,
        session_id: FromPath[str],
        message_id: FromPath[str],
        request: Any_Request,
        service: NamedDependency[Service],
    ) -> MessageAccepted:
        session = service.chats.get(session_id)
        body = await read_body(request, NewMessage)
        return await session.edit_queued(message_id, body.text)

    @delete("/queue/{message_id:str}")
    async def remove_queued_message(
        self, session_id: FromPath[str], message_id: FromPath[str], service: NamedDependency[Service]
    ) -> None:
        await service.chats.get(session_id).remove_queued(message_id)

    @get("/approvals", sync_to_thread=False)
    def list_approvals(self, session_id: FromPath[str], service: NamedDependency[Service]) -> ApprovalList:
        return ApprovalList(approvals=service.chats.get(session_id).questions().open())

    @post("/approvals/{call_id:str}", status_code=200)
    async def answer_approval(
        self, session_id: FromPath[str], call_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> ApprovalAnswered:
        session = service.chats.get(session_id)
        body = await read_body(request, ApprovalAnswer)
        by: Answerer = "agent" if isinstance(holder_of(request.scope), AgentHolder) else "page"
        return await session.answer(call_id, body, by)

    @post("/stop", status_code=202)
    async def stop_chat(self, session_id: FromPath[str], service: NamedDependency[Service]) -> Stopping:
        return await service.chats.get(session_id).stop()

    @get("/permissions", sync_to_thread=False)
    def get_permissions(self, session_id: FromPath[str], service: NamedDependency[Service]) -> Permissions:
        service.chats.get(session_id)
        return service.permissions.current()

    @put("/permissions")
    async def put_permissions(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Permissions:
        service.chats.get(session_id)
        body = await read_body(request, PermissionsUpdate)
        try:
            return await asyncio.to_thread(service.permissions.replace, body)
        except OSError as error:
            text = f"The settings could not be saved ({error.strerror}). They hold until Safelight ends."
            raise Conflict(text) from None

    @get("/results/{call_id:str}")
    async def get_result(
        self, session_id: FromPath[str], call_id: FromPath[str], service: NamedDependency[Service]
    ) -> CallResult:
        service.chats.get(session_id)
        result = await service.store.result(session_id, call_id)
        if result is None:
            raise NotFound("This call has no result.")
        return result

    @get("/photos/{photo_id:str}", media_type="image/jpeg")
    async def get_photo(
        self,
        session_id: FromPath[str],
        photo_id: FromPath[str],
        request: Any_Request,
        service: NamedDependency[Service],
    ) -> Response[bytes]:
        service.chats.get(session_id)
        size = _size(request.query_params.get("size", "256"))
        try:
            data = await service.thumbnails.jpeg(photo_id, size)
        except BridgeError as error:
            if error.tool_code == "PHOTO_NOT_FOUND":
                raise NotFound("There is no photo with this id in the open catalog.") from None
            raise Conflict(error.message) from None
        headers = {"cache-control": "private, max-age=300", "x-content-type-options": "nosniff"}
        return Response(data, media_type="image/jpeg", headers=headers)


def _size(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 64 <= int(text[:6]) <= 1_600 or len(text) > 6:
        raise InvalidBody("size must be a whole number from 64 to 1600 (field size).", field="size")
    return int(text)
