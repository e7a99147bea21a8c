"""Catalogs from copies of Lightroom catalog files: a real one of Lightroom 5, and made ones of several versions."""

from __future__ import annotations

import hashlib
import io
import shutil
import sqlite3
import unicodedata
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from safelight.lightroom import Catalog, LrcatRefused, Photo, lrcat_catalog, lrcat_copy
from tests.lightroom.made_lrcat import FLAVOURS, PORT_NFD, TURTLE, Flavour, changed_in_wal, write_lrcat
from tests.requirement import requirement

REAL = Path(__file__).parents[1] / "data" / "lrcat" / "lightroom5.lrcat"


def photo_of(catalog: Catalog, local_id: int) -> Photo:
    return catalog.by_id(local_id)


def paths(catalog: Catalog, local_id: int) -> list[str]:
    return [" > ".join(catalog.keywords.path(keyword)) for keyword in catalog.by_id(local_id).keywords]


def tree(catalog: Catalog, parent: int | None = None) -> dict[str, object]:
    """Collections as nested dicts: a set by what is in it, the others by the photos they show."""
    return {
        child.name: tree(catalog, child.local_id) if child.kind == "set" else catalog.photos_in(child.local_id)
        for child in catalog.children(parent)
    }


@pytest.fixture(params=FLAVOURS)
def flavour(request: pytest.FixtureRequest) -> Flavour:
    return request.param


@pytest.fixture
def made(tmp_path: Path, flavour: Flavour) -> Catalog:
    write_lrcat(tmp_path / "made.lrcat", flavour, root=tmp_path / "Fotos")
    return lrcat_catalog(tmp_path / "made.lrcat")


# --- the real catalog; the values were read from it with sqlite3 ----------------------------------------------------


@requirement("demo.folder")
def test_the_real_catalog_has_its_four_photos_in_the_order_of_their_capture() -> None:
    photos = lrcat_catalog(REAL).photos()
    assert [photo.file_name for photo in photos] == ["_MAX3047.jpg", "_MAX3065.jpg", "_MAX7667.NEF", "_MAX7674.NEF"]
    assert [photo.local_id for photo in photos] == [63, 78, 21, 40]
    assert [photo.file_format for photo in photos] == ["JPG", "JPG", "RAW", "RAW"]
    assert [(photo.width, photo.height) for photo in photos] == [(2048, 1363)] * 2 + [(4256, 2832)] * 2
    assert [photo.captured for photo in photos] == [
        datetime(2013, 9, 8, 6, 52, 7, 900000),  # noqa: DTZ001 - local time of the camera
        datetime(2013, 9, 8, 7, 6, 0, 670000),  # noqa: DTZ001
        datetime(2013, 12, 1, 22, 39, 9, 420000),  # noqa: DTZ001
        datetime(2013, 12, 1, 23, 39, 0, 160000),  # noqa: DTZ001
    ]


@requirement("demo.folder")
def test_the_real_catalogs_metadata_is_read() -> None:
    photo = lrcat_catalog(REAL).photo("50025F26-FBAA-4EE4-9C13-1A6D6AA65C83")
    assert photo.path == "/Users/maxmouchet/Pictures/2013/12-01 (MO) Pre-party Phoelix/_MAX7667.NEF"
    assert (photo.camera, photo.lens, photo.creator) == ("NIKON D700", "50.0 mm f/1.4", "Maxime Mouchet")
    assert (photo.iso, photo.focal_length) == (1600, 50.0)
    assert (photo.aperture, photo.shutter) == (1.4, 0.05), "from APEX 0.970854 and 4.321928"
    assert (photo.rating, photo.pick, photo.label, photo.keywords, photo.gps) == (None, 0, "", (), None)
    assert photo.develop is None, "its settings are there, and Lightroom says that they are no adjustments"
    assert photo.last_edit == 408546219.101946


@requirement("demo.folder")
def test_the_real_catalogs_originals_are_offline_and_shown_as_grey_cards() -> None:
    catalog = lrcat_catalog(REAL)
    assert all(photo.is_offline for photo in catalog.photos())
    with Image.open(io.BytesIO(catalog.pictures.jpeg(catalog.photos()[0], 300))) as card:
        assert card.size == (300, 200)
        assert len(card.getcolors(60_000) or []) > 1, "the file's name is on it"


