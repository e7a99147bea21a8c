"""Which photos a selector means, from the simulated catalog's own data and not from the product's search (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import UNSET

if TYPE_CHECKING:
    from safelight.evaluation.state import Seen, State
    from safelight.evaluation.tasks import Selector

__all__ = ("select",)

_Test: TypeAlias = Callable[["Seen", Any], bool]

_FILE_TYPES: Final = {"raw": "RAW", "dng": "DNG", "jpeg": "JPG", "tiff": "TIFF", "psd": "PSD", "png": "PNG"}


def select(selector: Selector, state: State) -> frozenset[str]:
    """The uuids of the photos for which all of the selector holds."""
    wanted = {name: value for name, value in msgspec.structs.asdict(selector).items() if value is not UNSET}
    among = state.selection if wanted.pop("selected", None) else frozenset(state.photos)
    wanted.pop("all", None)
    return frozenset(
        uuid for uuid in among if all(_TESTS[name](state.photos[uuid], value) for name, value in wanted.items())
    )


def _has_word(seen: Seen, word: str) -> bool:
    texts = (seen.photo.title, seen.photo.caption, seen.photo.file_name, *seen.keywords)
    return any(word.casefold() in text.casefold() for text in texts)


def _has_keyword(seen: Seen, keyword: str) -> bool:
    return keyword.casefold() in {name.casefold() for path in seen.paths for name in path}


def _is_file_type(seen: Seen, file_type: str) -> bool:
    return seen.photo.file_format.upper() == _FILE_TYPES.get(file_type, file_type.upper())


def _has_rating_min(seen: Seen, stars: int) -> bool:
    return seen.rating >= stars


def _has_rating_max(seen: Seen, stars: int) -> bool:
    return seen.rating <= stars


def _has_flag(seen: Seen, flag: str) -> bool:
    return seen.flag == flag


def _has_label(seen: Seen, label: str) -> bool:
    return seen.label == label


def _is_of(seen: Seen, period: object) -> bool:
    return seen.captured.startswith(f"{period}-")


def _has_camera(seen: Seen, camera: str) -> bool:
    return camera.casefold() in seen.photo.camera.casefold()


_TESTS: Final[dict[str, _Test]] = {
    "rating_min": _has_rating_min,
    "rating_max": _has_rating_max,
    "flag": _has_flag,
    "label": _has_label,
    "year": _is_of,
    "month": _is_of,
    "keyword": _has_keyword,
    "word": _has_word,
    "file_type": _is_file_type,
    "camera": _has_camera,
}
