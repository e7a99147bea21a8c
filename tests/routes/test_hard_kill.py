"""A process that is killed in the middle, and a data folder that cannot be used."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.test_serve import refused, served
from tests.requirement import requirement

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX signal")

LONG = "a long story that takes its time "


@dataclass
class Page:
    """One chat, seen with its own token."""

    url: str
    chat: dict[str, Any]

    def at(self, url: str) -> Page:
        """The same page on a service that has been started again."""
        return Page(url, self.chat)

    def events(self, after: int = 0) -> Generator[dict[str, Any], None, None]:
        """The stream's events, until the service ends or the test stops reading."""
        with (
            self._client() as client,
            client.stream("GET", f"/events?after={after}") as answer,
        ):
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def until(self, is_last: Callable[[dict[str, Any]], bool], after: int = 0) -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = []
        with contextlib.closing(self.events(after)) as events:
            for event in events:
                seen.append(event)
                if is_last(event):
                    return seen
        raise AssertionError(f"the stream ended after {seen}")

    def ask(self, method: str, path: str, **body: Any) -> httpx.Response:
        with self._client() as client:
            return client.request(method, path, json=body or None)

    def _client(self) -> httpx.Client:
        headers = {"authorization": f"Bearer {self.chat['chat_token']}"}
        base = f"{self.url}/v1/chat/sessions/{self.chat['session_id']}"
        return httpx.Client(base_url=base, headers=headers, timeout=20)


def opened(ready: dict[str, Any], model: Path, **body: Any) -> Page:
    token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
    headers = {"authorization": f"Bearer {token}"}
    body = {"model": f"scripted:{model}", **body}
    answer = httpx.post(f"{ready['url']}/v1/chat/sessions", json=body, headers=headers, timeout=20)
    assert answer.status_code == 201, answer.text
    return Page(ready["url"], answer.json())


def script(folder: Path, name: str, *turns: dict[str, Any]) -> Path:
    file = folder / name
    file.write_text(json.dumps(turns), encoding="utf-8")
    return file


def numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if "seq" in event]


def is_idle(event: dict[str, Any]) -> bool:
    return event["type"] == "busy" and not event["busy"]


@requirement("session.durable", "perm.resolved-always", "event.numbered")
def test_after_a_kill_every_chat_is_as_it_was_seen_closed_and_usable_with_its_old_token(tmp_path: Path) -> None:
    asks = script(tmp_path, "asks.json", {"calls": [{"tool": "get_status", "arguments": {}}]}, {"text": "Never."})
    tells = script(tmp_path, "tells.json", {"text": "Hello."}, {"text": LONG * 50, "delay_ms": 60_000})
    data = tmp_path / "data"
    with served(data) as (process, ready):
        asking = opened(ready, asks, mode="ask_all")
        telling = opened(ready, tells)
        asking.ask("POST", "/messages", text="ask me")
        question = asking.until(lambda event: event["type"] == "approval_needed")
        telling.ask("POST", "/messages", text="hello")
        told = telling.until(is_idle)
        telling.ask("POST", "/messages", text="tell")
        waiting = telling.ask("POST", "/messages", text="and then").json()
        told += telling.until(lambda event: event["type"] == "delta", after=told[-1]["seq"])
        told += [event for event in telling.until(lambda event: event.get("seq") == waiting["seq"])]
        process.kill()
        process.wait(10)
    with served(data) as (_, ready):
        asking, telling = asking.at(ready["url"]), telling.at(ready["url"])
        asked = asking.until(is_idle)
        assert numbered(asked)[: len(numbered(question))] == numbered(question)
        assert [event["type"] for event in numbered(asked)[len(numbered(question)) :]] == [
            *("approval_resolved", "tool_skipped", "stopped", "busy")
        ]
        call_id = question[-1]["call_id"]
        assert asking.ask("GET", "/approvals").json() == {"approvals": []}
        settled = asking.ask("POST", f"/approvals/{call_id}", decision="once")
        assert (settled.status_code, settled.json()["code"]) == (409, "already_settled")
        assert asking.ask("POST", "/approvals/call_of_nobody", decision="once").status_code == 404
        again = numbered(telling.until(lambda event: event["type"] == "stopped"))
        for event in numbered(told):
            assert again[event["seq"] - 1] == event
        assert [event["type"] for event in again[-2:]] == ["unqueued", "stopped"]
        for page in (asking, telling):
            head = page.ask("GET", "").json()
            assert head["busy"] is False
            sent = page.ask("POST", "/messages", text="go on").json()
            assert sent["seq"] == head["head"] + 1
            answered = page.until(is_idle, after=head["head"])
            assert "assistant_turn" in [event["type"] for event in answered]


