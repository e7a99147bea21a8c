"""What is wrong with a model's folder is said in words, and no text becomes a control token, whatever a folder says."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import mlx.core
import pytest
import pytest_asyncio

from safelight.engines.engine import EngineSettings, GrammarName
from safelight.engines.mlx import COMMAND, MlxEngine
from safelight.engines.mlx_process import Patience, Sidecar
from safelight.engines.mlx_sidecar import protocol as wire
from safelight.engines.mlx_sidecar.folder import read_folder
from safelight.engines.mlx_sidecar.vocabulary import Vocabulary
from safelight.errors import ModelError, ModelMissing
from tests.engines.mlx_model import windowed_folder
from tests.engines.mlx_rig import BOUND, job
from tests.requirement import requirement

mx: Any = mlx.core


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return windowed_folder(tmp_path_factory.mktemp("whole"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sidecar() -> AsyncIterator[Sidecar]:
    sidecar = await Sidecar.start(COMMAND, Patience(), lambda: None)
    yield sidecar
    await sidecar.end()


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy that may be harmed."""
    return Path(shutil.copytree(whole, tmp_path / "model"))


def test_a_whole_folder_is_read(folder: Path) -> None:
    change(folder / "tokenizer_config.json", bos_token={"content": "<|im_start|>"})
    change(folder / "config.json", max_position_embeddings=None, text_config={"max_position_embeddings": 4_096})
    (folder / "generation_config.json").write_text('{"eos_token_id": [2, 0]}')
    read = read_folder(folder)
    assert (read.model_type, read.positions, read.ends) == ("gemma3_text", 4_096, (2, 0))
    assert (read.bos_token, read.eos_token) == ("<|im_start|>", "<|im_end|>")
    assert read.template is not None
    assert read.template.startswith("{% for message in messages %}")


@pytest.mark.parametrize(
    ("file", "text", "template"),
    [
        ("tokenizer_config.json", '{"chat_template": [{"name": "rag", "template": "R"}]}', None),
        ("tokenizer_config.json", '{"chat_template": [{"name": "default", "template": "D"}]}', "D"),
        ("chat_template.json", '{"chat_template": "J"}', "J"),
        ("chat_template.jinja", "F", "F"),
        ("tokenizer_config.json", "{}", None),
    ],
)
def test_a_template_is_found_where_folders_keep_it(folder: Path, file: str, text: str, template: str | None) -> None:
    (folder / file).write_text(text)
    assert read_folder(folder).template == template


HARM: list[tuple[Callable[[Path], object], str]] = [
    (lambda folder: (folder / "config.json").unlink(), "no model's folder for MLX"),
    (lambda folder: (folder / "config.json").write_text("{}"), "names no model_type"),
    (lambda folder: (folder / "config.json").write_text("["), "config.json is damaged"),
    (lambda folder: (folder / "config.json").write_bytes(b"\xff"), "config.json cannot be read"),
    (lambda folder: (folder / "config.json").write_text("[" * 100_000), "config.json is damaged"),
    (lambda folder: (folder / "model.safetensors").unlink(), "holds no weights"),
    (
        lambda folder: (folder / "model.safetensors.index.json").write_text(
            '{"weight_map": {"a": "model.safetensors", "b": "model-00002-of-00002.safetensors"}}'
        ),
        "not whole: model-00002-of-00002.safetensors is missing",
    ),
    (lambda folder: (folder / "tokenizer.json").unlink(), "has no tokenizer.json"),
    (lambda folder: (folder / "tokenizer.json").write_text('{"model": 1}'), "tokenizer.json .* cannot be used"),
    (lambda folder: (folder / "tokenizer.json").write_text("{"), "tokenizer.json .* cannot be used"),
]


@pytest.mark.parametrize(("harm", "words"), HARM)
def test_a_damaged_folder_is_said_in_words(folder: Path, harm: Callable[[Path], object], words: str) -> None:
    harm(folder)
    with pytest.raises(ModelError, match=words):
        Vocabulary(read_folder(folder))


def test_a_folder_that_is_gone_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="not there any more"):
        read_folder(tmp_path / "gone")


@requirement("local.control-tokens")
def test_what_looks_like_a_mark_is_a_control_token_whatever_the_folder_says(folder: Path) -> None:
    value = json.loads((folder / "tokenizer.json").read_text())
    for token in value["added_tokens"]:
        token["special"] = False
    new = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    value["added_tokens"] += [
        {"id": 2_048, "content": "<think>", **new},
        {"id": 2_049, "content": "\n\n\n\n", **new},
    ]
    (folder / "tokenizer.json").write_text(json.dumps(value))
    vocabulary = Vocabulary(read_folder(folder))
    end, think, lines = 2, 2_048, 2_049
    assert vocabulary.tokenize("<|im_end|><think>\n\n\n\n", control=True) == [end, think, lines]
    plain = vocabulary.tokenize("<|im_end|><think>\n\n\n\n", control=False)
    assert not {end, think} & set(plain)
    assert lines in plain
    assert vocabulary.text([end, think, *plain]) == b"<|im_end|><think>\n\n\n\n"
    assert think in vocabulary.never_written
    assert end not in vocabulary.never_written
    assert vocabulary.for_grammars.is_special_token(think)


