"""A plug-in with a catalog in memory, on the bridge's methods: what tests use in place of Lightroom.

async with FakePlugin(bridge, photos=[photo(1, rating=3), photo(2)]) as plugin:
    ...
    assert plugin.photos["photo-0001"].rating == 5
"""

from __future__ import annotations

import asyncio
import base64
import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import UNSET

from safelight.bridge.bridge import Bridge
from safelight.bridge.refusals import HelloNeeded, Superseded
from safelight.wire import bridge_models as wire
from safelight.wire.bridge_models import PhotoRecord
from safelight.wire.models import BridgeCommand, BridgeHello, BridgePoll, BridgeResult
from safelight.wire.tool_table import BRIDGE, COMMANDS, ERROR_TEXTS
from tests.bridge.fake_answers import Json, PluginFailure, taken, until
from tests.bridge.fake_collections import FakeCollection, FakeCollections
from tests.bridge.fake_writes import FakeWrites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import Self

__all__ = ("TINY_JPEG", "FakeCollection", "FakePlugin", "PluginFailure", "photo")

TINY_JPEG: Final = base64.b64encode(b"\xff\xd8\xff\xe0fake\xff\xd9").decode()

_sessions = itertools.count(1)


def photo(number: int, **fields: Any) -> PhotoRecord:
    """A photo ``photo-0001`` ... with a file name, a capture time (one a day from 2024-01-01) and nothing else set."""
    day = (number - 1) % 28 + 1
    month = (number - 1) // 28 % 12 + 1
    known: dict[str, Any] = {
        "photo_id": f"photo-{number:04}",
        "file_name": f"IMG_{number:04}.jpg",
        "captured": f"2024-{month:02}-{day:02}T10:00:00",
        "edited": float(number),
    }
    return PhotoRecord(**(known | fields))


