"""Everything that the client raises.

SafelightClientError
├── ServiceUnreachable        nothing answers at the address, or no service runs for the data folder
├── AnswerUnreadable          something answers, but not in the words of the contract
├── StreamBroken              an event stream was cut, fell silent, skipped events or carried what is no event
└── ServiceRefused            a problem+json answer: ``status``, ``code``, ``detail`` and, where known, ``field``
    ├── BadRequest            400
    ├── Forbidden             403: wrong token, or the chat has ended
    ├── NotFound              404
    ├── Conflict              409: it does not fit the present state, e.g. a question that is answered already
    ├── TooLarge              413
    ├── UnsupportedMedia      415
    └── ServiceFailed         5xx
"""

from __future__ import annotations

from typing import Final

import msgspec

from safelight_client.models import Problem

__all__ = (
    "AnswerUnreadable",
    "BadRequest",
    "Conflict",
    "Forbidden",
    "NotFound",
    "SafelightClientError",
    "ServiceFailed",
    "ServiceRefused",
    "ServiceUnreachable",
    "StreamBroken",
    "TooLarge",
    "UnsupportedMedia",
    "refusal",
)


class SafelightClientError(Exception):
    """Base of every error of the client. ``message`` is a sentence for people and never holds a token."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ServiceUnreachable(SafelightClientError):
    """The service cannot be reached. A request that was on its way may or may not have been carried out."""


class AnswerUnreadable(SafelightClientError):
    """The answer does not follow the contract: another program, or a version that does not fit."""


class StreamBroken(SafelightClientError):
    """One connection of an event stream is over before its time; ``follow`` connects again by itself."""


class ServiceRefused(SafelightClientError):
    """The service answered with a problem. ``code`` is stable; ``detail`` says what to do."""

    def __init__(self, status: int, code: str, detail: str, field: str | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field


class BadRequest(ServiceRefused):
    """The request breaks the contract; ``field`` names what is at fault."""


class Forbidden(ServiceRefused):
    """Wrong token, foreign host, or the chat has ended: the service answers all of them alike."""


class NotFound(ServiceRefused):
    """There is no such thing."""


class Conflict(ServiceRefused):
    """The request does not fit the present state."""


class TooLarge(ServiceRefused):
    """The body is too large."""


class UnsupportedMedia(ServiceRefused):
    """The body is not of the type that the route takes."""


class ServiceFailed(ServiceRefused):
    """The service itself failed; the request may or may not have been carried out."""


_BY_STATUS: Final[dict[int, type[ServiceRefused]]] = {
    400: BadRequest,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    415: UnsupportedMedia,
}


def refusal(status: int, body: bytes) -> ServiceRefused:
    """The error for an answer without success, also one that carries no readable problem."""
    kind = _BY_STATUS.get(status, ServiceFailed if status >= 500 else ServiceRefused)
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return kind(status, f"http_{status}", f"The service answered with status {status} and no reason.")
    field = problem.field_ if isinstance(problem.field_, str) else None
    return kind(status, problem.code, problem.detail, field)
