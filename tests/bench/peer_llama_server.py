"""The same conversation on llama.cpp's own server, from the package ``xllamacpp``.

The package is no dependency: ``SAFELIGHT_BENCH_PEER`` names a Python that has it; without one nothing is measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import aclosing
from pathlib import Path
from typing import Final

import msgspec

from safelight.engines.engine import Job, LocalEngine, PromptMessage, Reading, Written
from tests.bench.local_models import opened_vocabulary, smollm2, smollm2_engine
from tests.bench.measured import Measured, measured
from tests.bench.second_turn import words

__all__ = ("measure",)

REPEATS: Final = 5
SYSTEM_TOKENS: Final = 1_500
ANSWER_S: Final = 300.0
FORCED: Final = '{"analysis":"'

SCHEMA: Final = {
    "type": "object",
    "properties": {
        "analysis": {"type": "string", "minLength": 200, "maxLength": 200},
        "reply": {"type": "string", "minLength": 100, "maxLength": 100},
    },
    "required": ["analysis", "reply"],
    "additionalProperties": False,
}
"""Both write as many characters."""

SERVER: Final = """
import os, sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.port, params.warmup = 8192, 1, 0, True
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = os.cpu_count()
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
"""


class Turn(msgspec.Struct, frozen=True):
    """Seconds to the first token that the grammar did not force and to the end, and the tokens in all."""

    first: float
    whole: float
    tokens: int

    @property
    def tokens_a_second(self) -> float:
        return self.tokens / (self.whole - self.first)


class Delta(msgspec.Struct, frozen=True):
    content: str | None = None


class Choice(msgspec.Struct, frozen=True):
    delta: Delta


class Usage(msgspec.Struct, frozen=True):
    completion_tokens: int


class Event(msgspec.Struct, frozen=True):
    """One event of the server's stream."""

    choices: tuple[Choice, ...] = ()
    usage: Usage | None = None


def measure() -> list[Measured]:
    """Second turns of one conversation, in turn on both, each with a new question."""
    python = os.environ.get("SAFELIGHT_BENCH_PEER", sys.executable)
    found = subprocess.run([python, "-c", "import xllamacpp"], capture_output=True, check=False)
    if found.returncode:
        print("bench: xllamacpp is not installed; nothing is compared with llama-server", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        model = smollm2(Path(folder))
        with opened_vocabulary(model) as vocabulary:
            system = words(vocabulary, SYSTEM_TOKENS)
        with _server(python, model.path) as port:
            pairs = asyncio.run(_measure(Path(folder), port, system))
    return [
        _compared("first token", [(ours.first, theirs.first) for ours, theirs in pairs]),
        _compared("whole message", [(ours.whole, theirs.whole) for ours, theirs in pairs]),
        _compared("time a token", [(1 / ours.tokens_a_second, 1 / theirs.tokens_a_second) for ours, theirs in pairs]),
    ]


async def _measure(folder: Path, port: int, system: str) -> list[tuple[Turn, Turn]]:
    pairs: list[tuple[Turn, Turn]] = []
    async with smollm2_engine(folder) as (_, engine):
        for number in range(REPEATS + 1):
            asked = f"Tell me all about harbour number {number} and everyone who works there."
            ours = await _our_turn(engine, system, asked)
            pairs.append((ours, await asyncio.to_thread(_their_turn, port, system, asked)))
    return pairs[1:]  # the first pair also read the system prompt


def _compared(what: str, pairs: list[tuple[float, float]]) -> Measured:
    name = f"peer: {what} over llama-server's, under a schema, SmolLM2 135M"
    ratio = measured(name, statistics.median(ours / theirs for ours, theirs in pairs), "times", target=1.0)
    return msgspec.structs.replace(ratio, peer=1.0)


async def _our_turn(engine: LocalEngine, system: str, asked: str) -> Turn:
    messages = (PromptMessage(role="system", content=system), PromptMessage(role="user", content=asked))
    schema = json.dumps(SCHEMA, separators=(",", ":"))
    text, first = "", 0.0
    began = time.perf_counter()
    async with aclosing(engine.generate(Job(messages=messages, schema=schema, max_tokens=400, stable=1))) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                assert set(json.loads(text)) == {"analysis", "reply"}
                return Turn(first, time.perf_counter() - began, piece.completion_tokens)
            if not isinstance(piece, Reading):
                text += piece
                first = first or (time.perf_counter() - began if len(text) > len(FORCED) else 0.0)
    raise AssertionError("the engine never said how it ended")


def _their_turn(port: int, system: str, asked: str) -> Turn:
    body = {
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": asked}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}},
        "temperature": 0,
        "max_tokens": 400,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    text, first, tokens = "", 0.0, 0
    began = time.perf_counter()
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"content-type": "application/json"})
    with contextlib.closing(connection):
        for line in connection.getresponse():
            if not line.startswith(b"data: {"):
                continue
            event = msgspec.json.decode(line.removeprefix(b"data: "), type=Event)
            text += "".join(choice.delta.content or "" for choice in event.choices)
            first = first or (time.perf_counter() - began if len("".join(text.split())) > len(FORCED) else 0.0)
            tokens = event.usage.completion_tokens if event.usage else tokens
    assert set(json.loads(text)) == {"analysis", "reply"}, text
    return Turn(first, time.perf_counter() - began, tokens)


@contextlib.contextmanager
def _server(python: str, model: Path) -> Generator[int, None, None]:
    environment = os.environ | {"GOMP_SPINCOUNT": "1000"}
    command = [python, "-c", SERVER, str(model)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment, text=True
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("listening "):
                    yield int(line.rpartition(":")[2].strip().rstrip("/"))
                    break
            else:
                log.seek(0)
                raise AssertionError(f"the server did not start: {log.read()[-500:]!r}")
        finally:
            process.kill()
            process.communicate()
