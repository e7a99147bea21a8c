"""Turns every exception into a problem+json answer; nothing else writes error bodies."""

from __future__ import annotations

import logging
import sqlite3
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from safelight.errors import Forbidden, InvalidBody, SafelightError
from safelight.guard.problem import FORBIDDEN_BODY, PROBLEM_TYPE, problem_body

__all__ = ("EXCEPTION_HANDLERS",)

logger = logging.getLogger(__name__)

_HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "unsupported_media_type"}


def _answer(status: int, body: bytes, headers: dict[str, str] | None = None) -> Response[bytes]:
    return Response(body, status_code=status, media_type=PROBLEM_TYPE, headers=headers)


def _on_ours(request: Request[Any, Any, Any], error: SafelightError) -> Response[bytes]:
    del request
    if isinstance(error, Forbidden):
        return _answer(403, FORBIDDEN_BODY)
    field = error.field if isinstance(error, InvalidBody) else None
    if error.status >= 500:
        logger.error("Answered %s: %s", error.code, error.message)
    return _answer(error.status, problem_body(error.status, error.code, error.message, field))


def _on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    code = _HTTP_CODES.get(error.status_code, "bad_request" if error.status_code < 500 else "internal_error")
    detail = {
        404: "There is nothing at this address. GET /v1/openapi.yaml lists what there is.",
        405: "This address does not take this method.",
        413: "The body is too large.",
    }.get(error.status_code, error.detail or "The request could not be read.")
    headers = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    del request
    return _answer(error.status_code, problem_body(error.status_code, code, detail), headers)


def _on_database(request: Request[Any, Any, Any], error: sqlite3.OperationalError) -> Response[bytes]:
    logger.error("Failed: %s %s", request.method, request.url.path, exc_info=error)
    text = (
        f"Safelight could not use its data ({error}). See that the disk has room and that no other program "
        "holds the file safelight.db, then try again."
    )
    return _answer(500, problem_body(500, "internal_error", text))


def _on_any(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    logger.error("Failed: %s %s", request.method, request.url.path, exc_info=error)
    text = "Something went wrong inside Safelight. The log says more."
    return _answer(500, problem_body(500, "internal_error", text))


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Any]] = {
    SafelightError: _on_ours,
    HTTPException: _on_http,
    sqlite3.OperationalError: _on_database,
    Exception: _on_any,
}