class FakePlugin:
    """Says hello on entering, then polls and answers one command at a time, as the real one does.

    What a test can look at and change at any time: ``photos`` by id in catalog order, ``selection``, ``view`` (None:
    all photos), ``adjusted``, ``keywords``, ``collections``, ``shown``, ``read_only``, ``agents_on``, ``received``
    (every command, in order) and ``undo_names`` of the writes. Trouble is ordered by ``fail``, ``hold``,
    ``lose_next_answer`` and ``answer_with``.
    """

    def __init__(
        self,
        bridge: Bridge,
        photos: Iterable[PhotoRecord] = (),
        *,
        catalog_id: str = "fake-catalog",
        catalog_path: str = "/photos/Fake Catalog.lrcat",
        selection: Sequence[str] | None = None,
        session: str | None = None,
        generation: int = 1,
    ) -> None:
        self._bridge = bridge
        self.photos = {record.photo_id: record for record in photos}
        self.selection = list(self.photos)[:3] if selection is None else list(selection)
        self.view: list[str] | None = None
        self.adjusted: set[str] = set()
        self.jpegs: dict[str, bytes] = {}
        """Pictures of photos; others have ``TINY_JPEG``, which cannot be drawn."""
        self.keywords: list[str] = []
        """Paths of keywords that no photo has; those of photos are there in any case."""
        self.shown: list[str] = []
        self._collections = FakeCollections(self)
        self.collections = self._collections.by_id
        self.writes = FakeWrites(self)
        self.read_only = False
        self.agents_on = True
        self.received: list[BridgeCommand] = []
        self.undo_names: list[str] = []
        self.seen: list[str] = []
        self.taken: list[bool] = []
        self.most_photos_a_write: int | None = None
        """When set, a write stops after so many photos, as the plug-in does when its time is up (``stops_with``)."""
        self.stops_with: str = "TIMEOUT"
        """The code that a write which stops early gives."""
        self.ignores: set[str] = set()
        """Photos whose values Lightroom silently keeps."""
        self.session = session or f"session-{next(_sessions)}"
        self.generation = generation
        self.catalog_id = catalog_id
        self.catalog_path = catalog_path
        self.ended_by: Exception | None = None
        self._clock = max((record.edited for record in self.photos.values() if record.edited is not UNSET), default=0.0)
        self._failures: defaultdict[str, list[PluginFailure]] = defaultdict(list)
        self._answers: defaultdict[str, list[Json]] = defaultdict(list)
        self._holds: dict[str, asyncio.Event] = {}
        self._reached: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._lost: set[str] = set()
        self._loop: asyncio.Task[None] | None = None
        self._handlers: dict[str, Callable[[Json], Any]] = {
            "get_state": self._get_state,
            "list_photo_ids": self._list_photo_ids,
            "read_photos": self._read_photos,
            "get_thumbnail": self._get_thumbnail,
            "show_photos": self._show_photos,
            "write_photos": self._write_photos,
            "list_keywords": self._list_keywords,
            **self._collections.handlers,
            **self.writes.handlers,
        }

    # --- life -----------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self.hello()
        self._loop = asyncio.create_task(self._serve(), name="fake plug-in")
        # One turn of the loop, so that the first poll is held when the test goes on.
        await asyncio.sleep(0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def hello(self) -> None:
        """Introduce this plug-in and its catalog."""
        self._bridge.hello(
            BridgeHello(
                protocol=BRIDGE.protocol,
                session=self.session,
                generation=self.generation,
                plugin_version="1.0",
                lightroom_version="14.1",
                catalog_id=self.catalog_id,
                catalog_path=self.catalog_path,
            )
        )

    async def stop(self) -> None:
        """Vanish, as when Lightroom is killed: no word to the service."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait([self._loop])
            self._loop = None

    async def _serve(self) -> None:
        while True:
            try:
                work = await self._bridge.poll(
                    BridgePoll(session=self.session, generation=self.generation, seen=self.seen[-256:])
                )
            except HelloNeeded:
                self.hello()
                continue
            except Superseded as ended:
                self.ended_by = ended
                return
            if work.command is not UNSET:
                await self._handle(work.command)
            else:
                # A real poll costs time on the wire; without it, a service that closes would be asked without end.
                await asyncio.sleep(0.001)

    async def _handle(self, command: BridgeCommand) -> None:
        self.received.append(command)
        self.seen.append(command.command_id)
        self._reached[command.name].set()
        if (hold := self._holds.get(command.name)) is not None:
            await hold.wait()
        result = self.run(command)
        if command.name in self._lost:
            self._lost.remove(command.name)
            return
        self.taken.append(self._bridge.result(result).taken)

    # --- trouble --------------------------------------------------------------------------------------------

    def fail(self, command: str, code: str, message: str = "", *, retriable: bool = False, times: int = 1) -> None:
        """Answer the next ``times`` commands of this name with an error; nothing is changed."""
        self._failures[command] += [PluginFailure(code, message, retriable=retriable)] * times

    def answer_with(self, command: str, result: Json) -> None:
        """Run the next command of this name, but answer with ``result``, whatever that is."""
        self._answers[command].append(result)

    def hold(self, command: str) -> asyncio.Event:
        """Keep commands of this name waiting, before they run, until the event is set."""
        return self._holds.setdefault(command, asyncio.Event())

    def lose_next_answer(self, command: str) -> None:
        """Run the next command of this name and never answer."""
        self._lost.add(command)

    async def reached(self, command: str) -> None:
        """Wait until a command of this name has arrived (since the last wait)."""
        await self._reached[command].wait()
        self._reached[command].clear()

    def names(self, kind: Literal["read", "view", "write"] | None = None) -> list[str]:
        """The names of the commands received so far, of one kind or all."""
        return [c.name for c in self.received if kind is None or COMMANDS[c.name][0] == kind]

    # --- catalog --------------------------------------------------------------------------------------------

    def edit(self, photo_id: str, **fields: Any) -> None:
        """Change a photo as a person does in Lightroom itself."""
        self._clock += 1.0
        self.photos[photo_id] = msgspec.structs.replace(self.photos[photo_id], edited=self._clock, **fields)

    def add_collection(
        self,
        name: str,
        kind: Literal["collection", "smart", "set"] = "collection",
        members: Sequence[str] = (),
        *,
        path: Sequence[str] = (),
    ) -> FakeCollection:
        """Put a collection into the catalog, under the sets of ``path``."""
        return self._collections.put([*path, name], kind, members)

    def collection_at(self, *path: str) -> FakeCollection | None:
        """The collection or set at this path."""
        return self._collections.at(path)

    def run(self, command: BridgeCommand) -> BridgeResult:
        """Run one command against the catalog."""
        try:
            outcome = msgspec.to_builtins(self._run(command.name, command.arguments))
        except PluginFailure as failed:
            return BridgeResult(session=self.session, command_id=command.command_id, ok=False, error=failed.failure)
        if self._answers[command.name]:
            outcome = self._answers[command.name].pop(0)
        return BridgeResult(session=self.session, command_id=command.command_id, ok=True, result=outcome)

    def _run(self, name: str, arguments: Json) -> Any:
        if name not in self._handlers:
            raise PluginFailure("UNKNOWN_COMMAND")
        if not self.agents_on and name != "get_state":
            raise PluginFailure("AGENTS_OFF")
        if self.read_only and COMMANDS[name][0] != "read":
            raise PluginFailure("READ_ONLY")
        if self._failures[name]:
            raise self._failures[name].pop(0)
        return self._handlers[name](arguments)

    def _get_state(self, arguments: Json) -> wire.GetStateOutcome:
        taken(arguments, wire.GetStateArguments)
        return wire.GetStateOutcome(
            catalog_id=self.catalog_id,
            catalog_name="Fake Catalog",
            photo_count=len(self.photos),
            selected_count=len(self.selection),
            view="All Photographs",
            read_only=self.read_only,
            agents_on=self.agents_on,
            lightroom_version="14.1",
            plugin_version="1.0",
        )

    def _list_photo_ids(self, arguments: Json) -> wire.ListPhotoIdsOutcome:
        wanted = taken(arguments, wire.ListPhotoIdsArguments)
        ids = list(self.photos)
        if wanted.source == "selection":
            if not self.selection:
                raise PluginFailure("NO_SELECTION")
            ids = self.selection
        elif wanted.source == "view" and self.view is not None:
            ids = self.view
        elif wanted.source == "adjusted":
            ids = [i for i in self.photos if i in self.adjusted]
        elif wanted.source == "collection":
            ids = self._collections.photos_of(str(wanted.collection_id))
        page = ids[wanted.offset : wanted.offset + wanted.limit]
        times = [self.photos[i].edited if i in self.photos else 0.0 for i in page]
        told = [0.0 if time is UNSET else time for time in times] if wanted.with_edited is True else UNSET
        return wire.ListPhotoIdsOutcome(photo_ids=page, edited=told, total=len(ids))

    def _read_photos(self, arguments: Json) -> wire.ReadPhotosOutcome:
        wanted = taken(arguments, wire.ReadPhotosArguments).photo_ids
        return wire.ReadPhotosOutcome(
            photos=[self.photos[i] for i in wanted if i in self.photos],
            missing=[i for i in wanted if i not in self.photos],
        )

    def _list_keywords(self, arguments: Json) -> wire.ListKeywordsOutcome:
        wanted = taken(arguments, wire.ListKeywordsArguments)
        used = [path for photo in self.photos.values() if photo.keywords is not UNSET for path in photo.keywords]
        paths = sorted({*self.keywords, *used})
        records = [wire.KeywordRecord(keyword_id=path, path=path.split(" > ")) for path in paths]
        page = records[wanted.offset : wanted.offset + wanted.limit]
        return wire.ListKeywordsOutcome(keywords=page, total=len(records), unreadable=0)

    def _get_thumbnail(self, arguments: Json) -> wire.GetThumbnailOutcome:
        photo_id = taken(arguments, wire.GetThumbnailArguments).photo_id
        if photo_id not in self.photos:
            raise PluginFailure("PHOTO_NOT_FOUND")
        jpeg = self.jpegs.get(photo_id)
        encoded = TINY_JPEG if jpeg is None else base64.b64encode(jpeg).decode()
        return wire.GetThumbnailOutcome(jpeg_base64=encoded)

    def _show_photos(self, arguments: Json) -> wire.ShowPhotosOutcome:
        wanted = taken(arguments, wire.ShowPhotosArguments).photo_ids
        self.shown = [i for i in wanted if i in self.photos]
        self.selection = list(self.shown)
        return wire.ShowPhotosOutcome(shown=len(self.shown), missing=[i for i in wanted if i not in self.photos])

    def _write_photos(self, arguments: Json) -> wire.WritePhotosOutcome:
        wanted = taken(arguments, wire.WritePhotosArguments)
        self.undo_names.append(wanted.undo_name)
        changes = {change.photo_id: change for change in wanted.changes}
        attempted, left = until(list(changes), self.most_photos_a_write)
        applied: list[PhotoRecord] = []
        for photo_id in attempted:
            if photo_id not in self.photos:
                continue
            if photo_id not in self.ignores:
                self.edit(photo_id, **_new_values(changes[photo_id]))
            applied.append(self.photos[photo_id])
        return wire.WritePhotosOutcome(
            applied=applied, failed=self.unknown(attempted), not_attempted=left, stopped=self.stopped(left)
        )

    def stopped(self, left: Sequence[str]) -> wire.WriteStop | msgspec.UnsetType:
        return wire.WriteStop(code=self.stops_with, message=ERROR_TEXTS[self.stops_with]) if left else UNSET

    def unknown(self, photo_ids: Sequence[str]) -> list[wire.PhotoFailure]:
        text = ERROR_TEXTS["PHOTO_NOT_FOUND"]
        return [
            wire.PhotoFailure(photo_id=i, code="PHOTO_NOT_FOUND", message=text)
            for i in photo_ids
            if i not in self.photos
        ]


def _new_values(change: wire.PhotoChange) -> Json:
    """A rating of 0, no label and an empty text are unset in Lightroom."""
    given = {name: value for name, value in msgspec.to_builtins(change).items() if name != "photo_id"}
    if given.pop("clear_gps", False):
        given |= {"latitude": UNSET, "longitude": UNSET}
    unset = [n for n, value in given.items() if value == "" or (n, value) in {("rating", 0), ("label", "none")}]
    return given | dict.fromkeys(unset, UNSET)
