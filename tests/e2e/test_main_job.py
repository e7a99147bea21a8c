"""The main job from the command line: a message, a tool in the plug-in's Lua, a question, a changed catalog."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.requirement import requirement

ROOT = Path(__file__).parents[2]
RATE = f"scripted:{ROOT / 'tests' / 'data' / 'rate.json'}"
REQUEST = "Give the selected photos five stars"


def chat(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "safelight", "chat", "--demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)


def events_of(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def ratings(event: dict[str, Any]) -> dict[str, int]:
    return {photo["photo_id"]: photo.get("rating", 0) for photo in json.loads(event["text"])["photos"]}


def looked(events: list[dict[str, Any]]) -> list[dict[str, int]]:
    """What each ``get_photos`` of the chat read of the selected photos."""
    reads = {event["call_id"] for event in events if event["type"] == "tool_call" and event["tool"] == "get_photos"}
    return [ratings(event) for event in events if event["type"] == "tool_done" and event["call_id"] in reads]


@requirement("perm.answers", "lightroom.simulator", "demo.folder")
def test_yes_rates_exactly_the_selected_photos_and_exits_with_0() -> None:
    done = chat("--model", RATE, "--mode", "auto_read", "--yes", "--json", REQUEST)
    assert done.returncode == 0, done.stderr
    events = events_of(done)
    before, after = looked(events)
    assert len(before) == 3
    assert set(before) == set(after)
    assert set(before.values()) != {5}
    assert set(after.values()) == {5}
    question = next(event for event in events if event["type"] == "approval_needed")
    assert {photo["photo_id"] for photo in question["preview"]["photos"]} == set(before)
    written = next(event for event in events if event["type"] == "tool_done" and "applied" in event["text"])
    assert set(json.loads(written["text"])["applied"]) == set(before)


@requirement("perm.denied-never-runs")
def test_no_changes_nothing_and_exits_with_3() -> None:
    done = chat("--model", RATE, "--mode", "auto_read", "--no", "--json", REQUEST)
    assert done.returncode == 3, done.stderr
    events = events_of(done)
    before, after = looked(events)
    assert before == after
    skipped = [event for event in events if event["type"] == "tool_skipped"]
    assert [event["reason"] for event in skipped] == ["not_allowed"]
    assert not any(event["type"] == "tool_running" and event["call_id"] == skipped[0]["call_id"] for event in events)


def test_the_question_is_printed_in_words() -> None:
    done = chat("--model", RATE, "--mode", "auto_read", "--yes", REQUEST)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    for words in ("Rate photos", "rating: 5", "3 photos", "The selected photos now have five stars."):
        assert words in said


@requirement("local.answer-shape")
def test_the_demos_own_model_finds_the_beach() -> None:
    done = chat("--json", "Find photos of the beach")
    assert done.returncode == 0, done.stderr
    events = events_of(done)
    (call,) = [event for event in events if event["type"] == "tool_call"]
    assert call["tool"] == "search_photos"
    assert "beach" in call["arguments"]["text"].lower()
    result = next(event for event in events if event["type"] == "tool_done")
    assert result["ok"]
    assert result["count"] >= 1
    assert result["set_id"]
    photos = json.loads(result["text"])["photos"]
    assert all("beach" in json.dumps(photo).lower() for photo in photos)
    turns = [event for event in events if event["type"] == "assistant_turn"]
    assert all(turn["reasoning"] for turn in turns)
    assert turns[-1]["text"]
