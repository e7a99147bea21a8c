"""The beginning of a GGUF file, which nobody vouches for."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.engines.gguf_header import read_gguf_header
from safelight.engines.model_facts import ModelFacts, gguf_facts, labelled_parameters
from safelight.errors import ModelError
from tests.engines.gguf import small_gguf
from tests.engines.model_files import Value, chat_values, gguf_bytes, projector_values, write_gguf
from tests.requirement import requirement

WHOLE = gguf_bytes(
    chat_values(attention_head_count_kv=[2, 0], pooling_type=0)
    | {"general.size_label": "135M", "tokenizer.ggml.tokens": ["a", "b", "ü"], "tokenizer.ggml.scores": [1, 2, 3]}
)


@requirement("engine.discovery")
def test_a_real_file_says_how_far_it_reads_how_large_it_is_and_what_a_token_takes() -> None:
    facts = gguf_facts(read_gguf_header(small_gguf()))
    assert facts == ModelFacts(
        role="chat", context_window=8_192, parameters=135_000_000, token_bytes=30 * 3 * (64 + 64) * 2, width=576
    )


def test_a_long_vocabulary_is_not_read_once_the_model_is_described(tmp_path: Path) -> None:
    begun = gguf_bytes(chat_values() | {"tokenizer.ggml.tokens": ["a"]})
    path = tmp_path / "model.gguf"
    path.write_bytes(begun.replace(struct.pack("<IIQ", 9, 8, 1), struct.pack("<IIQ", 9, 8, 256_000))[:-9])
    header = read_gguf_header(path)
    assert header.lengths == {"tokenizer.ggml.tokens": 256_000}
    assert gguf_facts(header).parameters == 256_000 * 64 + 2 * (2 * 64 * 4 * 16 + 2 * 64 * 2 * 16 + 3 * 64 * 128)


def test_what_stands_behind_the_vocabulary_is_found_where_it_has_to_be(tmp_path: Path) -> None:
    tokens: dict[str, Value] = {"tokenizer.ggml.tokens": ["word"] * 5_000}
    header = read_gguf_header(write_gguf(tmp_path / "odd.gguf", tokens | chat_values()))
    assert gguf_facts(header).role == "chat"


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (chat_values(), "chat"),
        (chat_values("bert"), "other"),
        (chat_values("qwen3", pooling_type=3), "other"),
        (chat_values("gemma3", attention_causal=False), "other"),
        (chat_values() | {"general.type": "adapter"}, "other"),
        ({"general.architecture": "flux"}, "other"),
        ({}, "other"),
        (projector_values(), "projector"),
        (projector_values(sees=False), "other"),
    ],
    ids=["chat", "bert", "embeds", "both ways", "adapter", "pictures", "says nothing", "projector", "sound"],
)
def test_what_cannot_chat_is_told_from_what_can(tmp_path: Path, values: dict[str, Value], role: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf_bytes(values))
    assert gguf_facts(read_gguf_header(path)).role == role


def test_a_file_with_a_vocabulary_and_no_weights_cannot_chat(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(gguf_bytes(chat_values(), tensors=0))
    assert gguf_facts(read_gguf_header(path)).role == "other"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "ends too early"),
        (b"GGML" + bytes(100), "does not begin like one"),
        (b"GGUF" + struct.pack(">IQQ", 3, 1, 1), "its version is 50331648"),
        (b"GGUF" + struct.pack("<IQQ", 1, 1, 1), "its version is 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 0), "more than any model"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60), "more than any model"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 63), "ends too early"),
        (gguf_bytes({"key": 1})[:-12] + struct.pack("<IQ", 13, 1), "unknown kind 13"),
        (gguf_bytes({"key": 1})[:-12] + struct.pack("<IIQ", 9, 5, 1 << 62), "ends too early"),
        (gguf_bytes({"key": 1})[:-12] + struct.pack("<IIQ", 9, 8, 1 << 62), "too long"),
        (gguf_bytes({"key": 1})[:-12] + struct.pack("<IIQ", 9, 9, 1), "unknown kind 9"),
        (gguf_bytes({"k" * 2_000: 1}), "key in it is too long"),
    ],
    ids=range(12),
)
def test_a_damaged_file_is_refused_in_words_and_takes_no_memory(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=rf"broken.gguf cannot be used .*{reason}.* Download it again"):
            read_gguf_header(path)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelError, match="gone.gguf cannot be used"):
        read_gguf_header(Path("/nowhere/gone.gguf"))


@given(st.data())
def test_whatever_the_bytes_the_answer_is_facts_or_a_sentence(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
        if not damaged:
            break
    with TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.gguf"
        path.write_bytes(damaged)
        try:
            facts = gguf_facts(read_gguf_header(path))
        except ModelError:
            return
    assert facts.token_bytes is None or facts.token_bytes >= 0


@pytest.mark.parametrize(
    ("label", "parameters"),
    [("135M", 135_000_000), ("1.7B", 1_700_000_000), ("8x7B", 56_000_000_000), ("30B-A3B", 30_000_000_000)],
)
def test_a_label_says_the_number_of_parameters(label: str, parameters: int) -> None:
    assert labelled_parameters(label) == parameters
    assert labelled_parameters(f"tiny {label}") is None
