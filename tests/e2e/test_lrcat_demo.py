"""``safelight demo``: the whole service on a copy of a Lightroom catalog or a folder of photos, asked from outside."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from safelight.lightroom import write_drawn_photos
from tests.e2e.demo import ROOT, running_demo
from tests.lightroom.made_lrcat import write_lrcat
from tests.requirement import requirement

REAL = ROOT / "tests" / "data" / "lrcat" / "lightroom5.lrcat"


async def found(ready: dict[str, Any], searches: list[dict[str, Any]]) -> list[int]:
    """How many photos each search finds in the index, once all photos came over the bridge into it."""
    token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
    async with (
        asyncio.timeout(60),
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=30) as http,
        Client(streamable_http_client(f"{ready['url']}/mcp", http_client=http), mode="auto") as client,
    ):
        counts: list[int] = []
        for search in searches:
            answer = await client.call_tool("search_photos", search)
            assert not answer.is_error, answer
            counts.append(cast("dict[str, Any]", answer.structured_content)["count"])
        return counts


@requirement("demo.folder")
def test_a_search_counts_the_photos_of_the_real_catalog(tmp_path: Path) -> None:
    path = tmp_path / "real.lrcat"
    shutil.copyfile(REAL, path)
    searches = [{}, {"text": "NIKON"}, {"captured_from": "2013-12"}, {"text": "_MAX7674"}, {"rating_min": 1}]
    with running_demo(tmp_path, "--lrcat", str(path)) as ready:
        assert asyncio.run(found(ready, searches)) == [4, 4, 2, 1, 0]
    assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(REAL.read_bytes()).digest()
    assert not [file.name for file in tmp_path.iterdir() if file.name.startswith("real.lrcat-")]


@requirement("demo.folder")
def test_a_search_counts_the_photos_of_a_folder_with_all_below_it(tmp_path: Path) -> None:
    write_drawn_photos(tmp_path / "photos" / "2023", 8)
    write_drawn_photos(tmp_path / "photos" / "2024", 4)
    with running_demo(tmp_path, "--photos", str(tmp_path / "photos")) as ready:
        assert asyncio.run(found(ready, [{}, {"folder": "2023"}, {"file_type": "jpeg"}])) == [12, 8, 12]


@requirement("demo.folder")
def test_a_search_counts_virtual_copies_and_letters_of_every_kind(tmp_path: Path) -> None:
    """ccanalesb's lightroom-tagger counts files, and has no virtual copies."""
    write_lrcat(tmp_path / "made.lrcat", 14, root=tmp_path)
    searches = [{}, {"text": "turtle"}, {"text": "Orange"}, {"text": "Łódź"}, {"rating_min": 2}, {"text": "京都の朝"}]
    with running_demo(tmp_path, "--lrcat", str(tmp_path / "made.lrcat")) as ready:
        assert asyncio.run(found(ready, searches)) == [6, 1, 2, 1, 2, 1]


def refused(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "safelight", "demo", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=ROOT)
    assert done.stdout == ""
    return done.returncode, done.stderr


@requirement("demo.folder")
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.lrcat", None, "There is no file"),
        ("notes.lrcat", b"Dear diary", "is not an SQLite file"),
        ("cut.lrcat", REAL.read_bytes()[:50_000], "is damaged"),
    ],
)
def test_a_file_that_is_no_catalog_ends_the_start_with_a_sentence(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    status, err = refused("--data-dir", str(tmp_path / "data"), "--lrcat", str(tmp_path / name))
    assert status == 2
    assert said in err
    assert "Traceback" not in err


@requirement("demo.folder")
def test_a_folder_and_a_catalog_at_once_are_refused() -> None:
    status, err = refused("--lrcat", "a.lrcat", "--photos", "folder")
    assert status == 2
    assert "not allowed with argument" in err
