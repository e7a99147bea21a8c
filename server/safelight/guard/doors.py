"""Which token opens which route: one guard, told by each route which schemes of the contract it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.errors import Forbidden
from safelight.guard.principals import AgentHolder, AppHolder, ChatHolder, Holder, Scheme

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection
    from litestar.handlers.base import BaseRouteHandler

    from safelight.guard.tokens import TokenBook

__all__ = ("AGENT", "CHAT", "MCP", "OPEN", "OPENS", "PERSON", "TOKENS", "holder_of", "let_in")

OPENS: Final = "opens"
"""Key of a route's ``opt`` that lists the schemes that open it; an empty tuple opens it to everybody."""

ANY_CHAT: Final = "any_chat"
"""Key of a route's ``opt`` that is true where the token of any chat will do, not only that of the chat in the path."""

TOKENS: Final = "tokens"
"""Key of the application's state that holds the ``TokenBook``."""

OPEN: Final[dict[str, tuple[Scheme, ...]]] = {OPENS: ()}
AGENT: Final[dict[str, tuple[Scheme, ...]]] = {OPENS: ("agentToken",)}
CHAT: Final[dict[str, tuple[Scheme, ...]]] = {OPENS: ("chatToken", "agentToken")}
PERSON: Final[dict[str, Any]] = {OPENS: ("chatToken", "agentToken"), ANY_CHAT: True}
MCP: Final[dict[str, tuple[Scheme, ...]]] = {OPENS: ("appToken", "agentToken")}

_HOLDER: Final = "safelight_holder"


def let_in(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A Litestar guard for every route. Raises ``Forbidden``, which is always the same answer. A route that does not
    say what opens it is opened by nothing."""
    schemes: tuple[Scheme, ...] | None = handler.opt.get(OPENS)
    if schemes == ():
        return
    book: TokenBook = connection.app.state[TOKENS]
    holder = _holder(connection, book)
    if holder is None or schemes is None or holder.scheme not in schemes:
        raise Forbidden
    if (
        isinstance(holder, ChatHolder)
        and not handler.opt.get(ANY_CHAT, False)
        and connection.path_params.get("session_id") != holder.session_id
    ):
        raise Forbidden
    connection.scope[_HOLDER] = holder  # type: ignore[typeddict-unknown-key]  # ASGI scopes are open dictionaries


def holder_of(scope: Any) -> AgentHolder | AppHolder | ChatHolder:
    """Who the guard let in. Only for routes that need a token."""
    return scope[_HOLDER]


def _holder(connection: ASGIConnection[Any, Any, Any, Any], book: TokenBook) -> Holder | None:
    values = connection.headers.getall("authorization", [])
    if len(values) != 1:
        return None
    scheme, _, token = values[0].partition(" ")
    return book.holder(token.strip()) if scheme.lower() == "bearer" and token else None
