"""Catalogs to work on: drawn ones and folders of photos."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.ExifTags import GPS, IFD, Base

from safelight.lightroom import Catalog, FolderEmpty, Photo, drawn_catalog, folder_catalog, write_drawn_photos
from tests.requirement import requirement

XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmp:Rating="4" xmp:Label="Red" photoshop:City="Nazaré">
<photoshop:Country>Portugal</photoshop:Country>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Low tide</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Sand &amp; sea</rdf:li></rdf:Alt></dc:description>
<dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>beach</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>"""

HIERARCHY = """<lr:hierarchicalSubject xmlns:lr="http://ns.adobe.com/lightroom/1.0/"><rdf:Bag>
<rdf:li>nature|sea</rdf:li><rdf:li>nature|sea|low tide</rdf:li></rdf:Bag></lr:hierarchicalSubject>"""

CREDITS = """<dc:creator><rdf:Seq><rdf:li>Ida</rdf:li></rdf:Seq></dc:creator>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ida</rdf:li></rdf:Alt></dc:rights>
<photoshop:Headline>Ships</photoshop:Headline><photoshop:State>Leiria</photoshop:State>
<core:Location xmlns:core="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">Pier</core:Location>"""

# one IPTC record, each field by its number
IPTC_FIELDS = {
    5: "Old",
    120: "From IPTC",
    25: "harbour",
    105: "Ships",
    80: "Ida",
    116: "© Ida",
    92: "Pier",
    90: "Kiel",
    95: "Schleswig",
    101: "Germany",
}
IPTC = b"".join(
    b"\x1c\x02" + bytes([dataset]) + len(value.encode()).to_bytes(2, "big") + value.encode()
    for dataset, value in IPTC_FIELDS.items()
)


def picture(**save: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (60, 40), (200, 120, 40)).save(out, "JPEG", **save)
    return out.getvalue()


def with_iptc(jpeg: bytes) -> bytes:
    block = b"8BIM\x04\x04\x00\x00" + len(IPTC).to_bytes(4, "big") + IPTC + b"\x00" * (len(IPTC) % 2)
    segment = b"Photoshop 3.0\x00" + block
    return jpeg[:2] + b"\xff\xed" + (len(segment) + 2).to_bytes(2, "big") + segment + jpeg[2:]


def exif(orientation: int = 1) -> Image.Exif:
    tags = Image.Exif()
    tags[Base.Model] = "X-T5"
    tags[Base.ImageDescription] = "From EXIF"
    tags[Base.Orientation] = orientation
    details = tags.get_ifd(IFD.Exif)
    details[Base.DateTimeOriginal] = "2023:06:18 14:05:09"
    details[Base.ISOSpeedRatings] = 400
    details[Base.LensModel] = "XF35mmF1.4 R"
    details[Base.FNumber] = 2.8
    details[Base.ExposureTime] = 0.004
    details[Base.FocalLength] = 35.0
    place = tags.get_ifd(IFD.GPSInfo)
    place[GPS.GPSLatitudeRef], place[GPS.GPSLatitude] = "S", (33.0, 51.0, 24.6)
    place[GPS.GPSLongitudeRef], place[GPS.GPSLongitude] = "E", (151.0, 12.0, 54.0)
    return tags


def paths(catalog: Catalog, photo: Photo) -> list[tuple[str, ...]]:
    return [catalog.keywords.path(keyword) for keyword in photo.keywords]


@requirement("lightroom.simulator")
def test_a_drawn_catalog_is_the_same_every_time() -> None:
    assert drawn_catalog(40).photos() == drawn_catalog(40).photos()


@requirement("lightroom.simulator")
def test_a_drawn_catalog_has_what_chats_are_about() -> None:
    catalog = drawn_catalog()
    photos = catalog.photos()
    assert len(photos) == 60
    assert len({photo.uuid for photo in photos}) == 60
    assert {photo.captured.year for photo in photos if photo.captured} == {2021, 2022, 2023, 2024, 2025}
    words = {catalog.keywords[keyword].name for photo in photos for keyword in photo.keywords}
    assert words >= {"beach", "sunset", "dog", "mountain", "wedding", "birds"}
    assert {photo.rating for photo in photos} == {None, 1, 2, 3, 4, 5}
    assert {photo.pick for photo in photos} == {-1, 0, 1}
    assert any(photo.copy_of is not None for photo in photos)
    assert any(not photo.title for photo in photos)
    assert any(photo.gps is None for photo in photos)
    assert catalog.keywords.find("people", "family", "Mia").name == "Mia"


@requirement("demo.folder")
def test_a_simulated_catalog_starts_in_the_grid_with_its_first_three_photos_selected() -> None:
    catalog = drawn_catalog(10)
    assert catalog.selection == tuple(photo.uuid for photo in catalog.photos()[:3])
    assert catalog.view == ("library", "grid")


@requirement("lightroom.simulator")
def test_drawn_pictures_are_jpegs_of_the_asked_size_and_differ() -> None:
    catalog = drawn_catalog(12)
    drawn = [catalog.pictures.jpeg(photo, 120) for photo in catalog.photos()]
    assert len(set(drawn)) == 12
    for jpeg in drawn:
        with Image.open(io.BytesIO(jpeg)) as opened:
            assert (opened.format, opened.size) == ("JPEG", (120, 80))


