"""The program ``safelight-mlx`` by itself."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.engines.mlx_rig import BOUND


def test_the_process_ends_with_the_one_that_started_it() -> None:
    command = [sys.executable, "-P", "-m", "safelight.engines.mlx_sidecar"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"line": "hello", "protocol": 1}
        process.stdin.write(b'{"op":"load","id":1,"path":"/nowhere","context_tokens":8}\n')
        process.stdin.close()
        assert process.wait(BOUND) == 0


@pytest.mark.parametrize(
    ("request_line", "words"),
    [
        (b'{"op":"dance","id":1}', "a request cannot be read"),
        (b"x" * 300, "a request is longer than 200 bytes"),
    ],
)
def test_what_is_no_request_ends_the_program_with_words(request_line: bytes, words: str) -> None:
    ran = _changed("serving.REQUEST_BYTES = 200", request_line + b"\n")
    assert (ran.returncode, ran.stdout) == (2, b'{"line":"hello","protocol":1}\n')
    assert words in ran.stderr.decode()


def test_what_libraries_print_never_gets_between_the_lines() -> None:
    noise = "import os; os.system('echo loud'); print('noise', flush=True)"
    ran = _changed(f"serve = lambda *all: exec({noise!r}) or serving.serve(*all); main.__globals__['serve'] = serve")
    assert (ran.returncode, ran.stdout) == (0, b'{"line":"hello","protocol":1}\n')
    assert ran.stderr.split() == [b"loud", b"noise"]


def _changed(change: str, requests: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    imports = (
        "from safelight.engines.mlx_sidecar import serving; from safelight.engines.mlx_sidecar.__main__ import main"
    )
    code = f"{imports}; {change}; main()"
    return subprocess.run([sys.executable, "-c", code], input=requests, capture_output=True, timeout=BOUND, check=False)
