"""The lines between the service and ``safelight-mlx``; both sides read and write them with this module alone.

A request is one line of JSON with its ``op`` and its ``id``; every line of its answer carries that id and says with
``line`` what it is. Any number of ``delta`` and ``reading`` lines may come before the one line that ends an answer. The
first line of all, ``hello``, belongs to no request.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from safelight.conversation.sampling import GREEDY, Sampling
from safelight.engines.engine import GrammarName, Job, PromptMessage, Written

__all__ = (
    "ANSWER_BYTES",
    "PROTOCOL",
    "REQUEST_BYTES",
    "Answer",
    "Chat",
    "Delta",
    "Ended",
    "Failed",
    "FailureKind",
    "Hello",
    "Likelihoods",
    "Load",
    "Loaded",
    "Message",
    "ReadOn",
    "Request",
    "Scores",
    "State",
    "Status",
    "Stop",
    "Stopped",
    "Unload",
    "Unloaded",
    "encode",
    "read_answer",
    "read_request",
    "unicode",
)

PROTOCOL: Final = 1
"""Raised with every change that an older side would misread."""

REQUEST_BYTES: Final = 32 << 20
"""The longest line to the sidecar: a window of 100,000 tokens, escaped, fits many times over."""

ANSWER_BYTES: Final = 1 << 20
"""The longest line from the sidecar."""

FailureKind: TypeAlias = Literal["failed", "missing", "too_small"]


class Message(msgspec.Struct, frozen=True):
    """One turn of the prompt, in words."""

    role: Literal["system", "user", "assistant"]
    content: str


class _Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="op"):
    id: int


class Load(_Request, frozen=True, kw_only=True, tag="load"):
    """Loads a folder in place of what is loaded: ``loaded``."""

    path: str
    context_tokens: int
    grammar: GrammarName = "llguidance"
    cache_dir: str | None = None
    cache_bytes: int = 0


class Chat(_Request, frozen=True, kw_only=True, tag="chat"):
    """Writes an answer (see ``engine.Job``): ``reading`` and ``delta`` lines, then ``written`` or ``stopped``."""

    messages: tuple[Message, ...]
    schema: str | None
    max_tokens: int
    sampling: Sampling = GREEDY
    stable: int = 0

    @classmethod
    def of(cls, request_id: int, job: Job) -> Chat:
        """``job`` without its pictures."""
        return cls(
            id=request_id,
            messages=tuple(Message(message.role, unicode(message.content)) for message in job.messages),
            schema=job.schema,
            max_tokens=job.max_tokens,
            sampling=job.sampling,
            stable=job.stable,
        )

    def job(self) -> Job:
        """What is to be written."""
        messages = tuple(PromptMessage(role=message.role, content=message.content) for message in self.messages)
        return Job(
            messages=messages,
            schema=self.schema,
            max_tokens=self.max_tokens,
            sampling=self.sampling,
            stable=self.stable,
        )


class Likelihoods(_Request, frozen=True, kw_only=True, tag="likelihoods"):
    """See ``LocalEngine.likelihoods``: ``scores`` or ``stopped``."""

    openings: tuple[str, ...]
    text: str


class Stop(_Request, frozen=True, kw_only=True, tag="stop"):
    """Ends the request that ``id`` names, at the next token. It has no answer of its own."""


class Unload(_Request, frozen=True, kw_only=True, tag="unload"):
    """Frees the model: ``unloaded``."""


class Status(_Request, frozen=True, kw_only=True, tag="status"):
    """Answered at once, also while the model works: ``state``."""


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="hello"):
    """The sidecar is there and takes requests."""

    protocol: int


class _Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="line"):
    id: int


class Loaded(_Answer, frozen=True, kw_only=True, tag="loaded"):
    """``window``: tokens that a prompt and its answer may take together."""

    window: int


class ReadOn(_Answer, frozen=True, kw_only=True, tag="reading"):
    """``done`` of ``total`` tokens of the prompt have been evaluated."""

    done: int
    total: int


class Delta(_Answer, frozen=True, kw_only=True, tag="delta"):
    """More of the answer, in whole characters."""

    text: str


class Ended(_Answer, frozen=True, kw_only=True, tag="written"):
    """The answer is whole, or at its token limit."""

    written: Written


class Scores(_Answer, frozen=True, kw_only=True, tag="scores"):
    """A log probability for each opening."""

    scores: tuple[float, ...]


class Stopped(_Answer, frozen=True, kw_only=True, tag="stopped"):
    """The request ended because it was told to."""


class Unloaded(_Answer, frozen=True, kw_only=True, tag="unloaded"):
    """The model's memory is free."""


class State(_Answer, frozen=True, kw_only=True, tag="state"):
    """What is loaded (None: nothing), the request that is worked on, and the memory that MLX holds."""

    loaded: str | None
    working_on: int | None
    memory_bytes: int


class Failed(_Answer, frozen=True, kw_only=True, tag="failed"):
    """The request ended in an error; ``message`` is for people."""

    kind: FailureKind
    message: str


Request: TypeAlias = Load | Chat | Likelihoods | Stop | Unload | Status
Answer: TypeAlias = Hello | Loaded | ReadOn | Delta | Ended | Scores | Stopped | Unloaded | State | Failed

_requests: Final = msgspec.json.Decoder(Request)
_answers: Final = msgspec.json.Decoder(Answer)


def encode(line: Request | Answer) -> bytes:
    """One line with its end. Text must be valid Unicode."""
    return msgspec.json.encode(line) + b"\n"


def unicode(text: str) -> str:
    """``text`` as JSON can carry it: halves of surrogate pairs become question marks."""
    return text.encode(errors="replace").decode()


def read_request(line: bytes) -> Request:
    """Raises ``msgspec.DecodeError``."""
    return _requests.decode(line)


def read_answer(line: bytes) -> Answer:
    """Raises ``msgspec.DecodeError``."""
    return _answers.decode(line)
