"""A service that is killed between doing something and its caller's next try does it once all the same."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.cli.test_serve import served
from tests.requirement import requirement
from tests.routes.test_hard_kill import Page, is_idle, numbered, opened, script

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX signal")

ROUNDS: Final = 4
LATEST_KILL_S: Final = 0.03


def post(page: Page, path: str, key: str, **body: Any) -> httpx.Response:
    url = f"{page.url}/v1/chat/sessions/{page.chat['session_id']}{path}"
    headers = {"authorization": f"Bearer {page.chat['chat_token']}", "idempotency-key": key}
    return httpx.post(url, json=body, headers=headers, timeout=20)


@requirement("session.idempotent", "limit.crash")
def test_an_answer_that_a_kill_took_is_given_by_the_next_service_and_nothing_is_doubled(tmp_path: Path) -> None:
    asks = script(tmp_path, "asks.json", {"calls": [{"tool": "get_status", "arguments": {}}]}, {"text": "Never."})
    data = tmp_path / "data"
    with served(data) as (process, ready):
        page = opened(ready, asks, mode="ask_all")
        sent = post(page, "/messages", "message", text="look")
        call_id = page.until(lambda event: event["type"] == "approval_needed")[-1]["call_id"]
        answered = post(page, f"/approvals/{call_id}", "answer", decision="deny")
        page.until(lambda event: event["type"] == "approval_resolved")
        process.kill()
        process.wait(10)
    with served(data) as (_, ready):
        page = page.at(ready["url"])
        for again, first in (
            (post(page, "/messages", "message", text="look"), sent),
            (post(page, f"/approvals/{call_id}", "answer", decision="deny"), answered),
        ):
            assert (again.status_code, again.content) == (first.status_code, first.content)
        assert post(page, f"/approvals/{call_id}", "answer", decision="once").json()["code"] == "idempotency_conflict"
        types = [event["type"] for event in numbered(page.until(is_idle))]
        assert (types.count("user_message"), types.count("approval_resolved")) == (1, 1)


@requirement("session.idempotent", "limit.crash")
def test_a_message_is_sent_until_it_is_answered_over_kills_at_any_moment_and_is_there_once(tmp_path: Path) -> None:
    """Each round sends a message, kills the service meanwhile, and sends it again to the next one."""
    chance = random.Random(7)
    model = script(tmp_path, "says.json", *[{"text": "Hello."}] * 4)
    data = tmp_path / "data"
    with served(data) as (_, ready):
        page = opened(ready, model)
    sent: list[str] = []
    seen: dict[str, bytes] = {}
    for number in range(ROUNDS):
        with served(data) as (process, ready):
            page = page.at(ready["url"])
            send_again(page, sent[-1:], seen)
            sent.append(f"message-{number}")
            killing = threading.Thread(target=_kill_later, args=(process, chance.uniform(0.0, LATEST_KILL_S)))
            killing.start()
            with contextlib.suppress(httpx.TransportError):
                seen[sent[-1]] = post(page, "/messages", sent[-1], text=sent[-1]).content
            killing.join(10)
            process.wait(10)
    with served(data) as (_, ready):
        page = page.at(ready["url"])
        send_again(page, sent, seen)
        newest = page.ask("GET", "").json()["head"]
        events = page.until(lambda event: event.get("seq") == newest)
    said = {event["message_id"]: event["text"] for event in events if event["type"] in {"user_message", "queued"}}
    assert sorted(said.values()) == sent


def send_again(page: Page, sent: list[str], seen: dict[str, bytes]) -> None:
    for text in sent:
        again = post(page, "/messages", text, text=text)
        assert again.status_code == 202
        assert seen.setdefault(text, again.content) == again.content


def _kill_later(process: Any, seconds: float) -> None:
    time.sleep(seconds)
    process.kill()
