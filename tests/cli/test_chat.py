"""``safelight chat`` against a service: what it prints, what it answers, how it ends."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from safelight.cli import chat, demo_service
from safelight.cli.questions import NOBODY, SAID_NO
from tests.client.chat_double import ChatDouble
from tests.client.service_double import ServiceDouble, hosted

if TYPE_CHECKING:
    from collections.abc import Generator

PROGRAM: Final = """
import argparse, sys
from safelight.cli import chat
parser = argparse.ArgumentParser()
chat.add_parser(parser.add_subparsers())
args = parser.parse_args()
sys.exit(args.run(args))
"""


@pytest.fixture(scope="module")
def host() -> Generator[ServiceDouble]:
    with hosted() as double:
        yield double


@pytest.fixture
def service(host: ServiceDouble) -> Generator[ServiceDouble]:
    yield host
    host.reset()


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    chat.add_parser(parser.add_subparsers())
    return parser.parse_args(["chat", *words])


def run(*words: str) -> int:
    args = parsed(*words)
    return args.run(args)


def at(service: ServiceDouble, folder: Path) -> tuple[str, str]:
    return ("--data-dir", str(service.write_runtime(folder)))


async def rates(double: ChatDouble, _text: str) -> None:
    preview = {
        "photos": [{"photo_id": "1", "file_name": "IMG_1.DNG", "before": {"rating": 0}, "after": {"rating": 5}}],
        "more": 2,
    }
    answer = await double.ask(preview=preview)
    double.turn("Rated." if answer["decision"] != "deny" else "Then not.")


def only_chat(service: ServiceDouble) -> ChatDouble:
    (double,) = service.chats.values()
    return double


def test_the_answer_is_standard_output_and_the_rest_standard_error(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*at(service, tmp_path), "--model", "small", "--mode", "ask_all", "Hello") == 0
    assert capsys.readouterr() == ("You said: Hello\n", "Thinking: They said something.\n")
    assert only_chat(service).opened_with == {"model": "small", "mode": "ask_all"}


def test_yes_allows_each_question_once_and_shows_it(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.script = rates
    assert run(*at(service, tmp_path), "--yes", "Rate them") == 0
    assert only_chat(service).answers == {"call-1": {"decision": "once"}}
    out, err = capsys.readouterr()
    assert out == "Rated.\n"
    assert err.splitlines() == [
        "Rate photos (changes photos, 3 photos)",
        "  rating: 5",
        "  photos: the photos selected in Lightroom",
        "May it run: Rate photos (changes photos, 3 photos)?",
        "  rating: 5",
        "  photos: the photos selected in Lightroom",
        "  Asks because of this chat's mode.",
        "  What would change:",
        "    IMG_1.DNG: rating 0 -> 5",
        "    and 2 more photos",
        "  Allowed once.",
        "  Done: 3 photos.",
    ]


@pytest.mark.parametrize(("options", "note"), [(["--no"], SAID_NO.note), ([], NOBODY.note)])
def test_no_and_no_terminal_deny_and_say_why(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], note: str
) -> None:
    service.script = rates
    assert run(*at(service, tmp_path), *options, "Rate them") == 3
    assert only_chat(service).answers == {"call-1": {"decision": "deny", "note": note}}
    out, err = capsys.readouterr()
    assert out == "Then not.\n"
    assert err.endswith("  Not allowed.\n  Did not run: not allowed.\n")


def test_json_prints_each_event_as_one_line_and_nothing_else(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(double: ChatDouble, text: str) -> None:
        double.append("of_tomorrow", colour="infrarot \u2028 ü")
        await rates(double, text)

    service.script = script
    assert run(*at(service, tmp_path), "--json", "--no", "Rate them") == 3
    out, err = capsys.readouterr()
    events: list[dict[str, Any]] = [json.loads(line) for line in out.removesuffix("\n").split("\n")]
    assert [event for event in events if "seq" in event] == only_chat(service).log
    assert events[0]["type"] == "hello"
    assert "delta" in {event["type"] for event in events}
    assert err == ""


def test_an_error_of_the_run_is_said_and_ends_with_1(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(double: ChatDouble, _text: str) -> None:
        double.live("delta", kind="text", text="Let me", offset=0)
        double.append("warning", message="The window is small.")
        double.append("error", code="model_missing", message="Choose another model.")

    service.script = script
    assert run(*at(service, tmp_path), "Hello") == 1
    assert capsys.readouterr().err == "Warning: The window is small.\nsafelight: Choose another model.\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "safelight: No Safelight service runs for the data folder {folder}. Start it from Lightroom or with"),
        (["--url", "http://127.0.0.1:9"], "safelight: Safelight does not answer at http://127.0.0.1:9. Start it"),
    ],
)
def test_an_unreachable_service_is_said_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    (tmp_path / "agent-token").write_text("abc")
    assert run("--data-dir", str(tmp_path), *options, "Hello") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said.format(folder=tmp_path))
    assert err.endswith("or try `safelight chat --demo`.\n")


def test_a_refusal_is_said(service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service.write_runtime(tmp_path)
    service.agent_token = "another"
    assert run("--data-dir", str(tmp_path), "Hello") == 1
    assert "Because of forbidden. If the service was set up with another data folder" in capsys.readouterr().err
    service.agent_token = "agent-canary-token"
    assert run("--data-dir", str(tmp_path), "--url", service.url, " ") == 1
    assert "Because of invalid_body." in capsys.readouterr().err


def test_a_chat_that_is_ended_elsewhere_is_an_error(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(double: ChatDouble, _text: str) -> None:
        double.end()

    service.script = script
    assert run(*at(service, tmp_path), "Hello") == 1
    assert "safelight: " in capsys.readouterr().err


def test_demo_runs_its_own_service_and_hands_its_options_on(
    service: ServiceDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ready = {"url": service.url, "agent_token_file": str(tmp_path / "agent-token")}
    service.write_runtime(tmp_path)
    script = tmp_path / "demo.py"
    script.write_text(
        f"import pathlib, signal, sys\npathlib.Path({str(tmp_path / 'words')!r}).write_text(' '.join(sys.argv[6:]))\n"
        f"print({json.dumps(ready)!r}, flush=True)\nsignal.pause()\n"
    )
    monkeypatch.setattr(demo_service, "PROGRAM", (sys.executable, "-S", str(script)))
    monkeypatch.chdir(tmp_path)
    assert run("--demo", "--model", "scripted:turns.json", "--count", "9", "--photos", "p", "Hello") == 0
    model = f"scripted:{tmp_path / 'turns.json'}"
    assert (tmp_path / "words").read_text() == f"--model {model} --photos p --count 9"
    assert only_chat(service).opened_with == {"model": model}
    assert capsys.readouterr().out == "You said: Hello\n"

    script.write_text("import sys\nsys.exit('No photos there.')\n")
    assert run("--demo", "Hello") == 1
    assert capsys.readouterr().err == "safelight: The demonstration did not start. No photos there.\n"


def test_options_that_exclude_each_other_and_unknown_modes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--yes", "--no", "x"], ["--mode", "all", "x"]):
        with pytest.raises(SystemExit) as ended:
            parsed(*words)
        assert ended.value.code == 2
    capsys.readouterr()


def started(*words: str, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    import safelight
    import safelight_client

    paths = {str(Path(module.__path__[0]).parent) for module in (safelight, safelight_client)}
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"}
    command = [sys.executable, "-c", PROGRAM, "chat", *words]
    return subprocess.Popen(command, env=environ, stdin=stdin, stdout=stdout, stderr=stderr)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_stops_the_run_in_the_service(
    service: ServiceDouble, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    runs = threading.Event()

    async def script(double: ChatDouble, _text: str) -> None:
        double.turn("Let me look.")
        runs.set()
        await asyncio.Event().wait()

    service.script = script
    words = (*at(service, tmp_path), "--json", "Hello")
    with started(*words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"hello" in process.stdout.readline()
        assert runs.wait(20)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == status
    assert only_chat(service).stopped
    assert err == b""


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal to type into is made with openpty")
@pytest.mark.parametrize(
    ("typed", "answer", "status"),
    [
        ([b"\n", b"c\n"], {"decision": "chat"}, 0),
        ([b"d\n", "nur die drei schönsten\n".encode()], {"decision": "deny", "note": "nur die drei schönsten"}, 3),
    ],
)
def test_a_person_at_a_terminal_is_asked(
    service: ServiceDouble, tmp_path: Path, typed: list[bytes], answer: dict[str, str], status: int
) -> None:
    import pty

    service.script = rates
    ours, theirs = pty.openpty()
    process = started(*at(service, tmp_path), "Rate them", stdin=theirs, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen = b""
    lines = iter(typed)
    try:
        while chunk := terminal_output(ours):
            seen += chunk
            if seen.endswith((b"[d]on't: ", b"nothing) ")):
                os.write(ours, next(lines))
        out, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == status
    assert only_chat(service).answers == {"call-1": answer}
    assert out in {b"Rated.\n", b"Then not.\n"}
    assert b"IMG_1.DNG: rating 0 -> 5" in seen


def terminal_output(terminal: int) -> bytes:
    """What the program wrote; empty once it has left its terminal."""
    import select

    ready, _, _ = select.select([terminal], [], [], 20)
    assert ready, "nothing came for twenty seconds"
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
