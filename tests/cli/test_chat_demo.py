"""``chat --demo``: its own service, in its own folder, gone afterwards."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from safelight.cli import demo_service as module
from safelight.cli.demo_service import DemoReady, demo_service
from safelight.errors import StartRefused

PROGRAM: Final = """
import json, os, pathlib, signal, sys
manner, report = sys.argv[1:3]
folder = pathlib.Path(sys.argv[sys.argv.index("--data-dir") + 1])
pathlib.Path(report).write_text(json.dumps({"arguments": sys.argv[3:], "folder": str(folder), "pid": os.getpid()}))
if manner == "dies":
    sys.exit("The photos folder is empty.")
signal.signal(signal.SIGTERM, signal.SIG_IGN if manner == "deaf" else lambda *_: sys.exit(0))
signal.signal(signal.SIGINT, signal.SIG_DFL)
if manner == "mute":
    signal.pause()
ready = {"event": "ready", "url": "http://127.0.0.1:1", "agent_token_file": str(folder / "agent-token"), "pid": 1}
print("ready?" if manner == "odd" else json.dumps(ready), flush=True)
print("x" * 200_000, flush=True)
print("listening", file=sys.stderr, flush=True)
while True:
    signal.pause()
"""


class Demo:
    """The stand-in for ``safelight demo``, and what it reported."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.report = folder / "report.json"
        self._script = folder / "demo.py"
        self._script.write_text(PROGRAM)
        self._monkeypatch = monkeypatch

    def behaves(self, manner: str) -> None:
        command = (sys.executable, "-S", str(self._script), manner, str(self.report))
        self._monkeypatch.setattr(module, "PROGRAM", command)

    def said(self) -> dict[str, Any]:
        return json.loads(self.report.read_text())

    def is_gone(self) -> bool:
        said = self.said()
        try:
            os.kill(said["pid"], 0)
        except ProcessLookupError:
            return not Path(said["folder"]).exists()
        return False


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    return Demo(tmp_path, monkeypatch)


def test_it_runs_on_a_free_port_in_a_folder_of_its_own_and_is_gone_afterwards(demo: Demo) -> None:
    demo.behaves("well")
    with demo_service(["--model", "scripted:turns.json", "--count", "30"]) as ready:
        folder = demo.said()["folder"]
        assert ready == DemoReady("http://127.0.0.1:1", str(Path(folder, "agent-token")))
        assert Path(folder).is_dir()
        assert demo.said()["arguments"] == [
            *("demo", "--port", "0", "--data-dir", folder, "--model", "scripted:turns.json", "--count", "30")
        ]
    assert demo.is_gone()


def test_it_is_gone_after_an_error_too(demo: Demo) -> None:
    demo.behaves("well")
    with pytest.raises(KeyboardInterrupt), demo_service([]):
        raise KeyboardInterrupt
    assert demo.is_gone()


def test_one_that_does_not_hear_is_killed(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "END_S", 0.05)
    demo.behaves("deaf")
    with demo_service([]):
        pass
    assert demo.is_gone()


@pytest.mark.parametrize(
    ("manner", "said"),
    [
        ("dies", r"did not start\. The photos folder is empty\."),
        ("mute", r"was not ready after 0\.3 seconds\. It said nothing\."),
        ("odd", r"did not start\."),
    ],
)
def test_one_that_is_never_ready_is_said_with_its_last_words(demo: Demo, manner: str, said: str) -> None:
    demo.behaves(manner)
    with pytest.raises(StartRefused, match=said), demo_service([], ready_s=0.3 if manner == "mute" else 10.0):
        pass
    if demo.report.exists():
        assert demo.is_gone()
