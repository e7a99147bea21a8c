"""Files in one folder: parts of one model, and projectors beside models."""

from __future__ import annotations

from pathlib import Path

import pytest

from safelight.engines.gguf_files import GgufModel, KnownHeaders, LeftOut, gguf_models
from safelight.engines.model_walk import Walk
from tests.engines.model_files import Value, chat_values, projector_values, write_gguf


def models_in(folder: Path) -> tuple[list[GgufModel], list[LeftOut]]:
    (found,) = Walk().folders(folder, 0)
    return gguf_models(found, KnownHeaders())


def write(folder: Path, *names: str, width: int = 64) -> None:
    for name in names:
        values: dict[str, Value] = projector_values(width) if "mmproj" in name else chat_values()
        write_gguf(folder / f"{name}.gguf", values)


def test_parts_count_once_and_all_must_be_there(tmp_path: Path) -> None:
    write(tmp_path, "whole", *(f"big-{number:05}-of-00003" for number in (1, 2, 3)))
    write(tmp_path, "torn-00001-of-00002", "late-00002-of-00002")
    models, left_out = models_in(tmp_path)
    size = (tmp_path / "whole.gguf").stat().st_size
    assert [(model.name, model.path.name, model.size) for model in models] == [
        ("big", "big-00001-of-00003.gguf", 3 * size),
        ("whole", "whole.gguf", size),
    ]
    assert [left.reason for left in left_out] == [
        "Parts of late are missing. Download it again.",
        "Parts of torn are missing. Download it again.",
    ]


@pytest.mark.parametrize(
    ("files", "pairs"),
    [
        (["SmolVLM-Instruct-Q4_K_M", "mmproj-SmolVLM-Instruct-f16"], {"SmolVLM-Instruct-Q4_K_M": 0}),
        (["gemma-3-4b-it-Q4_0", "mmproj-model-f16"], {"gemma-3-4b-it-Q4_0": 0}),
        (
            ["gemma-3-4b-it-UD-Q4_K_XL", "gemma-3-4b-it-BF16", "mmproj-BF16"],
            {"gemma-3-4b-it-BF16": 0, "gemma-3-4b-it-UD-Q4_K_XL": 0},
        ),
        (["qwen-7b-q4_0", "smolvlm-q4_0", "mmproj-model-f16"], {}),
        (["qwen-vl-7b-q4_0", "smolvlm-q4_0", "smolvlm-mmproj-f16"], {"smolvlm-q4_0": 0}),
        (["vl-q4_0", "vl-2-q4_0", "mmproj-vl-f16", "mmproj-vl-2-f16"], {"vl-q4_0": 0, "vl-2-q4_0": 1}),
        (["vl-q4_0", "mmproj-vl-f32", "mmproj-vl-bf16", "mmproj-vl-f16"], {"vl-q4_0": 2}),
        (["text-q4_0"], {}),
    ],
    ids=["named alike", "alone", "precisions", "nobody's", "one of two", "longest name", "best precision", "none"],
)
def test_a_projector_goes_with_the_model_it_is_named_after_or_that_it_lies_with_alone(
    tmp_path: Path, files: list[str], pairs: dict[str, int]
) -> None:
    write(tmp_path, *files)
    projectors = [name for name in files if "mmproj" in name]
    models, left_out = models_in(tmp_path)
    assert {model.name: model.projector.stem for model in models if model.projector} == {
        name: projectors[place] for name, place in pairs.items()
    }
    assert {model.name for model in models} == {name for name in files if "mmproj" not in name}, "no projector is one"
    assert left_out == []


def test_a_projector_of_another_width_never_fits(tmp_path: Path) -> None:
    write(tmp_path, "vl-q4_0", "mmproj-vl-f16", width=96)
    assert [model.projector for model in models_in(tmp_path)[0]] == [None]


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    headers = KnownHeaders()
    path = write_gguf(tmp_path / "model.gguf")
    (folder,) = Walk().folders(tmp_path, 0)
    first = headers.read(folder.files[0])
    assert headers.read(folder.files[0]) is first
    headers.forget_unused()
    assert headers.read(folder.files[0]) is first
    path.write_bytes(b"GGUF")
    (folder,) = Walk().folders(tmp_path, 0)
    assert isinstance(headers.read(folder.files[0]), LeftOut)
