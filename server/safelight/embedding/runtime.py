"""ONNX Runtime and tokenizers with types; no other module touches them. Files of models are strangers' work: every
failure of theirs is a ``NotByMeaning``."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar, cast

import msgspec
import numpy as np
import onnxruntime
import tokenizers

from safelight.errors import NotByMeaning

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ("Session", "Tokenizer", "Tokens", "damaged", "read_config", "refusing_damage", "unit_rows")

MOST_MODEL_BYTES: Final = 2 << 30
MOST_TOKENIZER_BYTES: Final = 64 << 20
MOST_CONFIG_BYTES: Final = 1 << 20
MOST_VALUES: Final = 4096
"""Of a vector."""

Config = TypeVar("Config", bound=msgspec.Struct)

_FATAL: Final = 4
_NUMBERS: Final[dict[str, Any]] = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
}
_PADS: Final = ("[PAD]", "<pad>", "<|endoftext|>", "</s>")


class _Told(Protocol):
    """An input or an output, as ONNX Runtime describes it."""

    name: str
    type: str
    shape: list[int | str | None]


class Tokens(NamedTuple):
    """Of some texts: ids, and where they are no padding; a row for each text."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]


def damaged(name: str, reason: object) -> NotByMeaning:
    """The error of a model that cannot be used."""
    first_line = str(reason).partition("\n")[0][:200].rstrip(". ")
    return NotByMeaning("MODEL_DAMAGED", f"The model {name} cannot be used. Install it again. ({first_line})")


@contextlib.contextmanager
def refusing_damage(name: str) -> Generator[None]:
    """Whatever goes wrong inside is the model's fault, and raised as ``NotByMeaning`` MODEL_DAMAGED."""
    try:
        yield
    except (NotByMeaning, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  # a panic of the tokenizer's Rust is no Exception
        raise damaged(name, error) from error


def read_config(path: Path | None, shape: type[Config]) -> Config:
    """A small JSON file as this struct; its defaults where the file says null or is not there."""
    if path is None:
        return shape()
    _bounded(path, MOST_CONFIG_BYTES)
    values = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    return msgspec.convert({name: value for name, value in values.items() if value is not None}, shape)


def unit_rows(vectors: NDArray[Any]) -> list[NDArray[np.float32] | None]:
    """Each row with length 1; None for one that has no direction."""
    rows = np.asarray(vectors, np.float32)
    if rows.ndim != 2 or not 1 <= rows.shape[1] <= MOST_VALUES:
        raise ValueError(f"it gives numbers of the shape {rows.shape} instead of vectors")
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(rows, axis=1)
        usable = np.isfinite(lengths) & (lengths > 1e-6)
        return [row / length if good else None for row, length, good in zip(rows, lengths, usable, strict=True)]


class Session:
    """A network, on half of the processor's cores."""

    def __init__(self, path: Path) -> None:
        _bounded(path, MOST_MODEL_BYTES)
        runtime = cast("Any", onnxruntime)
        runtime.disable_telemetry_events()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = max(1, (os.cpu_count() or 2) // 2)
        options.log_severity_level = _FATAL
        options.enable_cpu_mem_arena = False
        self._session: Any = runtime.InferenceSession(os.fspath(path), options, providers=["CPUExecutionProvider"])
        inputs: list[_Told] = self._session.get_inputs()
        outputs: list[_Told] = self._session.get_outputs()
        self._numbers = {told.name: _NUMBERS[told.type] for told in inputs}
        self._shapes = {told.name: told.shape for told in inputs}
        self._outputs = [told.name for told in outputs]

    @property
    def tokens(self) -> int | None:
        """How many tokens each text must have; None when any number will do."""
        last = self._shapes.get("input_ids", [None])[-1]
        return last if isinstance(last, int) and last > 0 else None

    def run(self, feeds: Mapping[str, NDArray[Any]], wanted: Sequence[str]) -> NDArray[Any]:
        """One output: the first of ``wanted`` that the network has, otherwise its first one."""
        given = {name: feeds[name].astype(number, copy=False) for name, number in self._numbers.items()}
        output = next((name for name in wanted if name in self._outputs), self._outputs[0])
        return np.asarray(self._session.run([output], given)[0])


class Tokenizer:
    """Texts as tokens: at most ``most`` of each, or exactly so many where ``fixed``."""

    def __init__(self, path: Path, most: int, *, fixed: bool = False) -> None:
        _bounded(path, MOST_TOKENIZER_BYTES)
        self._tokenizer: Any = cast("Any", tokenizers).Tokenizer.from_file(os.fspath(path))
        own: dict[str, Any] = self._tokenizer.truncation or {}
        most = most if fixed else max(2, min(most, int(own.get("max_length", most))))
        padding: dict[str, Any] = self._tokenizer.padding or self._usual_padding()
        self._tokenizer.enable_truncation(most)
        self._tokenizer.enable_padding(
            pad_id=int(padding["pad_id"]), pad_token=str(padding["pad_token"]), length=most if fixed else None
        )

    def tokens(self, texts: Sequence[str]) -> Tokens:
        """A row for each text, all of one length."""
        encoded: list[Any] = self._tokenizer.encode_batch(list(texts))
        return Tokens(
            np.array([one.ids for one in encoded], np.int64),
            np.array([one.attention_mask for one in encoded], np.int64),
        )

    def _usual_padding(self) -> dict[str, Any]:
        ids = [(name, self._tokenizer.token_to_id(name)) for name in _PADS]
        name, pad_id = next(((name, i) for name, i in ids if i is not None), ("[PAD]", 0))
        return {"pad_id": pad_id, "pad_token": name}


def _bounded(path: Path, most: int) -> None:
    if (size := path.stat().st_size) > most:
        raise ValueError(f"{path.name} has {size >> 20} MB, and {most >> 20} MB are the most")
