"""The files of permissions: saved whole, read with suspicion, strict where they cannot be used."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.gate.permissions import AgentPermissions, PermissionBook
from safelight.wire.models import Permissions, PermissionsUpdate
from tests.requirement import requirement

WANTED = PermissionsUpdate(mode="auto_safe", rules={"set_rating": "block"}, bulk_limit=5)
SAVED: dict[str, Any] = {"mode": "auto_safe", "rules": {"set_rating": "block"}, "bulk_limit": 5}

DAMAGED: dict[str, bytes] = {
    "nothing": b"",
    "cut off": b'{"mode": "auto_a',
    "no JSON": b"\x00\xff\xfe",
    "another kind": b"[]",
    "an unknown mode": b'{"mode": "everything"}',
    "an unknown rule": b'{"rules": {"set_rating": "perhaps"}}',
    "rules of the wrong type": b'{"rules": ["set_rating"]}',
    "a limit below zero": b'{"bulk_limit": -1}',
    "a limit that is no number": b'{"bulk_limit": "200"}',
    "an unknown field": b'{"mode": "auto_all", "sudo": true}',
    "nested without end": b"[" * 100_000,
    "too much": json.dumps({"mode": "auto_all", "rules": {"x" * 5_000_000: "allow"}}).encode(),
}


def book_of(folder: Path, catalog_id: str = "one") -> PermissionBook:
    book = PermissionBook(folder)
    book.bind(catalog_id)
    return book


def file_of(folder: Path, catalog_id: str = "one") -> Path:
    file = folder / "catalogs" / catalog_id / "chat_permissions.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def is_strict(now: Permissions, *, because: str) -> bool:
    problem = "" if now.problem is msgspec.UNSET else now.problem
    return (now.mode, now.rules, now.bulk_limit) == ("ask_all", {}, 200) and because in problem


@requirement("perm.saved")
def test_each_catalog_has_its_own_settings_and_they_outlast_the_service(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert book.replace(WANTED).saved
    assert json.loads(file_of(tmp_path).read_bytes()) == SAVED
    book.bind("two")
    assert (book.current().mode, book.current().rules) == ("auto_read", {})
    book.always("show_photos", book.place)
    assert book.current().rules == {"show_photos": "allow"}
    for catalog_id, rules in (("one", {"set_rating": "block"}), ("two", {"show_photos": "allow"})):
        now = book_of(tmp_path, catalog_id).current()
        assert (now.rules, now.saved, now.problem) == (rules, True, msgspec.UNSET)


@requirement("perm.saved")
def test_settings_made_before_a_catalog_is_open_are_told_to_be_unsaved_and_go_into_a_new_one(tmp_path: Path) -> None:
    book = PermissionBook(tmp_path)
    assert book.replace(WANTED).saved is False
    assert not list(tmp_path.iterdir())
    book.bind("one")
    assert (book.current().saved, json.loads(file_of(tmp_path).read_bytes())) == (True, SAVED)


@requirement("perm.saved")
def test_settings_made_before_do_not_replace_those_of_the_catalog_nor_the_strict_ones_of_a_damaged_file(
    tmp_path: Path,
) -> None:
    book_of(tmp_path, "one").replace(WANTED)
    file_of(tmp_path, "two").write_bytes(b"{")
    loose = PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0)
    for catalog_id in ("one", "two"):
        book = PermissionBook(tmp_path)
        book.replace(loose)
        book.bind(catalog_id)
        assert book.current().mode == ("auto_safe" if catalog_id == "one" else "ask_all")


@requirement("perm.saved")
@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_kept_aside_and_everything_asks_until_new_settings_are_saved(
    tmp_path: Path, content: bytes
) -> None:
    file = file_of(tmp_path)
    file.write_bytes(content)
    because = "too large" if len(content) > 4_000_000 else "damaged"
    for _ in range(3):  # also after a restart, and another
        assert is_strict(book_of(tmp_path).current(), because=because)
    book = book_of(tmp_path)
    assert book.replace(WANTED).problem is msgspec.UNSET
    (aside,) = file.parent.glob("chat_permissions.json.damaged-*")
    assert aside.read_bytes() == content
    assert book_of(tmp_path).current() == book.current()
    assert json.loads(file.read_bytes()) == SAVED


def a_folder(file: Path) -> None:
    file.mkdir()


def a_link(file: Path) -> None:
    target = file.with_name("elsewhere.json")
    target.write_text('{"mode": "auto_all"}', encoding="utf-8")
    file.symlink_to(target)


def a_link_to_itself(file: Path) -> None:
    file.symlink_to(file)


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


@requirement("perm.saved")
@pytest.mark.parametrize(
    "something", [a_folder, a_link, a_link_to_itself, *([a_pipe] if hasattr(os, "mkfifo") else [])]
)
def test_what_is_no_plain_file_is_not_read_and_everything_asks_until_new_settings_are_saved(
    tmp_path: Path, something: Callable[[Path], None]
) -> None:
    something(file_of(tmp_path))
    something(tmp_path / "agent_permissions.json")
    book, agents = book_of(tmp_path), AgentPermissions(tmp_path)
    assert is_strict(book.current(), because="cannot be read")
    assert is_strict(agents.current(), because="cannot be read")
    assert book.replace(WANTED) == agents.replace(WANTED)
    assert book_of(tmp_path).current() == AgentPermissions(tmp_path).current() == book.current()
    assert len(list(file_of(tmp_path).parent.glob("*.damaged-*"))) == 1


@requirement("perm.saved", "mcp.approvals")
@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_for_agents_asks_for_everything_too(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "agent_permissions.json").write_bytes(content)
    for _ in range(2):
        assert (AgentPermissions(tmp_path).current().mode, AgentPermissions(tmp_path).current().rules) == (
            "ask_all",
            {},
        )
    agents = AgentPermissions(tmp_path)
    agents.always("set_rating")
    now = AgentPermissions(tmp_path).current()
    assert (now.mode, now.rules, now.problem) == ("ask_all", {"set_rating": "allow"}, msgspec.UNSET)


@requirement("perm.saved")
def test_rules_for_tools_that_are_no_more_are_kept(tmp_path: Path) -> None:
    file_of(tmp_path).write_text('{"rules": {"sharpen_everything": "allow"}}', encoding="utf-8")
    book = book_of(tmp_path)
    book.always("set_rating", book.place)
    assert book_of(tmp_path).current().rules == {"sharpen_everything": "allow", "set_rating": "allow"}
    assert book.current().problem is msgspec.UNSET


@requirement("perm.saved")
def test_a_save_that_fails_leaves_the_file_as_it_was_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_of(tmp_path)
    book.replace(WANTED)

    def no_room(file: int) -> None:
        del file
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr(os, "fsync", no_room)
        book.always("set_flag", book.place)
    now = book.current()
    assert (now.rules, now.saved) == ({"set_rating": "block", "set_flag": "allow"}, False)
    assert "No space left" in str(now.problem)
    assert [file.name for file in file_of(tmp_path).parent.iterdir()] == ["chat_permissions.json"]
    assert json.loads(file_of(tmp_path).read_bytes()) == SAVED
    book.always("set_label", book.place)
    assert (book.current().saved, book.current().problem) == (True, msgspec.UNSET)