@requirement("demo.folder")
def test_drawn_pictures_can_be_written_as_files(tmp_path: Path) -> None:
    paths = write_drawn_photos(tmp_path, 21, 90)
    assert len(paths) == 20, "a virtual copy has no file"
    assert [photo.file_name for photo in folder_catalog(tmp_path).photos()] == sorted(path.name for path in paths)


@requirement("demo.folder")
def test_a_folder_is_read_with_all_below_it_and_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.jpg", "sub/deeper/a.JPEG", ".hidden.jpg", ".cache/c.jpg"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture())
    (tmp_path / "notes.txt").write_text("no photo", encoding="utf-8")
    photos = folder_catalog(tmp_path).photos()
    assert [photo.file_name for photo in photos] == ["b.jpg", "a.JPEG"]
    assert [photo.file_format for photo in photos] == ["JPG", "JPG"]


@requirement("demo.folder")
def test_metadata_comes_from_exif(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture(exif=exif(orientation=6)))
    (photo,) = folder_catalog(tmp_path).photos()
    assert photo.captured == datetime(2023, 6, 18, 14, 5, 9)  # noqa: DTZ001 - local time of the camera
    assert (photo.camera, photo.lens, photo.iso) == ("X-T5", "XF35mmF1.4 R", 400)
    assert photo.caption == "From EXIF"
    assert (photo.aperture, photo.shutter, photo.focal_length) == pytest.approx((2.8, 0.004, 35.0))
    assert photo.gps == pytest.approx((-33.8568333, 151.215))
    assert (photo.width, photo.height) == (40, 60), "as it is shown, upright"


@requirement("demo.folder")
def test_metadata_comes_from_iptc(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(with_iptc(picture()))
    catalog = folder_catalog(tmp_path)
    (photo,) = catalog.photos()
    assert (photo.title, photo.caption, paths(catalog, photo)) == ("Old", "From IPTC", [("harbour",)])
    assert (photo.headline, photo.creator, photo.copyright) == ("Ships", "Ida", "© Ida")
    assert (photo.location, photo.city, photo.state, photo.country) == ("Pier", "Kiel", "Schleswig", "Germany")


@requirement("demo.folder")
def test_xmp_wins_over_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(with_iptc(picture(exif=exif(), xmp=XMP.encode())))
    catalog = folder_catalog(tmp_path)
    (photo,) = catalog.photos()
    assert (photo.title, photo.caption) == ("Low tide", "Sand & sea")
    assert paths(catalog, photo) == [("beach",), ("sea",)]
    assert (photo.rating, photo.label, photo.city, photo.country) == (4, "Red", "Nazaré", "Portugal")
    assert photo.iso == 400


@requirement("demo.folder")
def test_keywords_of_xmp_keep_their_hierarchy(tmp_path: Path) -> None:
    packet = XMP.replace("</rdf:Description>", f"{HIERARCHY}</rdf:Description>")
    (tmp_path / "a.jpg").write_bytes(picture(xmp=packet.encode()))
    catalog = folder_catalog(tmp_path)
    (photo,) = catalog.photos()
    assert paths(catalog, photo) == [("beach",), ("nature", "sea"), ("nature", "sea", "low tide")]


@requirement("demo.folder")
def test_credits_come_from_xmp(tmp_path: Path) -> None:
    packet = XMP.replace("</rdf:Description>", f"{CREDITS}</rdf:Description>")
    (tmp_path / "a.jpg").write_bytes(picture(xmp=packet.encode()))
    (photo,) = folder_catalog(tmp_path).photos()
    assert (photo.creator, photo.copyright, photo.headline) == ("Ida", "© Ida", "Ships")
    assert (photo.location, photo.state) == ("Pier", "Leiria")


@requirement("demo.folder")
def test_a_sidecar_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture(xmp=XMP.replace("Low tide", "Inside").encode()))
    (tmp_path / "a.xmp").write_text(XMP.replace('Rating="4"', 'Rating="5"'), encoding="utf-8")
    (photo,) = folder_catalog(tmp_path).photos()
    assert (photo.title, photo.rating) == ("Low tide", 5)


@requirement("demo.folder")
def test_broken_files_and_metadata_cost_only_themselves(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "good.jpg").write_bytes(picture(xmp=b"<no xml"))
    (tmp_path / "good.xmp").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', encoding="utf-8")
    assert [photo.file_name for photo in folder_catalog(tmp_path).photos()] == ["good.jpg"]
    assert "broken.jpg was left out" in caplog.text
    assert "good.xmp" in caplog.text


@requirement("demo.folder")
def test_a_folder_without_photos_says_so(tmp_path: Path) -> None:
    with pytest.raises(FolderEmpty, match=tmp_path.name):
        folder_catalog(tmp_path)


@requirement("demo.folder")
def test_thumbnails_of_files_are_upright(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture(exif=exif(orientation=6)))
    catalog = folder_catalog(tmp_path)
    with Image.open(io.BytesIO(catalog.pictures.jpeg(catalog.photos()[0], 30))) as opened:
        assert opened.size == (20, 30)


@requirement("demo.folder")
def test_the_same_folder_gives_the_same_ids(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture())
    assert folder_catalog(tmp_path).photos()[0].uuid == folder_catalog(tmp_path).photos()[0].uuid
