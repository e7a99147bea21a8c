"""The kept beginnings of prompts: whole and right, or not used at all."""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.engines.prefix_file import UnusablePrefix, read_prefix, write_prefix
from safelight.engines.prefix_store import PrefixStore
from tests.requirement import requirement

BOUND = 10.0
KEY = b"k" * 32
TOKENS = [1, 2, 3]
STATE = bytes(range(256)) * 8


def go_on() -> bool:
    return True


@contextmanager
def opened(folder: Path, identity: bytes = b"model", limit: int = 1_000_000) -> Generator[PrefixStore]:
    store = PrefixStore(folder, identity, limit)
    try:
        yield store
    finally:
        store.close()


def keep(store: PrefixStore, tokens: list[int], state: bytes = STATE) -> None:
    assert store.wants(tokens, len(state))
    store.keep(tokens, memoryview(state))
    assert store.settled(BOUND)


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


@requirement("llama.disk-prefix")
def test_a_kept_state_comes_back_in_another_process_and_is_its_owners_alone(tmp_path: Path) -> None:
    with opened(tmp_path / "new" / "folder") as store:
        assert store.get(TOKENS) is None
        keep(store, TOKENS)
        assert not store.wants(TOKENS, len(STATE))
    with opened(tmp_path / "new" / "folder") as store:
        assert store.get(TOKENS) == STATE
        assert store.get([1, 2]) is None
        assert store.get([1, 2, 3, 4]) is None
    if os.name == "posix":
        assert stat.S_IMODE(only_file(tmp_path / "new" / "folder").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "new" / "folder").stat().st_mode) == 0o700


@requirement("llama.disk-prefix")
def test_another_model_or_another_engine_gets_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        keep(store, TOKENS)
    with opened(tmp_path, identity=b"another") as store:
        assert store.get(TOKENS) is None
        assert store.wants(TOKENS, len(STATE))


@requirement("llama.disk-prefix")
@pytest.mark.parametrize("damage", ["cut", "longer", "flipped", "empty", "foreign"])
def test_a_file_that_is_not_as_it_was_written_is_ignored_and_removed(tmp_path: Path, damage: str) -> None:
    with opened(tmp_path) as store:
        keep(store, TOKENS)
        file = only_file(tmp_path)
        whole = file.read_bytes()
        spoilt = {
            "cut": whole[:-1],
            "longer": whole + b"x",
            "flipped": whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:],
            "empty": b"",
            "foreign": b"something else" * 50,
        }
        file.write_bytes(spoilt[damage])
        assert store.get(TOKENS) is None
        assert not file.exists()
        keep(store, TOKENS)
        assert store.get(TOKENS) == STATE


@given(st.data())
def test_no_changed_byte_and_no_cut_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("prefix") / "one.prefix"
    assert write_prefix(path, KEY, TOKENS, memoryview(STATE), go_on)
    assert read_prefix(path, KEY, TOKENS) == STATE
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        whole[place] ^= data.draw(st.integers(1, 255))
    else:
        del whole[place:]
    path.write_bytes(whole)
    with pytest.raises(UnusablePrefix):
        read_prefix(path, KEY, TOKENS)


def test_the_file_of_another_prompt_under_this_ones_name_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "one.prefix"
    write_prefix(path, KEY, TOKENS, memoryview(STATE), go_on)
    for key, tokens in ((b"x" * 32, TOKENS), (KEY, [1, 2, 4]), (KEY, [1, 2])):
        with pytest.raises(UnusablePrefix, match="another prompt"):
            read_prefix(path, key, tokens)


def test_a_write_that_is_given_up_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "one.prefix"
    write_prefix(path, KEY, TOKENS, memoryview(STATE), go_on)
    assert not write_prefix(path, KEY, TOKENS, memoryview(b"new" * 1_000), lambda: False)
    assert read_prefix(path, KEY, TOKENS) == STATE
    assert only_file(tmp_path) == path


@requirement("llama.disk-prefix")
def test_what_was_not_used_for_longest_goes_first_when_it_gets_too_much(tmp_path: Path) -> None:
    with opened(tmp_path, limit=3 * len(STATE)) as store:
        for first, age in ((10, 300), (20, 200)):
            keep(store, [first])
            newest = max(tmp_path.iterdir(), key=lambda file: file.stat().st_mtime_ns)
            os.utime(newest, (newest.stat().st_atime, newest.stat().st_mtime - age))
        assert store.get([10]) == STATE  # and is the last used now
        keep(store, [30])
        assert store.get([20]) is None
        assert store.get([10]) == STATE
        assert store.get([30]) == STATE
        assert not store.wants([40], 3 * len(STATE) + 1)
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 3 * len(STATE)


def test_what_is_just_being_written_can_be_had_and_nothing_more_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write = threading.Event()

    def slow(*arguments: object) -> bool:
        assert may_write.wait(BOUND)
        return write_prefix(*arguments)  # pyright: ignore[reportArgumentType] -- passed on as they came

    monkeypatch.setattr("safelight.engines.prefix_store.write_prefix", slow)
    with opened(tmp_path) as store:
        store.keep(TOKENS, memoryview(STATE))
        assert store.get(TOKENS) == STATE
        assert not store.wants([9], 10)
        may_write.set()
        assert store.settled(BOUND)
        assert store.wants([9], 10)


@requirement("llama.disk-prefix")
def test_a_folder_that_cannot_be_written_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("no folder")
    with caplog.at_level(logging.WARNING), opened(tmp_path / "file") as store:
        store.keep(TOKENS, memoryview(STATE))
        assert store.settled(BOUND)
        assert store.get(TOKENS) is None
    assert "could not be kept" in caplog.text


def test_closing_gives_up_what_is_not_written_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on: list[bool] = []
    closing = threading.Event()

    def until_closed(path: Path, key: bytes, tokens: list[int], state: memoryview, keep_going: object) -> bool:
        del path, key, tokens, state
        assert callable(keep_going)
        closing.set()
        while keep_going():
            pass
        went_on.append(False)
        return False

    monkeypatch.setattr("safelight.engines.prefix_store.write_prefix", until_closed)
    store = PrefixStore(tmp_path, b"model", 1_000_000)
    store.keep(TOKENS, memoryview(STATE))
    assert closing.wait(BOUND)
    store.close()
    assert went_on == [False]


def test_what_a_cut_write_left_long_ago_is_swept_out(tmp_path: Path) -> None:
    old, new = tmp_path / "a.prefixold.part", tmp_path / "b.prefixnew.part"
    for file in (old, new):
        file.write_bytes(b"half")
    os.utime(old, (1, 1))
    with opened(tmp_path) as store:
        keep(store, TOKENS)
    assert not old.exists()
    assert new.exists()
