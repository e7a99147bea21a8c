"""Turns a model id into a model: local ones by name, the test model only when it is named."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from safelight.engines.discovery import FoundModel, find_models
from safelight.engines.engine import EngineSettings
from safelight.engines.slots import Slots
from safelight.errors import ModelMissing
from safelight.models.chat_model import NO_WISHES, EngineWishes
from safelight.models.local import LocalChatModel
from safelight.models.scripted import SCRIPTED, ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.models.chat_model import ChatModel

__all__ = ("Models",)


class Models:
    """Implements ``ModelSource`` for the models on this computer."""

    def __init__(
        self, data_dir: Path, *, environment: Mapping[str, str] | None = None, slots: Slots | None = None
    ) -> None:
        self._data_dir = data_dir
        self._environment = os.environ if environment is None else environment
        self._slots = slots or Slots()
        self._local: dict[tuple[FoundModel, EngineWishes], LocalChatModel] = {}

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        """See ``ModelSource.resolve``."""
        if model_id.startswith(SCRIPTED):
            return ScriptedChatModel(Path(model_id.removeprefix(SCRIPTED)))
        for found in self.local_models():
            if found.model_id == model_id:
                return self._local.setdefault((found, wishes), self._chat_model(found, wishes))
        raise ModelMissing(self._missing(model_id))

    def local_models(self) -> tuple[FoundModel, ...]:
        """The models on this computer, the preferred one first."""
        return find_models(self._data_dir, self._environment)

    def default_model_id(self) -> str | None:
        """The preferred local model, None when there is none."""
        return next((found.model_id for found in self.local_models()), None)

    async def close(self) -> None:
        """Unloads what is loaded."""
        await self._slots.close()

    def _chat_model(self, found: FoundModel, wishes: EngineWishes) -> LocalChatModel:
        wished = {name: value for name, value in msgspec.structs.asdict(wishes).items() if value is not None}
        settings = EngineSettings(path=found.path, parts=found.parts, sha256=found.sha256, **wished)
        return LocalChatModel(
            found.model_id,
            lambda: self._slots.engine_for(settings),
            context_window=settings.context_tokens // settings.parallel,
            small=found.small,
        )

    def _missing(self, model_id: str) -> str:
        known = [found.model_id for found in self.local_models()]
        there = f"on this computer: {', '.join(known)}" if known else "and none is on this computer"
        return (
            f"There is no model {model_id!r}; {there}. To add one, put a .gguf file into {self._data_dir / 'models'}, "
            "or get a small one with: pip install 'safelight[demo]'"
        )
