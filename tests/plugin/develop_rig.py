"""Commands on a Lightroom whose time the test moves: what settles late, or never, takes no real time."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from safelight.lightroom import Catalog, SimulatedLightroom, drawn_catalog
from tests.plugin.fake_bridge import FakeBridge, outcome

STEPS = 600
STEP_SECONDS = 0.1


def mixed_catalog() -> Catalog:
    """Thirty untouched photos: a raw file, a DNG, a video, JPEGs, and one virtual copy (the twentieth)."""
    catalog = drawn_catalog(30)
    formats = {1: "RAW", 2: "DNG", 30: "VIDEO"}
    for photo in catalog.photos():
        kind = formats.get(photo.local_id, "JPG")
        catalog.change_photo(photo.local_id, file_format=kind, develop=None, snapshots=())
    return catalog


class Rig(Struct):
    """The service's side and Lightroom's side of one connection."""

    bridge: FakeBridge
    lightroom: SimulatedLightroom

    @property
    def catalog(self) -> Catalog:
        return self.lightroom.catalog

    def ids(self, first: int, last: int | None = None) -> list[str]:
        """uuids of the photos with these numbers, counted from 1."""
        return [photo.uuid for photo in self.catalog.photos()[first - 1 : last or first]]

    def develop(self, photo_id: str) -> dict[str, Any]:
        """What Lightroom keeps of the photo's settings; without those that are defaults."""
        return self.catalog.photo(photo_id).develop or {}

    def ask(self, name: str, arguments: dict[str, Any], *, deadline: float = 120.0) -> dict[str, Any]:
        """Carries a command out to its end, however long it takes in Lightroom's time."""
        command = self.bridge.send(name, arguments, deadline=deadline)
        for _ in range(STEPS):
            if self.bridge.results_of(command):
                break
            self.lightroom.advance(STEP_SECONDS, patience=0.005)
        return outcome(name, self.bridge.result(command))

    def write(self, settings: dict[str, dict[str, Any]], **options: Any) -> dict[str, Any]:
        """Writes develop settings: those of each photo by its id."""
        changes = [{"photo_id": photo_id, "settings": values} for photo_id, values in settings.items()]
        return self.ask("write_develop", {"undo_name": "Brighten", "changes": changes}, **options)


def applied(report: dict[str, Any]) -> list[str]:
    return [record["photo_id"] for record in report["applied"]]


def reasons(report: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Code and message of each photo that failed."""
    return {failure["photo_id"]: (failure["code"], failure["message"]) for failure in report["failed"]}
