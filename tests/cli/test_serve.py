"""``safelight serve`` as a process: its ready line, its refusals, its end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

COMMAND = [sys.executable, "-m", "safelight", "serve"]


@contextlib.contextmanager
def served(data_dir: Path, *options: str) -> Generator[tuple[subprocess.Popen[str], dict[str, Any]], None, None]:
    """A service on a free port, its process and its ready line."""
    command = [*COMMAND, "--port", "0", "--data-dir", str(data_dir), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate(timeout=10)


def refused(*options: str) -> str:
    """What a service that cannot start says; it exits with 2 and writes nothing to stdout."""
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_the_first_line_is_the_ready_line_and_runtime_json_says_where_it_runs(tmp_path: Path) -> None:
    with served(tmp_path) as (process, ready):
        assert set(ready) == {"event", "url", "agent_token_file", "pid", "version"}
        assert ready["event"] == "ready"
        assert ready["pid"] == process.pid
        runtime = json.loads((tmp_path / "runtime.json").read_text(encoding="utf-8"))
        assert runtime == {key: ready[key] for key in ("url", "agent_token_file", "pid", "version")}
        health = httpx.get(f"{ready['url']}/v1/health").json()
        assert health == {"name": "safelight", "version": ready["version"], "status": "ok"}


def test_a_second_service_on_the_same_data_folder_says_so_and_exits_with_2(tmp_path: Path) -> None:
    with served(tmp_path):
        said = refused("--port", "0", "--data-dir", str(tmp_path))
        assert "Another Safelight is running" in said
        assert str(tmp_path) in said
        assert "Traceback" not in said


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    """LrGenius #3, #58, #91: a server that did not start, with no word about its port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("--port", str(port), "--data-dir", str(tmp_path))
        assert str(port) in said
        assert "--port" in said


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused_by_the_command_line(tmp_path: Path, port: str) -> None:
    assert "--port" in refused("--port", port, "--data-dir", str(tmp_path))


@pytest.mark.parametrize("days", ["-1", "36501", "many"])
def test_days_that_are_none_are_refused_by_the_command_line(tmp_path: Path, days: str) -> None:
    assert "--keep-days" in refused("--keep-days", days, "--port", "0", "--data-dir", str(tmp_path))


def test_with_no_days_a_conversation_ends_with_the_service(tmp_path: Path) -> None:
    model = tmp_path / "hello.json"
    model.write_text('[{"text": "Hello."}]', encoding="utf-8")
    options = ("--model", f"scripted:{model}", "--keep-days", "0")
    for _ in range(2):
        with served(tmp_path / "data", *options) as (_, ready):
            token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
            with httpx.Client(base_url=ready["url"], headers={"authorization": f"Bearer {token}"}) as client:
                assert client.get("/v1/chat/sessions").json() == {"sessions": []}
                client.post("/v1/chat/sessions", json={})
                assert len(client.get("/v1/chat/sessions").json()["sessions"]) == 1


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    said = refused("--port", "0", "--data-dir", str(tmp_path / "file" / "data"))
    assert "data folder" in said
    assert "Traceback" not in said


@contextlib.contextmanager
def held_poll(client: httpx.Client, url: str) -> Generator[socket.socket, None, None]:
    """A plug-in that waits for a command; its answer can be read from the socket."""
    loop: dict[str, Any] = {"session": "s", "generation": 1}
    hello = loop | {
        "protocol": 1,
        "plugin_version": "1",
        "lightroom_version": "14",
        "catalog_id": "c",
        "catalog_path": "c.lrcat",
    }
    assert client.post("/v1/bridge/hello", json=hello).status_code == 200
    poll = client.build_request("POST", "/v1/bridge/poll", json={**loop, "seen": list[str]()})
    host, port = url.removeprefix("http://").split(":")
    head = "".join(f"{name}: {value}\r\n" for name, value in poll.headers.items())
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(f"POST /v1/bridge/poll HTTP/1.1\r\n{head}\r\n".encode() + poll.content)
        assert client.get("/v1/health").status_code == 200
        yield connection


@pytest.mark.skipif(os.name != "posix", reason="SIGTERM is a POSIX signal")
def test_sigterm_ends_it_quickly_with_streams_and_a_held_poll_open(tmp_path: Path) -> None:
    model = tmp_path / "hello.json"
    model.write_text('[{"text": "Hello."}]', encoding="utf-8")
    with served(tmp_path / "data", "--model", f"scripted:{model}") as (process, ready):
        token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        with httpx.Client(base_url=ready["url"], headers={"authorization": f"Bearer {token}"}, timeout=20) as client:
            chat = client.post("/v1/chat/sessions", json={}).json()
            with contextlib.ExitStack() as open_streams:
                for _ in range(5):
                    events = f"/v1/chat/sessions/{chat['session_id']}/events"
                    stream = open_streams.enter_context(client.stream("GET", events))
                    assert next(stream.iter_raw()).startswith(b": keep-alive")
                held = open_streams.enter_context(held_poll(client, ready["url"]))
                started = time.monotonic()
                process.send_signal(signal.SIGTERM)
                assert process.wait(10) == 0
                assert time.monotonic() - started < 1.0
                assert held.recv(4_096).startswith(b"HTTP/1.1 200")
        assert not (tmp_path / "data" / "runtime.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="SIGTERM is a POSIX signal")
def test_a_page_that_reads_nothing_does_not_hold_up_the_end(tmp_path: Path) -> None:
    model = tmp_path / "hello.json"
    model.write_text('[{"text": "Hello."}]', encoding="utf-8")
    options = ("--model", f"scripted:{model}")
    with served(tmp_path, *options) as (process, ready):
        headers = {"authorization": f"Bearer {Path(ready['agent_token_file']).read_text(encoding='ascii').strip()}"}
        session_id = httpx.post(f"{ready['url']}/v1/chat/sessions", json={}, headers=headers).json()["session_id"]
        process.terminate()
        process.wait(10)
    connection = sqlite3.connect(tmp_path / "safelight.db")
    for seq in range(1, 13):
        body = json.dumps({"type": "warning", "seq": seq, "message": "x" * 1_000_000}).encode()
        connection.execute("INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)", (session_id, seq, body))
    connection.commit()
    connection.close()
    with served(tmp_path, *options) as (process, ready), socket.socket() as reader:
        host, port = ready["url"].removeprefix("http://").split(":")
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.connect((host, int(port)))
        lines = [f"GET /v1/chat/sessions/{session_id}/events HTTP/1.1", f"Host: {host}:{port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        reader.sendall("\r\n".join([*lines, "", ""]).encode())
        assert reader.recv(4_096).startswith(b"HTTP/1.1 200")
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert time.monotonic() - started < 1.0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
