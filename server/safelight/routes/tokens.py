"""Tokens for other programs."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from safelight.guard.doors import AGENT
from safelight.routes.body import read_body
from safelight.routes.keyed import Post
from safelight.routes.service import Service
from safelight.wire.models import NewToken, TokenList, TokenMinted

__all__ = ("TokensController",)


class TokensController(Controller):
    """For the holder of the agent token."""

    path = "/v1/tokens"
    opt = AGENT

    @get(sync_to_thread=False)
    def list_tokens(self, service: NamedDependency[Service]) -> TokenList:
        return TokenList(tokens=service.tokens.infos())

    @post()
    async def mint_token(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
        body = await read_body(request, NewToken)
        post = Post(request, "mint_token", 201, body)
        return await post.once(service.keyed, lambda: self._mint(body, service))

    async def _mint(self, body: NewToken, service: Service) -> TokenMinted:
        info, token = await service.tokens.mint(body.name, body.role)
        return TokenMinted(token_id=info.token_id, token=token.reveal())

    @delete("/{token_id:str}")
    async def revoke_token(self, token_id: FromPath[str], service: NamedDependency[Service]) -> None:
        await service.tokens.revoke(token_id)
