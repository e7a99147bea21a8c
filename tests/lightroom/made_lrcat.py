"""Small catalog files as several versions of Lightroom lay them out, with all that is awkward in real ones.

Tables and columns of version 5 are those of the real catalog in ``tests/data/lrcat``; what later versions added is as
public dumps of their schemas have it. No public source says in which version the XMP became compressed: it is text in
the made catalogs of versions 5 and 6 and compressed in those of 9 and 14.
"""

from __future__ import annotations

import sqlite3
import unicodedata
import zlib
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal

__all__ = ("FLAVOURS", "Flavour", "PORT_NFD", "TURTLE", "changed_in_wal", "write_lrcat")

Flavour = Literal[5, 6, 9, 14]
FLAVOURS: Final[tuple[Flavour, ...]] = (5, 6, 9, 14)

TURTLE: Final = "Żółw"
"""In the composed form."""
PORT_NFD: Final = unicodedata.normalize("NFD", "Hafen für Gäste")

VERSIONS: Final = {5: "0500006", 6: "0600008", 9: "0900000", 14: "1400000"}

TABLES: Final[dict[str, str]] = {
    "Adobe_variablesTable": "id_global name type value",
    "Adobe_images": "id_global captureTime colorLabels copyName fileFormat fileHeight fileWidth masterImage "
    "orientation pick rating rootFile touchCount touchTime",
    "AgLibraryFile": "id_global baseName extension folder idx_filename originalFilename",
    "AgLibraryFolder": "id_global pathFromRoot rootFolder",
    "AgLibraryRootFolder": "id_global absolutePath name relativePathFromCatalog",
    "AgHarvestedExifMetadata": "image aperture cameraModelRef focalLength gpsLatitude gpsLongitude hasGPS "
    "isoSpeedRating lensRef shutterSpeed",
    "AgInternedExifCameraModel": "searchIndex value",
    "AgInternedExifLens": "searchIndex value",
    "AgHarvestedIptcMetadata": "image cityRef countryRef creatorRef locationRef stateRef",
    "AgInternedIptcCity": "searchIndex value",
    "AgInternedIptcCountry": "searchIndex value",
    "AgInternedIptcCreator": "searchIndex value",
    "AgInternedIptcLocation": "searchIndex value",
    "AgInternedIptcState": "searchIndex value",
    "AgLibraryIPTC": "caption copyright image",
    "Adobe_AdditionalMetadata": "id_global image xmp",
    "Adobe_imageDevelopSettings": "hasDevelopAdjustments hasDevelopAdjustmentsEx image processVersion text",
    "Adobe_libraryImageDevelopSnapshot": "id_global image name snapshotID text",
    "AgLibraryKeyword": "id_global includeOnExport lc_name name parent",
    "AgLibraryKeywordImage": "image tag",
    "AgLibraryKeywordSynonym": "keyword lc_name name",
    "AgLibraryCollection": "creationId genealogy name parent systemOnly",
    "AgLibraryCollectionContent": "collection content owningModule",
    "AgLibraryCollectionImage": "collection image positionInCollection",
}

REFERENCES: Final = {
    "collection",
    "folder",
    "image",
    "keyword",
    "masterImage",
    "parent",
    "rootFile",
    "rootFolder",
    "tag",
}

LATER: Final[dict[Flavour, dict[str, str]]] = {
    5: {},
    6: {"AgLibraryFace": "cluster image", "AgLibraryFolder": "visibility"},
    9: {"AgLibraryFolder": "parentId visibility", "AgLibraryImageAttributes": "image lastExportTimestamp"},
    14: {
        "AgLibraryFolder": "parentId visibility",
        "Adobe_images": "editLock",
        "AgLibraryIPTC": "altTextAccessibility extDescrAccessibility",
        "Adobe_imageDevelopSettings": "hasAIMasks hasBigData hasLensBlur hasMasks hasPointColor isHdrEditMode",
        "AgLibraryFileAssetMetadata": "fileId sha256 fileSize",
    },
}

