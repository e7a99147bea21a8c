"""Reads a JSON body into a type of the contract, or refuses it with the field that is wrong."""

from __future__ import annotations

import re
from typing import Any, TypeVar, cast

import msgspec
from litestar import Request
from litestar.datastructures import Headers
from litestar.exceptions import ClientException

from safelight.errors import InvalidBody, TooLarge, UnsupportedMedia

__all__ = ("BODY_LIMIT", "read_body", "require_json")

T = TypeVar("T")

BODY_LIMIT = 2_000_000
"""Bytes that a body may have. A message of 100,000 characters in four-byte escapes fits."""

_AT_FIELD = re.compile(r"(.*) - at `\$\.?(.*?)`", re.DOTALL)
_UNKNOWN = re.compile(r"unknown field `(.*?)`")
_VALUE = re.compile(r"Invalid (enum )?value .*", re.DOTALL)
"""Says what was sent, which may be a key in the wrong place: it is not said again."""


async def read_body(request: Request[Any, Any, Any], kind: type[T], limit: int = BODY_LIMIT) -> T:
    """The request's body as ``kind``. Raises ``UnsupportedMedia``, ``TooLarge`` or ``InvalidBody``."""
    require_json(request.headers)
    try:
        length = int(request.headers.get("content-length", "0"))
    except ValueError:
        raise InvalidBody("The Content-Length header is no number.") from None
    if length > limit:
        raise TooLarge(f"The body is too large: {length} bytes, at most {limit} are taken.")
    try:
        body = await request.body()
    except ClientException as error:
        if error.status_code == 413:
            raise TooLarge(f"The body is too large; at most {limit} bytes are taken.") from None
        raise
    if len(body) > limit:
        raise TooLarge(f"The body is too large: {len(body)} bytes, at most {limit} are taken.")
    return decode(body, kind)


def require_json(headers: Headers) -> None:
    """Refuse any body that a page of a stranger could send without a preflight."""
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise UnsupportedMedia("Send the body as application/json.")


def decode(body: bytes, kind: type[T]) -> T:
    """JSON bytes as ``kind``; every way in which they can be wrong is an ``InvalidBody`` in words."""
    try:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError:
            # JSON has one kind of number: 4.0 is a whole number, and some writers write it so.
            return msgspec.convert(_with_whole_numbers(msgspec.json.decode(body)), type=kind)
    except msgspec.ValidationError as error:
        raise _invalid(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidBody("The body is no valid JSON (UTF-8, no lone surrogates, no NaN).") from None
    except RecursionError:
        raise InvalidBody("The body is nested too deeply.") from None


def _with_whole_numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _with_whole_numbers(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in cast("list[Any]", value)]
    return value


def _invalid(text: str) -> InvalidBody:
    place = _AT_FIELD.fullmatch(text)
    sentence, path = place.groups() if place else (text, "")
    if unknown := _UNKNOWN.search(text):
        path = f"{path}.{unknown.group(1)}".removeprefix(".")
    said = _VALUE.sub("The value is none of those that may stand here", sentence).rstrip(".")
    return InvalidBody(f"{said}{f' (field {path})' if path else ''}.", field=path or None)
