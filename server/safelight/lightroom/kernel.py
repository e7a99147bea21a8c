"""Loads the Lua doubles into a Lua 5.1 of their own and carries out what tasks wait for."""

from __future__ import annotations

import logging
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from lupa.lua51 import LuaError, LuaRuntime

from safelight.lightroom.http_worker import Answer, HttpWorkers, NoAnswer, Request
from safelight.lightroom.lua_value import LuaEngine, LuaTable, mapping, sequence, text, to_lua
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.lightroom.scheduler import Scheduler

__all__ = ("Kernel", "PluginError", "new_lua")

_FILES = (
    "strict",
    "tasks",
    "collection",
    "keyword",
    "export",
    "develop",
    "preset",
    "virtual_copy",
    "photo",
    "catalog",
    "system",
    "view",
    "screen",
    "progress",
    "sandbox",
)

_log = logging.getLogger(__name__)


class PluginError(Exception):
    """The plug-in's Lua threw where nothing caught it; the text has Lua's traceback."""


def new_lua() -> LuaEngine:
    """Lua 5.1, not LuaJIT: there a yield inside pcall works and would hide what fails in Lightroom."""
    runtime: Any = LuaRuntime
    return cast(
        "LuaEngine", runtime(unpack_returned_tuples=True, register_eval=False, register_builtins=False, encoding=None)
    )


def _refusable(call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(*arguments: Any) -> Any:
        try:
            return True, call(*arguments)
        except LightroomRefusal as refusal:
            return False, str(refusal).encode()

    return guarded


class Kernel:
    """``calls`` are objects with the functions that Lua may call, named in their REFUSABLE and PLAIN; those in WAITS
    get the task that waits for them and resume it themselves.
    """

    def __init__(self, lua: LuaEngine, scheduler: Scheduler, calls: list[Any]) -> None:
        self._lua = lua
        self._scheduler = scheduler
        self._http = HttpWorkers()
        self.errors: list[PluginError] = []
        host: dict[bytes, Callable[..., Any]] = {b"spawn": scheduler.new_task, b"others_wait": scheduler.has_ready}
        host[b"must_wait"] = scheduler.must_wait
        self._waits: dict[bytes, Callable[..., None]] = {}
        for group in calls:
            host.update({name.encode(): _refusable(getattr(group, name)) for name in group.REFUSABLE.split()})
            host.update({name.encode(): getattr(group, name) for name in group.PLAIN.split()})
            self._waits.update({name.encode(): getattr(group, name) for name in getattr(group, "WAITS", "").split()})
        self._table = lua.table_from({b"host": lua.table_from(host), b"sdk": lua.table()})
        for name in _FILES:
            source = files("safelight.lightroom").joinpath("sdk", f"{name}.lua").read_bytes()
            lua.execute(source, self._table, name=f"@sdk/{name}.lua".encode())
        self._step = self._table[b"step"]
        scheduler.step = self.step

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the kernel; raises ``PluginError`` with what the plug-in threw."""
        try:
            return self._table[name.encode()](*[to_lua(self._lua, argument) for argument in arguments])
        except LuaError as error:
            raise self.record(str(error)) from None

    def record(self, message: str) -> PluginError:
        error = PluginError(message)
        self.errors.append(error)
        _log.error("the plug-in failed: %s", message)
        return error

    def close(self) -> None:
        self._http.close()

    def step(self, task: int, values: tuple[object, ...]) -> None:
        """Resumes a task and arranges for what it waits for."""
        outcome = self._step(task, *values)
        parts: tuple[Any, ...] = cast("tuple[Any, ...]", outcome) if isinstance(outcome, tuple) else (outcome, None)
        operation, details = parts[0], parts[1:]
        if operation == b"turn":
            self._scheduler.resume(task)
        elif operation == b"trip":
            self._scheduler.resume_after_dialog(task)
        elif operation == b"sleep":
            self._scheduler.after(details[0], lambda: self._scheduler.resume(task))
        elif operation == b"gate":
            self._scheduler.gate.ask(task, details[0])
        elif operation == b"http":
            self._send(task, *details)
        elif operation == b"failed":
            self.record(text(details[0]))
        elif operation in self._waits:
            self._waits[operation](task, *details)

    def _send(
        self, task: int, method: bytes, url: bytes, body: bytes | None, headers: LuaTable, timeout: float
    ) -> None:
        fields = [mapping(header) for header in sequence(headers)]
        request = Request(
            text(method), text(url), body, [(field["field"], field["value"]) for field in fields], timeout
        )
        finish = self._scheduler.outside()
        self._http.send(request, lambda answer: finish(lambda: self._answered(task, answer)))

    def _answered(self, task: int, answer: Answer | NoAnswer) -> None:
        lua = self._lua
        if isinstance(answer, NoAnswer):
            error = {"errorCode": answer.code, "name": answer.reason, "nativeCode": 0}
            self._scheduler.resume(task, None, to_lua(lua, {"error": error}))
            return
        info = to_lua(lua, [{"field": field, "value": value} for field, value in answer.headers])
        info[b"status"] = answer.status
        self._scheduler.resume(task, answer.body, info)
