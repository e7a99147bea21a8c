"""The search index of the open catalog."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency

from safelight.errors import Conflict, InvalidBody, ToolError
from safelight.gate.arguments import ArgumentCheck
from safelight.guard.doors import AGENT, PERSON
from safelight.routes.body import read_body
from safelight.routes.keyed import Post
from safelight.routes.service import Service
from safelight.wire.models import IndexFound, IndexStatus, SearchIndex, SyncIndex
from safelight.wire.tool_table import TOOLS

__all__ = ("IndexController",)

_ARGUMENTS: Final = "arguments"
_BAD_VALUES: Final = frozenset({"BAD_ARGUMENTS", "BAD_DATE", "BAD_FILTER"})

_search_check = ArgumentCheck(TOOLS["search_photos"].input_schema)


class IndexController(Controller):
    """What the search tools do, for programs with the agent token; its state for the person at any chat's page too."""

    path = "/v1/index"

    @get("/status", opt=PERSON)
    async def get_index_status(self, service: NamedDependency[Service]) -> IndexStatus:
        try:
            return await service.indexing.status()
        except ToolError as error:
            raise _refused(error) from error

    @post("/sync", status_code=202, opt=AGENT)
    async def sync_index(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
        body = await read_body(request, SyncIndex)
        post = Post(request, "sync_index", 202, body)
        try:
            return await post.once(service.keyed, lambda: service.indexing.sync(body.what))
        except ToolError as error:
            raise _refused(error) from error

    @post("/search", status_code=200, opt=AGENT)
    async def search_index(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> IndexFound:
        body = await read_body(request, SearchIndex)
        if (problem := _search_check.problem(body.arguments)) is not None:
            field = problem.partition(":")[0]
            known = field.split(".")[0] in TOOLS["search_photos"].input_schema["properties"]
            raise InvalidBody(f"{problem}.", field=f"{_ARGUMENTS}.{field}" if known else _ARGUMENTS)
        try:
            return IndexFound(answer=await service.search.page(body.arguments))
        except ToolError as error:
            raise _refused(error) from error


def _refused(error: ToolError) -> Conflict | InvalidBody:
    """A tool's failure as an answer, with the tool's code in the manner of HTTP's."""
    if error.tool_code in _BAD_VALUES:
        return InvalidBody(error.message, field=_ARGUMENTS)
    return Conflict(error.message, code=error.tool_code.lower())
