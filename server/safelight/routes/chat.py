"""The chat's routes."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from safelight.chat.connections import as_connections
from safelight.chat.questions import Answerer
from safelight.errors import BridgeError, Conflict, InvalidBody, NotFound
from safelight.guard.doors import AGENT, CHAT, holder_of
from safelight.guard.principals import AgentHolder
from safelight.routes.body import read_body
from safelight.routes.keyed import Post
from safelight.routes.service import Service
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalList,
    CallResult,
    Chat,
    ChatList,
    ChatOpened,
    ConnectionsUpdate,
    MessageAccepted,
    NewMessage,
    OpenChat,
    Permissions,
    PermissionsUpdate,
)

__all__ = ("ChatsController", "OneChatController")

Any_Request = Request[Any, Any, Any]

_STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class ChatsController(Controller):
    """All chats; for the holder of the agent token."""

    path = "/v1/chat/sessions"
    opt = AGENT

    @get()
    async def list_chats(self, service: NamedDependency[Service]) -> ChatList:
        return ChatList(sessions=await service.chats.describe_all())

    @post()
    async def open_chat(self, request: Any_Request, service: NamedDependency[Service]) -> Response[bytes]:
        body = await read_body(request, OpenChat)
        post = Post(request, "open_chat", 201, body)
        return await post.once(service.keyed, lambda: self._open(body, request, service))

    async def _open(self, body: OpenChat, request: Any_Request, service: Service) -> ChatOpened:
        if body.view is msgspec.UNSET:
            model_id, view = await service.choose_model(None if body.model is msgspec.UNSET else body.model), ""
        else:
            model_id, view = "", f"&view={body.view}"
        opened = await service.chats.open(body, model_id)
        session_id = opened.session.record.session_id
        token = opened.token.reveal()
        return ChatOpened(
            session_id=session_id,
            chat_token=token,
            page_url=f"{service.base_url(request)}/v1/ui/chat#session={session_id}&token={token}{view}",
            sends_to=opened.session.record.sends_to,
        )


class OneChatController(Controller):
    """One chat; for its page and for the holder of the agent token."""

    path = "/v1/chat/sessions/{session_id:str}"
    opt = CHAT

    @get()
    async def get_chat(self, session_id: FromPath[str], service: NamedDependency[Service]) -> Chat:
        return (await service.chats.get(session_id)).describe()

    @delete()
    async def delete_chat(self, session_id: FromPath[str], service: NamedDependency[Service]) -> None:
        await service.chats.end(session_id)
        service.keyed.forget(session_id)

    @get("/events")
    async def follow_events(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Stream:
        session = await service.chats.get(session_id)
        chunks = session.follow(request.query_params.get("after"), request.headers.get("last-event-id"))
        return Stream(chunks, media_type="text/event-stream", headers=_STREAM_HEADERS)

    @post("/messages", status_code=202)
    async def send_message(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Response[bytes]:
        session = await service.chats.get(session_id)
        body = await read_body(request, NewMessage)
        message = Post(request, "send_message", 202, body, owner=session_id)
        return await message.once_kept(service.keyed, lambda kept: session.send(body.text, kept))

    @put("/queue/{message_id:str}")
    async def edit_queued_message(
        self,
        session_id: FromPath[str],
        message_id: FromPath[str],
        request: Any_Request,
        service: NamedDependency[Service],
    ) -> MessageAccepted:
        session = await service.chats.get(session_id)
        body = await read_body(request, NewMessage)
        return await session.edit_queued(message_id, body.text)

    @delete("/queue/{message_id:str}")
    async def remove_queued_message(
        self, session_id: FromPath[str], message_id: FromPath[str], service: NamedDependency[Service]
    ) -> None:
        await (await service.chats.get(session_id)).remove_queued(message_id)

    @get("/approvals")
    async def list_approvals(self, session_id: FromPath[str], service: NamedDependency[Service]) -> ApprovalList:
        return ApprovalList(approvals=(await service.chats.get(session_id)).questions().open())

    @post("/approvals/{call_id:str}", status_code=200)
    async def answer_approval(
        self, session_id: FromPath[str], call_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Response[bytes]:
        session = await service.chats.get(session_id)
        body = await read_body(request, ApprovalAnswer)
        by: Answerer = "agent" if isinstance(holder_of(request.scope), AgentHolder) else "page"
        answer = Post(request, "answer_approval", 200, body, owner=session_id)
        return await answer.once_kept(service.keyed, lambda kept: session.answer(call_id, body, by, kept))

    @post("/stop", status_code=202)
    async def stop_chat(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Response[bytes]:
        session = await service.chats.get(session_id)
        return await Post(request, "stop_chat", 202, owner=session_id).once(service.keyed, session.stop)

    @get("/permissions")
    async def get_permissions(self, session_id: FromPath[str], service: NamedDependency[Service]) -> Permissions:
        await service.chats.get(session_id)
        return service.permissions.current()

    @put("/permissions")
    async def put_permissions(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Permissions:
        await service.chats.get(session_id)
        body = await read_body(request, PermissionsUpdate)
        try:
            return await asyncio.to_thread(service.permissions.replace, body)
        except OSError as error:
            text = f"The settings could not be saved ({error.strerror}). They hold until Safelight ends."
            raise Conflict(text) from None

    @put("/connections")
    async def put_connections(
        self, session_id: FromPath[str], request: Any_Request, service: NamedDependency[Service]
    ) -> Chat:
        session = await service.chats.get(session_id)
        body = await read_body(request, ConnectionsUpdate)
        await service.chats.connect(session, as_connections(body.connections))
        return session.describe()

    @get("/results/{call_id:str}")
    async def get_result(
        self, session_id: FromPath[str], call_id: FromPath[str], service: NamedDependency[Service]
    ) -> CallResult:
        await service.chats.get(session_id)
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
        await service.chats.get(session_id)
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
