"""An installed wheel runs the whole demo, with no source tree in sight."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urldefrag

import httpx
import pytest

from tests.packaging.conftest import EXTRAS, ROOT, run
from tests.requirement import requirement

READY_S: Final = 60
END_S: Final = 10
ANSWER_S: Final = 30


@requirement("people.install", "demo.folder")
def test_the_two_wheels_alone_run_the_demo_and_serve_its_page(installed: Path, tmp_path: Path) -> None:
    where = run(
        str(installed / "python"),
        "-c",
        "import safelight, safelight_client as c; print(safelight.__path__, c.__path__)",
    )
    assert str(ROOT) not in where.stdout
    with running_demo(installed, tmp_path) as (process, ready):
        page = httpx.get(urldefrag(str(ready["page_url"])).url, timeout=ANSWER_S, trust_env=False)
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert "content-security-policy" in page.headers
        assert "#" in ready["page_url"], "the page's token stands in the fragment"
        assert ready["pid"] == process.pid
        token = Path(ready["agent_token_file"])
        assert token.is_relative_to(tmp_path)


@pytest.mark.long
@requirement("people.install")
def test_pip_installs_the_two_wheels_into_an_empty_environment(wheels: tuple[Path, Path], tmp_path: Path) -> None:
    """As ``installed``, with every package fetched by pip itself, in the versions of the lock file."""
    run(sys.executable, "-m", "venv", str(tmp_path / "env"))
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    server, client = wheels
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = tmp_path / "pins.txt"
    pins.write_text(
        "\n".join(line.removesuffix("\\") for line in lines if line[:1] not in {"#", " ", ""}), encoding="utf-8"
    )
    python = str(scripts / "python")
    run(python, "-m", "pip", "install", "-q", "--constraint", str(pins), str(client), f"{server}[{','.join(EXTRAS)}]")
    run(python, "-m", "pip", "check")
    with running_demo(scripts, tmp_path) as (_, ready):
        assert httpx.get(urldefrag(str(ready["page_url"])).url, timeout=ANSWER_S, trust_env=False).status_code == 200


@contextmanager
def running_demo(scripts: Path, folder: Path) -> Generator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """``safelight demo``, started as a person would from some other folder, and its ready line."""
    home = folder / "home"
    home.mkdir()
    command = [str(scripts / "safelight"), "demo", "--port", "0", "--data-dir", str(folder / "data")]
    environment = {"PATH": os.defpath, "HOME": str(home), "PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"}
    errors = folder / "stderr.txt"
    with (
        errors.open("w", encoding="utf-8") as stderr,
        subprocess.Popen(
            command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as process,
    ):
        try:
            yield process, ready_line(process, errors)
            process.send_signal(signal.SIGTERM)
            assert process.wait(END_S) == 0, errors.read_text(encoding="utf-8")
            assert not (folder / "data/runtime.json").exists(), "it says where a service runs that does not run"
        finally:
            if process.poll() is None:
                process.kill()


def ready_line(process: subprocess.Popen[str], errors: Path) -> dict[str, Any]:
    """The first line of its output. A process that is too slow is ended, and then its output ends too."""
    assert process.stdout is not None
    too_late = threading.Timer(READY_S, process.kill)
    too_late.start()
    try:
        line = process.stdout.readline()
    finally:
        too_late.cancel()
    assert line, f"no ready line; it wrote\n{errors.read_text(encoding='utf-8')}"
    ready: dict[str, Any] = json.loads(line)
    assert ready["event"] == "ready"
    return ready
