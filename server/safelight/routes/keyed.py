"""The Idempotency-Key header: a post that carries one is done once, and its first answer is given again."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from litestar import Request, Response

from safelight.chat.keyed_store import Answered, KeyedRequest
from safelight.conversation.normal_form import digest_of
from safelight.errors import InvalidBody, RequestRefused
from safelight.guard.doors import holder_of
from safelight.guard.principals import AgentHolder, AppHolder
from safelight.guard.problem import PROBLEM_TYPE, problem_body

if TYPE_CHECKING:
    from litestar.datastructures import Headers

    from safelight.chat.keyed_answers import KeyedAnswers
    from safelight.chat.log import Write
    from safelight.chat.questions import Kept

    Keep = Callable[[Answered], Write]

__all__ = ("Post",)

T = TypeVar("T", bound=msgspec.Struct)

HEADER: Final = "Idempotency-Key"
_LONGEST: Final = 200
_KEY: Final = re.compile(r"[!-~]+")


class Post:
    """A post that does something, with its decoded body and the ``status`` of its success. Keys are those of an owner:
    the chat, where one is named, else whoever sends the request. ``InvalidBody`` for a bad key."""

    def __init__(
        self,
        request: Request[Any, Any, Any],
        action: str,
        status: int,
        body: msgspec.Struct | None = None,
        *,
        owner: str | None = None,
    ) -> None:
        self._status = status
        self._asked: KeyedRequest | None = None
        key = _key(request.headers)
        if key is not None:
            self._asked = KeyedRequest(owner or _holder_name(request), action, key, _digest(request.path_params, body))

    async def once(
        self, answers: KeyedAnswers, work: Callable[[], Awaitable[msgspec.Struct | RequestRefused]]
    ) -> Response[bytes]:
        """Answer with what the work gives, or gave, remembered in memory. A refusal that it returns is an answer like
        others; one that it raises is forgotten, so that the request may be tried again."""

        async def worked() -> Answered:
            return self._answered(await work())

        answered = await worked() if self._asked is None else await answers.once(self._asked, worked)
        return _response(answered)

    async def once_kept(self, answers: KeyedAnswers, work: Callable[[Kept[T] | None], Awaitable[T]]) -> Response[bytes]:
        """Answer with what the work gives, or gave. The work is handed what makes the write that keeps its answer, for
        the transaction of what it does, so that this holds over a kill too; nothing where the post has no key."""
        if self._asked is None:
            return _response(self._answered(await work(None)))

        async def worked(keep: Keep) -> Answered:
            return self._answered(await work(lambda value: keep(self._answered(value))))

        return _response(await answers.once_kept(self._asked, worked))

    def _answered(self, value: msgspec.Struct | RequestRefused) -> Answered:
        if isinstance(value, RequestRefused):
            return Answered(value.status, problem_body(value.status, value.code, value.message))
        return Answered(self._status, msgspec.json.encode(value))


def _holder_name(request: Request[Any, Any, Any]) -> str:
    """Whoever sends the request, by a name that nobody else has."""
    holder = holder_of(request.scope)
    if isinstance(holder, AgentHolder):
        return "agent"
    return f"app {holder.token_id}" if isinstance(holder, AppHolder) else f"page {holder.session_id}"


def _digest(path: dict[str, Any], body: msgspec.Struct | None) -> str:
    try:
        return digest_of([path, body])
    except RecursionError:  # what could just be read can be too deep to write
        raise InvalidBody("The body is nested too deeply.") from None


def _response(answered: Answered) -> Response[bytes]:
    media = PROBLEM_TYPE if answered.status >= 400 else "application/json"
    return Response(answered.body, status_code=answered.status, media_type=media)


def _key(headers: Headers) -> str | None:
    values = headers.getall(HEADER.lower(), [])
    if not values:
        return None
    if len(values) > 1:
        raise _bad("was sent more than once. Send one.")
    (key,) = values
    if len(key) > _LONGEST:
        raise _bad(f"is too long. Make it at most {_LONGEST} characters.")
    if _KEY.fullmatch(key) is None:
        raise _bad("must be made of visible ASCII characters, without blanks, and not be empty.")
    return key


def _bad(what: str) -> InvalidBody:
    return InvalidBody(f"The header {HEADER} {what}", field=HEADER)
