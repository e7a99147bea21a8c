"""What every token of a vocabulary does to an open string, as masks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from safelight.engines.grammar.places import Place

__all__ = ("Pieces",)

_ESCAPES: Final = frozenset(b'"\\/bfnrt')
_FIRST_SURROGATE: Final = b"\xed\xa0"
_KEPT: Final = 256


class _Inside(NamedTuple):
    """What a token does that begins inside a string: characters up to the quote that closes it, if it does.

    ``broken``: no JSON that every reader takes (control characters, surrogates), or an escape by number, which can be
    half of a character. ``opens``: a further string begins in the token, and has something in it."""

    chars: int
    closes: bool
    broken: bool
    opens: bool


class Pieces:
    """The tokens of one vocabulary. Made once a model: 0.3 s for 262,144 tokens."""

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        self.texts: list[bytes] = [tokenizer.decode_bytes([token]) for token in range(vocabulary)]
        self._words = (vocabulary + 31) // 32
        inside = self._plain()
        # Behind a backslash, the first letter belongs to the escape, which counts already.
        escape = inside - np.array([[1], [0], [0], [0]], dtype=np.int32)
        escape[2] |= [not text or text[0] not in _ESCAPES for text in self.texts]
        starts = np.zeros((5, vocabulary), dtype=np.int32)
        for token, text in enumerate(self.texts):
            if b'"' in text or b"\\" in text or b"\xed" in text:
                inside[:, token] = _inside(text)
                escape[:, token] = _inside(b"\\" + text)
                escape[0, token] -= 1
            if b'"' in text:
                starts[:, token] = _outside(text)
        self._in_string, self._in_escape = inside, escape
        self._begins = starts[0] != 0
        self._begun = starts[1:]
        self._low = np.array([not t or t[0] < 0xA0 for t in self.texts])
        self._inside = lru_cache(_KEPT)(self._find_inside)
        self._outside = lru_cache(_KEPT)(self._find_outside)
        self._most = int(inside[0].max(initial=0))

    def allowed(self, place: Place) -> NDArray[np.int32]:
        """The tokens that keep every string's limits, whatever else the grammar says; one bit a token."""
        string = place.string
        if string is None:
            limits = place.next_limits
            return self._outside(min(limits.least, self._most + 1), _at_most(limits.most, self._most))
        least, most = string.limits
        if most is None:
            return self._inside(0, None, False, False)
        missing = min(max(least - string.chars, 0), self._most + 1)
        return self._inside(missing, min(most - string.chars, self._most), string.escape, string.half)

    def _plain(self) -> NDArray[np.int32]:
        """``_Inside`` of every token that has neither a quote nor an escape."""
        joined = np.frombuffer(b"".join(self.texts), dtype=np.uint8)
        ends = np.cumsum([len(text) for text in self.texts])
        found = np.zeros((4, len(self.texts)), dtype=np.int32)
        for row, flags in ((0, joined & 0xC0 != 0x80), (2, joined < 0x20)):
            sums = np.concatenate(([0], np.cumsum(flags)))
            found[row] = np.diff(sums[np.concatenate(([0], ends))])
        return found

    def _find_inside(self, least: int, most: int | None, escape: bool, half: bool) -> NDArray[np.int32]:
        chars, closes, broken, opens = self._in_escape if escape else self._in_string
        found = opens == 0
        if most is not None:
            found &= _fits(chars, closes, broken, least, most)
        return self._packed(found & self._low if half else found)

    def _find_outside(self, least: int, most: int | None) -> NDArray[np.int32]:
        chars, closes, broken, opens = self._begun
        found = opens == 0
        if most is not None:
            found &= ~self._begins | _fits(chars, closes, broken, least, most)
        return self._packed(found)

    def _packed(self, found: NDArray[np.bool_]) -> NDArray[np.int32]:
        packed = np.zeros(self._words * 4, dtype=np.uint8)
        bits = np.packbits(found, bitorder="little")
        packed[: bits.size] = bits
        return packed.view(np.int32)


def _fits(
    chars: NDArray[np.int32], closes: NDArray[np.int32], broken: NDArray[np.int32], least: int, most: int
) -> NDArray[np.bool_]:
    return (broken == 0) & (chars <= most) & ((closes == 0) | (chars >= least))


def _at_most(most: int | None, longest: int) -> int | None:
    return None if most is None else min(most, longest)


def _inside(text: bytes) -> _Inside:
    chars, place, broken = 0, 0, _FIRST_SURROGATE[0] in text and _has_surrogate(text)
    while place < len(text):
        byte = text[place]
        if byte == ord('"'):
            return _Inside(chars, True, broken, _opens(text[place + 1 :]))
        if byte == ord("\\"):
            chars += 1
            broken |= place + 1 < len(text) and text[place + 1] not in _ESCAPES
            place += 2
            continue
        chars += byte & 0xC0 != 0x80
        broken |= byte < 0x20
        place += 1
    return _Inside(chars, False, broken, False)


def _has_surrogate(text: bytes) -> bool:
    return any(first == 0xED and second >= 0xA0 for first, second in zip(text, text[1:], strict=False))


def _opens(text: bytes) -> bool:
    """Whether a string begins in ``text``, which begins outside of strings, and has something in it or is closed."""
    opened = text.find(b'"')
    return 0 <= opened < len(text) - 1


def _outside(text: bytes) -> tuple[int, int, int, int, int]:
    """Of a token that begins outside of strings: whether with a quote, and then ``_Inside`` of what is behind it. One
    that begins with anything else may only open a string, with nothing in it."""
    if not text.startswith(b'"'):
        return (0, 0, 0, 0, _opens(text))
    chars, closes, broken, opens = _inside(text[1:])
    return (1, chars, closes, broken, opens)
