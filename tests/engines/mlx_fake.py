"""A stand-in for ``safelight-mlx`` that does what the last message of a chat tells it to, in JSON. A program of its
own: it starts in a moment, and knows nothing of our code."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any, NoReturn

_earlier: list[int] = []


def say(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def hear() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        os._exit(0)
    return json.loads(line)


def die(how: str) -> NoReturn:
    match how:
        case "abort":
            sys.stderr.write("libc++abi: [METAL] Insufficient Memory\n")
            sys.stderr.flush()
            os.abort()
        case "give up":
            sys.exit("RuntimeError: no weights left")
        case "half a line":
            sys.stdout.write('{"line":"delta","id":')
            sys.stdout.flush()
        case _:
            sys.stderr.write("I saw it coming\nmetal: out of luck\n")
            sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def wait_for_stop(request: int, *, deaf: bool) -> None:
    while True:
        heard = hear()
        if heard["op"] == "status" and not deaf:
            say(line="state", id=heard["id"], loaded="x", working_on=request, memory_bytes=0)
        if heard == {"op": "stop", "id": request} and not deaf:
            return


def chat(request: int, script: dict[str, Any]) -> None:
    for piece in script["pieces"]:
        # Lines of answers that nobody reads any more.
        for old in _earlier if script.get("stale") else ():
            say(line="delta", id=old, text="<stale>")
        say(line="delta", id=request, text=piece)
    match script.get("then"):
        case "wait":
            wait_for_stop(request, deaf=False)
            for number in range(script.get("late", 0)):
                say(line="delta", id=request, text=f"<late {number}>")
            say(line="stopped", id=request)
            say(line="delta", id=request, text="<after the end>")
        case "deaf":
            wait_for_stop(request, deaf=True)
        case "die" | "abort" | "give up" | "half a line" as how:
            die(how)
        case "nonsense":
            print("Loading weights: 100%", flush=True)
            wait_for_stop(request, deaf=True)
        case "long line":
            say(line="delta", id=request, text="x" * (2 << 20))
            wait_for_stop(request, deaf=True)
        case "fail":
            say(line="failed", id=request, kind="too_small", message="It is too long.")
        case _:
            told = {"finish": "stop", "prompt_tokens": 1, "cached_tokens": 0, "completion_tokens": 1}
            say(line="written", id=request, written={**told, "forced_tokens": 0, "context_window": 8})


def main(mode: str) -> None:
    if mode == "mute":
        threading.Event().wait()
    if mode == "dead":
        sys.exit("mlx: this Mac is too old")
    say(line="hello", protocol=2 if mode == "newer" else 1)
    while True:
        heard = hear()
        match heard["op"]:
            case "load" if mode == "slow":
                wait_for_stop(heard["id"], deaf=True)
            case "load" if mode == "broken":
                say(line="failed", id=heard["id"], kind="missing", message="There is no such folder.")
            case "load":
                say(line="loaded", id=heard["id"], window=8)
            case "chat":
                chat(heard["id"], json.loads(heard["messages"][-1]["content"]))
                _earlier.append(heard["id"])
            case "likelihoods":
                say(line="scores", id=heard["id"], scores=[-float(len(one)) for one in heard["openings"]])
            case "unload" if mode != "stubborn":
                say(line="unloaded", id=heard["id"])
            case _:
                pass


if __name__ == "__main__":
    if sys.argv[1] == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        threading.Thread(target=threading.Event().wait).start()
    main(sys.argv[1])
