"""What a GGUF file says of itself at its beginning. The file is not trusted: every length is checked against what is
left of it, and nothing long is kept."""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING, Final, TypeAlias, TypeGuard

import msgspec

from safelight.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("GgufHeader", "GgufValue", "read_gguf_header")

GgufValue: TypeAlias = int | float | bool | str | tuple[int | float | bool, ...]

_MOST_FIELDS: Final = 4_096
_MOST_TENSORS: Final = 1_000_000
_KEY_BYTES: Final = 1_024
_KEPT_BYTES: Final = 4_096
_KEPT_ITEMS: Final = 1_024
_WALKED_TEXTS: Final = 2_000_000
"""Far more than any vocabulary and its merges together."""

_STRING: Final = 8
_ARRAY: Final = 9
_NUMBERS: Final = {
    number: struct.Struct(f"<{letter}")
    for number, letter in {
        0: "B",
        1: "b",
        2: "H",
        3: "h",
        4: "I",
        5: "i",
        6: "f",
        7: "?",
        10: "Q",
        11: "q",
        12: "d",
    }.items()
}
_U32: Final = _NUMBERS[4]
_U64: Final = _NUMBERS[10]


class GgufHeader(msgspec.Struct, frozen=True, kw_only=True):
    """``values`` by their keys, without long texts and lists; the number of entries of long lists in ``lengths``."""

    values: dict[str, GgufValue]
    lengths: dict[str, int]
    tensors: int

    def text(self, key: str) -> str:
        """The text, ``""`` where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def whole(self, key: str) -> int | None:
        """The number, None where there is none that counts something."""
        value = self.values.get(key)
        return value if _counts(value) else None

    def wholes(self, key: str) -> tuple[int, ...]:
        """The numbers of a list; those that count nothing are 0."""
        value = self.values.get(key)
        return tuple(one if _counts(one) else 0 for one in value) if isinstance(value, tuple) else ()


def read_gguf_header(path: Path) -> GgufHeader:
    """Reads as far as the first long list of texts (the vocabulary) when what describes the model stands before it, as
    it does in every usual file, so that this takes less than a millisecond. Raises ``ModelError``."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            return _Reader(file, size).header()
    except (OSError, _Damaged) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ModelError(
            f"{path.name} cannot be used as a GGUF file ({reason}). Download it again, or delete it."
        ) from None


def _counts(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class _Damaged(Exception):  # noqa: N818  # never leaves this file
    """What is wrong with the file."""


class _Reader:
    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._left = size
        self._walked = 0
        self._values: dict[str, GgufValue] = {}
        self._lengths: dict[str, int] = {}

    def header(self) -> GgufHeader:
        if self._take(4) != b"GGUF":
            raise _Damaged("it does not begin like one")
        version = self._number(_U32)
        if version not in (2, 3):
            raise _Damaged(f"its version is {version}, and only 2 and 3 are known")
        tensors, fields = self._number(_U64), self._number(_U64)
        if tensors > _MOST_TENSORS or fields > _MOST_FIELDS:
            raise _Damaged("it claims to hold more than any model does")
        for _ in range(fields):
            if not self._field():
                break
        return GgufHeader(values=self._values, lengths=self._lengths, tensors=tensors)

    def _field(self) -> bool:
        """Reads one; False when nothing behind it is needed."""
        key = self._text(_KEY_BYTES)
        if key is None:
            raise _Damaged("a key in it is too long")
        kind = self._number(_U32)
        if kind == _ARRAY:
            return self._array(key)
        value = self._text(_KEPT_BYTES) if kind == _STRING else self._number(self._layout(kind))
        if value is not None:
            self._values[key] = value
        return True

    def _array(self, key: str) -> bool:
        kind, length = self._number(_U32), self._number(_U64)
        self._lengths[key] = length
        if kind == _STRING:
            if length > _KEPT_ITEMS and self._is_described():
                return False
            self._walked += length
            if self._walked > _WALKED_TEXTS:
                raise _Damaged("a list in it is too long")
            for _ in range(length):
                self._skip(self._number(_U64))
            return True
        layout = self._layout(kind)
        if length > _KEPT_ITEMS:
            self._skip(length * layout.size)
        else:
            self._values[key] = tuple(item for (item,) in layout.iter_unpack(self._take(length * layout.size)))
        return True

    def _is_described(self) -> bool:
        architecture = self._values.get("general.architecture")
        return all(f"{architecture}.{name}" in self._values for name in ("context_length", "block_count"))

    def _layout(self, kind: int) -> struct.Struct:
        layout = _NUMBERS.get(kind)
        if layout is None:
            raise _Damaged(f"it has a value of the unknown kind {kind}")
        return layout

    def _number(self, layout: struct.Struct) -> int:
        return layout.unpack(self._take(layout.size))[0]

    def _text(self, most: int) -> str | None:
        length = self._number(_U64)
        if length > most:
            self._skip(length)
            return None
        return self._take(length).decode("utf-8", errors="replace")

    def _take(self, count: int) -> bytes:
        self._pass(count)
        data = self._file.read(count)
        if len(data) != count:
            raise _Damaged("it ends too early")
        return data

    def _skip(self, count: int) -> None:
        self._pass(count)
        self._file.seek(count, 1)

    def _pass(self, count: int) -> None:
        if count > self._left:
            raise _Damaged("it ends too early")
        self._left -= count
