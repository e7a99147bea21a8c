"""The local models that installed packages carry, opened for measuring."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

from safelight.engines.discovery import find_models
from safelight.engines.engine import EngineSettings
from safelight.engines.found_model import FoundModel
from safelight.engines.llama import LlamaEngine
from safelight.engines.llama_library import llama
from safelight.engines.llama_vocabulary import Vocabulary
from safelight.engines.packaged import put_together

__all__ = ("opened_vocabulary", "smollm2", "smollm2_engine", "vocabulary_models")


def vocabulary_models(folder: Path) -> tuple[FoundModel, ...]:
    """The models, each as one file; one that comes in parts is put together in ``folder``."""
    models = find_models(folder, {})
    for model in models:
        if model.parts:
            put_together(model.path, model.parts, model.sha256)
    return models


@contextlib.contextmanager
def opened_vocabulary(model: FoundModel) -> Generator[Vocabulary, None, None]:
    """The vocabulary without the weights."""
    llama.llama_log_set(_silent, None)
    params = llama.llama_model_default_params()
    params.vocab_only = True
    loaded = llama.llama_model_load_from_file(str(model.path).encode(), params)
    assert loaded, model.path
    try:
        yield Vocabulary(loaded)
    finally:
        llama.llama_model_free(loaded)


@llama.llama_log_callback
def _silent(level: int, text: bytes, data: Any) -> None:
    del level, text, data


def smollm2(folder: Path) -> FoundModel:
    """The model that every installation for development has."""
    return next(model for model in find_models(folder, {}) if model.model_id == "llama:smollm2-135m")


@contextlib.asynccontextmanager
async def smollm2_engine(folder: Path) -> AsyncGenerator[tuple[FoundModel, LlamaEngine], None]:
    """The engine with that model, as the service makes it."""
    model = smollm2(folder)
    engine = LlamaEngine(EngineSettings(path=model.path))
    try:
        yield model, engine
    finally:
        await engine.close()
