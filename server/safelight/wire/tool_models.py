# Generated from the contract by `make generate`; never edited.

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType
from safelight.wire.base import Wire


class Photo(Wire, frozen=True, kw_only=True):
    photo_id: Annotated[str, Meta(description="Lightroom's uuid of the photo")]
    file_name: str
    title: str | UnsetType = UNSET
    caption: str | UnsetType = UNSET
    rating: (
        Annotated[int, Meta(description="0 means unrated", ge=0, le=5)] | UnsetType
    ) = UNSET
    flag: Literal["pick", "none", "reject"] | UnsetType = UNSET
    label: str | UnsetType = UNSET
    captured: (
        Annotated[str, Meta(description="local time of capture, ISO 8601")] | UnsetType
    ) = UNSET
    keywords: (
        Annotated[list[str], Meta(description="paths, e.g. Animals > Dog")] | UnsetType
    ) = UNSET
    headline: str | UnsetType = UNSET
    creator: str | UnsetType = UNSET
    copyright: str | UnsetType = UNSET
    location: str | UnsetType = UNSET
    city: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    country: str | UnsetType = UNSET
    latitude: float | UnsetType = UNSET
    longitude: float | UnsetType = UNSET
    camera: str | UnsetType = UNSET
    lens: str | UnsetType = UNSET
    iso: int | UnsetType = UNSET
    aperture: Annotated[float, Meta(description="f-number")] | UnsetType = UNSET
    shutter: Annotated[str, Meta(description="seconds, e.g. 1/250")] | UnsetType = UNSET
    focal_length: Annotated[float, Meta(description="millimetres")] | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType = UNSET
    file_format: str | UnsetType = UNSET
    folder: str | UnsetType = UNSET
    adjusted: (
        Annotated[bool, Meta(description="has develop settings of its own")] | UnsetType
    ) = UNSET
    virtual_copy: bool | UnsetType = UNSET
    copy_name: str | UnsetType = UNSET
    score: (
        Annotated[float, Meta(description="how alike; 1 is the same")] | UnsetType
    ) = UNSET


class Count(Wire, frozen=True, kw_only=True):
    value: str
    photos: Annotated[int, Meta(ge=0)]


class Failure(Wire, frozen=True, kw_only=True):
    photo_id: str
    reason: str


class WriteReport(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[str], Meta(description="ids of photos that now have the value; read back")
    ]
    failed: list[Failure]
    not_attempted: list[str]
    change_id: (
        Annotated[
            str,
            Meta(description="what undo_change takes; absent when nothing was changed"),
        ]
        | UnsetType
    ) = UNSET
    warnings: list[str] | UnsetType = UNSET


class Collection(Wire, frozen=True, kw_only=True):
    collection_id: str
    name: Annotated[str, Meta(description="with the collection sets above it")]
    kind: Literal["collection", "smart", "set"]
    photos: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    change_id: (
        Annotated[str, Meta(description="what undo_change takes")] | UnsetType
    ) = UNSET


class Keyword(Wire, frozen=True, kw_only=True):
    keyword: Annotated[str, Meta(description="path, e.g. Animals > Dog")]
    photos: Annotated[int, Meta(description="photos that have it", ge=0)]


class Preset(Wire, frozen=True, kw_only=True):
    preset_id: str
    name: str
    folder: str


class Develop(Wire, frozen=True, kw_only=True):
    photo_id: str
    settings: dict[str, Any]


class Snapshot(Wire, frozen=True, kw_only=True):
    photo_id: str
    snapshot_id: str
    name: str


class Copy(Wire, frozen=True, kw_only=True):
    photo_id: str
    copy_id: str


class Job(Wire, frozen=True, kw_only=True):
    job_id: str
    state: Literal["running", "paused", "done", "failed", "cancelled"]
    done: Annotated[int, Meta(ge=0)]
    total: Annotated[int, Meta(ge=0)]
    kind: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


class GetStatusArguments(Wire, frozen=True, kw_only=True):
    pass


