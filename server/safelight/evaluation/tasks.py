"""The tasks of an evaluation, read strictly from JSON."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from safelight.errors import StartRefused

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("Changed", "Collected", "Expect", "Flag", "Label", "Selector", "Task", "TaskSet", "Values", "halves", "read")

Flag: TypeAlias = Literal["pick", "none", "reject"]
Label: TypeAlias = Literal["red", "yellow", "green", "blue", "purple", "none"]
Stars: TypeAlias = Annotated[int, Meta(ge=0, le=5)]
Words: TypeAlias = Annotated[str, Meta(min_length=1, max_length=400)]

_HALVES: Final = ("seen.json", "unseen.json")


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is not known is refused: a slip of the pen would otherwise weaken a task."""


class Selector(_Strict, frozen=True):
    """The photos for which all of this holds in the catalog at the start."""

    selected: Literal[True] | UnsetType = UNSET
    all: Literal[True] | UnsetType = UNSET
    rating_min: Stars | UnsetType = UNSET
    rating_max: Stars | UnsetType = UNSET
    flag: Flag | UnsetType = UNSET
    label: Label | UnsetType = UNSET
    year: Annotated[int, Meta(ge=1900, le=2200)] | UnsetType = UNSET
    month: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}$")] | UnsetType = UNSET
    keyword: Words | UnsetType = UNSET
    """The photo has it, or one below it."""
    word: Words | UnsetType = UNSET
    """A part of title, caption, keywords or file name."""
    file_type: Literal["raw", "dng", "jpeg", "tiff", "psd", "png", "heic", "video"] | UnsetType = UNSET
    camera: Words | UnsetType = UNSET
    """A part of its name."""


class Values(_Strict, frozen=True):
    """What photos must have at the end."""

    rating: Stars | UnsetType = UNSET
    flag: Flag | UnsetType = UNSET
    label: Label | UnsetType = UNSET
    title: str | UnsetType = UNSET
    caption: str | UnsetType = UNSET
    keywords_added: Annotated[tuple[Words, ...], Meta(min_length=1)] | UnsetType = UNSET
    keywords_removed: Annotated[tuple[Words, ...], Meta(min_length=1)] | UnsetType = UNSET


class Changed(_Strict, frozen=True):
    """These photos have these values at the end."""

    photos: Selector
    set: Values


class Collected(_Strict, frozen=True):
    """A collection of this name was made, with exactly these photos in it; None is an empty one."""

    name: Words
    photos: Selector | None


class Expect(_Strict, frozen=True):
    """All of it must hold at the end. What is not named here must be as it was."""

    changed: tuple[Changed, ...] = ()
    collections: tuple[Collected, ...] = ()
    found: Selector | UnsetType = UNSET
    """The photos of the last search or listing that the model made."""
    shown: Selector | UnsetType = UNSET
    """What ``show_photos`` left selected in the grid."""
    reply_has: tuple[Words, ...] = ()
    """Stands in the last reply, case ignored."""
    no_call: bool = False


class Task(_Strict, frozen=True):
    """One conversation of one or two messages, and what must have come of it."""

    id: Annotated[str, Meta(pattern=r"^[a-z]\w{0,39}$")]
    language: Literal["en", "de"]
    steps: Literal[1, 2]
    requests: Annotated[tuple[Words, ...], Meta(min_length=1, max_length=2)]
    expect: Expect


class TaskSet(_Strict, frozen=True):
    """Tasks that are counted together. ``seen`` ones were looked at while prompts and examples were written."""

    title: str
    seen: bool
    tasks: Annotated[tuple[Task, ...], Meta(min_length=1)]


def halves() -> tuple[TaskSet, ...]:
    """The tasks that come with Safelight: the seen half and the unseen one."""
    folder = files("safelight.evaluation")
    return tuple(_parsed((folder / name).read_bytes(), name) for name in _HALVES)


def read(path: Path) -> TaskSet:
    """The tasks of a file. Raises ``StartRefused`` that says what is wrong with it."""
    try:
        return _parsed(path.read_bytes(), str(path))
    except OSError as error:
        raise StartRefused(f"The tasks {path} cannot be read: {error.strerror}.") from None


def _parsed(text: bytes, name: str) -> TaskSet:
    try:
        tasks = msgspec.json.decode(text, type=TaskSet)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StartRefused(f"The tasks {name} cannot be used: {error}.") from None
    often = [task_id for task_id, times in Counter(task.id for task in tasks.tasks).items() if times > 1]
    if often:
        raise StartRefused(f"The tasks {name} cannot be used: {', '.join(often)} is there more than once.")
    return tasks
