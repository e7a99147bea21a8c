"""The words of a search as an expression of the word index: pure."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from safelight.catalog.fold import index_text

__all__ = ("TextQuery", "text_query")

# "a phrase", or what stands between spaces; each perhaps with a minus before it.
_PART: Final = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')
_OR: Final = "OR"


class TextQuery(msgspec.Struct, frozen=True):
    """``match`` must be found and ``without`` must not; either may be empty, never both."""

    match: str
    without: str


def text_query(text: str) -> TextQuery | None:
    """All words must occur; ``a OR b`` is one of both, ``-word`` none of it, and a phrase in quotes stands together.
    None when there is no letter or digit.

    Words match by their stem ("dogs" finds "dog"). A word with a digit, or with a star behind it, matches the beginning
    of a word as well ("IMG_12" finds IMG_1234). Of scripts without spaces any part is found.
    """
    wanted: list[list[str]] = []
    unwanted: list[str] = []
    joins = False
    for part in _PART.finditer(text):
        if part["word"] == _OR and not part["minus"]:
            joins = bool(wanted)
            continue
        expression = _phrase(part["phrase"]) if part["word"] is None else _word(part["word"])
        if not expression:
            continue
        if part["minus"]:
            unwanted.append(expression)
        elif joins:
            wanted[-1].append(expression)
        else:
            wanted.append([expression])
        joins = False
    if not wanted and not unwanted:
        return None
    return TextQuery(match=" AND ".join(_either(group) for group in wanted), without=" OR ".join(unwanted))


def _either(expressions: list[str]) -> str:
    return expressions[0] if len(expressions) == 1 else f"({' OR '.join(expressions)})"


def _phrase(text: str) -> str:
    # A wide quotation mark folds to a plain one, which would end the phrase.
    folded = index_text(text).replace('"', " ")
    return f'"{folded}"' if any(char.isalnum() for char in folded) else ""


def _word(word: str) -> str:
    phrase = _phrase(word.rstrip("*"))
    matches_beginnings = word.endswith("*") or (word[-1].isalnum() and any(char.isdigit() for char in word))
    return f"{phrase}*" if phrase and matches_beginnings else phrase
