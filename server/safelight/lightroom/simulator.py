"""A simulated Lightroom Classic that runs the plug-in's own Lua on a simulated catalog.

The doubles of the SDK are strict: what the real one refuses throws here. Everything of Lua happens in one thread; the
public methods may be called from any other.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safelight.lightroom.catalog_calls import CatalogCalls
from safelight.lightroom.clock import Clock, SystemClock
from safelight.lightroom.collection_calls import CollectionCalls
from safelight.lightroom.computer import Computer
from safelight.lightroom.develop_calls import DevelopCalls
from safelight.lightroom.disk import Disk
from safelight.lightroom.exports import Exports
from safelight.lightroom.faults import Faults
from safelight.lightroom.kernel import Kernel, PluginError, new_lua
from safelight.lightroom.keyword_calls import KeywordCalls
from safelight.lightroom.lua_value import LuaTable, mapping, sequence, text
from safelight.lightroom.panels import ManagerView, Modals, Panel
from safelight.lightroom.plugin_folder import plugin_folder as default_plugin_folder
from safelight.lightroom.scheduler import Scheduler
from safelight.lightroom.screen import Dialog, Screen
from safelight.lightroom.system_calls import Preferences, System, SystemCalls, this_system
from safelight.lightroom.thumbnails import Thumbnails

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.lightroom.catalog import Catalog

__all__ = ("MenuRefused", "SimulatedLightroom")


class MenuRefused(Exception):
    """A menu item showed a dialog instead of doing what it is for; the text is the dialog's."""


def _unchanged(file: str, source: str) -> str:
    return source


