# Generated from the contract by `make generate`; never edited.

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

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
    keywords: list[str] | UnsetType = UNSET
    city: str | UnsetType = UNSET
    country: str | UnsetType = UNSET
    camera: str | UnsetType = UNSET
    lens: str | UnsetType = UNSET
    iso: int | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType = UNSET
    file_format: str | UnsetType = UNSET
    virtual_copy: bool | UnsetType = UNSET


class PhotoPage(Wire, frozen=True, kw_only=True):
    set_id: Annotated[str, Meta(description="a set that later calls can use")]
    count: Annotated[int, Meta(description="photos in the set", ge=0)]
    photos: Annotated[list[Photo], Meta(description="the first page")]
    warnings: list[str] | UnsetType = UNSET


class Failure(Wire, frozen=True, kw_only=True):
    photo_id: str
    reason: str


class WriteReport(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[str], Meta(description="ids of photos that now have the value; read back")
    ]
    failed: list[Failure]
    not_attempted: list[str]
    warnings: list[str] | UnsetType = UNSET


class Collection(Wire, frozen=True, kw_only=True):
    collection_id: str
    name: str
    kind: Literal["collection", "smart", "set"]


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


class SearchPhotosArguments(Wire, frozen=True, kw_only=True):
    text: (
        Annotated[
            str,
            Meta(
                description="words that must occur in file name, title, caption, keywords, place, camera or lens",
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
    sort: Literal["newest", "oldest", "rating", "file_name"] | UnsetType = UNSET
    limit: (
        Annotated[
            int,
            Meta(
                description="how many photos to list (the set always holds all)",
                ge=1,
                le=100,
            ),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many photos to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


SearchPhotosAnswer: TypeAlias = PhotoPage


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
    limit: (
        Annotated[
            int,
            Meta(
                description="how many photos to list (the set always holds all)",
                ge=1,
                le=100,
            ),
        ]
        | UnsetType
    ) = UNSET
    offset: (
        Annotated[
            int,
            Meta(
                description="how many photos to leave out at the beginning of the list",
                ge=0,
                le=1000000,
            ),
        ]
        | UnsetType
    ) = UNSET


GetPhotosAnswer: TypeAlias = PhotoPage


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
        str, Meta(description="name of a collection", max_length=200, min_length=1)
    ]


CreateCollectionAnswer: TypeAlias = Collection


class AddToCollectionArguments(Wire, frozen=True, kw_only=True):
    collection: Annotated[
        str, Meta(description="name of a collection", max_length=200, min_length=1)
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


class SetMetadataArguments(Wire, frozen=True, kw_only=True):
    title: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    caption: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
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
