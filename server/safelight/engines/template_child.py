"""The program that runs a model's chat template. Nothing of the service is in its process, and little memory.

JSON lines in, ``{"source", "bos", "eos", "messages"}``; JSON lines out, ``{"text"}`` or ``{"error"}``. It begins with a
line of its own, ``{"ready"}``, and ends with its input.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ("main",)

_MEMORY: Final = 512 << 20
_LONGEST: Final = 1_000_000


class _TooLong(jinja2.TemplateError):
    pass


def main() -> None:
    """Answers until the input ends."""
    _limit_memory()
    _say({"ready": True})
    for line in sys.stdin:
        try:
            answer = {"text": _rendered(json.loads(line))}
        except MemoryError:
            answer = {"error": "it takes too much memory"}
        except RecursionError:
            answer = {"error": "it calls itself too deeply"}
        except Exception as error:  # noqa: BLE001  # a template raises whatever it likes
            answer = {"error": f"{error}"[:300] or type(error).__name__}
        _say(answer)


def _rendered(asked: dict[str, Any]) -> str:
    template = _compiled(asked["source"], asked["bos"], asked["eos"])
    parts: list[str] = []
    length = 0
    for part in template.generate(messages=asked["messages"], add_generation_prompt=True, tools=None):
        length += len(part)
        if length > _LONGEST:
            raise _TooLong("it writes too much")
        parts.append(part)
    return "".join(parts)


@functools.lru_cache(maxsize=4)
def _compiled(source: str, bos: str, eos: str) -> jinja2.Template:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    names = {"raise_exception": _raise, "strftime_now": _strftime_now, "bos_token": bos, "eos_token": eos}
    return environment.from_string(source, globals=names)


def _limit_memory() -> None:
    # Windows knows no such limit, and macOS does not keep it: there the time limit of the asking side has to do.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


def _strftime_now(pattern: str) -> str:
    return datetime.now(UTC).astimezone().strftime(pattern)


if __name__ == "__main__":
    main()
