"""Has a model's chat template run in a process of its own, which is ended when it takes too long.

A GGUF file is anybody's program. jinja2's sandbox keeps it from reaching anything, not from looping for ever or from
filling the memory inside one call, which no thread could be stopped in.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any, Final

import msgspec

__all__ = ("TemplateFailed", "TemplateProcess")

TIME_S: Final = 5.0
"""For one conversation, which takes a millisecond: so long that it holds on a busy machine too."""

_START_S: Final = 60.0
_LONGEST: Final = 8_000_000


class TemplateFailed(Exception):
    """The template could not be rendered; the text says why, for people."""


class _Answer(msgspec.Struct):
    ready: bool = False
    text: str | None = None
    error: str = "it gave no answer"


class TemplateProcess:
    """Starts at once, so that it is ready when the model is. To be used by one thread at a time."""

    def __init__(self, time_s: float = TIME_S) -> None:
        self._time_s = time_s
        self._process = _start()
        self._ready = False

    def render(self, source: str, bos: str, eos: str, messages: list[dict[str, str]]) -> str:
        """What the template makes of the messages. Raises ``TemplateFailed``."""
        if self._process.poll() is not None:
            self.close()
            self._process, self._ready = _start(), False
        if not self._ready:
            self._ready = self._read(_START_S).ready
        asked = {"source": source, "bos": bos, "eos": eos, "messages": messages}
        pipe: Any = self._process.stdin
        try:
            pipe.write(msgspec.json.encode(asked) + b"\n")
            pipe.flush()
        except OSError as error:
            self.close()
            raise TemplateFailed("its process has ended") from error
        answer = self._read(self._time_s)
        if answer.text is None:
            raise TemplateFailed(answer.error)
        return answer.text

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def _read(self, seconds: float) -> _Answer:
        process = self._process
        late = threading.Timer(seconds, process.kill)
        late.start()
        pipe: Any = process.stdout
        line: bytes = pipe.readline(_LONGEST)
        late.cancel()
        try:
            return msgspec.json.decode(line, type=_Answer)
        except msgspec.DecodeError:
            self.close()
            raise TemplateFailed("it takes too long or too much memory") from None


def _start() -> subprocess.Popen[bytes]:
    # Modules lie where this process finds them; nothing else of its surroundings is passed on.
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {name: os.environ[name] for name in ("SYSTEMROOT", "TZ", "LANG") if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "safelight.engines.template_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | {"PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
