"""Whether a model fits into the memory that is left, found out before anything of it is loaded."""

from __future__ import annotations

import glob
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.engines.free_memory import Memory, memory_now
from safelight.engines.gguf_header import read_gguf_header
from safelight.engines.mlx_folder import CONFIG, mlx_facts, read_config
from safelight.engines.model_facts import gguf_facts
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from safelight.engines.engine import EngineSettings
    from safelight.engines.model_facts import ModelFacts

__all__ = ("Need", "check_memory", "need_of", "refusal", "uses_graphics_memory")

_WORK_BYTES: Final = 300_000_000
"""For the library, the grammar and what is computed in between."""

_LEAST_CONTEXT: Final = 1_024
_STEP: Final = 1_024
_GROWN_TOKENS: Final = 8_192
"""MLX takes memory as a conversation grows; what a usual one takes must fit."""

_OTHERS_GIVE: Final = 8
"""This part of all memory can be had from other programs: weights that are mapped from their file need not all be in
memory at once, and what has not been used for long makes room."""

_GRAPHICS: Final = ("cuda", "hip", "vulkan", "sycl", "opencl")


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """What a model takes, in bytes. ``tokens`` of context take ``token_bytes`` each."""

    weights: int
    token_bytes: int
    tokens: int
    work: int = _WORK_BYTES

    @property
    def context(self) -> int:
        return self.token_bytes * self.tokens

    @property
    def altogether(self) -> int:
        return self.weights + self.context + self.work


def check_memory(settings: EngineSettings) -> None:
    """Raises ``ModelError``, in words with numbers, when the model cannot fit. What is not known refuses nothing."""
    memory = memory_now()
    if memory is None or (settings.kind == "llama" and uses_graphics_memory()):
        return
    need = need_of(settings)
    said = refusal(settings.path.name, need, memory) if need else None
    if said:
        raise ModelError(said)


def need_of(settings: EngineSettings) -> Need | None:
    """What loading would take; None where the files do not say it. Reads some kilobytes."""
    if settings.kind == "mlx":
        config = read_config(settings.path / CONFIG)
        files = settings.path.glob("*.safetensors")
        return _need(settings, mlx_facts(config, settings.path.name), files) if config is not None else None
    files = settings.parts or _all_parts(settings.path)
    try:
        facts = gguf_facts(read_gguf_header(files[0]))
    except ModelError:  # loading it says what is wrong
        return None
    return _need(settings, facts, [*files, *([settings.projector] if settings.projector else [])])


def refusal(name: str, need: Need, memory: Memory) -> str | None:
    """The sentences that say what is missing and what to do; None when it fits. What is written to must fit into the
    memory that is left, the weights in their file may need what others can give."""
    given = memory.available + memory.total // _OTHERS_GIVE
    room = min(given, memory.total) - need.weights
    room = min(room, memory.available)
    if need.context + need.work <= room:
        return None
    fitting = (room - need.work) // max(need.token_bytes, 1) // _STEP * _STEP
    smaller = f", or set context_tokens to at most {fitting:,}" if _LEAST_CONTEXT <= fitting < need.tokens else ""
    return (
        f"{name} does not fit into memory: it takes about {_gb(need.altogether)} ({_gb(need.weights)} of weights and "
        f"{_gb(need.context)} for {need.tokens:,} tokens of context), and {_gb(memory.available)} of "
        f"{_gb(memory.total)} are free. Close other programs, choose a smaller model{smaller}."
    )


def uses_graphics_memory(folder: Path | None = None) -> bool:
    """Whether llama.cpp here was built for a graphics card with a memory of its own, of which nothing is known. On a
    Mac both have the same. Looked up by the names of its libraries in ``folder``, so that nothing is loaded for it."""
    if folder is None:
        if sys.platform == "darwin":
            return False
        spec = importlib.util.find_spec("llama_cpp")
        places = list(spec.submodule_search_locations or ()) if spec else []
        folder = Path(places[0]) / "lib" if places else Path("/nowhere")
    return any(f"ggml-{kind}" in file.name for kind in _GRAPHICS for file in folder.glob("*ggml-*"))


def _need(settings: EngineSettings, facts: ModelFacts, files: Iterable[Path]) -> Need | None:
    if facts.token_bytes is None:
        return None
    tokens = min(settings.context_tokens, _GROWN_TOKENS) if settings.kind == "mlx" else settings.context_tokens
    if facts.context_window:
        tokens = min(tokens, facts.context_window * settings.parallel)
    try:
        weights = sum(file.stat().st_size for file in files)
    except OSError:
        return None
    return Need(weights=weights, token_bytes=facts.token_bytes, tokens=tokens)


def _all_parts(path: Path) -> tuple[Path, ...]:
    name, mark, total = path.stem.rpartition("-of-")
    if not (mark and total.isdecimal() and name.endswith("-00001")):
        return (path,)
    parts = path.parent.glob(f"{glob.escape(name.removesuffix('00001'))}*{mark}{total}{path.suffix}")
    return tuple(sorted(parts)) or (path,)


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
