"""Which local models are found."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from safelight.engines.discovery import TEST_GGUF, find_models, put_together
from safelight.errors import ModelError
from tests.requirement import requirement


@requirement("engine.discovery")
def test_files_in_the_data_folder_come_before_models_of_packages(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "My Model_Q4.gguf").write_bytes(b"GGUF")
    (tmp_path / "models" / "notes.txt").write_bytes(b"")
    found = find_models(tmp_path, {})
    assert found[0].model_id == "llama:my-model_q4"
    assert "llama:smollm2-135m" in [model.model_id for model in found], "run `make setup`"
    assert not (tmp_path / "cache").exists(), "looking wrote something"


def test_a_file_named_in_the_environment_comes_first(tmp_path: Path) -> None:
    named = tmp_path / "test.gguf"
    named.write_bytes(b"GGUF")
    assert find_models(tmp_path, {TEST_GGUF: str(named)})[0].path == named
    assert find_models(tmp_path, {TEST_GGUF: str(tmp_path / "gone.gguf")})[0].path != tmp_path / "gone.gguf"


def test_parts_become_one_checked_file_or_none(tmp_path: Path) -> None:
    parts = (tmp_path / "a", tmp_path / "b")
    for part, data in zip(parts, (b"GG", b"UF"), strict=True):
        part.write_bytes(data)
    whole = tmp_path / "cache" / "whole.gguf"
    with pytest.raises(ModelError, match="damaged"):
        put_together(whole, parts, "0" * 64)
    assert list(whole.parent.iterdir()) == []
    put_together(whole, parts, hashlib.sha256(b"GGUF").hexdigest())
    assert whole.read_bytes() == b"GGUF"
    parts[0].unlink()
    put_together(whole, parts, "not looked at again")
    with pytest.raises(ModelError, match="could not be put together"):
        put_together(tmp_path / "other", parts, "")
