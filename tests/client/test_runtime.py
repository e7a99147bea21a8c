"""Where a running service is found, on each system."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from safelight_client import (
    Runtime,
    SafelightClient,
    ServiceUnreachable,
    _runtime,
    default_data_dir,
    read_runtime,
    read_token,
)
from safelight_client._runtime import data_folder

LINUX, MACOS, WINDOWS = "linux", "darwin", "win32"


@pytest.mark.parametrize(
    ("platform", "environ", "home", "expected"),
    [
        (LINUX, {}, "/home/ann", "/home/ann/.local/share/safelight"),
        (LINUX, {"XDG_DATA_HOME": "/data"}, "/home/ann", "/data/safelight"),
        (LINUX, {"XDG_DATA_HOME": ""}, "/home/ann", "/home/ann/.local/share/safelight"),
        (LINUX, {"XDG_DATA_HOME": "data"}, "/home/ann", "/home/ann/.local/share/safelight"),
        (LINUX, {"SAFELIGHT_DATA_DIR": "/tmp/s", "XDG_DATA_HOME": "/data"}, "/home/ann", "/tmp/s"),
        (MACOS, {}, "/Users/ann", "/Users/ann/Library/Application Support/safelight"),
        (MACOS, {"XDG_DATA_HOME": "/data"}, "/Users/ann", "/data/safelight"),
        (WINDOWS, {"LOCALAPPDATA": "D:\\Local"}, "C:\\Users\\Ann", "D:\\Local\\safelight"),
        (WINDOWS, {"XDG_DATA_HOME": "C:\\x"}, "C:\\Users\\Ann", "C:\\Users\\Ann\\AppData\\Local\\safelight"),
        (WINDOWS, {"SAFELIGHT_DATA_DIR": "E:\\s"}, "C:\\Users\\Ann", "E:\\s"),
    ],
)
def test_the_data_folder_of_each_system(platform: str, environ: dict[str, str], home: str, expected: str) -> None:
    assert str(data_folder(platform, environ, home)) == expected


def test_the_data_folder_is_the_one_that_platformdirs_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SAFELIGHT_DATA_DIR", raising=False)
    for shared in (None, str(tmp_path), "relative"):
        if shared is None:
            monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        else:
            monkeypatch.setenv("XDG_DATA_HOME", shared)
        assert default_data_dir() == platformdirs.user_data_path("safelight", appauthor=False)


def test_a_runtime_file_is_read_and_later_fields_do_no_harm(tmp_path: Path) -> None:
    text = '{"url": "http://127.0.0.1:1", "pid": 7, "version": "9", "agent_token_file": "/t", "later": true}'
    (tmp_path / "runtime.json").write_text(text)
    assert read_runtime(tmp_path) == Runtime("http://127.0.0.1:1", 7, "9", "/t")


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b"[1]"])
def test_no_runtime_file_and_a_damaged_one_mean_that_no_service_runs(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "runtime.json").write_bytes(content)
    with pytest.raises(ServiceUnreachable):
        SafelightClient.from_runtime(tmp_path)


def test_a_client_is_made_from_the_default_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("abc\n")
    text = f'{{"url": "http://127.0.0.1:1", "pid": 7, "version": "9", "agent_token_file": "{tmp_path}/token"}}'
    (tmp_path / "runtime.json").write_text(text)
    monkeypatch.setattr(_runtime, "default_data_dir", lambda: tmp_path)
    assert SafelightClient.from_runtime().base_url == "http://127.0.0.1:1"


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe", b"two\nlines"])
def test_a_token_file_without_a_token_is_said_without_its_text(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "agent-token"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ServiceUnreachable, match="agent-token") as refused:
        read_token(path)
    assert "two" not in str(refused.value)
    assert refused.value.__cause__ is None
