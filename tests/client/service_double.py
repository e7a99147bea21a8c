"""A real HTTP server, in a thread, that speaks the contract's shapes and does what a test says."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import parse_qs

import msgspec
import uvicorn

from tests.client.chat_double import ChatDouble, StreamPlan

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ("Request", "ServiceDouble", "hosted")

WAIT_S: Final = 20.0

Drop: TypeAlias = Literal["unread", "unanswered", "unavailable"]
"""A post is not looked at, or done; then its connection breaks. Or it is not looked at and gets a 503."""

Script: TypeAlias = Callable[[ChatDouble, str], Awaitable[None]]
Receive: TypeAlias = Callable[[], Coroutine[Any, Any, dict[str, Any]]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]


class Request(msgspec.Struct, frozen=True):
    """A request as it arrived."""

    method: str
    path: str
    token: str | None
    body: Any
    key: str | None = None


class CutOff(Exception):
    """Leaves a response unfinished, so that the server breaks the connection."""


async def say_hello(chat: ChatDouble, text: str) -> None:
    """What a chat does with a message unless a test says otherwise."""
    chat.turn(f"You said: {text}", reasoning="They said something.")


class ServiceDouble:
    """Chats, tokens and health. ``script`` plays the model; ``plans`` go to the next chat that is opened."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.loop: asyncio.AbstractEventLoop | None = None
        self.reset()

    def reset(self) -> None:
        """As new."""
        self.agent_token = "agent-canary-token"
        self.script: Script = say_hello
        self.plans: deque[StreamPlan] = deque()
        self.keepalive_s = 15.0
        self.chats: dict[str, ChatDouble] = {}
        self.requests: list[Request] = []
        self.tokens: dict[str, dict[str, Any]] = {}
        self.undone: list[str] = []
        self.refuse_with: tuple[int, bytes] | None = None
        self.drops: deque[Drop] = deque()
        """What happens to the next posts instead of an answer."""
        self.inbox = self._inbox()
        self._answered: dict[tuple[str, str], tuple[int, Any]] = {}

    def do(self, work: Callable[[], Any]) -> Any:
        """Run something in the service's thread and give back its result."""

        async def wrapped() -> Any:
            return work()

        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(wrapped(), self.loop).result(WAIT_S)

    def new_chat(self) -> ChatDouble:
        """A chat without a message, opened past HTTP."""
        return self.do(self._open)

    def write_runtime(self, folder: Path) -> Path:
        """What a service leaves in its data folder."""
        token_file = folder / "agent-token"
        token_file.write_text(f"{self.agent_token}\n", encoding="utf-8")
        runtime = {"url": self.url, "pid": 1, "version": "0.1.0", "agent_token_file": str(token_file)}
        (folder / "runtime.json").write_bytes(msgspec.json.encode(runtime))
        return folder

    def _open(self) -> ChatDouble:
        chat = ChatDouble(self.keepalive_s)
        chat.plans, self.plans = self.plans, deque()
        self.chats[chat.session_id] = chat
        return chat

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.loop = asyncio.get_running_loop()
        content = b""
        while (message := await receive()).get("more_body"):
            content += message.get("body", b"")
        content += message.get("body", b"")
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        token = headers.get("authorization", "").removeprefix("Bearer ") or None
        body = msgspec.json.decode(content) if content else None
        path = scope["raw_path"].decode().partition("?")[0]
        request = Request(scope["method"], path, token, body, headers.get("idempotency-key"))
        self.requests.append(request)
        drop = self.drops.popleft() if self.drops and request.method == "POST" else None
        if drop == "unread":
            await hang_up(receive, send)
        elif drop == "unavailable":
            await answer(send, 503, b"")
        elif self.refuse_with is not None:
            status, refusal = self.refuse_with
            await answer(send, status, refusal)
        elif (events := re.fullmatch(r"/v1/chat/sessions/(\w+)/events", path)) is not None:
            query = parse_qs(scope["query_string"].decode())
            await self._stream(events[1], token, query.get("after", [None])[0], receive, send)
        elif path == "/v1/inbox/events":
            query = parse_qs(scope["query_string"].decode())
            await self._pour(self.inbox, query.get("after", [None])[0], receive, send)
        else:
            status, value = self._once(request)
            if drop == "unanswered":
                await hang_up(receive, send)
            else:
                await answer(send, status, b"" if value is None else msgspec.json.encode(value))

    def _once(self, request: Request) -> tuple[int, Any]:
        if request.key is None:
            return self._answer(request)
        place = (request.path, request.key)
        if place not in self._answered:
            self._answered[place] = self._answer(request)
        return self._answered[place]

    def _inbox(self) -> ChatDouble:
        inbox = ChatDouble(self.keepalive_s)
        inbox.session_id = "inbox"
        return inbox

    def _answer(self, request: Request) -> tuple[int, Any]:
        chat_route = re.fullmatch(r"/v1/chat/sessions/(\w+)(/.*)?", request.path)
        if request.path == "/v1/health":
            return 200, {"name": "safelight", "version": "0.1.0", "status": "ok"}
        if chat_route is not None:
            chat = self._chat(chat_route[1], request.token)
            return problem(403) if chat is None else self._in_chat(chat, request, chat_route[2] or "")
        if request.token != self.agent_token:
            return problem(403)
        if request.path == "/v1/chat/sessions":
            chat = self._open()
            chat.opened_with = request.body
            page = f"{self.url}/v1/ui/chat#{chat.session_id}.{chat.token}"
            opened = {"session_id": chat.session_id, "chat_token": chat.token, "page_url": page, "sends_to": None}
            return 201, opened
        if request.path.startswith("/v1/inbox"):
            return self._in_inbox(request)
        if request.path.startswith("/v1/changes"):
            self.undone.append(request.path)
            return 200, {"change_id": "change_2", "applied": ["p1"], "failed": [], "not_attempted": []}
        return self._tokens(request)

    def _in_inbox(self, request: Request) -> tuple[int, Any]:
        if request.method == "GET":
            return 200, {"approvals": []}
        call_id = request.path.rpartition("/")[2]
        status = self.inbox.answer(call_id, request.body)
        return (200, {"call_id": call_id, "outcome": request.body["decision"]}) if status == 200 else problem(status)

    def _in_chat(self, chat: ChatDouble, request: Request, route: str) -> tuple[int, Any]:
        if route == "" and request.method == "DELETE":
            chat.end()
            return 204, None
        if route == "":
            return 200, chat.describe()
        if route == "/connections":
            chat.needs = []
            return 200, chat.describe()
        if route == "/messages":
            if not request.body["text"].strip():
                return problem(400, "text")
            message_id = f"m{len(chat.log) + 1}"
            seq = chat.append("user_message", message_id=message_id, text=request.body["text"])
            chat.task = asyncio.get_running_loop().create_task(self._play(chat, request.body["text"]))
            return 202, {"seq": seq, "message_id": message_id}
        if route == "/stop":
            chat.stopped = True
            running = chat.task is not None and chat.task.cancel()
            return 202, {"stopping": running, "returned": []}
        call_id = route.removeprefix("/approvals/")
        status = chat.answer(call_id, request.body)
        return (200, {"call_id": call_id, "outcome": request.body["decision"]}) if status == 200 else problem(status)

    async def _play(self, chat: ChatDouble, text: str) -> None:
        chat.append("busy", busy=True)
        try:
            await self.script(chat, text)
        except asyncio.CancelledError:
            chat.append("stopped", reason="user")
        finally:
            chat.append("busy", busy=False)

    def _tokens(self, request: Request) -> tuple[int, Any]:
        if request.method == "GET":
            return 200, {"tokens": list(self.tokens.values())}
        if request.method == "POST":
            token_id = f"t{len(self.tokens) + 1}"
            self.tokens[token_id] = {"token_id": token_id, "created": "2026-01-02T03:04:05Z", **request.body}
            return 201, {"token_id": token_id, "token": f"app-{token_id}"}
        found = self.tokens.pop(request.path.rpartition("/")[2], None)
        return problem(404) if found is None else (204, None)

    def _chat(self, session_id: str, token: str | None) -> ChatDouble | None:
        chat = self.chats.get(session_id)
        return chat if chat is not None and not chat.ended and token in {self.agent_token, chat.token} else None

    async def _stream(
        self, session_id: str, token: str | None, after: str | None, receive: Receive, send: Send
    ) -> None:
        chat = self._chat(session_id, token)
        if chat is None:
            status, value = problem(403)
            await answer(send, status, msgspec.json.encode(value))
            return
        await self._pour(chat, after, receive, send)

    async def _pour(self, chat: ChatDouble, after: str | None, receive: Receive, send: Send) -> None:
        plan = chat.plans.popleft() if chat.plans else StreamPlan()
        if plan.status is not None:
            status, value = problem(plan.status)
            await answer(send, status, msgspec.json.encode(value))
            return
        chat.connections.append(after)
        queue = chat.open_stream(after, plan)
        sender = asyncio.create_task(pour(queue, plan, send))
        gone = asyncio.create_task(receive())
        try:
            await asyncio.wait({sender, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            chat.close_stream(queue)
            gone.cancel()
            if not sender.done():
                sender.cancel()
        if sender.done() and not sender.cancelled():
            sender.result()


async def pour(queue: asyncio.Queue[bytes | None], plan: StreamPlan, send: Send) -> None:
    """Send what comes until the end, the plan's end, or the plan's cut."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    sent, frames = 0, 0
    while frames != plan.frames and (data := await queue.get()) is not None:
        if plan.cut is not None and sent + len(data) > plan.cut:
            await send({"type": "http.response.body", "body": data[: plan.cut - sent], "more_body": True})
            raise CutOff
        await send({"type": "http.response.body", "body": data, "more_body": True})
        sent, frames = sent + len(data), frames + 1
    await send({"type": "http.response.body", "body": b""})


async def hang_up(receive: Receive, send: Send) -> None:
    """Break the connection without a byte of an answer."""
    cycle: Any = send.__self__  # type: ignore[attr-defined]  # the server's own request, which has the connection
    cycle.transport.abort()
    assert (await receive())["type"] == "http.disconnect"


async def answer(send: Send, status: int, content: bytes) -> None:
    kind = b"application/json" if status < 400 else b"application/problem+json"
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": content})


def problem(status: int, field: str | None = None) -> tuple[int, dict[str, Any]]:
    codes = {400: "invalid_body", 403: "forbidden", 404: "not_found", 409: "conflict"}
    code = codes.get(status, "internal_error")
    body = {"type": "about:blank", "title": code, "status": status, "detail": f"Because of {code}.", "code": code}
    return status, body if field is None else {**body, "field": field}


class _Server(uvicorn.Server):
    def __init__(self, double: ServiceDouble) -> None:
        config = uvicorn.Config(
            double,
            port=0,
            lifespan="off",
            log_config=None,
            log_level="critical",
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self.double = double
        self.ready = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.double.loop = asyncio.get_running_loop()
        self.double.url = f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}"
        self.ready.set()

    async def shutdown(self, sockets: Any = None) -> None:
        for chat in (*self.double.chats.values(), self.double.inbox):
            chat.hang_up()
        await super().shutdown(sockets)


@contextmanager
def hosted() -> Generator[ServiceDouble]:
    """The double behind a real server on a free port, in a thread of its own."""
    double = ServiceDouble("")
    server = _Server(double)
    thread = threading.Thread(target=server.run, name="service-double", daemon=True)
    thread.start()
    assert server.ready.wait(WAIT_S)
    try:
        yield double
    finally:
        server.should_exit = True
        thread.join(WAIT_S)
        assert not thread.is_alive()
