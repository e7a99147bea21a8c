"""The plug-in's own Journal.lua behind the face of the model's journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

import lupa.lua51

from safelight.wire.models import BridgeResult
from tests.bridge.plugin_model import JournalState

__all__ = ("LuaJournal",)

SOURCE: Final = Path(__file__).parents[2] / "plugin" / "Safelight.lrplugin" / "Journal.lua"


class LuaJournal:
    """A fresh journal in a Lua of its own."""

    def __init__(self) -> None:
        lua: Any = lupa.lua51.LuaRuntime(unpack_returned_tuples=True)
        self._journal: Any = lua.execute(SOURCE.read_text(encoding="utf-8")).new()

    def state(self, command_id: str) -> JournalState:
        return cast("JournalState", self._journal.state(command_id))

    def answer(self, command_id: str) -> BridgeResult:
        return cast("BridgeResult", self._journal.answer(command_id))

    def seen(self) -> list[str]:
        return list(self._journal.seen().values())

    def begin(self, command_id: str) -> None:
        self._journal.begin(command_id)

    def finish(self, command_id: str, answer: BridgeResult) -> None:
        self._journal.finish(command_id, answer)
