"""Typed client of Safelight: the contract's operations, an event stream that reconnects, and chats."""

from safelight_client import models
from safelight_client._answers import Decision
from safelight_client._client import SafelightClient
from safelight_client._errors import (
    AnswerUnreadable,
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    SafelightClientError,
    ServiceFailed,
    ServiceRefused,
    ServiceUnreachable,
    StreamBroken,
    TooLarge,
    UnsupportedMedia,
)
from safelight_client._events import StreamedEvent, UnknownEvent, encode_event, seq_of
from safelight_client._runtime import Runtime, default_data_dir, read_runtime, read_token
from safelight_client._secret import Secret
from safelight_client.chat import Chat
from safelight_client.inbox import Inbox

__all__ = (
    "AnswerUnreadable",
    "BadRequest",
    "Chat",
    "Conflict",
    "Decision",
    "Forbidden",
    "Inbox",
    "NotFound",
    "Runtime",
    "SafelightClient",
    "SafelightClientError",
    "Secret",
    "ServiceFailed",
    "ServiceRefused",
    "ServiceUnreachable",
    "StreamBroken",
    "StreamedEvent",
    "TooLarge",
    "UnknownEvent",
    "UnsupportedMedia",
    "default_data_dir",
    "encode_event",
    "models",
    "read_runtime",
    "read_token",
    "seq_of",
)
