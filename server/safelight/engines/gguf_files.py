"""The models that the GGUF files of a folder make: parts counted once, projectors beside the models that they fit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.engines.gguf_header import read_gguf_header
from safelight.engines.model_facts import ModelFacts, gguf_facts
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from safelight.engines.model_walk import Folder, ModelFile, Stamp

__all__ = ("GgufModel", "KnownHeaders", "LeftOut", "gguf_models", "has_all_parts", "projector_for")

_PART: Final = re.compile(r"(?P<name>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})", re.IGNORECASE)
_PRECISION: Final = re.compile(
    r"[-_. ](?:ud[-_.])?(?:i?q\d(?:_[a-z0-9]+)*|bf16|fp?16|fp?32|mxfp4(?:_\w+)?)(?=$|[-_. ])"
)
_MARK: Final = re.compile(r"(?:^|[-_. ])mmproj(?=$|[-_. ])")
_BEST: Final = ("f16", "fp16", "bf16", "q8_0", "f32")
"""Precisions of projectors, the most widely usable first."""


class LeftOut(msgspec.Struct, frozen=True):
    """A file that lies there and cannot be used, and the sentence that says why."""

    path: Path
    reason: str


class GgufModel(msgspec.Struct, frozen=True, kw_only=True):
    """A chat model: ``path`` is its file, or the first of its parts; ``size`` that of all parts in bytes."""

    name: str
    path: Path
    size: int
    facts: ModelFacts
    projector: Path | None = None


class KnownHeaders:
    """What was read from files, as long as they stay as they are."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, Stamp], ModelFacts | LeftOut] = {}
        self._used: set[tuple[Path, Stamp]] = set()

    def read(self, file: ModelFile) -> ModelFacts | LeftOut:
        key = (file.path, file.stamp)
        self._used.add(key)
        if key not in self._known:
            self._known[key] = _read(file.path)
        return self._known[key]

    def forget_unused(self) -> None:
        """Keep only what was asked for since the last time."""
        self._known = {key: self._known[key] for key in self._used}
        self._used = set()


def gguf_models(folder: Folder, headers: KnownHeaders) -> tuple[list[GgufModel], list[LeftOut]]:
    """In the order of their names."""
    models: list[GgufModel] = []
    projectors: list[tuple[Path, ModelFacts]] = []
    left_out: list[LeftOut] = []
    for name, files in _joined(file for file in folder.files if file.path.suffix.lower() == ".gguf"):
        facts = headers.read(files[0])
        if isinstance(facts, LeftOut):
            left_out.append(facts)
        elif facts.role == "projector":
            projectors.append((files[0].path, facts))
        elif facts.role == "chat" and not has_all_parts(file.path.stem for file in files):
            left_out.append(LeftOut(files[0].path, f"Parts of {name} are missing. Download it again."))
        elif facts.role == "chat":
            size = sum(file.size for file in files)
            models.append(GgufModel(name=name, path=files[0].path, size=size, facts=facts))
    alone = len({_kin(model.name) for model in models}) == 1
    paired = [
        msgspec.structs.replace(model, projector=projector_for(model.name, model.facts, projectors, alone=alone))
        for model in models
    ]
    return paired, left_out


def has_all_parts(stems: Iterable[str]) -> bool:
    """Whether files ``NAME-00001-of-00003`` and so on are all there; one without such a number is whole."""
    parts = [match for match in (_PART.fullmatch(stem) for stem in stems) if match]
    return not parts or {int(part["number"]) for part in parts} == set(range(1, int(parts[0]["total"]) + 1))


def projector_for(
    name: str, facts: ModelFacts, projectors: Iterable[tuple[Path, ModelFacts]], *, alone: bool
) -> Path | None:
    """The projector that is named after the model; where the folder has only this model (``alone``), whatever its name.
    One with another width never fits."""
    fitting = [path for path, projector in projectors if _fits(projector, facts)]
    named = [path for path in fitting if _kin(path.stem) and _kin(name).startswith(_kin(path.stem))]
    return min(named or (fitting if alone else []), key=_rank, default=None)


def _joined(files: Iterable[ModelFile]) -> list[tuple[str, list[ModelFile]]]:
    """The files of each model by its name, its parts in order."""
    joined: dict[tuple[str, str], list[ModelFile]] = {}
    for file in files:
        part = _PART.fullmatch(file.path.stem)
        key = (part["name"], part["total"]) if part else (file.path.stem, "")
        joined.setdefault(key, []).append(file)
    return [(name, sorted(parts, key=lambda file: file.path.name)) for (name, _), parts in joined.items()]


def _fits(projector: ModelFacts, model: ModelFacts) -> bool:
    # some projectors write several vectors of the model's width at once
    return not projector.width or not model.width or projector.width % model.width == 0


def _kin(stem: str) -> str:
    """The name without what tells a projector from its model, and one precision from another; ``""`` when nothing is
    left that says whose it is."""
    name = _MARK.sub("", _PRECISION.sub("", f"-{stem.lower()}")).strip("-_. ")
    return "" if name == "model" else name


def _rank(path: Path) -> tuple[int, int, str]:
    name = path.stem.lower()
    last = re.split("[-. ]", name)[-1]
    precision = _BEST.index(last) if last in _BEST else len(_BEST)
    return -len(_kin(path.stem)), precision, name


def _read(path: Path) -> ModelFacts | LeftOut:
    try:
        return gguf_facts(read_gguf_header(path))
    except ModelError as error:
        return LeftOut(path, error.message)
