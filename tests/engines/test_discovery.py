"""Which local models are found, wherever the person or another program has put them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from safelight.engines.discovery import TEST_GGUF, TEST_MLX_DIR, TEST_MMPROJ, Discovery, find_models
from safelight.engines.model_walk import Walk
from safelight.engines.packaged import put_together
from safelight.errors import ModelError
from tests.engines.model_files import chat_values, projector_values, write_gguf, write_mlx
from tests.requirement import requirement


def ids(data_dir: Path, environment: dict[str, str] | None = None, *, on_apple_silicon: bool = False) -> list[str]:
    """Those of the files; the packages' models are left out."""
    found = Discovery(data_dir, environment or {}, on_apple_silicon=on_apple_silicon).models()
    return [model.model_id for model in found if "site-packages" not in str(model.path) and not model.parts]


@requirement("engine.discovery")
def test_files_in_the_data_folder_come_before_models_of_packages(tmp_path: Path) -> None:
    write_gguf(tmp_path / "models" / "My Model_Q4.gguf")
    (tmp_path / "models" / "notes.txt").write_bytes(b"")
    found = find_models(tmp_path, {})
    assert found[0].model_id == "llama:my-model_q4"
    assert "llama:smollm2-135m" in [model.model_id for model in found], "run `make setup`"
    assert not (tmp_path / "cache").exists(), "looking wrote something"


@requirement("engine.discovery")
def test_a_found_model_has_its_size_its_window_and_whether_it_sees(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "models" / "vl" / "vl-q4_0.gguf", chat_values(context_length=32_768))
    projector = write_gguf(tmp_path / "models" / "vl" / "mmproj-vl-f16.gguf", projector_values())
    folder = write_mlx(tmp_path / "models" / "Llama-3.2-1B-4bit", shards=2)
    seeing, for_mlx = (model for model in find_models(tmp_path, {}) if tmp_path in model.path.parents)
    assert (seeing.model_id, seeing.kind, seeing.title, seeing.path) == ("llama:vl/vl-q4_0", "llama", "vl-q4_0", path)
    assert (seeing.size, seeing.context_window, seeing.projector, seeing.sees, seeing.small) == (
        path.stat().st_size,
        32_768,
        projector,
        True,
        True,
    )
    assert (for_mlx.model_id, for_mlx.kind, for_mlx.path) == ("mlx:llama-3.2-1b-4bit", "mlx", folder)
    assert (for_mlx.size, for_mlx.context_window, for_mlx.sees, for_mlx.small) == (200, 131_072, False, False)
    assert for_mlx.parameters == pytest.approx(1.24e9, rel=0.01)


@requirement("engine.discovery")
def test_models_of_lm_studio_and_of_the_hugging_face_cache_are_found(tmp_path: Path) -> None:
    home, hub = tmp_path / "home", tmp_path / "hub"
    write_gguf(home / ".lmstudio" / "models" / "unsloth" / "Qwen3-4B-GGUF" / "Qwen3-4B-Q4_0.gguf")
    write_mlx(home / ".lmstudio" / "models" / "mlx-community" / "Qwen3-4B-4bit")
    revision = hub / "models--mlx-community--gemma-3-1b" / "snapshots" / "abc"
    write_mlx(revision, quantization=None)
    write_mlx(revision.parent / "old")
    (hub / "models--mlx-community--gemma-3-1b" / "refs").mkdir()
    (hub / "models--mlx-community--gemma-3-1b" / "refs" / "main").write_text("abc", encoding="utf-8")
    write_gguf(hub / "models--ggml-org--SmolVLM" / "snapshots" / "1" / "SmolVLM-Q8_0.gguf")
    write_mlx(hub / "models--meta--Llama-3" / "snapshots" / "1", quantization=None)
    write_mlx(hub / "datasets--org--pictures" / "snapshots" / "1")
    environment = {"HOME": str(home), "USERPROFILE": str(home), "HF_HUB_CACHE": str(hub)}
    assert ids(tmp_path / "data", environment) == [
        "llama:unsloth/qwen3-4b-gguf/qwen3-4b-q4_0",
        "llama:ggml-org/smolvlm/smolvlm-q8_0",
        "mlx:mlx-community/qwen3-4b-4bit",
        "mlx:mlx-community/gemma-3-1b",
    ]