@requirement("demo.folder")
def test_the_real_catalogs_collections_are_lightroom_5s_own_smart_ones() -> None:
    catalog = lrcat_catalog(REAL)
    everything = [63, 78, 21, 40]
    assert tree(catalog) == {
        "Smart Collections": {
            **{"Colored Red": [], "Five Stars": [], "Past Month": [], "Recently Modified": [], "Video Files": []},
            "Without Keywords": everything,
        }
    }
    assert catalog.keywords.all() == (), "the keyword without a name that holds all others is none"


# --- never the original ---------------------------------------------------------------------------------------------


@requirement("demo.folder")
def test_the_original_stays_as_it_is_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """iMedia #94: a catalog that is opened directly may be damaged."""
    path = tmp_path / "Catalog.lrcat"
    shutil.copyfile(REAL, path)
    path.chmod(0o444)
    before = hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns
    lrcat_catalog(path)
    assert (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) == before
    assert [file.name for file in tmp_path.iterdir()] == ["Catalog.lrcat"]


@requirement("demo.folder")
def test_what_lightroom_has_saved_but_not_moved_into_the_file_is_seen(tmp_path: Path) -> None:
    """drshy-org's lightroom-py counted no collections, since they stood in the write-ahead log."""
    path = tmp_path / "open.lrcat"
    write_lrcat(path, 14, root=tmp_path)
    with changed_in_wal(path, "UPDATE Adobe_images SET rating = 4.0 WHERE id_local = 13"):
        beside = {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
        assert beside.keys() == {"open.lrcat", "open.lrcat-wal"}
        assert lrcat_catalog(path).by_id(13).rating == 4
        assert beside == {name: (tmp_path / name).read_bytes() for name in beside}


@requirement("demo.folder")
def test_a_catalog_is_read_while_lightroom_holds_it_for_itself(tmp_path: Path) -> None:
    """ccanalesb's lightroom-tagger: "database is locked"."""
    path = tmp_path / "locked.lrcat"
    write_lrcat(path, 9, root=tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as lightroom:
        lightroom.execute("PRAGMA locking_mode = EXCLUSIVE")
        lightroom.execute("BEGIN EXCLUSIVE")
        lightroom.execute("UPDATE Adobe_images SET rating = 1")
        ratings = [photo.rating for photo in lrcat_catalog(path).photos()]
        lightroom.execute("ROLLBACK")
    assert 5 in ratings, "what is not committed is not there"


@requirement("demo.folder")
def test_half_of_a_change_is_taken_back(tmp_path: Path) -> None:
    """The journal of a change that was under way, or was cut off, is copied with the file."""
    path = tmp_path / "cut off.lrcat"
    write_lrcat(path, 5, root=tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as lightroom:
        lightroom.execute("PRAGMA cache_size = 1")
        lightroom.execute("PRAGMA cache_spill = 1")
        lightroom.execute("BEGIN")
        lightroom.execute("UPDATE Adobe_images SET rating = 1, copyName = hex(zeroblob(20000))")
        lightroom.execute("UPDATE AgLibraryFile SET originalFilename = hex(zeroblob(20000))")
        copied = tmp_path / "left.lrcat"
        shutil.copyfile(path, copied)
        shutil.copyfile(f"{path}-journal", f"{copied}-journal")
        lightroom.execute("ROLLBACK")
    assert copied.stat().st_size > path.stat().st_size, "half of the change is in the file"
    assert lrcat_catalog(copied).by_id(11).rating == 5


@requirement("demo.folder")
def test_a_file_that_changes_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "busy.lrcat"
    write_lrcat(path, 6, root=tmp_path)
    copied: list[str] = []
    copy = shutil.copyfile

    def copy_and_write(source: Path, target: Path) -> None:
        copied.append(source.name)
        copy(source, target)
        if len(copied) == 1:
            with closing(sqlite3.connect(path)) as lightroom, lightroom:
                lightroom.execute("UPDATE Adobe_images SET rating = 3 WHERE id_local = 13")

    monkeypatch.setattr(lrcat_copy.shutil, "copyfile", copy_and_write)
    monkeypatch.setattr(lrcat_copy, "_BETWEEN_TRIES_S", 0)
    assert lrcat_catalog(path).by_id(13).rating == 3
    assert copied.count("busy.lrcat") == 2


@requirement("demo.folder")
def test_a_file_that_never_rests_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "busy.lrcat"
    write_lrcat(path, 6, root=tmp_path)
    copy = shutil.copyfile

    def copy_and_grow(source: Path, target: Path) -> None:
        copy(source, target)
        with path.open("ab") as lightroom:
            lightroom.write(b"\0")

    monkeypatch.setattr(lrcat_copy.shutil, "copyfile", copy_and_grow)
    monkeypatch.setattr(lrcat_copy, "_BETWEEN_TRIES_S", 0)
    with pytest.raises(LrcatRefused, match=r"^Lightroom is writing to .*busy\.lrcat all the time\. Try again"):
        lrcat_catalog(path)


# --- every version --------------------------------------------------------------------------------------------------


@requirement("demo.folder")
def test_virtual_copies_are_photos_of_their_own(made: Catalog) -> None:
    """ccanalesb's lightroom-tagger counts files, and has no virtual copies."""
    assert sorted(photo.local_id for photo in made.photos()) == [11, 12, 13, 14, 15, 16]
    master, copy = photo_of(made, 11), photo_of(made, 12)
    assert (copy.copy_of, copy.copy_name, copy.path) == (11, "Black and white", master.path)
    assert (master.copy_of, master.rating, master.pick) == (None, 5, 1)
    assert (copy.rating, copy.pick, copy.label) == (2, -1, "")
    assert photo_of(made, 16).copy_of is None, "its master is not there"


@requirement("demo.folder")
def test_all_metadata_of_a_photo_is_read(made: Catalog) -> None:
    photo = photo_of(made, 11)
    assert (photo.title, photo.headline, photo.caption) == ("A turtle", "Slow & steady", "In no hurry")
    assert (photo.creator, photo.copyright) == ("Zofia", "© Zofia")
    assert (photo.location, photo.city, photo.state, photo.country) == ("Zoo", "Łódź", "Łódzkie", "Polska")
    assert (photo.camera, photo.lens) == ("NIKON Z 8", "NIKKOR Z 50mm f/1.8 S")
    assert (photo.aperture, photo.shutter, photo.iso, photo.focal_length) == (2.8, 0.005, 200, 50.0)
    assert (photo.gps, photo.label) == ((51.759, 19.456), "Red")
    assert (photo.width, photo.height) == (40, 60), "as it is shown, upright"
    assert photo_of(made, 14).gps is None, "hasGPS says that there is none"
    assert photo_of(made, 14).shutter == 2.0
    assert photo_of(made, 14).rating is None, "0 is no rating"
    assert photo_of(made, 13).title == "", "a packet that cannot be read costs only itself"


@requirement("demo.folder")
def test_capture_times_of_every_form_are_read(made: Catalog) -> None:
    assert {photo.local_id: photo.captured for photo in made.photos()} == {
        11: datetime(2024, 5, 1, 10, 0, 0, 500000),  # noqa: DTZ001 - local time of the camera
        12: datetime(2024, 5, 1, 10, 0, 0, 500000),  # noqa: DTZ001
        13: datetime(2024, 5, 2, 8, 30),  # noqa: DTZ001
        14: datetime(2019, 11, 1),  # noqa: DTZ001
        15: None,
        16: None,
    }


@requirement("demo.folder")
def test_the_same_keyword_stands_under_two_parents(made: Catalog) -> None:
    assert paths(made, 11) == ["Colours > Orange", "Private"]
    assert paths(made, 14) == ["Fruit > Orange"]
    orange = made.keywords.find("Fruit", "Orange")
    assert (orange.synonyms, orange.include_on_export) == (("Apfelsine", "Pomarańcza"), True)
    assert not made.keywords.find("Private").include_on_export
    everything = {" > ".join(made.keywords.path(keyword.local_id)) for keyword in made.keywords.all()}
    assert everything >= {"Colours", "Fruit", "Lost"}, "one whose parent is gone stands at the top"
    assert {"Egg", "Egg > Hen"} <= everything or {"Hen", "Hen > Egg"} <= everything, "a ring is cut"


@requirement("demo.folder")
def test_collections_stand_in_their_sets_and_smart_ones_find_their_photos(
    made: Catalog, caplog: pytest.LogCaptureFixture
) -> None:
    assert tree(made) == {
        "Trips": {"2024": {"Łódź": [12, 13]}, "Five stars": [11]},
        "Previews": [],
        "For the wall": [14],
        "For the wall (2)": [],
    }


@requirement("demo.folder")
def test_only_adjusted_photos_have_develop_settings_of_their_own(made: Catalog) -> None:
    assert photo_of(made, 11).develop is None
    assert photo_of(made, 12).develop == {
        "Exposure2012": 0.75,
        "Contrast2012": -10,
        "ConvertToGrayscale": True,
        "CameraProfile": "Adobe Vivid",
        "ToneCurvePV2012": [0, 0, 128, 140, 255, 255],
    }
    assert photo_of(made, 14).develop is None, "a text that is no table is left out"
    (snapshot,) = photo_of(made, 12).snapshots
    assert (snapshot.name, snapshot.snapshot_id, snapshot.settings) == ("Before print", "S-1", {"Exposure2012": 1})


@requirement("demo.folder")
def test_names_keep_their_letters_and_originals_that_are_not_there_are_offline(made: Catalog) -> None:
    assert [photo.file_name for photo in sorted(made.photos(), key=lambda photo: photo.local_id)] == [
        *(f"{TURTLE}.jpg", f"{TURTLE}.jpg", f"{PORT_NFD}.JPG", "京都の朝.CR3", "Film.mov", "scan")
    ]
    assert photo_of(made, 14).path == "D:/Archiv/京都の朝.CR3"
    assert all(photo.is_offline for photo in made.photos())


# --- originals ------------------------------------------------------------------------------------------------------


def write_picture(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (60, 40), (200, 30, 30)).save(path, "JPEG")


@requirement("demo.folder")
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("place", ["Fotos", "Pictures"])
def test_originals_are_shown_also_beside_a_catalog_that_was_moved_with_them(
    tmp_path: Path, form: str, place: str
) -> None:
    names = [unicodedata.normalize(form, f"{name}") for name in (f"{TURTLE}.jpg", f"{PORT_NFD}.JPG")]  # type: ignore[arg-type]  # one of the forms
    for name in names:
        write_picture(tmp_path / place / "2024" / "Łódź" / name)
    write_lrcat(tmp_path / "moved.lrcat", 14, root=tmp_path / "Fotos")
    catalog = lrcat_catalog(tmp_path / "moved.lrcat")
    assert {photo.local_id for photo in catalog.photos() if not photo.is_offline} == {11, 12, 13}
    assert [Path(photo_of(catalog, number).path).name for number in (11, 13)] == names
    with Image.open(io.BytesIO(catalog.pictures.jpeg(photo_of(catalog, 13), 30))) as shown:
        assert shown.size == (30, 20)
        red, green, _ = shown.convert("RGB").getpixel((15, 10))  # type: ignore[misc]  # three of them in RGB
        assert red > 150 > green


@requirement("demo.folder")
def test_an_original_that_cannot_be_read_is_shown_as_a_card(tmp_path: Path) -> None:
    folder = tmp_path / "Fotos" / "2024" / "Łódź"
    folder.mkdir(parents=True)
    (folder / f"{TURTLE}.jpg").write_bytes(b"no picture")
    write_lrcat(tmp_path / "a.lrcat", 14, root=tmp_path / "Fotos")
    catalog = lrcat_catalog(tmp_path / "a.lrcat")
    assert not photo_of(catalog, 11).is_offline
    with Image.open(io.BytesIO(catalog.pictures.jpeg(photo_of(catalog, 11), 60))) as card:
        assert card.size == (40, 60), "upright, as the photo"