class GetStatusAnswer(Wire, frozen=True, kw_only=True):
    connected: bool
    read_only: Annotated[bool, Meta(description="the plug-in's read-only switch")]
    catalog: (
        Annotated[str, Meta(description="name of the open catalog")] | UnsetType
    ) = UNSET
    photo_count: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    selected_count: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    view: (
        Annotated[str, Meta(description="what the grid shows, e.g. All Photographs")]
        | UnsetType
    ) = UNSET
    agents_on: (
        Annotated[
            bool,
            Meta(
                description="whether AI agents are turned on in the plug-in's settings"
            ),
        ]
        | UnsetType
    ) = UNSET
    lightroom_version: str | UnsetType = UNSET
    plugin_version: str | UnsetType = UNSET
    transport: (
        Annotated[
            Literal["long_poll", "short_poll"],
            Meta(description="how commands reach Lightroom"),
        ]
        | UnsetType
    ) = UNSET
    indexed: (
        Annotated[int, Meta(description="photos that searches can find", ge=0)]
        | UnsetType
    ) = UNSET
    jobs: list[Job] | UnsetType = UNSET


class CatalogOverviewArguments(Wire, frozen=True, kw_only=True):
    pass


class SearchPhotosArguments(Wire, frozen=True, kw_only=True):
    text: (
        Annotated[
            str,
            Meta(
                description='words that must occur in file name, title, caption, keywords, place, camera or lens; also "a phrase", -word, a OR b',
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    rating_min: (
        Annotated[int, Meta(description="fewest stars", ge=0, le=5)] | UnsetType
    ) = UNSET
    rating_max: (
        Annotated[
            int, Meta(description="most stars; 0 finds unrated photos", ge=0, le=5)
        ]
        | UnsetType
    ) = UNSET
    flag: Literal["pick", "none", "reject"] | UnsetType = UNSET
    label: Literal["red", "yellow", "green", "blue", "purple", "none"] | UnsetType = (
        UNSET
    )
    captured_from: (
        Annotated[
            str,
            Meta(
                description="first day, e.g. 2024-05-01, or a year",
                max_length=10,
                pattern="^\\d{4}(-\\d{2}(-\\d{2})?)?$",
            ),
        ]
        | UnsetType
    ) = UNSET
    captured_to: (
        Annotated[
            str,
            Meta(
                description="last day, e.g. 2024-05-31, or a year",
                max_length=10,
                pattern="^\\d{4}(-\\d{2}(-\\d{2})?)?$",
            ),
        ]
        | UnsetType
    ) = UNSET
    when: (
        Annotated[
            Literal[
                "today",
                "yesterday",
                "this_week",
                "last_week",
                "this_month",
                "last_month",
                "this_year",
                "last_year",
            ],
            Meta(description="time of capture"),
        ]
        | UnsetType
    ) = UNSET
    keyword: (
        Annotated[
            str,
            Meta(
                description="keyword or path; finds what stands below it too",
                max_length=400,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    collection: (
        Annotated[
            str,
            Meta(
                description="name of a collection, or its path: Trips > Rome",
                max_length=400,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    folder: (
        Annotated[
            str,
            Meta(description="part of the folder's path", max_length=500, min_length=1),
        ]
        | UnsetType
    ) = UNSET
    place: (
        Annotated[
            str,
            Meta(
                description="location, city, state or country",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    camera: (
        Annotated[
            str, Meta(description="part of its name", max_length=100, min_length=1)
        ]
        | UnsetType
    ) = UNSET
    lens: (
        Annotated[
            str, Meta(description="part of its name", max_length=100, min_length=1)
        ]
        | UnsetType
    ) = UNSET
    file_type: (
        Literal["raw", "dng", "jpeg", "tiff", "psd", "png", "heic", "video"] | UnsetType
    ) = UNSET
    file_name: (
        Annotated[
            str,
            Meta(
                description="pattern with * and ?, e.g. IMG_12*",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    missing: (
        Annotated[
            Literal["title", "caption", "keywords", "gps", "copyright"],
            Meta(description="photos that lack it"),
        ]
        | UnsetType
    ) = UNSET
    adjusted: (
        Annotated[bool, Meta(description="has develop settings of its own")] | UnsetType
    ) = UNSET
    virtual_copy: bool | UnsetType = UNSET
    shows: (
        Annotated[
            str,
            Meta(
                description="what the picture shows, in words; finds at most the 100 best",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    filter: (
        Annotated[
            str,
            Meta(
                description="more conditions, e.g. iso>=1600 and (camera:nikon or not keyword:dog); also aperture, focal, lat, lon, width, height",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    within: (
        Annotated[
            str,
            Meta(
                description='search only in this set, "selection" or "view"',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    facets: (
        Annotated[
            bool,
            Meta(
                description="also count what was found by rating and year and camera and more"
            ),
        ]
        | UnsetType
    ) = UNSET
    sort: (
        Annotated[
            Literal["best", "newest", "oldest", "rating", "file_name"],
            Meta(
                description="newest is usual, with shows best; best: where text fits best"
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


PhotoId: TypeAlias = Annotated[str, Meta(max_length=64, min_length=1)]


class GetPhotosArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    fields: (
        Annotated[
            list[Literal["exif", "iptc", "place", "file"]],
            Meta(description="more details than the usual ones", max_length=4),
        ]
        | UnsetType
    ) = UNSET
    thumbnails: (
        Annotated[bool, Meta(description="also give small pictures of up to 8 photos")]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class FindSimilarArguments(Wire, frozen=True, kw_only=True):
    photo_id: Annotated[
        str, Meta(description="id of the photo", max_length=64, min_length=1)
    ]
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET


class ListCollectionsArguments(Wire, frozen=True, kw_only=True):
    query: (
        Annotated[
            str,
            Meta(
                description="part of the name; absent lists all",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class ListCollectionsAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]
    collections: list[Collection]
    warnings: list[str] | UnsetType = UNSET


class ListKeywordsArguments(Wire, frozen=True, kw_only=True):
    query: (
        Annotated[
            str,
            Meta(
                description="part of the name; absent lists all",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class ListKeywordsAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]
    keywords: list[Keyword]
    warnings: list[str] | UnsetType = UNSET


class ListPresetsArguments(Wire, frozen=True, kw_only=True):
    query: (
        Annotated[
            str,
            Meta(
                description="part of the name; absent lists all",
                max_length=200,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class ListPresetsAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]
    presets: list[Preset]


class GetDevelopSettingsArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class GetDevelopSettingsAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]
    photos: list[Develop]
    warnings: list[str] | UnsetType = UNSET


class ListSnapshotsArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


class ListSnapshotsAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(description="photos of the target", ge=0)]
    snapshots: list[Snapshot]
    warnings: list[str] | UnsetType = UNSET


class ShowPhotosArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


class ShowPhotosAnswer(Wire, frozen=True, kw_only=True):
    shown: Annotated[int, Meta(ge=0)]
    warnings: list[str] | UnsetType = UNSET


class CreateCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str,
        Meta(
            description="name of a collection, or its path: Trips > Rome",
            max_length=400,
            min_length=1,
        ),
    ]


CreateCollectionAnswer: TypeAlias = Collection


class CreateSmartCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str,
        Meta(
            description="name of a collection, or its path: Trips > Rome",
            max_length=400,
            min_length=1,
        ),
    ]
    rating_min: (
        Annotated[int, Meta(description="fewest stars", ge=0, le=5)] | UnsetType
    ) = UNSET
    rating_max: (
        Annotated[
            int, Meta(description="most stars; 0 finds unrated photos", ge=0, le=5)
        ]
        | UnsetType
    ) = UNSET
    flag: Literal["pick", "none", "reject"] | UnsetType = UNSET
    label: Literal["red", "yellow", "green", "blue", "purple", "none"] | UnsetType = (
        UNSET
    )
    captured_from: (
        Annotated[
            str,
            Meta(
                description="first day, e.g. 2024-05-01, or a year",
                max_length=10,
                pattern="^\\d{4}(-\\d{2}(-\\d{2})?)?$",
            ),
        ]
        | UnsetType
    ) = UNSET
    captured_to: (
        Annotated[
            str,
            Meta(
                description="last day, e.g. 2024-05-31, or a year",
                max_length=10,
                pattern="^\\d{4}(-\\d{2}(-\\d{2})?)?$",
            ),
        ]
        | UnsetType
    ) = UNSET
    keyword: (
        Annotated[
            str,
            Meta(
                description="keyword or path; finds what stands below it too",
                max_length=400,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    camera: (
        Annotated[
            str, Meta(description="part of its name", max_length=100, min_length=1)
        ]
        | UnsetType
    ) = UNSET
    lens: (
        Annotated[
            str, Meta(description="part of its name", max_length=100, min_length=1)
        ]
        | UnsetType
    ) = UNSET


CreateSmartCollectionAnswer: TypeAlias = Collection


class AddToCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str,
        Meta(
            description="name of a collection, or its path: Trips > Rome",
            max_length=400,
            min_length=1,
        ),
    ]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


AddToCollectionAnswer: TypeAlias = WriteReport


class RemoveFromCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str,
        Meta(
            description="name of a collection, or its path: Trips > Rome",
            max_length=400,
            min_length=1,
        ),
    ]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


RemoveFromCollectionAnswer: TypeAlias = WriteReport


class CreateSnapshotArguments(Wire, frozen=True, kw_only=True):
    name: Annotated[
        str, Meta(description="name of what is made", max_length=100, min_length=1)
    ]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


CreateSnapshotAnswer: TypeAlias = WriteReport


class CreateVirtualCopiesArguments(Wire, frozen=True, kw_only=True):
    name: (
        Annotated[
            str, Meta(description="name of what is made", max_length=100, min_length=1)
        ]
        | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


class CreateVirtualCopiesAnswer(Wire, frozen=True, kw_only=True):
    copies: list[Copy]
    failed: list[Failure]
    not_attempted: list[str]
    set_id: Annotated[str, Meta(description="the copies as a set")] | UnsetType = UNSET
    change_id: str | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class IndexPhotosArguments(Wire, frozen=True, kw_only=True):
    what: (
        Annotated[
            Literal["catalog", "texts", "pictures"],
            Meta(description="catalog (usual), or embeddings of texts or pictures"),
        ]
        | UnsetType
    ) = UNSET


IndexPhotosAnswer: TypeAlias = Job


class ExportPhotosArguments(Wire, frozen=True, kw_only=True):
    destination: Annotated[
        str, Meta(description="full path of the folder", max_length=1000, min_length=1)
    ]
    format: (
        Annotated[
            Literal["jpeg", "tiff", "png", "dng", "original"],
            Meta(description="jpeg is usual"),
        ]
        | UnsetType
    ) = UNSET
    quality: Annotated[int, Meta(description="of jpeg", ge=1, le=100)] | UnsetType = (
        UNSET
    )
    long_edge: (
        Annotated[int, Meta(description="pixels", ge=16, le=65000)] | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


ExportPhotosAnswer: TypeAlias = Job


class SetRatingArguments(Wire, frozen=True, kw_only=True):
    rating: Annotated[int, Meta(description="stars", ge=0, le=5)]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


SetRatingAnswer: TypeAlias = WriteReport


class SetFlagArguments(Wire, frozen=True, kw_only=True):
    flag: Literal["pick", "none", "reject"]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


SetFlagAnswer: TypeAlias = WriteReport


class SetLabelArguments(Wire, frozen=True, kw_only=True):
    label: Literal["red", "yellow", "green", "blue", "purple", "none"]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


SetLabelAnswer: TypeAlias = WriteReport


class SetMetadataArguments(Wire, frozen=True, kw_only=True):
    title: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    caption: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    headline: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    creator: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    copyright: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    location: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    city: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    state: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    country: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    latitude: (
        Annotated[
            float,
            Meta(description="degrees; together with longitude", ge=-90.0, le=90.0),
        ]
        | UnsetType
    ) = UNSET
    longitude: Annotated[float, Meta(ge=-180.0, le=180.0)] | UnsetType = UNSET
    clear_gps: (
        Annotated[bool, Meta(description="take the GPS place away")] | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


SetMetadataAnswer: TypeAlias = WriteReport


AddItem: TypeAlias = Annotated[str, Meta(max_length=400, min_length=1)]


RemoveItem: TypeAlias = Annotated[str, Meta(max_length=400, min_length=1)]


ReplaceItem: TypeAlias = Annotated[str, Meta(max_length=400, min_length=1)]


class EditKeywordsArguments(Wire, frozen=True, kw_only=True):
    add: Annotated[list[AddItem], Meta(max_length=50, min_length=1)] | UnsetType = UNSET
    remove: (
        Annotated[list[RemoveItem], Meta(max_length=50, min_length=1)] | UnsetType
    ) = UNSET
    replace: (
        Annotated[
            list[ReplaceItem],
            Meta(
                description="the only keywords that the photos shall have",
                max_length=50,
            ),
        ]
        | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


EditKeywordsAnswer: TypeAlias = WriteReport


class Settings(Wire, frozen=True, kw_only=True):
    exposure: (
        Annotated[float, Meta(description="stops", ge=-10.0, le=10.0)] | UnsetType
    ) = UNSET
    contrast: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    highlights: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    shadows: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    whites: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    blacks: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    temperature: (
        Annotated[
            int,
            Meta(
                description="kelvin for raw photos, -100 to 100 for others",
                ge=-50000,
                le=50000,
            ),
        ]
        | UnsetType
    ) = UNSET
    tint: Annotated[int, Meta(ge=-300, le=300)] | UnsetType = UNSET
    texture: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    clarity: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    dehaze: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    vibrance: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    saturation: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    sharpness: Annotated[int, Meta(ge=-150, le=150)] | UnsetType = UNSET
    noise_reduction: Annotated[int, Meta(ge=-100, le=100)] | UnsetType = UNSET
    color_noise_reduction: Annotated[int, Meta(ge=-100, le=100)] | UnsetType = UNSET
    vignette: Annotated[int, Meta(ge=-200, le=200)] | UnsetType = UNSET
    grain: Annotated[int, Meta(ge=-100, le=100)] | UnsetType = UNSET


class SetDevelopSettingsArguments(Wire, frozen=True, kw_only=True):
    settings: Annotated[
        Settings,
        Meta(
            description="numbers by name; exposure in stops; temperature in kelvin for raw photos, -100 to 100 for others"
        ),
    ]
    relative: (
        Annotated[bool, Meta(description="add to the present values")] | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


SetDevelopSettingsAnswer: TypeAlias = WriteReport


class ApplyPresetArguments(Wire, frozen=True, kw_only=True):
    preset: Annotated[
        str, Meta(description="name or preset_id", max_length=200, min_length=1)
    ]
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


ApplyPresetAnswer: TypeAlias = WriteReport


class CopyDevelopSettingsArguments(Wire, frozen=True, kw_only=True):
    photo_id: Annotated[
        str, Meta(description="id of the photo", max_length=64, min_length=1)
    ]
    only: (
        Annotated[
            list[Literal["tone", "white_balance", "presence", "detail", "effects"]],
            Meta(
                description="groups of settings; absent copies all of them",
                max_length=5,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


CopyDevelopSettingsAnswer: TypeAlias = WriteReport


class AutoToneArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


AutoToneAnswer: TypeAlias = WriteReport


class ResetDevelopArguments(Wire, frozen=True, kw_only=True):
    set: (
        Annotated[
            str,
            Meta(
                description='"selection" (the photos selected in Lightroom), "view" (all photos now shown), or the set_id of an earlier result',
                max_length=64,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    photo_ids: (
        Annotated[
            list[PhotoId],
            Meta(
                description="ids of single photos, as found in an earlier result; use either set or photo_ids",
                max_length=1000,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET


ResetDevelopAnswer: TypeAlias = WriteReport


class DeleteCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str,
        Meta(
            description="name of a collection, or its path: Trips > Rome",
            max_length=400,
            min_length=1,
        ),
    ]


DeleteCollectionAnswer: TypeAlias = Collection


class UndoChangeArguments(Wire, frozen=True, kw_only=True):
    change_id: Annotated[
        str,
        Meta(description="from the answer to the change", max_length=64, min_length=1),
    ]


UndoChangeAnswer: TypeAlias = WriteReport


class BridgeTraceArguments(Wire, frozen=True, kw_only=True):
    limit: (
        Annotated[
            int,
            Meta(description="how many to list (a set always holds all)", ge=1, le=100),
        ]
        | UnsetType
    ) = UNSET


class BridgeTraceAnswer(Wire, frozen=True, kw_only=True):
    commands: list[dict[str, Any]]


class Facet(Wire, frozen=True, kw_only=True):
    name: Literal[
        "rating",
        "flag",
        "label",
        "year",
        "camera",
        "lens",
        "keyword",
        "collection",
        "file_type",
    ]
    counts: list[Count]
    more: Annotated[int, Meta(description="values that are not listed", ge=0)]


class CatalogOverviewAnswer(Wire, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]
    facets: list[Facet]
    first: Annotated[str, Meta(description="oldest time of capture")] | UnsetType = (
        UNSET
    )
    last: Annotated[str, Meta(description="newest time of capture")] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class PhotoPage(Wire, frozen=True, kw_only=True):
    set_id: Annotated[str, Meta(description="a set that later calls can use")]
    count: Annotated[int, Meta(description="photos in the set", ge=0)]
    photos: Annotated[list[Photo], Meta(description="the first page")]
    facets: list[Facet] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


SearchPhotosAnswer: TypeAlias = PhotoPage


GetPhotosAnswer: TypeAlias = PhotoPage


FindSimilarAnswer: TypeAlias = PhotoPage
