"""``safelight-mlx``: started by the service, not by people."""

from __future__ import annotations

import os
import sys
import traceback
from typing import NoReturn

from safelight.engines.mlx_sidecar.serving import serve

__all__ = ("main",)


def main() -> None:
    """Serves requests from stdin until it closes, which is also what happens when the service dies."""
    # Libraries print. Only the protocol may reach the service, so their stdout becomes stderr.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        serve(sys.stdin.buffer, answers, _leave)
    except Exception:  # noqa: BLE001  # the border of the process: the thread that listens would keep it from ending
        traceback.print_exc()
        _leave("it came upon something that it does not know")


def _leave(why: str | None) -> NoReturn:
    if why is not None:
        sys.stderr.write(f"safelight-mlx: {why}\n")
        sys.stderr.flush()
    # Nothing is left to be saved, and a computation cannot be asked to end.
    os._exit(0 if why is None else 2)


if __name__ == "__main__":
    main()
