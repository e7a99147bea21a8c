"""What a photographer does in a day: tasks as tool calls, each with a look at the simulated catalog afterwards.

They are done one after the other on one catalog of 60 drawn photos, of which the first three are selected. Strings may
hold ``${set_id}``, ``${photo_ids}`` and ``${change_id}`` of the last answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.photo import Photo

__all__ = ("EXPORT", "TASKS", "Task")

EXPORT = "${export}"
"""Stands for the folder that photos are exported into."""

Answers = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """``check`` looks at the catalog and at the answers of the task's calls, and asserts."""

    wish: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    check: Callable[[Catalog, Answers], None]


def masters(catalog: Catalog, fits: Callable[[Photo], bool] = lambda photo: True) -> set[str]:
    return {photo.uuid for photo in catalog.photos() if fits(photo)}


def paths(catalog: Catalog, photo: Photo) -> set[str]:
    return {" > ".join(catalog.keywords.path(keyword)) for keyword in photo.keywords}


def members(catalog: Catalog, name: str) -> set[str]:
    return {catalog.by_id(number).uuid for number in catalog.collection(name).photo_ids}


def found(answer: dict[str, Any]) -> set[str]:
    return {photo["photo_id"] for photo in answer["photos"]}


def settings(catalog: Catalog, uuid: str) -> dict[str, Any]:
    return catalog.photo(uuid).develop or {}


