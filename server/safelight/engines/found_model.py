"""A model that is on this computer."""

from __future__ import annotations

from pathlib import Path

import msgspec

from safelight.engines.engine import EngineKind

__all__ = ("FoundModel",)


class FoundModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that could be loaded from ``path``: a GGUF file, or a folder for MLX. Where ``parts`` are given, ``path``
    is made from them first."""

    model_id: str
    kind: EngineKind = "llama"
    title: str
    path: Path
    parts: tuple[Path, ...] = ()
    sha256: str = ""
    small: bool
    """Under about a billion parameters: it needs worked examples."""
    size: int
    """Bytes of its weights."""
    context_window: int | None = None
    """Tokens that it was made to read; None where that is not known."""
    parameters: int | None = None
    projector: Path | None = None

    @property
    def sees(self) -> bool:
        """Whether it takes pictures here."""
        return self.projector is not None
