"""``safelight data`` against a service."""

from __future__ import annotations

import argparse
import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from safelight.chat.kept_settings import KeptSettings, read_settings, write_settings
from safelight.cli import data, main
from safelight_client import models
from tests.cli.test_serve import served


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    data.add_parser(parser.add_subparsers())
    args = parser.parse_args(["data", *words])
    return args.run(args)


@contextmanager
def service(folder: Path) -> Generator[tuple[str, str]]:
    """A service as a process, with the address and the token that it gives."""
    (folder / "hello.json").write_text('[{"text": "Hello."}]', encoding="utf-8")
    with served(folder, "--model", f"scripted:{folder / 'hello.json'}") as (_, ready):
        yield ready["url"], Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()


def open_chats(folder: Path, *texts: str) -> list[str]:
    """Chats with a message each."""
    from safelight.cli.connection import connect

    async def open_all() -> list[str]:
        ids: list[str] = []
        async with connect(None, folder) as client:
            for text in texts:
                opened = await client.open_chat(models.OpenChat())
                await client.send_message(opened.session_id, models.NewMessage(text=text))
                ids.append(opened.session_id)
        return ids

    return asyncio.run(open_all())


def test_conversations_are_listed_and_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--data-dir", str(tmp_path))
    with service(tmp_path):
        assert run("list", *place) == 0
        assert capsys.readouterr().out == "No conversations are kept.\n"

        first, second, third = open_chats(tmp_path, "find boats", "rate them", "say hello")
        assert run("list", *place) == 0
        listed = capsys.readouterr().out.splitlines()
        assert {(line.split()[0], " ".join(line.split()[3:])) for line in listed} == {
            (first, "find boats"),
            (second, "rate them"),
            (third, "say hello"),
        }

        assert run("delete", first, *place) == 0
        assert capsys.readouterr() == ("", f"Conversation {first} is erased.\n")
        assert run("delete", first, *place) == 1
        assert "There is no conversation with this id." in capsys.readouterr().err

        assert run("delete", "--all", *place) == 0
        assert capsys.readouterr().err == "2 conversations are erased.\n"
        assert run("list", *place) == 0
        assert capsys.readouterr().out == "No conversations are kept.\n"
        assert threading.active_count() < 20


def test_a_service_that_does_not_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["list"], ["delete", "--all"]):
        assert run(*words, "--data-dir", str(tmp_path)) == 1
        assert "Start it from Lightroom or with `safelight serve`." in capsys.readouterr().err


def test_how_long_they_are_kept_is_written_and_what_else_is_set_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    assert run("keep", "7", "--data-dir", str(folder)) == 0
    assert "kept for 7 days after their last event, from the next start" in capsys.readouterr().err
    assert read_settings(folder / "settings.json") == KeptSettings(keep_days=7)
    write_settings(folder / "settings.json", KeptSettings(keep_days=7, approval_expiry_s=60))
    assert run("keep", "0", "--data-dir", str(folder)) == 0
    assert "what is stored now is erased" in capsys.readouterr().err
    assert read_settings(folder / "settings.json") == KeptSettings(keep_days=0, approval_expiry_s=60)


def test_a_damaged_settings_file_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.json").write_text("{", encoding="utf-8")
    assert main(["data", "keep", "7", "--data-dir", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert (tmp_path / "settings.json").read_text(encoding="utf-8") == "{"


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert run("keep", "7", "--data-dir", str(tmp_path / "file" / "data")) == 1
    assert "settings.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [[], ["delete"], ["delete", "x", "--all"], ["keep"], ["keep", "-1"], ["keep", "many"], ["keep", "36501"]]
)
def test_incomplete_commands_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2
    capsys.readouterr()


def test_the_table_shows_the_one_used_last_first_and_is_safe() -> None:
    def chat(session_id: str, day: int, title: str) -> models.Chat:
        when = datetime(2026, 1, day, 12, tzinfo=UTC)
        return models.Chat(
            session_id=session_id,
            model="m",
            created=when,
            last_active=when,
            title=title,
            busy=False,
            questions=0,
            needs_connections=[],
            head=1,
            sends_to=None,
        )

    lines = data.chat_table([chat("chat_1", 2, "old"), chat("chat_10", 3, "\x1b[2J"), chat("chat_2", 1, "")])
    assert [line.split()[0] for line in lines] == ["chat_10", "chat_1", "chat_2"]
    assert lines[0].endswith("\ufffd[2J")
    assert lines[2] == lines[2].rstrip()