def overview(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["count"] == len(catalog.photos())
    ratings = next(facet for facet in answers[0]["facets"] if facet["name"] == "rating")
    assert {count["value"]: count["photos"] for count in ratings["counts"]}["5"] == len(
        masters(catalog, lambda photo: photo.rating == 5)
    )


def best_collection(catalog: Catalog, answers: Answers) -> None:
    best = masters(catalog, lambda photo: photo.rating == 5)
    assert answers[0]["count"] == len(best)
    assert members(catalog, "Best Of") == best


def beaches(catalog: Catalog, answers: Answers) -> None:
    assert found(answers[0]) == masters(
        catalog, lambda photo: photo.country == "Portugal" and "beach" in str(paths(catalog, photo)).lower()
    )


def untouched(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["count"] == len(masters(catalog, lambda photo: photo.rating is None and photo.pick == 0))


def rated_selection(catalog: Catalog, answers: Answers) -> None:
    assert set(answers[0]["applied"]) == set(catalog.selection)
    assert {catalog.photo(uuid).rating for uuid in catalog.selection} == {4}


def rejected_ones(catalog: Catalog, answers: Answers) -> None:
    assert set(answers[1]["applied"]) == masters(catalog, lambda photo: photo.rating == 1)
    assert all(photo.pick == -1 for photo in catalog.photos() if photo.rating == 1)


def blue_labels(catalog: Catalog, answers: Answers) -> None:
    assert answers[1]["applied"]
    labels = {catalog.photo(uuid).label.lower() for uuid in answers[1]["applied"]}
    assert labels == {"blue"}
    assert not masters(catalog, lambda photo: photo.label.lower() == "red")


def titled(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["count"] == len(answers[1]["applied"]) > 0
    assert all(photo.title for photo in catalog.photos())


def copyrighted(catalog: Catalog, answers: Answers) -> None:
    of_2024 = [photo for photo in catalog.photos() if photo.captured and photo.captured.year == 2024]
    assert len(answers[1]["applied"]) == len(of_2024) > 0
    assert {(photo.creator, photo.copyright) for photo in of_2024} == {("Ada Lens", "© 2024 Ada Lens")}


def travels(catalog: Catalog, answers: Answers) -> None:
    there = [photo for photo in catalog.photos() if photo.country == "Portugal"]
    assert len(answers[1]["applied"]) == len(there) > 0
    assert all("Travel > Portugal" in paths(catalog, photo) for photo in there)
    assert [keyword.name for keyword in catalog.keywords.all()].count("Portugal") == 1


def no_longer_winter(catalog: Catalog, answers: Answers) -> None:
    assert answers[1]["applied"]
    assert not any("winter" in str(paths(catalog, catalog.photo(uuid))).lower() for uuid in answers[1]["applied"])


def two_keywords(catalog: Catalog, answers: Answers) -> None:
    [uuid] = answers[1]["applied"]
    assert paths(catalog, catalog.photo(uuid)) == {"Client work", "Places > Hamburg"}


def iceland(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["name"] == "Trips > Iceland"
    assert members(catalog, "Iceland") == masters(catalog, lambda photo: photo.country == "Iceland")
    assert catalog.collection("Iceland").parent == catalog.collection("Trips").local_id


def fewer_favourites(catalog: Catalog, answers: Answers) -> None:
    assert answers[1]["applied"]
    assert not members(catalog, "Favourites") & set(answers[1]["applied"])
    assert members(catalog, "Favourites")


def smart(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["kind"] == "smart"
    assert catalog.collection("Good Sony").kind == "smart"


def listed(catalog: Catalog, answers: Answers) -> None:
    assert {one["name"] for one in answers[0]["collections"]} >= {"Favourites", "Trips > Portugal", "Good Sony"}


def deleted_and_back(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["photos"] == len(members(catalog, "Best Of")) > 0
    assert set(answers[1]["applied"])


def brighter(catalog: Catalog, answers: Answers) -> None:
    assert answers[1]["applied"]
    assert {settings(catalog, uuid)["Exposure2012"] for uuid in answers[1]["applied"]} == {0.5}


def in_black_and_white(catalog: Catalog, answers: Answers) -> None:
    [uuid] = answers[1]["applied"]
    assert settings(catalog, uuid)["ConvertToGrayscale"] is True


def toned_and_back(catalog: Catalog, answers: Answers) -> None:
    assert set(answers[2]["applied"]) == set(answers[1]["applied"])
    [uuid] = answers[1]["applied"]
    assert settings(catalog, uuid).get("Exposure2012", 0) == 0


def kept(catalog: Catalog, answers: Answers) -> None:
    assert all("Before" in [one.name for one in catalog.photo(uuid).snapshots] for uuid in catalog.selection)
    assert {one["name"] for one in answers[1]["snapshots"]} == {"Before"}


def copied(catalog: Catalog, answers: Answers) -> None:
    copies = {copy["copy_id"]: copy["photo_id"] for copy in answers[1]["copies"]}
    assert len(copies) == 2
    for copy_id, master_id in copies.items():
        assert catalog.photo(copy_id).copy_of == catalog.photo(master_id).local_id
        assert catalog.photo(copy_id).copy_name == "Square"


def exported(catalog: Catalog, answers: Answers) -> None:
    assert (answers[0]["state"], answers[0]["done"]) == ("done", len(catalog.selection))


def shown(catalog: Catalog, answers: Answers) -> None:
    assert set(catalog.selection) == found(answers[0])


def located(catalog: Catalog, answers: Answers) -> None:
    there = [catalog.photo(uuid) for uuid in answers[1]["applied"]]
    assert there
    assert all(photo.gps is None for photo in there)
    assert set(answers[2]["applied"]) == set(answers[1]["applied"])


def unrated_again(catalog: Catalog, answers: Answers) -> None:
    assert [catalog.photo(uuid).rating for uuid in answers[1]["applied"]] == [2] * len(answers[1]["applied"])
    assert len(answers[0]["applied"]) == len(answers[1]["applied"]) > 0


def filtered(catalog: Catalog, answers: Answers) -> None:
    assert found(answers[0]) == masters(
        catalog,
        lambda photo: (
            (photo.iso or 0) >= 1600
            and ("NIKON" in photo.camera or "FUJIFILM" in photo.camera)
            and photo.country != "Japan"
        ),
    )


def picked_in_view(catalog: Catalog, answers: Answers) -> None:
    assert answers[0]["count"] == len(masters(catalog, lambda photo: photo.pick == 1))


TASKS: tuple[Task, ...] = (
    Task("What is in this catalog?", (("catalog_overview", {}),), overview),
    Task(
        "Put the five-star photos into a collection",
        (
            ("search_photos", {"rating_min": 5}),
            ("create_collection", {"collection": "Best Of"}),
            ("add_to_collection", {"collection": "Best Of", "set": "${set_id}"}),
        ),
        best_collection,
    ),
    Task("Beaches in Portugal", (("search_photos", {"keyword": "beach", "place": "portugal", "limit": 100}),), beaches),
    Task("What have I not looked at?", (("search_photos", {"rating_max": 0, "flag": "none"}),), untouched),
    Task("Four stars for these", (("set_rating", {"rating": 4, "set": "selection"}),), rated_selection),
    Task(
        "Reject what has one star",
        (
            ("search_photos", {"rating_min": 1, "rating_max": 1}),
            ("set_flag", {"flag": "reject", "set": "${set_id}"}),
        ),
        rejected_ones,
    ),
    Task(
        "Red labels become blue",
        (("search_photos", {"label": "red"}), ("set_label", {"label": "blue", "set": "${set_id}"})),
        blue_labels,
    ),
    Task(
        "Give what has none a title",
        (
            ("search_photos", {"missing": "title"}),
            ("set_metadata", {"title": "Untitled", "set": "${set_id}"}),
        ),
        titled,
    ),
    Task(
        "My name on all of 2024",
        (
            ("search_photos", {"captured_from": "2024", "captured_to": "2024"}),
            ("set_metadata", {"creator": "Ada Lens", "copyright": "© 2024 Ada Lens", "set": "${set_id}"}),
        ),
        copyrighted,
    ),
    Task(
        "File Portugal under Travel",
        (
            ("search_photos", {"place": "Portugal"}),
            ("edit_keywords", {"add": ["Travel > Portugal"], "set": "${set_id}"}),
        ),
        travels,
    ),
    Task(
        "Innsbruck is no longer winter",
        (
            ("search_photos", {"place": "Innsbruck", "keyword": "winter"}),
            ("edit_keywords", {"remove": ["winter"], "set": "${set_id}"}),
        ),
        no_longer_winter,
    ),
    Task(
        "Only these two keywords",
        (
            ("search_photos", {"file_name": "_DSC4022*"}),
            ("edit_keywords", {"replace": ["Client work", "Places > Hamburg"], "photo_ids": "${photo_ids}"}),
        ),
        two_keywords,
    ),
    Task(
        "A collection for Iceland among the trips",
        (
            ("create_collection", {"collection": "Trips > Iceland"}),
            ("search_photos", {"place": "Iceland"}),
            ("add_to_collection", {"collection": "Trips > Iceland", "set": "${set_id}"}),
        ),
        iceland,
    ),
    Task(
        "Rejects out of the favourites",
        (
            ("search_photos", {"collection": "Favourites", "flag": "reject"}),
            ("remove_from_collection", {"collection": "Favourites", "set": "${set_id}"}),
        ),
        fewer_favourites,
    ),
    Task(
        "A smart collection of good Sony photos",
        (("create_smart_collection", {"collection": "Good Sony", "rating_min": 4, "camera": "ILCE"}),),
        smart,
    ),
    Task("Which collections are there?", (("list_collections", {}),), listed),
    Task(
        "Delete Best Of - no, bring it back",
        (
            ("delete_collection", {"collection": "Best Of"}),
            ("undo_change", {"change_id": "${change_id}"}),
        ),
        deleted_and_back,
    ),
    Task(
        "Half a stop brighter at sunset",
        (
            ("search_photos", {"text": "sunset bay"}),
            ("set_develop_settings", {"settings": {"exposure": 0.5}, "relative": True, "set": "${set_id}"}),
        ),
        brighter,
    ),
    Task(
        "The skyline in black and white",
        (
            ("search_photos", {"file_name": "IMG_4043*"}),
            ("apply_preset", {"preset": "Deep Blacks", "set": "${set_id}"}),
        ),
        in_black_and_white,
    ),
    Task(
        "Automatic tones - no, as it was",
        (
            ("search_photos", {"file_name": "IMG_4099*"}),
            ("auto_tone", {"set": "${set_id}"}),
            ("undo_change", {"change_id": "${change_id}"}),
        ),
        toned_and_back,
    ),
    Task(
        "Keep how these look",
        (
            ("create_snapshot", {"name": "Before", "set": "selection"}),
            ("list_snapshots", {"set": "selection"}),
        ),
        kept,
    ),
    Task(
        "Virtual copies of two",
        (
            ("search_photos", {"text": "Three peaks"}),
            ("create_virtual_copies", {"name": "Square", "set": "${set_id}"}),
        ),
        copied,
    ),
    Task(
        "Export the selected ones",
        (("export_photos", {"destination": EXPORT, "long_edge": 640, "quality": 80, "set": "selection"}),),
        exported,
    ),
    Task(
        "Show me the cranes",
        (("search_photos", {"text": "cranes"}), ("show_photos", {"set": "${set_id}"})),
        shown,
    ),
    Task(
        "The place was private",
        (
            ("search_photos", {"place": "Freiburg"}),
            ("set_metadata", {"latitude": 47.99, "longitude": 7.85, "set": "${set_id}"}),
            ("set_metadata", {"clear_gps": True, "set": "${set_id}"}),
        ),
        located,
    ),
    Task(
        "One star less for the skylines - no",
        (
            ("search_photos", {"text": "skyline OR windows", "rating_min": 2, "rating_max": 2}),
            ("set_rating", {"rating": 1, "set": "${set_id}"}),
            ("undo_change", {"change_id": "${change_id}"}),
        ),
        lambda catalog, answers: unrated_again(catalog, answers[1:]),
    ),
    Task(
        "High ISO, two cameras, not in Japan",
        (
            (
                "search_photos",
                {"filter": "iso>=1600 and (camera:nikon or camera:fujifilm) and not place:japan", "limit": 100},
            ),
        ),
        filtered,
    ),
    Task("Picks in what I see", (("search_photos", {"within": "view", "flag": "pick"}),), picked_in_view),
)