class SimulatedLightroom(Faults):
    """Lightroom with one catalog open and the plug-in installed.

    ``data_folder`` is where the plug-in looks for the service; None leaves it to the plug-in. ``language`` is the one
    of Lightroom's menus. ``transform`` changes the source of the plug-in's files when they are loaded (for tests that
    break it on purpose). With a ``ManualClock`` time passes only through ``advance``.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        data_folder: Path | None,
        plugin_folder: Path | None = None,
        clock: Clock | None = None,
        system: System | None = None,
        home: str | None = None,
        language: str = "en",
        is_strict: bool = True,
        transform: Callable[[str, str], str] = _unchanged,
    ) -> None:
        self.catalog = catalog
        self.screen = Screen()
        self.computer = Computer()
        self.prefs: Preferences = {} if data_folder is None else {"dataFolder": str(data_folder)}
        self.scheduler = Scheduler(clock or SystemClock())
        self._lua = new_lua()
        self._thumbnails = Thumbnails(self.scheduler, catalog.pictures)
        self._disk = Disk(self._lua, catalog)
        self._exports = Exports(catalog, self.scheduler, self._disk)
        self._system = SystemCalls(
            clock=self.scheduler.clock,
            screen=self.screen,
            prefs=self.prefs,
            system=system or this_system(),
            home=home or str(Path.home()),
            plugin=plugin_folder or default_plugin_folder(),
            language=language,
            transform=transform,
        )
        self._calls = CatalogCalls(self._lua, catalog, self.scheduler, self._thumbnails, is_strict=is_strict)
        collections = CollectionCalls(self._lua, catalog)
        keywords = KeywordCalls(self._lua, catalog, self.scheduler)
        self._develop = DevelopCalls(self._lua, catalog, self.scheduler)
        groups = [self._calls, collections, keywords, self._develop, self._system, self._disk, self._exports]
        self._modals = Modals(self.screen, self.scheduler)
        groups += [self.screen, self._modals, self.computer]
        self._kernel = Kernel(self._lua, self.scheduler, groups)
        self._thumbnails.deliver = self._deliver_thumbnail
        self._modals.kernel = self._kernel
        self._info: dict[str, Any] = {}
        self._menu_runs = 0
        self._is_closed = threading.Event()

    # --- starting and ending -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts Lightroom: loads Info.lua and runs the start script. Raises ``PluginError`` when either throws."""
        self.scheduler.start()
        self.scheduler.call(self._load)

    def reload_plugin(self) -> None:
        """What the Plug-in Manager's Reload does: the old plug-in's tasks run on unless they end themselves."""

        def reload() -> None:
            self._kernel.call("runScript", self._info["LrShutdownPlugin"], "shutdown")
            self._load()

        self.scheduler.call(reload)

    def close(self) -> None:
        """Quits Lightroom: runs the shutdown script and ends at once, whatever is under way. May be called again."""
        if self._is_closed.is_set():
            return
        self._is_closed.set()
        try:
            if self._info:
                self.scheduler.call(lambda: self._kernel.call("shutdown", self._info["LrShutdownApp"]))
        finally:
            self._end()

    def kill(self) -> None:
        """Ends Lightroom as the system kills a program: no script runs any more, requests break off, and of a gate that
        is open nothing is kept. Another one may be started on the same catalog. May be called again.
        """
        if self._is_closed.is_set():
            return
        self._is_closed.set()
        self.catalog.close_gate(commit=False)
        self._end()

    def _end(self) -> None:
        self._kernel.close()
        self._thumbnails.close()
        self._exports.close()
        self.scheduler.close()

    def __enter__(self) -> SimulatedLightroom:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _load(self) -> None:
        info = self._kernel.call("loadPlugin")
        self._info = {key: value for key, value in mapping(info).items()}
        self._kernel.call("runScript", self._info["LrInitPlugin"], "init")
        self._kernel.call("endOf", "init")

    def _deliver_thumbnail(self, number: int, jpeg: bytes | None, reason: bytes | None) -> bool:
        return bool(self._kernel.call("deliverThumbnail", number, jpeg, reason))

    # --- the person at the screen --------------------------------------------------------------------------------

    def menu_titles(self) -> list[str]:
        """The items under Library > Plug-in Extras."""
        return [item["title"] for item in self._menu_items()]

    def choose_menu_item(self, title: str, timeout: float = 90.0) -> str | None:
        """Runs a menu item to its end. Returns the page that it opened in the browser, or None for an item that opens
        none. Raises ``MenuRefused`` with the dialog's text when it showed one instead, ``PluginError`` when it threw.
        """
        file = next((item["file"] for item in self._menu_items() if item["title"] == title), None)
        if file is None:
            raise ValueError(f"there is no menu item {title!r} among {self.menu_titles()}")
        self._menu_runs += 1
        origin = f"menu {self._menu_runs}"
        self.screen.opened_urls.clear()
        dialogs, errors = len(self.screen.dialogs), len(self._kernel.errors)
        self.scheduler.call(lambda: self._kernel.call("runScript", file, origin))
        self._wait_for_end_of(origin, timeout)
        if len(self._kernel.errors) > errors:
            raise self._kernel.errors[errors]
        if self.screen.opened_urls:
            return self.screen.opened_urls[-1]
        shown = [dialog for dialog in list(self.screen.dialogs)[dialogs:] if dialog.style not in ("bezel", "modal")]
        if shown:
            raise MenuRefused(shown[-1].text)
        return None

    def history_of(self, uuid: str) -> tuple[str, ...]:
        """The steps of the photo's history that were made since the start, oldest first."""
        return self._develop.history_of(self.catalog.photo(uuid).local_id)

    def manager_section(self) -> list[ManagerView]:
        """Opens the Plug-in Manager, reads the plug-in's section and closes it again."""
        manager = self.open_manager()
        try:
            return manager.views()
        finally:
            manager.close()

    def open_manager(self) -> Panel:
        """Opens the Plug-in Manager; what is returned is the plug-in's section in it, to be closed in the end."""

        def open_it() -> Panel:
            number, end = self._kernel.call("openManager", self._info["LrPluginInfoProvider"], "manager")
            return self._modals.panel(number, end)

        return self.scheduler.call(open_it)

    def wait_for_buttons(self, panel: Panel, timeout: float = 30.0) -> None:
        """Waits until all that was started by the buttons of a panel is over; raises what it threw."""
        errors = len(self._kernel.errors)
        self._wait_for_end_of(panel.origin, timeout)
        if len(self._kernel.errors) > errors:
            raise self._kernel.errors[errors]

    def dialogs(self) -> list[Dialog]:
        return list(self.screen.dialogs)

    def _menu_items(self) -> list[dict[str, Any]]:
        items: LuaTable = self._info["LrLibraryMenuItems"]
        return self.scheduler.call(lambda: [mapping(item) for item in sequence(items)])

    def _wait_for_end_of(self, origin: str, timeout: float) -> None:
        ends = time.monotonic() + timeout
        while self.scheduler.call(lambda: self._kernel.call("countTasks", origin)):
            if time.monotonic() > ends:
                raise TimeoutError(f"The menu item did not end within {timeout:.0f} seconds.")
            self._is_closed.wait(0.005)

    # --- what happened -------------------------------------------------------------------------------------------

    @property
    def errors(self) -> tuple[PluginError, ...]:
        """What the plug-in threw where nothing caught it."""
        return tuple(self._kernel.errors)

    @property
    def log(self) -> list[tuple[str, str]]:
        """Level and text of each line that the plug-in logged."""
        return list(self.screen.log)

    def advance(self, seconds: float, *, patience: float = 0.02) -> None:
        """Lets virtual time pass; needs a ``ManualClock``. Before each step of it, HTTP answers are waited for, as long
        as ``patience`` says in real seconds; a poll that the service holds would hold up time otherwise.
        """
        self.scheduler.advance(seconds, patience)

    def sdk_names(self) -> dict[str, set[str]]:
        """The names that the doubles offer, by module or class."""

        def read() -> dict[str, set[str]]:
            names: LuaTable = self._kernel.call("sdkNames")
            return {text(key): {text(name) for name in sequence(value)} for key, value in names.items()}

        return self.scheduler.call(read)

    def run_lua(self, source: str, timeout: float = 10.0) -> None:
        """Runs a snippet in a task, as if it stood in the plug-in, and waits for its end; raises what it throws."""
        self._menu_runs += 1
        origin, errors = f"snippet {self._menu_runs}", len(self._kernel.errors)
        self.scheduler.call(lambda: self._kernel.call("runSnippet", source, origin))
        self._wait_for_end_of(origin, timeout)
        if len(self._kernel.errors) > errors:
            raise self._kernel.errors[errors]

    def run_menu_script(self, file: str) -> None:
        """Runs a file of the plug-in outside any task and does not wait for tasks that it starts."""
        self.scheduler.call(lambda: self._kernel.call("runScript", file, file))

    @property
    def live_tasks(self) -> int:
        """How many of the plug-in's tasks have not ended."""
        return self.scheduler.call(lambda: self._kernel.call("countTasks"))

    def start_lua(self, source: str) -> None:
        """Starts a snippet in a task and does not wait for it."""
        self._menu_runs += 1
        origin = f"snippet {self._menu_runs}"
        self.scheduler.call(lambda: self._kernel.call("runSnippet", source, origin))

    def run_lua_script(self, source: str) -> None:
        """Runs a snippet outside any task, as a menu script's first lines; raises what it throws."""
        self.scheduler.call(lambda: self._kernel.call("runLoose", source))
