"""Text as it is compared: without case and accents, one way for all ways to write it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ("fold", "index_text")

# Letters that Unicode does not take apart into a letter and an accent; case is folded before.
_PLAIN: Final = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t", "ŋ": "n", "ı": "i",
    "ĸ": "k", "ſ": "s", "ƒ": "f", "’": "'", "‘": "'", "ʼ": "'",
})  # fmt: skip
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_BROKEN: Final = re.compile("[\0\ud800-\udfff]")

_UNSPACED_RANGES: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul
)
_UNSPACED: Final = re.compile(f"([{_UNSPACED_RANGES}])")


def fold(text: str) -> str:
    """Lower case without the accents of Latin, Greek and Cyrillic letters; "Tromsø" becomes "tromso", "Straße"
    "strasse". However an accented or wide letter was put together, it folds to the same. Folding twice changes
    nothing more. Broken surrogates and NUL become U+FFFD, so that every text can be stored."""
    if text.isascii() and "\0" not in text:
        return text.lower()
    text = unicodedata.normalize("NFKD", text).casefold().translate(_PLAIN)
    text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold().translate(_PLAIN)
    text = unicodedata.normalize("NFC", text)
    return _BROKEN.sub("\ufffd", text)


def index_text(text: str) -> str:
    """``text`` folded for the word index. Characters of scripts that put no spaces between words stand alone, so that
    any part of a name can be found as a phrase."""
    folded = fold(text)
    return folded if folded.isascii() else _UNSPACED.sub(r" \1 ", folded)
