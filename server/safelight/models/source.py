"""Turns a model id into a model: local ones by name, the test model only when it is named."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from safelight.engines.discovery import Discovery
from safelight.engines.engine import EngineSettings
from safelight.engines.slots import Slots
from safelight.errors import ModelMissing
from safelight.models.chat_model import NO_WISHES, EngineWishes
from safelight.models.local import LocalChatModel
from safelight.models.scripted import SCRIPTED, ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.engines.engine import GrammarName
    from safelight.engines.found_model import FoundModel
    from safelight.models.chat_model import ChatModel
    from safelight.settings import Routing

__all__ = ("Models", "settings_for")

_USUAL_TOKENS: Final = 8_192
_MLX_TOKENS: Final = 32_768
"""MLX takes memory as a conversation grows, and not for all of its context at once."""

_KEPT_MODELS: Final = 16
_SHOWN: Final = 10
"""Names in an error text."""


class Models:
    """Implements ``ModelSource`` for the models on this computer."""

    def __init__(
        self,
        data_dir: Path,
        *,
        environment: Mapping[str, str] | None = None,
        slots: Slots | None = None,
        discovery: Discovery | None = None,
        routing: Routing = "auto",
        copy_words: bool = True,
    ) -> None:
        self._data_dir = data_dir
        self._discovery = discovery or Discovery(data_dir, os.environ if environment is None else environment)
        self._slots = slots or Slots()
        self._routing = routing
        self._copy_words = copy_words
        self._local: dict[tuple[FoundModel, EngineWishes], LocalChatModel] = {}

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        """See ``ModelSource.resolve``."""
        if model_id.startswith(SCRIPTED):
            return ScriptedChatModel(Path(model_id.removeprefix(SCRIPTED)))
        found = self._discovery.find(model_id)
        if found is None:
            raise ModelMissing(self._missing(model_id))
        key = (found, wishes)
        model = self._local[key] = self._local.pop(key, None) or self._chat_model(found, wishes)
        while len(self._local) > _KEPT_MODELS:
            del self._local[next(iter(self._local))]
        return model

    def local_models(self) -> tuple[FoundModel, ...]:
        """The models on this computer, the preferred one first."""
        return self._discovery.models()

    def default_model_id(self) -> str | None:
        """The preferred local model, None when there is none."""
        return next((found.model_id for found in self.local_models()), None)

    async def look_around(self) -> None:
        """Find anew what has changed, off the event loop, so that what follows only has to remember it."""
        await asyncio.to_thread(self._discovery.models)

    async def close(self) -> None:
        """Unloads what is loaded."""
        self._discovery.stop()
        await self._slots.close()

    def _chat_model(self, found: FoundModel, wishes: EngineWishes) -> LocalChatModel:
        settings = settings_for(found, wishes, self._data_dir)
        return LocalChatModel(
            found.model_id,
            lambda: self._slots.engine_for(settings),
            context_window=_window(found, settings),
            small=found.small if self._routing == "auto" else self._routing == "always",
            copy_words=self._copy_words,
            sees=found.sees,
            refused=None if settings.grammar == "llguidance" else partial(_refused, settings.grammar),
        )

    def _missing(self, model_id: str) -> str:
        known = [found.model_id for found in self.local_models()]
        more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
        there = f"on this computer: {', '.join(known[:_SHOWN])}{more}" if known else "and none is on this computer"
        folder = self._data_dir / "models"
        unusable = [left.reason for left in self._discovery.left_out() if folder in left.path.parents]
        damaged = " " + " ".join(unusable[:_SHOWN]) if unusable else ""
        return (
            f"There is no model {model_id!r}; {there}. To add one, put a .gguf file into {folder}, "
            f"or get a small one with: pip install 'safelight[demo]'.{damaged}"
        )


def settings_for(found: FoundModel, wishes: EngineWishes, data_dir: Path) -> EngineSettings:
    """What the engine is asked for. MLX describes photos one after another, so that a conversation has all of its
    context."""
    is_mlx = found.kind == "mlx"
    usual = min(_MLX_TOKENS, found.context_window or _MLX_TOKENS) if is_mlx else _USUAL_TOKENS
    return EngineSettings(
        kind=found.kind,
        path=found.path,
        parts=found.parts,
        sha256=found.sha256,
        projector=found.projector,
        context_tokens=wishes.context_tokens or usual,
        parallel=1 if is_mlx else wishes.parallel or 1,
        grammar=wishes.grammar or "llguidance",
        cache_dir=data_dir / "cache",
    )


def _window(found: FoundModel, settings: EngineSettings) -> int:
    """What a conversation may take, as far as it is known before the model is loaded."""
    asked = settings.context_tokens // settings.parallel
    return min(asked, found.context_window or asked)


def _refused(grammar: GrammarName, schema: dict[str, Any]) -> str | None:
    # Imported late, since NumPy comes with it; llguidance, which holds every schema, is not asked.
    from safelight.engines.grammar import refused

    return refused(grammar, schema)