XMP: Final = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Headline="Slow &amp; steady">
<dc:title><rdf:Alt><rdf:li xml:lang="de">Schildkröte</rdf:li><rdf:li xml:lang="x-default">A turtle</rdf:li></rdf:Alt>
</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>"""

EDITED: Final = """s = { Exposure2012 = 0.75, Contrast2012 = -10, ConvertToGrayscale = true,
CameraProfile = "Adobe Vivid", ToneCurvePV2012 = { 0, 0, 128, 140, 255, 255 }, RetouchInfo = {  } }"""

RULE: Final = (
    's = {{\n\t{{\n\t\tcriteria = "{}",\n\t\toperation = "{}",\n\t\tvalue = {},\n\t}},\n\tcombine = "intersect",\n}}\n'
)
SMART: Final = "ag.library.smart_collection"

# Numbers of photos: 1 turtle, 2 its virtual copy, 3 port, 4 offline, 5 video, 6 a file without extension
ROWS: Final[dict[str, list[dict[str, Any]]]] = {
    "AgLibraryFolder": [
        {"id_local": 1, "pathFromRoot": "2024/Łódź/", "rootFolder": 1},
        {"id_local": 2, "pathFromRoot": "", "rootFolder": 2},
    ],
    "AgLibraryFile": [
        {"id_local": 1, "baseName": TURTLE, "extension": "jpg", "folder": 1},
        {"id_local": 2, "baseName": PORT_NFD, "extension": "JPG", "folder": 1},
        {"id_local": 3, "baseName": "京都の朝", "extension": "CR3", "folder": 2},
        {"id_local": 4, "baseName": "Film", "extension": "mov", "folder": 2},
        {"id_local": 5, "baseName": "scan", "extension": "", "folder": 2},
    ],
    "Adobe_images": [
        {"id_local": 11, "rootFile": 1, "captureTime": "2024-05-01T10:00:00.5", "rating": 5.0, "pick": 1.0}
        | {"colorLabels": "Red", "fileFormat": "JPG", "fileWidth": 60.0, "fileHeight": 40.0, "orientation": "BC"},
        {"id_local": 12, "rootFile": 1, "captureTime": "2024-05-01T10:00:00.5", "rating": 2.0, "pick": -1.0}
        | {"masterImage": 11, "copyName": "Black and white", "fileFormat": "JPG", "fileWidth": 60, "fileHeight": 40},
        {"id_local": 13, "rootFile": 2, "captureTime": "2024-05-02T08:30:00+02:00", "pick": 0.0, "fileFormat": "JPG"},
        {"id_local": 14, "rootFile": 3, "captureTime": "2019-11", "rating": 0, "fileFormat": "RAW"}
        | {"fileWidth": 6000, "fileHeight": 4000, "orientation": "AB", "touchTime": 500000000.25},
        {"id_local": 15, "rootFile": 4, "captureTime": None, "fileFormat": "VIDEO", "colorLabels": "Zur Prüfung"},
        {"id_local": 16, "rootFile": 5, "captureTime": "no time", "fileFormat": "TIFF", "masterImage": 999},
    ],
    "AgInternedExifCameraModel": [{"id_local": 1, "value": "NIKON Z 8"}],
    "AgInternedExifLens": [{"id_local": 1, "value": "NIKKOR Z 50mm f/1.8 S"}],
    "AgHarvestedExifMetadata": [
        {"image": 11, "aperture": 2.970854, "shutterSpeed": 7.643856, "isoSpeedRating": 200.0, "focalLength": 50.0}
        | {"cameraModelRef": 1, "lensRef": 1, "hasGPS": 1, "gpsLatitude": 51.759, "gpsLongitude": 19.456},
        {"image": 14, "aperture": None, "shutterSpeed": -1.0, "hasGPS": 0, "gpsLatitude": 1.0, "gpsLongitude": 1.0},
    ],
    "AgInternedIptcCity": [{"id_local": 7, "value": "Łódź"}],
    "AgInternedIptcState": [{"id_local": 7, "value": "Łódzkie"}],
    "AgInternedIptcCountry": [{"id_local": 7, "value": "Polska"}],
    "AgInternedIptcLocation": [{"id_local": 7, "value": "Zoo"}],
    "AgInternedIptcCreator": [{"id_local": 7, "value": "Zofia"}],
    "AgHarvestedIptcMetadata": [
        {"image": 11, "cityRef": 7, "stateRef": 7, "countryRef": 7, "locationRef": 7, "creatorRef": 7},
    ],
    "AgLibraryIPTC": [{"image": 11, "caption": "In no hurry", "copyright": "© Zofia"}],
    "Adobe_imageDevelopSettings": [
        {"image": 11, "hasDevelopAdjustmentsEx": -1.0, "text": "s = { Exposure2012 = 0, Brightness = 50 }"},
        {"image": 12, "hasDevelopAdjustmentsEx": 1.0, "text": EDITED},
        {"image": 12, "hasDevelopAdjustmentsEx": 1.0, "text": EDITED},
        {"image": 14, "hasDevelopAdjustments": 1, "text": "s = { os.exit() }"},
    ],
    "Adobe_libraryImageDevelopSnapshot": [
        {"image": 12, "name": "Before print", "snapshotID": "S-1", "text": "s = { Exposure2012 = 1 }"},
    ],
    "AgLibraryKeyword": [
        {"id_local": 1, "name": None, "parent": None},
        {"id_local": 2, "name": "Orange", "parent": 5},
        {"id_local": 3, "name": "Colours", "parent": 1},
        {"id_local": 4, "name": "Orange", "parent": 3},
        {"id_local": 5, "name": "Fruit", "parent": 1},
        {"id_local": 6, "name": "Private", "parent": 1, "includeOnExport": 0},
        {"id_local": 7, "name": "Lost", "parent": 777},
        {"id_local": 8, "name": "Hen", "parent": 9},
        {"id_local": 9, "name": "Egg", "parent": 8},
    ],
    "AgLibraryKeywordSynonym": [{"keyword": 2, "name": "Apfelsine"}, {"keyword": 2, "name": "Pomarańcza"}],
    "AgLibraryKeywordImage": [
        {"image": 11, "tag": 4},
        {"image": 11, "tag": 6},
        {"image": 11, "tag": 4},
        {"image": 14, "tag": 2},
        {"image": 14, "tag": 1},
    ],
    "AgLibraryCollection": [
        {"id_local": 1, "name": "quick collection", "creationId": "com.adobe.ag.library.collection", "systemOnly": 1.0},
        {"id_local": 2, "name": "Łódź", "creationId": "com.adobe.ag.library.collection", "parent": 4},
        {"id_local": 3, "name": "Trips", "creationId": "com.adobe.ag.library.group"},
        {"id_local": 4, "name": "2024", "creationId": "com.adobe.ag.library.group", "parent": 3},
        {"id_local": 5, "name": "Five stars", "creationId": "com.adobe.ag.library.smart_collection", "parent": 3},
        {"id_local": 6, "name": "Previews", "creationId": "com.adobe.ag.library.smart_collection"},
        {"id_local": 7, "name": "For the wall", "creationId": "com.adobe.ag.print"},
        {"id_local": 8, "name": "For the wall", "creationId": "com.adobe.ag.print"},
        {"id_local": 9, "name": "Print", "creationId": "com.adobe.ag.print.unsaved", "systemOnly": "1"},
    ],
    "AgLibraryCollectionContent": [
        {"collection": 5, "content": RULE.format("rating", ">=", 5), "owningModule": SMART},
        {"collection": 6, "content": RULE.format("smartPreviewStatus", "==", 1), "owningModule": SMART},
        {"collection": 3, "content": "no rules", "owningModule": "ag.library.something"},
    ],
    "AgLibraryCollectionImage": [
        {"collection": 2, "image": 13, "positionInCollection": "b"},
        {"collection": 2, "image": 12, "positionInCollection": "a"},
        {"collection": 2, "image": 999, "positionInCollection": "c"},
        {"collection": 1, "image": 11, "positionInCollection": "a"},
        {"collection": 7, "image": 14, "positionInCollection": "a"},
    ],
}


def write_lrcat(
    path: Path, flavour: Flavour, *, root: Path, without: Mapping[str, tuple[str, ...]] | None = None
) -> None:
    """Six images of five files. The files of the first two would be in ``root/2024/Łódź``, which is not made here.

    ``without`` names columns that are left out, by table; no columns at all leave out the table.
    """
    tables = {table: ["id_local", *columns.split()] for table, columns in TABLES.items()}
    for table, columns in LATER[flavour].items():
        tables.setdefault(table, ["id_local"]).extend(columns.split())
    for table, columns in (without or {}).items():
        tables[table] = [column for column in tables[table] if columns and column not in columns]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("BEGIN")
        for table, columns in tables.items():
            if columns:
                connection.execute(f"CREATE TABLE {table} ({', '.join(map(_declared, columns))})")
        for table, rows in (ROWS | _rows_of(flavour, root)).items():
            for number, row in enumerate(rows, 1):
                _insert(connection, table, tables[table], {"id_global": f"{table}-{number}"} | row)


def _declared(column: str) -> str:
    """As in real catalogs: references are whole numbers, nearly everything else has no type."""
    if column == "id_local":
        return "id_local INTEGER PRIMARY KEY"
    return f"{column} INTEGER" if column in REFERENCES or column.endswith("Ref") else column


def _rows_of(flavour: Flavour, root: Path) -> dict[str, list[dict[str, Any]]]:
    raw = XMP.encode()
    packet = XMP if flavour < 9 else len(raw).to_bytes(4, "big") + zlib.compress(raw)
    return {
        "Adobe_variablesTable": [{"name": "Adobe_DBVersion", "value": VERSIONS[flavour]}],
        "AgLibraryRootFolder": [
            {"id_local": 1, "absolutePath": f"{root.as_posix()}/", "relativePathFromCatalog": "Pictures/"},
            {"id_local": 2, "absolutePath": "D:/Archiv/", "relativePathFromCatalog": None},
        ],
        "Adobe_AdditionalMetadata": [{"image": 11, "xmp": packet}, {"image": 13, "xmp": b"\0\0\0\x09broken"}],
    }


def _insert(connection: sqlite3.Connection, table: str, columns: list[str], row: Mapping[str, Any]) -> None:
    here = {column: value for column, value in row.items() if column in columns}
    if here:
        marks = ", ".join("?" * len(here))
        connection.execute(f"INSERT INTO {table} ({', '.join(here)}) VALUES ({marks})", list(here.values()))


@contextmanager
def changed_in_wal(path: Path, statement: str) -> Generator[None]:
    """As while Lightroom has the catalog open: the change is committed, but stands in the log beside the file only."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        with connection:
            connection.execute(statement)
        yield
    finally:
        connection.close()
