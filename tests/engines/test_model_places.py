"""Where other programs keep their models, on each system."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from safelight.engines.model_places import Place, places

LINUX, MACOS, WINDOWS = "linux", "darwin", "win32"


def roots(data_dir: Path, environment: dict[str, str], system: str = LINUX) -> list[tuple[str, Path]]:
    return [(place.name, place.root) for place in places(data_dir, environment, system)]


@pytest.mark.parametrize(("system", "variable"), [(LINUX, "HOME"), (MACOS, "HOME"), (WINDOWS, "USERPROFILE")])
def test_the_data_folder_comes_first_then_lm_studio_then_hugging_face(
    tmp_path: Path, system: str, variable: str
) -> None:
    home = tmp_path / "home"
    assert roots(tmp_path, {variable: str(home)}, system) == [
        ("data", tmp_path / "models"),
        ("lmstudio", home / ".lmstudio" / "models"),
        ("lmstudio", home / ".cache" / "lm-studio" / "models"),
        ("huggingface", home / ".cache" / "huggingface" / "hub"),
    ]


def test_a_home_of_a_shell_on_windows_is_not_gone_by(tmp_path: Path) -> None:
    assert roots(tmp_path, {"HOME": "/home/me"}, WINDOWS) == [("data", tmp_path / "models")]


def test_without_a_home_only_the_data_folder_is_looked_at(tmp_path: Path) -> None:
    assert places(tmp_path, {}) == (Place("data", tmp_path / "models"),)


def test_lm_studios_own_choice_of_folders_is_followed(tmp_path: Path) -> None:
    moved, chosen = tmp_path / "moved", tmp_path / "large disk"
    moved.mkdir()
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{moved}\n", encoding="utf-8")
    (moved / "settings.json").write_text(json.dumps({"downloadsFolder": str(chosen)}), encoding="utf-8")
    found = roots(tmp_path / "data", {"HOME": str(tmp_path)})
    assert found[1:3] == [("lmstudio", chosen), ("lmstudio", moved / "models")]


@pytest.mark.parametrize(
    "settings", ["", "[", "[]", "3", '{"downloadsFolder": 3}', '{"downloadsFolder": "here"}', "[" * 9_000]
)
def test_settings_that_say_nothing_change_nothing(tmp_path: Path, settings: str) -> None:
    (tmp_path / ".lmstudio").mkdir()
    (tmp_path / ".lmstudio" / "settings.json").write_text(settings, encoding="utf-8")
    (tmp_path / ".lmstudio-home-pointer").write_text("..", encoding="utf-8")
    assert [name for name, _ in roots(tmp_path, {"HOME": str(tmp_path)})].count("lmstudio") == 2


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HF_HUB_CACHE": "/large/cache", "HF_HOME": "/other"}, "/large/cache"),
        ({"HF_HOME": "/large/hf"}, "/large/hf/hub"),
        ({"HF_HOME": "~/hf"}, "/home/me/hf/hub"),
        ({"XDG_CACHE_HOME": "/large"}, "/large/huggingface/hub"),
        ({}, "/home/me/.cache/huggingface/hub"),
    ],
)
def test_the_cache_of_hugging_face_is_found_as_its_package_finds_it(
    tmp_path: Path, environment: dict[str, str], expected: str
) -> None:
    found = roots(tmp_path, {"HOME": "/home/me", **environment})
    assert found[-1] == ("huggingface", Path(expected))
