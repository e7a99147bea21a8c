"""Commands that read: what the service asks, and what the plug-in answers from the simulated catalog."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from safelight.lightroom import Catalog, SimulatedLightroom
from safelight.lightroom.catalog import ViewFilter
from tests.plugin.fake_bridge import FakeBridge, Refused, outcome
from tests.requirement import requirement


def ids(bridge: FakeBridge, source: str) -> list[str]:
    return bridge.ask("list_photo_ids", {"source": source, "offset": 0, "limit": 5000})["photo_ids"]


@requirement("plugin.always-on")
def test_the_state_tells_catalog_view_and_selection(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    state = bridge.ask("get_state")
    assert state.pop("catalog_id") == lightroom.catalog.properties["catalogId"]
    assert state == {
        "catalog_name": "Drawn Photos",
        "photo_count": 60,
        "selected_count": 3,
        "view": "All Photographs",
        "read_only": False,
        "agents_on": True,
        "lightroom_version": "14.1",
        "plugin_version": "0.1.0",
    }


@requirement("plugin.always-on")
def test_the_state_counts_nothing_as_selected_when_nothing_is(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.catalog.select([])
    assert bridge.ask("get_state")["selected_count"] == 0


FILTERS = {
    "no filter": ViewFilter(),
    "stars": ViewFilter(is_active=True, min_rating=4),
    "a text": ViewFilter(is_searched=True, search="1"),
    "a camera": ViewFilter(is_browsed=True, camera="FUJIFILM X-T5"),
}


def select(catalog: Catalog, count: int) -> None:
    visible = [catalog.by_id(local_id).uuid for local_id in catalog.visible_ids()]
    catalog.select(visible[:count])


@requirement("bridge.identity")
@pytest.mark.parametrize("selected", [0, 1, 2, 5])
@pytest.mark.parametrize("view_filter", FILTERS.values(), ids=FILTERS.keys())
@pytest.mark.parametrize("source", ["kAllPhotos", "kPreviousImport", "Favourites", "Trips", "/Users/you/Pictures/2023"])
def test_the_view_is_what_is_seen_however_many_are_selected(
    bridge: FakeBridge, lightroom: SimulatedLightroom, selected: int, view_filter: ViewFilter, source: str
) -> None:
    catalog = lightroom.catalog
    is_collection = source in {"Favourites", "Trips"}
    catalog.show_sources([catalog.collection(source).local_id if is_collection else source])
    catalog.filter_view(view_filter)
    select(catalog, selected)
    before = catalog.selection
    expected = [catalog.by_id(local_id).uuid for local_id in catalog.visible_ids()]
    assert ids(bridge, "view") == expected
    assert catalog.selection == before
    assert catalog.view_filter == view_filter


@requirement("bridge.identity")
@pytest.mark.parametrize("selected", [0, 2])
def test_the_view_of_a_folder_is_without_its_subfolders_where_these_are_not_shown(
    bridge: FakeBridge, lightroom: SimulatedLightroom, selected: int
) -> None:
    catalog = lightroom.catalog
    top, below = catalog.photos()[:6], catalog.photos()[6:12]
    for photo in top:
        catalog.change_photo(photo.local_id, path=f"/Users/you/Wedding/{photo.file_name}")
    for photo in below:
        catalog.change_photo(photo.local_id, path=f"/Users/you/Wedding/Rejects/{photo.file_name}")
    catalog.show_sources(["/Users/you/Wedding"])
    catalog.show_subfolders(shown=False)
    select(catalog, selected)
    assert ids(bridge, "view") == [photo.uuid for photo in top]
    catalog.show_subfolders(shown=True)
    assert ids(bridge, "view") == [photo.uuid for photo in (*top, *below)]


@requirement("plugin.settings")
def test_the_view_is_not_read_by_changing_the_selection_while_read_only(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.prefs["readOnly"] = True
    lightroom.catalog.filter_view(ViewFilter(is_active=True, min_rating=1))
    select(lightroom.catalog, 2)
    with pytest.raises(Refused) as refused:
        ids(bridge, "view")
    assert refused.value.code == "READ_ONLY"


@requirement("bridge.identity")
def test_photos_are_read_with_all_that_is_set_and_nothing_else(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    photos = {photo.uuid: photo for photo in lightroom.catalog.photos()}
    records = bridge.ask("read_photos", {"photo_ids": list(photos)})["photos"]
    assert [record["photo_id"] for record in records] == list(photos)
    for record in records:
        photo = photos[record["photo_id"]]
        expected: dict[str, Any] = {
            "photo_id": photo.uuid,
            "file_name": photo.file_name,
            "path": photo.path,
            "title": photo.title,
            "caption": photo.caption,
            "rating": photo.rating or 0,
            "flag": {1: "pick", 0: "none", -1: "reject"}[photo.pick],
            "label": photo.label.lower(),
            "captured": photo.captured and photo.captured.isoformat(),
            "keywords": sorted(" > ".join(lightroom.catalog.keywords.path(one)) for one in photo.keywords),
            "headline": photo.headline,
            "creator": photo.creator,
            "copyright": photo.copyright,
            "location": photo.location,
            "city": photo.city,
            "state": photo.state,
            "country": photo.country,
            "latitude": photo.gps and photo.gps[0],
            "longitude": photo.gps and photo.gps[1],
            "camera": photo.camera,
            "lens": photo.lens,
            "iso": photo.iso,
            "aperture": photo.aperture,
            "shutter": photo.shutter,
            "focal_length": photo.focal_length,
            "width": photo.width,
            "height": photo.height,
            "file_format": photo.file_format,
            "virtual_copy": photo.copy_of is not None,
            "copy_name": photo.copy_name,
            "master_id": photo.copy_of and lightroom.catalog.by_id(photo.copy_of).uuid,
            "edited": photo.last_edit,
        }
        assert record == {name: value for name, value in expected.items() if value not in ("", None)}


@requirement("bridge.identity")
def test_a_virtual_copy_is_a_photo_of_its_own(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """Ids from paths and file facts collide or change: photos not found, or found twice (LrGenius #19, #60, #209;
    lrc-immich-plugin #115, #52, #72)."""
    copy = next(photo for photo in lightroom.catalog.photos() if photo.copy_of is not None)
    master = lightroom.catalog.by_id(copy.copy_of or 0)
    records = bridge.ask("read_photos", {"photo_ids": [master.uuid, copy.uuid]})["photos"]
    assert [record["virtual_copy"] for record in records] == [False, True]
    assert records[0]["path"] == records[1]["path"]


@requirement("bridge.identity")
def test_unknown_ids_are_named_as_missing(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    known = lightroom.catalog.photos()[0].uuid
    answer = bridge.ask("read_photos", {"photo_ids": ["nobody", known, "nothing"]})
    assert [record["photo_id"] for record in answer["photos"]] == [known]
    assert answer["missing"] == ["nobody", "nothing"]


@requirement("bridge.identity")
def test_texts_of_all_kinds_come_through(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    photo = lightroom.catalog.photos()[0]
    text = 'Zoë said "hi"\\ \t\n\x00\x1f 📷 \u2028 </script> 日本'
    keywords = tuple(lightroom.catalog.keywords.ensure(name) for name in ("été", "日本"))
    lightroom.catalog.change_photo(photo.local_id, title=text, keywords=keywords, label="Für den Druck")
    (record,) = bridge.ask("read_photos", {"photo_ids": [photo.uuid]})["photos"]
    assert (record["title"], record["keywords"], record["label"]) == (text, ["été", "日本"], "Für den Druck")


@requirement("bridge.identity")
def test_a_number_that_json_cannot_hold_is_left_out(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    photo = lightroom.catalog.photos()[0]
    lightroom.catalog.change_photo(photo.local_id, last_edit=float("nan"))
    (record,) = bridge.ask("read_photos", {"photo_ids": [photo.uuid]})["photos"]
    assert "edited" not in record


@requirement("bridge.chunks")
def test_five_hundred_photos_are_read_at_a_time(data_folder: Any, bridge: FakeBridge) -> None:
    from safelight.lightroom import drawn_catalog

    with SimulatedLightroom(drawn_catalog(1200), data_folder=data_folder):
        everything = ids(bridge, "all")
        assert len(everything) == 1200
        records = bridge.ask("read_photos", {"photo_ids": everything[:500]})["photos"]
    assert [record["photo_id"] for record in records] == everything[:500]


@requirement("bridge.identity")
def test_a_thumbnail_is_a_jpeg_of_the_asked_size(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    photo = lightroom.catalog.photos()[0]
    answer = bridge.ask("get_thumbnail", {"photo_id": photo.uuid, "size": 320})
    with Image.open(io.BytesIO(base64.b64decode(answer["jpeg_base64"], validate=True))) as opened:
        assert (opened.format, max(opened.size)) == ("JPEG", 320)
    assert lightroom.dropped_thumbnails == 0


@requirement("bridge.identity")
def test_a_thumbnail_that_is_delivered_twice_is_answered_once(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    lightroom.answer_thumbnails("twice")
    photo = lightroom.catalog.photos()[0]
    command = bridge.send("get_thumbnail", {"photo_id": photo.uuid, "size": 64})
    assert bridge.result(command).ok
    bridge.ask("get_state")
    assert len(bridge.results_of(command)) == 1


@requirement("bridge.delivery")
@pytest.mark.parametrize("mode", ["error", "never"])
def test_a_thumbnail_that_does_not_come_is_a_retriable_error(
    bridge: FakeBridge, lightroom: SimulatedLightroom, mode: Any
) -> None:
    """Focus-Points #199: in the Develop module on Windows thumbnails are not delivered."""
    lightroom.answer_thumbnails(mode)
    photo = lightroom.catalog.photos()[0]
    with pytest.raises(Refused) as refused:
        bridge.ask("get_thumbnail", {"photo_id": photo.uuid, "size": 64}, deadline=0.4)
    assert (refused.value.code, refused.value.retriable) == ("THUMBNAIL_UNAVAILABLE", True)


@requirement("bridge.identity")
def test_a_thumbnail_of_an_unknown_photo_is_an_error(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    with pytest.raises(Refused, match="PHOTO_NOT_FOUND"):
        bridge.ask("get_thumbnail", {"photo_id": "nobody", "size": 64})


ADDS_AN_OBJECT: dict[str, Any] = {"photo_id": "a", "add": {}, "remove": []}
REMOVES_NULL: dict[str, Any] = {"photo_id": "a", "add": [], "remove": None}


@requirement("bridge.delivery")
@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("list_photo_ids", {"source": "everything", "offset": 0, "limit": 1}, "source must be one of all"),
        ("list_photo_ids", {"source": "all", "offset": -1, "limit": 1}, "offset is out of range"),
        ("list_photo_ids", {"source": "all", "offset": 0.5, "limit": 1}, "offset must be a whole number"),
        ("list_photo_ids", {"source": "all", "offset": 0}, "limit is missing"),
        ("list_photo_ids", {"source": "all", "offset": 0, "limit": 1, "x": 1}, "x is not an argument"),
        ("read_photos", {"photo_ids": []}, "photo_ids has too few"),
        ("read_photos", {"photo_ids": ["x"] * 501}, "too many"),
        ("read_photos", {"photo_ids": "x"}, "photo_ids must be a list"),
        ("read_photos", {"photo_ids": [5]}, "photo_ids[1] must be a text"),
        ("show_photos", {"photo_ids": ["x", None]}, "photo_ids[2] must be a text"),
        ("add_to_collection", {"collection_id": "1", "photo_ids": [True]}, "photo_ids[1] must be a text"),
        ("write_photos", {"undo_name": "x", "changes": ["a"]}, "changes[1] must be an object"),
        ("write_photos", {"undo_name": "x", "changes": [["a"]]}, "changes[1] must be an object"),
        ("write_photos", {"undo_name": "x", "changes": [None]}, "changes[1] must be an object"),
        ("write_photos", {"undo_name": "x", "changes": {"photo_id": "a"}}, "changes must be a list"),
        ("edit_keywords", {"undo_name": "x", "changes": [ADDS_AN_OBJECT]}, "changes[1].add must be a list"),
        ("edit_keywords", {"undo_name": "x", "changes": [REMOVES_NULL]}, "remove must be a list"),
        ("write_develop", {"undo_name": "x", "changes": [{"photo_id": "a", "settings": [1]}]}, "must be an object"),
        ("write_develop", {"undo_name": "x", "changes": [{"photo_id": "a", "settings": None}]}, "must be an object"),
        ("find_collections", [], "the arguments must be an object"),
        ("find_collections", None, "the arguments must be an object"),
        ("find_collections", "all", "the arguments must be an object"),
        ("write_photos", {"undo_name": "x", "changes": [{"photo_id": "a", "title": 5}]}, "title must be a text"),
        (
            "write_photos",
            {"undo_name": "x", "changes": [{"photo_id": "a"}, {"photo_id": "b", "rating": 2.5}]},
            "changes[2].rating must be a whole number",
        ),
        ("create_collection", {"path": [""]}, "path[1] is too short"),
        ("create_collection", {"path": ["é" * 201]}, "path[1] is too short or too long"),
        ("create_collection", {"path": []}, "path has too few"),
        ("write_photos", {"undo_name": "x", "changes": [{"photo_id": "a", "rating": 6}]}, "rating is out of range"),
        ("write_photos", {"undo_name": "x", "changes": [{"photo_id": "a", "flag": 1}]}, "flag must be a text"),
        ("write_photos", {"undo_name": "x", "changes": [{"photo_id": "a", "stars": 1}]}, "stars is not an argument"),
        ("write_photos", {"undo_name": "x", "changes": [{"rating": 1}]}, "photo_id is missing"),
        ("write_photos", {"undo_name": "x", "changes": [{"photo_id": "a"}] * 2}, "named twice"),
    ],
)
def test_arguments_that_break_the_contract_are_refused(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str, arguments: Any, says: str
) -> None:
    with pytest.raises(Refused) as refused:
        outcome(name, bridge.result(bridge.send(name, arguments)))
    assert refused.value.code == "BAD_ARGUMENTS"
    assert says in refused.value.message
    assert not refused.value.retriable
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.delivery")
def test_an_unknown_command_is_an_error_that_names_it(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    with pytest.raises(Refused, match="UNKNOWN_COMMAND.*delete_everything"):
        bridge.ask("delete_everything")


@requirement("plugin.always-on")
@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (["kAllPhotos"], "All Photographs"),
        (["kPreviousImport"], "Previous Import"),
        (["kQuickCollectionIdentifier"], "Quick Collection"),
        (["kLastCatalogExport"], "Previous Export as Catalog"),
        (["kTemporaryImages"], "Temporary Photos"),
        (["/Users/you/Pictures/2023"], "2023"),
        (["Favourites", "Trips"], "Favourites, Trips"),
    ],
)
def test_the_state_names_what_is_seen(
    bridge: FakeBridge, lightroom: SimulatedLightroom, sources: list[str], name: str
) -> None:
    catalog = lightroom.catalog
    names = {one.name: one.local_id for one in catalog.collections()}
    catalog.show_sources([names.get(source, source) for source in sources])
    assert bridge.ask("get_state")["view"] == name
