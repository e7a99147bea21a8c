"""Loads a GGUF file into llama.cpp, and says in words why it could not."""

from __future__ import annotations

import collections
import ctypes
import hashlib
import logging
import os
from typing import TYPE_CHECKING, Any, Final

from safelight.engines.llama_library import llama
from safelight.errors import ModelError, ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from safelight.engines.engine import EngineSettings

__all__ = (
    "BATCH",
    "CHOICES",
    "CHOICE_TOKENS",
    "check_file",
    "load_model",
    "model_identity",
    "open_choices",
    "open_context",
    "said",
    "to_logging",
    "why_not",
    "window_of",
)

BATCH: Final = 256
"""Tokens evaluated in one go."""

CHOICES: Final = 56
"""Openings that are held at once."""

CHOICE_TOKENS: Final = 256
"""Room for each of them with the text that is compared; llama.cpp rounds up to this."""

_SAMPLE_BYTES: Final = 1 << 20

_log = logging.getLogger(__name__)
said: collections.deque[str] = collections.deque(maxlen=20)
"""llama.cpp's last lines."""


@llama.llama_log_callback
def to_logging(_level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    # llama.cpp would write to stderr. Nothing of it is for people: stopping, too, counts as an error there.
    line = text.decode(errors="replace").rstrip()
    said.append(line)
    _log.debug("%s", line)


def load_model(path: Path, keep_going: Callable[[], bool]) -> Any:
    """The model; its memory is the caller's to free. Ends early, with ``ModelError``, when ``keep_going`` says no."""
    check_file(path)
    llama.llama_log_set(to_logging, ctypes.c_void_p(0))
    llama.llama_backend_init()
    params = llama.llama_model_default_params()
    params.n_gpu_layers = -1

    def loading(_progress: float, _data: object) -> bool:
        return keep_going()

    callback = llama.llama_progress_callback(loading)
    params.progress_callback = callback
    said.clear()
    model = llama.llama_model_load_from_file(str(path).encode(), params)
    if not model:
        if not keep_going():
            raise ModelError("The model has been unloaded. Send the message again.")
        raise ModelError(why_not(path.name, "\n".join(said)))
    return model


def window_of(model: Any, settings: EngineSettings) -> int:
    """Tokens of one conversation: its part of what is asked for, or what the model was made for where that is less."""
    trained: int = llama.llama_model_n_ctx_train(model)
    part = settings.context_tokens // max(settings.parallel, 1)
    return min(part, trained) if trained > 0 else part


def open_context(model: Any, settings: EngineSettings, window: int, batch: int) -> Any:
    """A context with a conversation in sequence 0. It reads at most ``batch`` tokens in one go."""
    params = _context_params(settings, batch)
    params.n_ctx = window * max(settings.parallel, 1)
    params.kv_unified = True
    return _opened(model, settings, params)


def open_choices(model: Any, settings: EngineSettings) -> Any:
    """A context with room for openings in sequences 0 to ``CHOICES`` - 1. Each has memory of its own: in one that they
    share, every token would be compared with those of all others."""
    params = _context_params(settings, BATCH)
    params.n_ctx = CHOICES * CHOICE_TOKENS
    params.n_seq_max = CHOICES
    params.kv_unified = False
    return _opened(model, settings, params)


def _context_params(settings: EngineSettings, batch: int) -> Any:
    params = llama.llama_context_default_params()
    params.n_batch = params.n_ubatch = batch
    # Without it a sliding-window layer forgets what it would need to go back to the end of the shared part.
    params.swa_full = True
    params.flash_attn_type = _flash_attention()
    params.n_threads = params.n_threads_batch = settings.threads or os.cpu_count() or 1
    params.no_perf = True
    return params


def _opened(model: Any, settings: EngineSettings, params: Any) -> Any:
    context = llama.llama_init_from_model(model, params)
    if not context:
        raise ModelError(
            f"There is not enough memory for {settings.path.name} with {settings.context_tokens:,} tokens. Close other "
            "programs, or choose a smaller window or a smaller model."
        )
    return context


def model_identity(path: Path) -> bytes:
    """What stands for the file and for everything else that makes an evaluated state what it is."""
    facts = path.stat()
    digest = hashlib.sha256(repr((facts.st_size, facts.st_mtime_ns, llama.__version__, _flash_attention())).encode())
    with path.open("rb") as file:
        digest.update(file.read(_SAMPLE_BYTES))
        file.seek(max(0, facts.st_size - _SAMPLE_BYTES))
        digest.update(file.read(_SAMPLE_BYTES))
    return digest.digest()


def _flash_attention() -> int:
    # On a processor it takes five times as long for the few new tokens of a second turn.
    gpu: bool = llama.llama_supports_gpu_offload()
    return llama.LLAMA_FLASH_ATTN_TYPE_AUTO if gpu else llama.LLAMA_FLASH_ATTN_TYPE_DISABLED


def check_file(path: Path) -> None:
    """Raises ``ModelError`` for a file that is missing, cannot be read, or is no GGUF file."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except FileNotFoundError as error:
        raise ModelMissing(f"The model file {path} is not there any more.") from error
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
    if magic != b"GGUF":
        raise ModelError(f"{path.name} is no GGUF file; llama.cpp reads only those.")


def why_not(name: str, lines: str) -> str:
    """In words, why the file ``name`` was not loaded, from llama.cpp's last lines."""
    if "not within the file bounds" in lines or "failed to read" in lines or "failed to seek" in lines:
        return f"{name} is cut off or damaged. Download it again."
    if "unknown model architecture" in lines:
        return f"{name} is of a kind that this version does not know. Update Safelight, or choose another model."
    if "alloc" in lines or "out of memory" in lines:
        return f"There is not enough memory for {name}. Close other programs, or choose a smaller model."
    return f"{name} could not be loaded. It may be damaged or too new; download it again."
