"""Which local models are there: files that the person put or downloaded somewhere, and those of installed packages."""

from __future__ import annotations

import importlib.util
import logging
import platform
import sys
import threading
from typing import TYPE_CHECKING, Final

from safelight.engines.discovery_files import TEST_GGUF, TEST_MLX_DIR, TEST_MMPROJ, Found, look_around
from safelight.engines.free_memory import memory_now
from safelight.engines.gguf_files import KnownHeaders, LeftOut
from safelight.engines.model_places import places
from safelight.engines.model_walk import Walk, stamp_of
from safelight.engines.packaged import packaged_models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from safelight.engines.found_model import FoundModel

__all__ = ("TEST_GGUF", "TEST_MLX_DIR", "TEST_MMPROJ", "Discovery", "find_models", "preferred")

logger = logging.getLogger(__name__)

_NOTHING: Final = Found(named=(), placed=(), left_out=())


def find_models(data_dir: Path, environment: Mapping[str, str]) -> tuple[FoundModel, ...]:
    """All local models, the preferred one first. Nothing is imported, loaded or written."""
    return Discovery(data_dir, environment).models()


class Discovery:
    """Looks around when something has changed since the last time. May be called from any thread."""

    def __init__(
        self,
        data_dir: Path,
        environment: Mapping[str, str],
        *,
        walk: Callable[[], Walk] = Walk,
        on_apple_silicon: bool = sys.platform == "darwin" and platform.machine() == "arm64",
    ) -> None:
        self._data_dir = data_dir
        self._environment = environment
        self._walk = walk
        self._on_apple_silicon = on_apple_silicon
        self._headers = KnownHeaders()
        self._looking = threading.Lock()
        self._walking: Walk | None = None
        self._last: Walk | None = None
        self._found = _NOTHING
        self._models: dict[str, FoundModel] = {}

    def models(self) -> tuple[FoundModel, ...]:
        """All that are there now, the preferred one first."""
        with self._looking:
            if self._last is None or any(stamp_of(path) != stamp for path, stamp in self._last.stamps.items()):
                self._look()
            return tuple(self._models.values())

    def find(self, model_id: str) -> FoundModel | None:
        """The model of that id, None where there is none. For one that is known this only asks whether it still is
        there."""
        known = self._models.get(model_id)
        if known is not None and all(path.exists() for path in known.parts or (known.path,)):
            return known
        return next((model for model in self.models() if model.model_id == model_id), None)

    def stop(self) -> None:
        """A look that is going on ends with what it has found."""
        if self._walking is not None:
            self._walking.stopped = True

    def left_out(self) -> tuple[LeftOut, ...]:
        """The files that lie in one of the places and cannot be used, as of the last look."""
        return self._found.left_out

    def _look(self) -> None:
        walk = self._walking = self._walk()
        found = look_around(
            places(self._data_dir, self._environment),
            self._environment,
            walk,
            self._headers,
            with_mlx=importlib.util.find_spec("mlx_lm") is not None,
        )
        self._headers.forget_unused()
        if walk.cut:
            logger.warning("There are more files in the folders of models than are looked through. Move some away.")
        for left in found.left_out:
            logger.info("%s is left out: %s", left.path, left.reason)
        memory = memory_now()
        ordered = preferred(
            found,
            packaged_models(self._data_dir),
            on_apple_silicon=self._on_apple_silicon,
            most_bytes=memory.total if memory else None,
        )
        self._found, self._models, self._last = found, {model.model_id: model for model in ordered}, walk


def preferred(
    found: Found, packaged: list[FoundModel], *, on_apple_silicon: bool, most_bytes: int | None
) -> list[FoundModel]:
    """Those named in the environment come first, then what the person has, in the order of the places, then packages;
    MLX first where it has its hardware, and last elsewhere. What is larger than all memory comes behind everything."""
    for_mlx = [model for model in found.placed if model.kind == "mlx"]
    for_llama = [model for model in found.placed if model.kind == "llama"]
    ordered = [*for_mlx, *for_llama, *packaged] if on_apple_silicon else [*for_llama, *packaged, *for_mlx]
    return [*found.named, *sorted(ordered, key=lambda model: most_bytes is not None and model.size > most_bytes)]