def test_a_vocabulary_in_gemmas_form_loses_nothing(folder: Path) -> None:
    """Spaces as ``\u2581``, and bytes for what it does not know."""
    tokens = ["<bos>", "<eos>", "<start_of_turn>", "<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    tokens += ["\n", "\u2581", "h", "i", "\u2581h", "\u2581hi"]
    controls = [{"id": tokens.index(token), "content": token, "special": True} for token in tokens[:4]]
    marks = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    space, mark = {"String": " "}, {"String": "\u2581"}
    bos = {"id": "<bos>", "ids": [0], "tokens": ["<bos>"]}
    first = [{"SpecialToken": {"id": "<bos>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    value = {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": [control | marks for control in controls],
        "normalizer": {"type": "Replace", "pattern": space, "content": "\u2581"},
        "pre_tokenizer": None,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": first,
            "pair": first,
            "special_tokens": {"<bos>": bos},
        },
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": mark, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "byte_fallback": True,
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": [["\u2581", "h"], ["\u2581h", "i"]],
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(value))
    change(folder / "config.json", eos_token_id=1)
    vocabulary = Vocabulary(read_folder(folder))
    assert vocabulary.start == [0]
    text = " hi\nGröße 😀 <start_of_turn>"
    read = vocabulary.tokenize(text, control=False)
    assert read[0] == tokens.index("\u2581hi")
    assert not set(read) & {0, 1, 2, 3}
    assert vocabulary.text(read).decode() == text


@pytest.mark.asyncio(loop_scope="module")
async def test_what_mlx_cannot_load_is_said_in_words_and_the_process_goes_on(
    sidecar: Sidecar, whole: Path, tmp_path: Path
) -> None:
    harmed: list[tuple[str, Callable[[Path], object]]] = [
        (
            "cannot run models of the type 'unheard_of'",
            lambda folder: change(folder / "config.json", model_type="unheard_of"),
        ),
        ("holds code of its own", lambda folder: change(folder / "config.json", model_file="evil.py")),
        ("could not be loaded", lambda folder: change(folder / "config.json", hidden_size=32)),
        ("could not be loaded", lambda folder: (folder / "model.safetensors").write_bytes(b"\x08")),
        (
            "could not be loaded",
            lambda folder: mx.save_safetensors(str(folder / "model.safetensors"), {"x": mx.zeros(1)}),
        ),
    ]
    async with asyncio.timeout(BOUND):
        for index, (words, harm) in enumerate(harmed):
            folder = Path(shutil.copytree(whole, tmp_path / str(index)))
            (folder / "evil.py").write_text("raise SystemExit")
            harm(folder)
            failed = await load(sidecar, folder)
            assert isinstance(failed, wire.Failed)
            assert words in failed.message
            assert str(folder) in failed.message or "type" in words
        assert isinstance(await load(sidecar, whole), wire.Loaded)


@requirement("mlx.sidecar")
@pytest.mark.asyncio(loop_scope="module")
async def test_the_grammars_are_made_by_what_the_settings_name(sidecar: Sidecar, whole: Path) -> None:
    async with asyncio.timeout(BOUND):
        loaded = await load(sidecar, whole, grammar="xgrammar")
        if importlib.util.find_spec("xgrammar") is None:
            assert isinstance(loaded, wire.Failed)
            assert "XGrammar cannot be used here" in loaded.message
            return
        assert isinstance(loaded, wire.Loaded)
        schema = '{"type":"object","properties":{"a":{"type":"string","maxLength":9}},"required":["a"]}'
        one = job("Hi", schema=schema.replace("]}", '],"additionalProperties":false}'), max_tokens=60)
        async with sidecar.ask(wire.Chat.of(sidecar.new_id(), one)) as lines:
            text = "".join([line.text async for line in lines if isinstance(line, wire.Delta)])
        assert len(json.loads(text)["a"]) <= 9


async def load(sidecar: Sidecar, folder: Path, grammar: GrammarName = "llguidance") -> wire.Answer:
    request = wire.Load(id=sidecar.new_id(), path=str(folder), context_tokens=64, grammar=grammar)
    async with sidecar.ask(request) as lines:
        return await anext(lines)


def change(path: Path, **values: Any) -> None:
    path.write_bytes(json.dumps(json.loads(path.read_bytes()) | values).encode())


def test_the_window_is_known_before_anything_is_loaded(whole: Path, tmp_path: Path) -> None:
    engine = MlxEngine(EngineSettings(kind="mlx", path=whole, context_tokens=20_000, parallel=2))
    assert engine.context_window == 8_192
    assert MlxEngine(EngineSettings(kind="mlx", path=tmp_path / "gone", context_tokens=512)).context_window == 512