@requirement("limit.crash")
@pytest.mark.parametrize("damage", ["garbage", "cut", "page", "schema"])
def test_a_damaged_database_is_refused_in_a_sentence_and_left_as_it_is(
    whole: bytes, tmp_path: Path, damage: str
) -> None:
    file = tmp_path / "safelight.db"
    file.write_bytes(whole)
    _damage(file, damage)
    before = file.read_bytes()
    said = refused("--port", "0", "--data-dir", str(tmp_path))
    assert "safelight.db" in said
    assert "damaged" in said
    assert "Traceback" not in said
    assert file.read_bytes() == before


@requirement("limit.crash")
def test_a_chat_that_is_damaged_says_so_can_be_deleted_and_harms_no_other(tmp_path: Path) -> None:
    model = script(tmp_path, "m.json", {"text": "Hello."})
    data = tmp_path / "data"
    with served(data) as (process, ready):
        pages = [opened(ready, model), opened(ready, model)]
        for page in pages:
            page.ask("POST", "/messages", text="go")
            page.until(is_idle)
        process.terminate()
        process.wait(10)
    damaged, whole = pages
    _change(
        data / "safelight.db", f"UPDATE transcript SET body = '{{' WHERE session_id = '{damaged.chat['session_id']}'"
    )
    with served(data) as (_, ready):
        damaged, whole = damaged.at(ready["url"]), whole.at(ready["url"])
        for answer in (
            damaged.ask("GET", ""),
            damaged.ask("POST", "/messages", text="on"),
            damaged.ask("GET", "/events"),
        ):
            assert answer.status_code == 409
            assert "damaged" in answer.json()["detail"]
        whole.ask("POST", "/messages", text="go on")
        assert "assistant_turn" in [event["type"] for event in whole.until(is_idle, after=5)]
        assert damaged.ask("DELETE", "").status_code == 204
        assert damaged.ask("GET", "").status_code == 403


@pytest.mark.parametrize("name", ["safelight.lock", "agent-token", "runtime.new"])
def test_a_data_folder_in_which_a_file_cannot_be_written_is_said_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    said = refused("--port", "0", "--data-dir", str(tmp_path))
    assert str(tmp_path) in said
    assert "Traceback" not in said


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_folder_that_is_read_only_is_said_in_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    said = refused("--port", "0", "--data-dir", str(tmp_path))
    assert "cannot be written to" in said
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a chat in it, closed cleanly."""
    folder = tmp_path_factory.mktemp("whole")
    data = folder / "data"
    with served(data) as (process, ready):
        page = opened(ready, script(folder, "m.json", {"text": "Hello. " * 1_000}))
        page.ask("POST", "/messages", text="go")
        page.until(is_idle)
        process.terminate()
        process.wait(10)
    return (data / "safelight.db").read_bytes()


def _damage(file: Path, how: str) -> None:
    if how == "garbage":
        file.write_bytes(b"\x00garbage" * 1_000)
    elif how == "cut":
        file.write_bytes(file.read_bytes()[:5_000])
    elif how == "page":
        size = file.stat().st_size
        file.write_bytes(file.read_bytes()[:4_096] + b"\xff" * (size - 4_096))
    else:
        _change(file, "DROP TABLE sessions")


def _change(file: Path, statement: str) -> None:
    program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
    subprocess.run([sys.executable, "-c", program, str(file), statement], check=True)