def test_a_repository_without_a_main_revision_gives_its_newest(tmp_path: Path) -> None:
    snapshots = tmp_path / "models--org--name" / "snapshots"
    for age, name in enumerate(("new", "older", "oldest")):
        write_gguf(snapshots / name / f"{name}.gguf")
        os.utime(snapshots / name, (1_000_000 - age, 1_000_000 - age))
    assert ids(tmp_path / "data", {"HF_HUB_CACHE": str(tmp_path)}) == ["llama:org/name/new"]


@requirement("plugin.menu")
def test_mlx_comes_first_on_a_mac_with_apple_silicon_and_last_elsewhere(tmp_path: Path) -> None:
    write_gguf(tmp_path / "models" / "first.gguf")
    write_mlx(tmp_path / "models" / "second")
    assert ids(tmp_path, on_apple_silicon=True) == ["mlx:second", "llama:first"]
    assert ids(tmp_path) == ["llama:first", "mlx:second"]
    found = [model.model_id for model in Discovery(tmp_path, {}, on_apple_silicon=False).models()]
    assert found[0] == "llama:first"
    assert found[-1] == "mlx:second"


def test_a_model_that_is_larger_than_all_memory_comes_behind_those_that_can_be_loaded(tmp_path: Path) -> None:
    for name in ("a-70b", "b-4b"):
        write_gguf(tmp_path / "models" / f"{name}.gguf")
    os.truncate(tmp_path / "models" / "a-70b.gguf", 1 << 43)
    (first, *_, last) = [model.model_id for model in Discovery(tmp_path, {}, on_apple_silicon=True).models()]
    assert (first, last) == ("llama:b-4b", "llama:a-70b")


def test_what_the_environment_names_comes_first(tmp_path: Path) -> None:
    write_gguf(tmp_path / "data" / "models" / "mine.gguf")
    model, projector = write_gguf(tmp_path / "test.gguf"), write_gguf(tmp_path / "eyes.gguf", projector_values())
    folder = write_mlx(tmp_path / "weights")
    named = {TEST_GGUF: str(model), TEST_MMPROJ: str(projector), TEST_MLX_DIR: str(folder)}
    found = find_models(tmp_path / "data", named)[:3]
    assert [one.model_id for one in found] == ["llama:test", "mlx:weights", "llama:mine"]
    assert found[0].projector == projector
    gone = {TEST_GGUF: str(tmp_path / "gone.gguf"), TEST_MLX_DIR: str(tmp_path / "gone")}
    assert find_models(tmp_path / "data", gone)[0].model_id == "llama:mine"


def test_names_that_are_alike_give_ids_that_stay_apart_and_stay(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    inner = tmp_path / ".lmstudio" / "models"
    for name in ("a b.gguf", "a-b.gguf", "SmolLM2-135M.gguf", "---.gguf", "模型.gguf"):
        write_gguf(inner / name)
    before = ids(tmp_path, home)
    assert len(set(before)) == 5
    assert [one for one in before if "~" not in one] == ["llama:a-b", "llama:模型"], "a package's id is its own"
    write_gguf(tmp_path / "models" / "other.gguf")
    write_gguf(inner / "sub" / "a b.gguf")
    assert ids(tmp_path, home) == ["llama:other", *before, "llama:sub/a-b"]


def test_a_file_that_is_linked_to_from_two_places_is_one_model(tmp_path: Path) -> None:
    real = write_gguf(tmp_path / ".lmstudio" / "models" / "org" / "repo" / "model.gguf")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine.gguf").symlink_to(real)
    (tmp_path / "models" / "all of them").symlink_to(real.parent.parent)
    assert ids(tmp_path, {"HOME": str(tmp_path)}) == ["llama:mine"]


def test_links_in_circles_and_unreadable_things_are_passed_by(tmp_path: Path) -> None:
    models = tmp_path / "models"
    write_gguf(models / "deep" / "model.gguf")
    (models / "deep" / "up").symlink_to(models)
    (models / "itself.gguf").symlink_to(models / "itself.gguf")
    (models / "itself").symlink_to(models / "itself")
    (models / "nowhere.gguf").symlink_to(tmp_path / "gone")
    (models / "a folder.gguf").mkdir()
    write_gguf(models / "._deep.gguf")
    write_gguf(models / "two\nlines.gguf")
    write_gguf(models / os.fsdecode(b"half a letter \xc3.gguf"))
    assert ids(tmp_path) == ["llama:deep/model"]


def test_a_place_that_is_no_folder_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "models").write_bytes(b"")
    assert ids(tmp_path) == []


