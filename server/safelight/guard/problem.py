"""Errors as problem+json (RFC 9457), made in one place so that alike refusals are alike to the byte."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import msgspec

from safelight.errors import Forbidden, SafelightError
from safelight.wire.models import Problem

__all__ = ("FORBIDDEN_BODY", "PROBLEM_TYPE", "problem_body")

PROBLEM_TYPE: Final = "application/problem+json"


def problem_body(status: int, code: str, detail: str, field: str | None = None) -> bytes:
    """The body of an error answer."""
    problem = Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        field_=msgspec.UNSET if field is None else field,
    )
    return msgspec.json.encode(problem)


def _body_of(error: SafelightError) -> bytes:
    return problem_body(error.status, error.code, error.message)


FORBIDDEN_BODY: Final = _body_of(Forbidden())
"""The one answer to a wrong token, a foreign Origin or Host, and an ended chat."""
