"""``safelight token`` against a service."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from safelight.cli import token
from safelight_client import models
from tests.client.service_double import ServiceDouble, hosted

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture(scope="module")
def service() -> Generator[ServiceDouble]:
    with hosted() as double:
        yield double


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    token.add_parser(parser.add_subparsers())
    args = parser.parse_args(["token", *words])
    return args.run(args)


def test_a_token_is_minted_listed_and_revoked(
    service: ServiceDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--data-dir", str(service.write_runtime(tmp_path)))
    assert run("list", *place) == 0
    assert "There are no tokens." in capsys.readouterr().out

    assert run("mint", "Claude Desktop", "--role", "editor", *place) == 0
    assert capsys.readouterr() == ("app-t1\n", "Token t1 (editor). It is shown only now:\n")

    assert run("list", *place) == 0
    assert capsys.readouterr().out == "t1  editor  2026-01-02  Claude Desktop\n"

    assert run("revoke", "t1", *place) == 0
    assert capsys.readouterr() == ("", "Token t1 is revoked.\n")

    assert run("revoke", "t1", *place) == 1
    assert capsys.readouterr().err == "safelight: Because of not_found.\n"


def test_a_service_that_does_not_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--data-dir", str(tmp_path)) == 1
    assert "Start it from Lightroom or with `safelight serve`." in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["mint", "x"], ["mint", "x", "--role", "admin"], ["revoke"]])
def test_incomplete_commands_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2
    capsys.readouterr()


def test_the_table_is_aligned_and_safe() -> None:
    day = datetime(2026, 1, 2, tzinfo=UTC)
    tokens = [
        models.TokenInfo(token_id="t1", name="Claude\x1b[2J", role="viewer", created=day),
        models.TokenInfo(token_id="t100", name="Codex", role="owner", created=day),
    ]
    assert token.token_table(tokens) == [
        "t1    viewer  2026-01-02  Claude\ufffd[2J",
        "t100  owner   2026-01-02  Codex",
    ]
