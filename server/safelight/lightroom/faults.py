"""What can go wrong in and around Lightroom, to be switched on from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from safelight.lightroom.catalog import Catalog
    from safelight.lightroom.catalog_calls import CatalogCalls
    from safelight.lightroom.develop_calls import DevelopCalls
    from safelight.lightroom.disk import Disk
    from safelight.lightroom.exports import Exports
    from safelight.lightroom.scheduler import Scheduler
    from safelight.lightroom.system_calls import SystemCalls
    from safelight.lightroom.thumbnails import ThumbnailMode, Thumbnails

__all__ = ("Faults",)


class Faults:
    """The switches; the simulated Lightroom has them all."""

    catalog: Catalog
    scheduler: Scheduler
    _thumbnails: Thumbnails
    _disk: Disk
    _develop: DevelopCalls
    _exports: Exports
    _system: SystemCalls
    _calls: CatalogCalls

    # --- the computer --------------------------------------------------------------------------------------------

    def set_clock(self, seconds: float) -> None:
        """Somebody, or a time server, sets the computer's clock: forward, or back where it is negative. Sleeps are as
        long as before.
        """
        self._system.clock_error += seconds

    # --- the catalog ---------------------------------------------------------------------------------------------

    def busy_for(self, seconds: float) -> None:
        """Another part of Lightroom holds the catalog for that long."""
        self.scheduler.call(lambda: self.scheduler.gate.busy_for(seconds))

    def busy_after_gates(self, gates: int, seconds: float) -> None:
        """Another part of Lightroom takes the catalog for that long as soon as so many more gates are closed."""
        self.scheduler.call(lambda: self.scheduler.gate.busy_after(gates, seconds))

    def show_dialog_for(self, seconds: float) -> None:
        """A modal dialog, such as the Plug-in Manager, is open for that long: reads of the catalog wait for its end,
        and no gate opens.
        """
        self.scheduler.call(lambda: self.scheduler.show_dialog(seconds))

    @property
    def waiting_for_gate(self) -> int:
        """How many tasks wait for the catalog."""
        return self.scheduler.gate.waiting

    # --- keywords ------------------------------------------------------------------------------------------------

    def break_keyword_children(self, *path: str) -> None:
        """Lightroom throws when it is to list what stands below the keyword with these names."""
        self.catalog.keywords.unreadable.add(self.catalog.keywords.find(*path).local_id)

    def break_keyword_name(self, *path: str) -> None:
        """Lightroom throws when it is to name that keyword."""
        self.catalog.keywords.nameless.add(self.catalog.keywords.find(*path).local_id)

    # --- the selection -------------------------------------------------------------------------------------------

    def settle_selection_after(self, seconds: float) -> None:
        """What the plug-in selects is selected that much later."""
        self._calls.selection_settle_seconds = seconds

    # --- pictures ------------------------------------------------------------------------------------------------

    def answer_thumbnails(self, mode: ThumbnailMode, *, after: float = 0.0) -> None:
        """How thumbnails are answered from now on, and how many seconds late."""
        self._thumbnails.answer(mode, after)

    @property
    def dropped_thumbnails(self) -> int:
        """Requests that the plug-in let go before they were answered."""
        return self._thumbnails.dropped

    def take_offline(self, uuids: Iterable[str]) -> None:
        """The files of these photos cannot be reached, as on a drive that is not connected."""
        self._set_offline(uuids, is_offline=True)

    def bring_back(self, uuids: Iterable[str]) -> None:
        self._set_offline(uuids, is_offline=False)

    def _set_offline(self, uuids: Iterable[str], *, is_offline: bool) -> None:
        paths = {self.catalog.photo(uuid).path for uuid in uuids}
        for photo in self.catalog.photos():
            if photo.path in paths:
                # a virtual copy shares the file of its master
                self.catalog.change_photo(photo.local_id, is_offline=is_offline)

    # --- develop settings ----------------------------------------------------------------------------------------

    def settle_develop_after(self, seconds: float) -> None:
        """A photo's develop settings are read as they were for that long after each write; Auto takes a second."""
        self._develop.settle_seconds = seconds

    def settle_copies_after(self, seconds: float) -> None:
        """A photo's virtual copies are told without a new one for that long."""
        self._develop.copies_settle_seconds = seconds

    # --- exports -------------------------------------------------------------------------------------------------

    def fill_disk_after(self, files: int) -> None:
        """The disk is full once so many more files are exported."""
        self._disk.fill(files)

    def empty_disk(self) -> None:
        """There is room on the disk again."""
        self._disk.make_room()

    def make_unwritable(self, folder: Path) -> None:
        """Nothing can be written into the folder or below it."""
        self._disk.make_unwritable(folder)

    def slow_exports(self, seconds: float) -> None:
        """Each file takes that long to render."""
        self._exports.seconds = seconds
