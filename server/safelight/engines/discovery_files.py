"""Models among the files of this computer: GGUF files, and folders for MLX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.engines.found_model import FoundModel
from safelight.engines.gguf_files import KnownHeaders, LeftOut, gguf_models, has_all_parts
from safelight.engines.mlx_folder import CONFIG, TOKENIZER, is_for_mlx, mlx_facts, read_config
from safelight.engines.model_facts import SMALL_PARAMETERS, ModelFacts
from safelight.engines.model_ids import ModelIds
from safelight.engines.model_walk import Folder, ModelFile, stamp_of
from safelight.engines.packaged import PACKAGED_IDS

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from safelight.engines.engine import EngineKind
    from safelight.engines.model_places import Place
    from safelight.engines.model_walk import Walk

__all__ = ("TEST_GGUF", "TEST_MLX_DIR", "TEST_MMPROJ", "Found", "look_around")

TEST_GGUF: Final = "SAFELIGHT_TEST_GGUF"
"""Names a GGUF file that is offered before all others."""

TEST_MMPROJ: Final = "SAFELIGHT_TEST_MMPROJ"
"""Names its projector."""

TEST_MLX_DIR: Final = "SAFELIGHT_TEST_MLX_DIR"
"""Names a folder with a model for MLX, likewise."""

_DEPTH: Final = 6
_REVISION_BYTES: Final = 200
_SMALL_BYTES: Final = 700_000_000
"""Decides where a file does not say how many parameters it has."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """``named`` by the environment, ``placed`` in one of the places, and what could not be used."""

    named: tuple[FoundModel, ...]
    placed: tuple[FoundModel, ...]
    left_out: tuple[LeftOut, ...]


class _Named(msgspec.Struct, frozen=True):
    """A folder, and the names by which its models are told apart: ``publisher``, ``repository`` and so on."""

    folder: Folder
    names: tuple[str, ...]


def look_around(
    places: Sequence[Place], environment: Mapping[str, str], walk: Walk, headers: KnownHeaders, *, with_mlx: bool
) -> Found:
    """Looks through the places in their order; a model that lies in two of them is found in the first."""
    ids = ModelIds(PACKAGED_IDS)
    placed: dict[Path, FoundModel] = {}
    left_out: list[LeftOut] = []
    for place in places:
        for path in place.said_by:
            walk.rests_on(path)
        folders = _repositories(place.root, walk) if place.name == "huggingface" else _folders(place.root, walk)
        for named in folders:
            models, unusable = gguf_models(named.folder, headers)
            left_out += unusable
            for model in models:
                if (real := model.path.resolve()) not in placed:
                    model_id = ids.of("llama", (*named.names, model.name), model.path)
                    placed[real] = _found(
                        model_id, "llama", model.name, model.path, model.size, model.facts, model.projector
                    )
            if with_mlx and (mlx := _mlx(named)) is not None and (real := named.folder.path.resolve()) not in placed:
                model_id = ids.of("mlx", named.names, named.folder.path)
                placed[real] = _found(model_id, "mlx", named.names[-1], named.folder.path, *mlx)
    of_environment = [*_named_gguf(environment, headers, ids), *_named_mlx(environment, ids)]
    return Found(named=tuple(of_environment), placed=tuple(placed.values()), left_out=tuple(left_out))


def _folders(root: Path, walk: Walk) -> Generator[_Named, None, None]:
    for folder in walk.folders(root, _DEPTH):
        yield _Named(folder, folder.path.relative_to(root).parts)


def _repositories(root: Path, walk: Walk) -> Generator[_Named, None, None]:
    """The newest revision of each repository in a Hugging Face cache."""
    for repository in walk.inner(root):
        kind, _, name = repository.name.partition("--")
        if kind != "models" or not name:
            continue
        main = repository / "refs" / "main"
        walk.rests_on(main)
        revisions = walk.inner(repository / "snapshots")
        said = _text(main)
        chosen = [path for path in revisions if path.name == said] or sorted(revisions, key=stamp_of)[-1:]
        for revision in chosen:
            for folder in walk.folders(revision, _DEPTH):
                yield _Named(folder, (*name.split("--", 1), *folder.path.relative_to(revision).parts))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_REVISION_BYTES).decode(errors="replace").strip()
    except OSError:
        return ""


def _mlx(named: _Named) -> tuple[int, ModelFacts] | None:
    """The size and the facts of a folder that holds a chat model for MLX."""
    files = {file.path.name.lower(): file for file in named.folder.files}
    weights = [file for name, file in files.items() if name.endswith(".safetensors")]
    if not (named.names and CONFIG in files and TOKENIZER in files and weights):
        return None
    config = read_config(files[CONFIG].path)
    repository = "/".join(named.names)
    if config is None or not is_for_mlx(config, repository) or not has_all_parts(file.path.stem for file in weights):
        return None
    facts = mlx_facts(config, repository)
    return (sum(file.size for file in weights), facts) if facts.role == "chat" else None


def _named_gguf(
    environment: Mapping[str, str], headers: KnownHeaders, ids: ModelIds
) -> Generator[FoundModel, None, None]:
    path = Path(environment.get(TEST_GGUF) or "/")
    facts = headers.read(ModelFile(path, stamp_of(path))) if path.is_file() else None
    if isinstance(facts, ModelFacts) and facts.role == "chat":
        projector = environment.get(TEST_MMPROJ)
        model_id = ids.of("llama", (path.stem,), path)
        size = stamp_of(path)[1]
        yield _found(model_id, "llama", path.stem, path, size, facts, Path(projector) if projector else None)


def _named_mlx(environment: Mapping[str, str], ids: ModelIds) -> Generator[FoundModel, None, None]:
    folder = Path(environment.get(TEST_MLX_DIR) or "/")
    config = read_config(folder / CONFIG)
    if config is not None:
        size = sum(stamp_of(path)[1] for path in folder.glob("*.safetensors"))
        model_id = ids.of("mlx", (folder.name,), folder)
        yield _found(model_id, "mlx", folder.name, folder, size, mlx_facts(config, folder.name))


def _found(
    model_id: str,
    kind: EngineKind,
    name: str,
    path: Path,
    size: int,
    facts: ModelFacts,
    projector: Path | None = None,
) -> FoundModel:
    is_small = size < _SMALL_BYTES if facts.parameters is None else facts.parameters < SMALL_PARAMETERS
    return FoundModel(
        model_id=model_id,
        kind=kind,
        title=name.encode(errors="replace").decode(),
        path=path,
        small=is_small,
        size=size,
        context_window=facts.context_window,
        parameters=facts.parameters,
        projector=projector,
    )
