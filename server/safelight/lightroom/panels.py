"""Open dialogs and the plug-in's section in the Plug-in Manager, for whoever plays the person at the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from safelight.lightroom.lua_value import mapping, plain, sequence, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.lightroom.kernel import Kernel
    from safelight.lightroom.scheduler import Scheduler
    from safelight.lightroom.screen import Screen

__all__ = ("FieldRefused", "ManagerView", "Modals", "Panel")


class ManagerView(Struct, frozen=True):
    """One control; ``key`` is what it is bound to, a preference or a property of the dialog."""

    kind: str
    title: str
    key: str | None
    value: Any
    enabled: bool


class FieldRefused(Exception):
    """The plug-in does not take what was filled in; the text is what it says."""


class Panel:
    """The controls of one dialog, in reading order. Methods may be called from any thread."""

    def __init__(
        self, kernel: Kernel, scheduler: Scheduler, number: int, end: Callable[[], None] | None = None
    ) -> None:
        self._kernel = kernel
        self._scheduler = scheduler
        self._number = number
        self._end = end
        self.origin = f"panel {number}"
        """Whose end tells that everything that was started by a button here is over."""

    def views(self) -> list[ManagerView]:
        """The controls as they are now."""

        def read() -> list[ManagerView]:
            views = [mapping(view) for view in sequence(self._kernel.call("panelViews", self._number))]
            return [
                ManagerView(
                    view["kind"], view.get("title") or "", view.get("key"), plain(view.get("value")), view["enabled"]
                )
                for view in views
            ]

        return self._scheduler.call(read)

    def texts(self) -> list[str]:
        """What there is to read, titles of buttons included."""
        return [view.title for view in self.views() if view.title]

    def value(self, key: str) -> Any:
        """What the control that is bound to ``key`` shows."""
        return self.views()[self._index_of_key(key)].value

    def press(self, title: str, *, beside: str = "") -> None:
        """Presses the first button of that title, or the first after the text ``beside``."""
        views = self.views()
        start = next(index for index, view in enumerate(views) if view.title == beside) if beside else 0
        index = next(
            index
            for index in range(start, len(views))
            if (views[index].kind, views[index].title) == ("push_button", title)
        )
        if not views[index].enabled:
            raise ValueError(f"the button {title!r} is not enabled")
        self._scheduler.call(lambda: self._kernel.call("pressButton", self._number, index + 1, self.origin))

    def fill(self, key: str, value: str | bool) -> None:
        """Puts a value into the control that is bound to ``key``. Raises ``FieldRefused``."""
        index = self._index_of_key(key)
        refused = self._scheduler.call(lambda: self._kernel.call("fillField", self._number, index + 1, value))
        if refused is not None:
            raise FieldRefused(plain(refused))

    def close(self) -> None:
        """Ends the dialog."""
        if self._end is not None:
            self._scheduler.call(self._end)

    def fail(self, message: str) -> None:
        """Has whoever waits for the plug-in see a failure."""
        self._kernel.record(message)

    def _index_of_key(self, key: str) -> int:
        keys = [view.key for view in self.views()]
        if key not in keys:
            raise ValueError(f"nothing is bound to {key!r} among {[name for name in keys if name]}")
        return keys.index(key)


class Modals:
    """Modal dialogs: the task that opens one waits until the screen's next visitor has answered it."""

    REFUSABLE: Final = ""
    PLAIN: Final = ""
    WAITS: Final = "modal"

    def __init__(self, screen: Screen, scheduler: Scheduler) -> None:
        self._screen = screen
        self._scheduler = scheduler
        self.kernel: Kernel | None = None

    def panel(self, number: int, end: Callable[[], None] | None = None) -> Panel:
        """The panel of that number; the kernel is there by then."""
        if self.kernel is None:
            raise RuntimeError("Lightroom has not been started")
        return Panel(self.kernel, self._scheduler, number, end)

    def modal(self, task: int, title: bytes, number: int) -> None:
        panel = self.panel(number)
        shown = [str(view.value) for view in panel.views() if view.kind != "password_field" and view.value is not None]
        self._screen.dialog(b"modal", title, "\n".join(panel.texts() + shown).encode())
        answer = "cancel"
        if self._screen.visitors:
            try:
                answer = self._screen.visitors.popleft()(panel)
            except Exception as error:  # noqa: BLE001 - shown to whoever waits for the plug-in, as its own failures are
                panel.fail(f"the visitor of {text(title)!r} failed: {error!r}")
        self._scheduler.resume(task, answer.encode())
