"""Search descriptions of the SDK, which smart collections and ``findPhotos`` take: checked, and matched with photos.

Lightroom ignores what it does not know in one, so that a misspelt operation gives the wrong photos without a word. Here
all that is not documented throws, and so do the documented criteria that are not simulated.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from operator import eq, ge, gt, le, lt, ne
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from msgspec import Struct

from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.develop import has_adjustments
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from safelight.lightroom.photo import Photo

__all__ = ("Combination", "Criterion", "SearchDescription", "Surroundings", "matches", "search_description")

Value = str | int | float | bool


class Criterion(Struct, frozen=True):
    """One condition; ``value2`` is the end of a range."""

    criteria: str
    operation: str
    value: Value
    value2: Value | None = None


class Combination(Struct, frozen=True):
    """Any of its parts (union), all of them (intersect) or none of them (exclude)."""

    combine: Literal["union", "intersect", "exclude"]
    parts: tuple[SearchDescription, ...]


SearchDescription = Criterion | Combination


class Surroundings(Protocol):
    """What a search needs to know about a photo that the photo does not hold itself."""

    def keyword_names(self, photo: Photo) -> Sequence[str]: ...
    def collection_names(self, photo: Photo) -> Sequence[str]: ...


_COLORS = {"red": 1, "yellow": 2, "green": 3, "blue": 4, "purple": 5}


def _color(photo: Photo) -> int | str:
    return _COLORS.get(photo.label.lower(), "custom") if photo.label else "none"


def _aspect(photo: Photo) -> str:
    if photo.width == photo.height:
        return "square"
    return "landscape" if photo.width > photo.height else "portrait"


def _edited(photo: Photo) -> date:
    return datetime.fromtimestamp(photo.last_edit + LIGHTROOM_EPOCH, UTC).date()


def _iptc(photo: Photo) -> list[str]:
    return [photo.title, photo.caption, photo.headline, photo.creator, photo.copyright, *_place(photo)]


def _place(photo: Photo) -> list[str]:
    return [photo.location, photo.city, photo.state, photo.country]


_NUMBERS: Mapping[str, Callable[[Photo], float | None]] = {
    "rating": lambda photo: photo.rating,
    "pick": lambda photo: photo.pick,
    "isoSpeedRating": lambda photo: photo.iso,
}
_DATES: Mapping[str, Callable[[Photo], date | None]] = {
    "captureTime": lambda photo: photo.captured.date() if photo.captured else None,
    "touchTime": _edited,
}
_BOOLEANS: Mapping[str, Callable[[Photo], bool]] = {
    "hasAdjustments": has_adjustments,
    "hasGPSData": lambda photo: photo.gps is not None,
}
_FORMATS = ("DNG", "RAW", "JPG", "TIFF", "PNG", "PSD", "VIDEO", "PSB", "AVIF", "JXL")
_CHOICES: Mapping[str, tuple[Callable[[Photo], str | int], tuple[str | int, ...]]] = {
    "labelColor": (_color, (1, 2, 3, 4, 5, "custom", "none")),
    "fileFormat": (lambda photo: photo.file_format, _FORMATS),
    "aspectRatio": (_aspect, ("portrait", "landscape", "square")),
}
_TEXTS: Mapping[str, Callable[[Photo, Surroundings], Sequence[str]]] = {
    "filename": lambda photo, _: [photo.file_name],
    "folder": lambda photo, _: [str(PurePath(photo.path).parent)],
    "collection": lambda photo, around: around.collection_names(photo),
    "keywords": lambda photo, around: around.keyword_names(photo),
    "title": lambda photo, _: [photo.title],
    "caption": lambda photo, _: [photo.caption],
    "copyname": lambda photo, _: [photo.copy_name],
    "labelText": lambda photo, _: [photo.label],
    "iptc": lambda photo, _: _iptc(photo),
    "exif": lambda photo, _: [photo.camera, photo.lens],
    "metadata": lambda photo, around: [*_iptc(photo), photo.camera, photo.lens, *around.keyword_names(photo)],
    "all": lambda photo, around: [
        *(photo.file_name, photo.copy_name, photo.label, photo.camera, photo.lens),
        *_iptc(photo),
        *around.keyword_names(photo),
    ],
}
_EXACT_TEXTS: Mapping[str, Callable[[Photo], str]] = {
    name: (lambda photo, name=name: getattr(photo, name))
    for name in ("camera", "lens", "country", "state", "city", "location", "creator")
}
_CAN_BE_EMPTY = {"labelText", "copyname", "title", "caption", "keywords"}

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, ">": gt, "<": lt, ">=": ge, "<=": le}
_NUMBER_OPERATIONS = (*_COMPARISONS, "in")
_DATE_OPERATIONS = ("==", "!=", ">", "<", "in")
_TEXT_OPERATIONS = ("any", "all", "words", "noneOf", "beginsWith", "endsWith")

# --- checking --------------------------------------------------------------------------------------------------------


def search_description(value: Any) -> SearchDescription:
    """The description that a plain value (from a Lua table) is; throws as a strict Lightroom would."""
    if isinstance(value, list):
        return _combination(cast("list[Any]", value), None)
    if not isinstance(value, dict) or not value:
        raise LightroomRefusal("searchDesc must be a table with a criterion, or with several and combine")
    entries = cast("dict[str, Any]", value)
    if "criteria" in entries:
        return _criterion(entries)
    parts = [item for key, item in entries.items() if key.isdigit()]
    unknown = [key for key in entries if key != "combine" and not key.isdigit()]
    if unknown:
        raise LightroomRefusal(f"searchDesc knows no entry '{unknown[0]}' beside its criteria")
    return _combination(parts, entries.get("combine"))


def _combination(parts: list[Any], combine: Any) -> SearchDescription:
    if combine not in ("union", "intersect", "exclude"):
        raise LightroomRefusal(f"combine must be union, intersect or exclude, not {combine!r}")
    if not parts:
        raise LightroomRefusal("searchDesc has nothing to combine")
    return Combination(combine, tuple(search_description(part) for part in parts))


def _criterion(entries: dict[str, Any]) -> Criterion:
    unknown = [key for key in entries if key not in ("criteria", "operation", "value", "value2")]
    if unknown:
        raise LightroomRefusal(f"a criterion knows no entry '{unknown[0]}'")
    criteria, operation = str(entries["criteria"]), str(entries.get("operation"))
    operations, check = _rules_of(criteria)
    if operation not in operations:
        raise LightroomRefusal(f"{criteria} knows no operation {operation!r}, only {', '.join(operations)}")
    if ("value2" in entries) != (operation == "in"):
        raise LightroomRefusal(f"{criteria}: value2 belongs to the operation 'in', and only to it")
    value, value2 = entries.get("value"), entries.get("value2")
    for bound in (value, value2) if operation == "in" else (value,):
        if not check(bound):
            raise LightroomRefusal(f"{criteria} cannot be compared with {bound!r}")
    return Criterion(criteria, operation, cast("Value", value), value2)


def _rules_of(criteria: str) -> tuple[Sequence[str], Callable[[Any], bool]]:
    """The operations of a field, and whether it can be compared with a value."""
    if criteria in _NUMBERS:
        return _NUMBER_OPERATIONS, lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if criteria in _DATES:
        return _DATE_OPERATIONS, _is_date
    if criteria in _BOOLEANS:
        return ("isTrue", "isFalse"), lambda value: isinstance(value, bool)
    if criteria in _CHOICES:
        choices = _CHOICES[criteria][1]
        return ("==", "!="), lambda value: not isinstance(value, bool) and value in choices
    if criteria in _EXACT_TEXTS:
        return (*_TEXT_OPERATIONS, "==", "!="), lambda value: isinstance(value, str)
    if criteria in _TEXTS:
        more = ("empty", "notEmpty") if criteria in _CAN_BE_EMPTY else ()
        return (*_TEXT_OPERATIONS, *more), lambda value: isinstance(value, str)
    raise LightroomRefusal(f"unknown search criteria: {criteria!r}")


def _is_date(value: Any) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


# --- matching --------------------------------------------------------------------------------------------------------


def matches(description: SearchDescription, photo: Photo, around: Surroundings) -> bool:
    """Whether the photo fits."""
    if isinstance(description, Combination):
        found = (matches(part, photo, around) for part in description.parts)
        if description.combine == "intersect":
            return all(found)
        return any(found) == (description.combine == "union")
    criteria = description.criteria
    if criteria in _NUMBERS:
        return _number_fits(_NUMBERS[criteria](photo), description)
    if criteria in _DATES:
        return _date_fits(_DATES[criteria](photo), description)
    if criteria in _BOOLEANS:
        return _BOOLEANS[criteria](photo) == (description.operation == "isTrue")
    if criteria in _CHOICES:
        return (_CHOICES[criteria][0](photo) == description.value) == (description.operation == "==")
    exact = _EXACT_TEXTS.get(criteria)
    texts = [exact(photo)] if exact else _TEXTS[criteria](photo, around)
    return _text_fits([one.casefold() for one in texts if one], description.operation, str(description.value))


def _number_fits(number: float | None, criterion: Criterion) -> bool:
    value = cast("float", criterion.value)
    if number is None:
        # unrated: less than nothing, not even "at least 0"
        return (criterion.operation == "==" and value == 0) or (criterion.operation == "!=" and value != 0)
    if criterion.operation == "in":
        return value <= number <= cast("float", criterion.value2)
    return _COMPARISONS[criterion.operation](number, value)


def _date_fits(day: date | None, criterion: Criterion) -> bool:
    if day is None:
        return criterion.operation == "!="
    value = date.fromisoformat(str(criterion.value))
    if criterion.operation == "in":
        return value <= day <= date.fromisoformat(str(criterion.value2))
    return _COMPARISONS[criterion.operation](day, value)


_WITH_ONE: Mapping[str, Callable[[str, str], bool]] = {
    "==": eq,
    "beginsWith": str.startswith,
    "endsWith": str.endswith,
}


def _text_fits(texts: list[str], operation: str, value: str) -> bool:
    """``texts`` are in lower case."""
    wanted = value.casefold()
    words = wanted.split()
    if operation in ("empty", "notEmpty"):
        return bool(texts) == (operation == "notEmpty")
    if operation == "!=":
        return wanted not in texts
    if operation in _WITH_ONE:
        return any(_WITH_ONE[operation](one, wanted) for one in texts)
    together = "\n".join(texts)
    if operation == "words":
        return set(words) <= set(together.split())
    held = [word in together for word in words]
    if operation == "all":
        return all(held)
    return any(held) == (operation == "any")
