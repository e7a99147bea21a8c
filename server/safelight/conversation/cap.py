"""Makes a tool's answer small enough for a model (pure). The person's page has all of it.

An answer in JSON is shortened in its structure and stays JSON; other text keeps its head and its tail.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast

from safelight.conversation.estimate import CHARS_A_TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ("LARGEST_BYTES", "LEAST", "SMALL", "capped", "capped_together", "limits")

LARGEST_BYTES: Final = 128 * 1024
LEAST: Final = 600
"""Characters that every result may have, however full the window is."""

SMALL: Final = 8_000
"""Up to here a result is left alone where the limit allows it. In a larger one no list keeps more than 200 elements,
whatever the limit: nobody reads 5,000 ids one by one."""

_SHARE: Final = 2_000
_HEAD: Final = 0.75
_STAGES: Final = (
    (200, 100_000, 24),
    (200, 30_000, 24),
    (100, 8_000, 24),
    (50, 4_000, 24),
    (24, 2_000, 24),
    (24, 500, 24),
    (12, 500, 24),
    (12, 200, 16),
    (6, 120, 8),
    (4, 80, 4),
    (3, 60, 2),
    (3, 24, 1),
)
"""Elements of a list or object, characters of a string, and depth that are kept: the first stage that fits is taken."""

_UNREADABLE: Final = "(This result was too large to show. The user's page has all of it.)"
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL
)
_LONGEST_ESCAPE: Final = 12


def limits(window: int, left: int) -> tuple[int, int]:
    """Characters that one result may have, and all results of a turn together: at most a quarter and a half of a
    window of ``window`` tokens, and less where only ``left`` tokens are left for the exchange. A model's further turns
    need room as well, so a turn takes half of what is left."""
    together = max(LEAST, min(window // 2, left // 2) * CHARS_A_TOKEN)
    return min(max(_SHARE, window // 4 * CHARS_A_TOKEN), together), together


def capped_together(texts: Sequence[str], limit: int, together: int) -> list[str]:
    """The results of one turn, each with at most ``limit`` characters and all with at most ``together`` (or ``LEAST``
    each, where that is more). What the short ones do not need is shared by the long ones."""
    shorter = [capped(text, limit) for text in texts]
    left = max(together, LEAST * len(texts))
    if sum(map(len, shorter)) <= left:
        return shorter
    share = limit
    for place, size in enumerate(sorted(map(len, shorter))):
        share = left // (len(shorter) - place)
        if size > share:
            break
        left -= size
    return [capped(text, min(limit, share)) for text in texts]


def capped(text: str, limit: int) -> str:
    """The text in at most ``limit`` (``LEAST`` or more) characters and 128 KiB. The same text where it is small."""
    limit = max(limit, LEAST)
    if len(text) <= min(limit, SMALL):
        return text
    try:
        structure = _structure(text)
        return _within_bytes(text, limit) if structure is None else _smaller(text, structure, limit)
    except RecursionError:  # nested without end
        return _within_bytes(text, limit)


# --- JSON ------------------------------------------------------------------------------------------------------


def _smaller(text: str, structure: object, limit: int) -> str:
    if not _long_list(structure) and len(text) <= limit and _bytes(text) <= LARGEST_BYTES:
        return text
    for elements, chars, depth in _STAGES:
        shorter = _compact(_shortened(structure, elements, chars, depth))
        if len(shorter) <= limit and _bytes(shorter) <= LARGEST_BYTES:
            return shorter
    return _compact({"left_out": _UNREADABLE})


def _structure(text: str) -> dict[str, Any] | list[Any] | None:
    if not text.startswith(("{", "[")):
        return None
    try:
        value: object = json.loads(text, parse_constant=_no_json)
    except ValueError:
        return None
    return cast("dict[str, Any] | list[Any]", value) if isinstance(value, (dict, list)) else None


def _no_json(name: str) -> None:
    raise ValueError(name)


def _compact(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace").decode()  # a half of a character, which an escape may spell, becomes a ?


def _long_list(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_long_list, cast("dict[str, object]", value).values()))
    if not isinstance(value, list):
        return False
    items = cast("list[object]", value)
    return len(items) > _STAGES[0][0] or any(map(_long_list, items))


def _shortened(value: object, elements: int, chars: int, depth: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= chars else _head_and_tail(value, chars, _few_left_out)
    if isinstance(value, int) and len(str(value)) > chars:
        return str(value)[:chars]
    if isinstance(value, list):
        items = cast("list[object]", value)
        return _shortened_list(items, elements, chars, depth) if depth else f"({len(items)} left out)"
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return _shortened_object(fields, elements, chars, depth) if depth else f"({len(fields)} left out)"
    return value


def _shortened_list(items: list[object], elements: int, chars: int, depth: int) -> list[object]:
    """Head and tail, with one element between that says how many are missing: ``elements`` in all."""
    if len(items) <= elements:
        return [_shortened(item, elements, chars, depth - 1) for item in items]
    head = max(1, int((elements - 1) * _HEAD))
    tail = elements - 1 - head
    kept = [*items[:head], *items[len(items) - tail :]]
    shorter = [_shortened(item, elements, chars, depth - 1) for item in kept]
    shorter.insert(head, f"({len(items) - len(kept)} left out here; the user's page has all)")
    return shorter


def _shortened_object(fields: dict[str, object], elements: int, chars: int, depth: int) -> dict[str, object]:
    """Ids and counts first, so that the model can go on with them whatever else is missing."""
    names = sorted(fields, key=lambda name: not _names_something(name, fields[name]))
    kept = [name for name in names if len(name) <= max(chars, 40)][: max(elements, 8) if depth > 1 else elements]
    shorter = {name: _shortened(fields[name], elements, chars, depth - 1) for name in kept}
    if len(kept) < len(names):
        shorter["left_out"] = f"{len(names) - len(kept)} more; the user's page has all"
    return shorter


def _names_something(name: str, value: object) -> bool:
    return not isinstance(value, (dict, list)) and (name.endswith("_id") or name == "count")


# --- text ------------------------------------------------------------------------------------------------------


def _within_bytes(text: str, limit: int) -> str:
    if len(text) <= limit and _bytes(text) <= LARGEST_BYTES:
        return text
    chars = min(limit, LARGEST_BYTES)
    while _bytes(shorter := _head_and_tail(text, chars, _left_out)) > LARGEST_BYTES:
        chars = chars * 3 // 4
    return shorter


def _bytes(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _left_out(count: int) -> str:
    return f"\n(... {count:,} characters are left out here; the user's page has all of it ...)\n"


def _few_left_out(count: int) -> str:
    return f"({count:,} left out)"


def _head_and_tail(text: str, limit: int, note: Callable[[int], str]) -> str:
    """The first three quarters and the last quarter of what fits, with a note between."""
    room = limit - len(note(len(text)))
    head = _border(text, int(room * _HEAD))
    tail = len(text) - (room - head)
    while tail < len(text) and _border(text, tail) != tail:
        tail += 1
    return text[:head] + note(tail - head) + text[tail:]


def _border(text: str, place: int) -> int:
    """The nearest place at or before ``place`` that lies within no escape and between no two halves of a character."""
    if 0 < place < len(text) and "\ud800" <= text[place - 1] <= "\udbff" and "\udc00" <= text[place] <= "\udfff":
        return place - 1
    start = max(0, place - _LONGEST_ESCAPE + 1)
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    for escape in _ESCAPE.finditer(text, start, min(len(text), place + _LONGEST_ESCAPE)):
        if escape.start() < place < escape.end():
            return escape.start()
    return place