def test_what_is_no_chat_model_is_not_offered_and_what_is_damaged_is_named(tmp_path: Path) -> None:
    models = tmp_path / "models"
    write_gguf(models / "embeds.gguf", chat_values("bert"))
    (models / "half.gguf").write_bytes(b"GGUF")
    write_mlx(models / "torn", shards=2).joinpath("model-00002-of-00002.safetensors").unlink()
    write_mlx(models / "sound", architectures=["WhisperForConditionalGeneration"], is_encoder_decoder=True)
    write_mlx(models / "Qwen3-Embedding-0.6B")
    (write_mlx(models / "damaged") / "config.json").write_text("[" * 5_000, encoding="utf-8")
    discovery = Discovery(tmp_path, {})
    assert [model for model in discovery.models() if models in model.path.parents] == []
    assert [left.reason for left in discovery.left_out()] == [
        "half.gguf cannot be used as a GGUF file (it ends too early). Download it again, or delete it."
    ]


def test_a_folder_that_is_too_large_is_looked_through_as_far_as_allowed(tmp_path: Path) -> None:
    models = tmp_path / "models"
    for number in range(30):
        write_gguf(models / f"{number}.gguf")
    few = Discovery(tmp_path, {}, walk=lambda: Walk(entries=20))
    assert len([model for model in few.models() if models in model.path.parents]) == 20
    clock = iter(range(1_000))
    late = Discovery(tmp_path, {}, walk=lambda: Walk(seconds=10, clock=lambda: next(clock)))
    assert len([model for model in late.models() if models in model.path.parents]) == 10


def test_a_look_in_another_thread_ends_soon_after_it_is_told_to_stop(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_gguf(tmp_path / "models" / name / "model.gguf")
    times = 0

    def stopping() -> float:
        nonlocal times
        times += 1
        if times == 5:  # the start, three folders, and the first file
            discovery.stop()
        return 0.0

    discovery = Discovery(tmp_path, {}, walk=lambda: Walk(clock=stopping))
    assert len([model for model in discovery.models() if tmp_path in model.path.parents]) < 3
    assert times == 5


def test_what_is_put_there_taken_away_or_finished_later_is_seen_and_nothing_else_is_looked_at_again(
    tmp_path: Path,
) -> None:
    looks: list[Walk] = []

    def walk() -> Walk:
        looks.append(Walk())
        return looks[-1]

    discovery = Discovery(tmp_path, {"HF_HUB_CACHE": str(tmp_path / "hub")}, walk=walk)

    def found() -> list[str]:
        return [model.model_id for model in discovery.models() if tmp_path in model.path.parents]

    steps: list[tuple[Callable[[], object], list[str]]] = [
        (lambda: None, []),
        (lambda: write_gguf(tmp_path / "models" / "one.gguf"), ["llama:one"]),
        (lambda: (tmp_path / "models" / "two.gguf").write_bytes(b""), ["llama:one"]),
        (lambda: write_gguf(tmp_path / "models" / "two.gguf"), ["llama:one", "llama:two"]),
        (
            lambda: write_gguf(tmp_path / "hub" / "models--a--b" / "snapshots" / "1" / "three.gguf"),
            ["llama:one", "llama:two", "llama:a/b/three"],
        ),
        (lambda: (tmp_path / "models" / "one.gguf").unlink(), ["llama:two", "llama:a/b/three"]),
    ]
    for number, (change, expected) in enumerate(steps, start=1):
        change()
        assert found() == expected
        assert found() == expected
        assert len(looks) == number
    assert discovery.find("llama:one") is None
    known = discovery.find("llama:two")
    assert known is not None
    write_gguf(tmp_path / "models" / "four.gguf")
    assert discovery.find("llama:two") is known
    assert len(looks) == len(steps), "a known model is looked for in its own place only"
    known.path.unlink()
    assert discovery.find("llama:two") is None


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
