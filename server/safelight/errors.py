"""One exception tree; each class has a stable machine code and an HTTP status.

SafelightError
├── RequestRefused            4xx for a caller who sent something wrong
│   ├── Forbidden             wrong token, origin, host or ended chat: always the same answer
│   ├── NotFound · Conflict · InvalidBody · UnsupportedMedia · TooLarge
├── ModelError                the model could not take its turn; text is shown to the person
│   ├── ModelMissing          no such model, with what to do
│   └── ContextTooSmall
├── ToolError                 a tool's readable failure; the model sees it
│   └── NotByMeaning          search by meaning has no usable model or no vectors yet
├── BridgeError               the plugin could not be reached or answered with an error
└── SchemaNotSupported        a JSON Schema that no grammar can hold (raised by ``models.schemas``)
"""

from __future__ import annotations

from typing import ClassVar

__all__ = (
    "BridgeError",
    "Conflict",
    "ContextTooSmall",
    "Forbidden",
    "InvalidBody",
    "ModelError",
    "ModelMissing",
    "NotByMeaning",
    "NotFound",
    "RequestRefused",
    "SafelightError",
    "SchemaNotSupported",
    "StartRefused",
    "ToolError",
    "TooLarge",
    "UnsupportedMedia",
)


class SafelightError(Exception):
    """Base of every error of ours. ``message`` is a sentence that says what to do and never holds a secret."""

    code: str = "internal_error"
    status: ClassVar[int] = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class StartRefused(SafelightError):
    """The service cannot start (data folder in use, port in use, ...); the CLI prints the message and exits 2."""

    code = "start_refused"


class RequestRefused(SafelightError):
    """A request that will not be served, through no fault of ours."""

    code = "bad_request"
    status = 400


class Forbidden(RequestRefused):
    """Wrong or missing token, foreign Origin, ended chat. Deliberately without detail: all answers are alike."""

    code = "forbidden"
    status = 403

    def __init__(self) -> None:
        super().__init__("This request is not allowed. Open the chat again from Lightroom, or check the token.")


class NotFound(RequestRefused):
    code = "not_found"
    status = 404


class Conflict(RequestRefused):
    """The request fits no longer (already answered, busy, ended). ``code`` may be narrowed per instance."""

    status = 409

    def __init__(self, message: str, *, code: str = "conflict") -> None:
        super().__init__(message)
        self.code = code


class InvalidBody(RequestRefused):
    """A body or parameter that breaks the contract; the message names the field."""

    code = "invalid_body"
    status = 400

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class UnsupportedMedia(RequestRefused):
    code = "unsupported_media_type"
    status = 415


class TooLarge(RequestRefused):
    code = "too_large"
    status = 413


class ModelError(SafelightError):
    """The model failed; the message is shown to the person as an ``error`` event."""

    code = "model_error"
    status = 502


class ModelMissing(ModelError):
    code = "model_missing"
    status = 409


class ContextTooSmall(ModelError):
    code = "context_too_small"
    status = 409


class ToolError(SafelightError):
    """A tool's own failure, readable by the model. ``code`` is per instance (NO_SELECTION, SET_UNKNOWN, ...)."""

    status = 409

    def __init__(self, tool_code: str, message: str) -> None:
        super().__init__(message)
        self.tool_code = tool_code


class NotByMeaning(ToolError):
    """Search by meaning cannot be used: NO_MODEL, NO_PACKAGES, MODEL_DAMAGED, NOT_INDEXED. Words still can."""


class BridgeError(ToolError):
    """The plugin side failed: PLUGIN_OFFLINE, TIMEOUT_UNKNOWN_OUTCOME, CATALOG_BUSY, READ_ONLY, ...

    ``retriable`` says that nothing happened and the same command may be tried again.
    """

    def __init__(self, tool_code: str, message: str, *, retriable: bool = False) -> None:
        super().__init__(tool_code, message)
        self.retriable = retriable


class SchemaNotSupported(SafelightError):
    """A JSON Schema that cannot be brought into the grammar's normal form, with the JSON pointer of the culprit."""

    code = "schema_not_supported"

    def __init__(self, reason: str, pointer: str) -> None:
        super().__init__(f"{reason} at {pointer or '/'}")
        self.reason = reason
        self.pointer = pointer
