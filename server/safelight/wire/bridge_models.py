# Generated from the contract by `make generate`; never edited.

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType
from safelight.wire.base import Wire


class PhotoRecord(Wire, frozen=True, kw_only=True):
    photo_id: str
    file_name: str
    path: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    caption: str | UnsetType = UNSET
    rating: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    flag: Literal["pick", "none", "reject"] | UnsetType = UNSET
    label: (
        Annotated[
            str,
            Meta(description="lower-case colour name, or the custom label's own text"),
        ]
        | UnsetType
    ) = UNSET
    captured: str | UnsetType = UNSET
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
    edited: (
        Annotated[
            float, Meta(description="seconds since 2001-01-01 UTC of the last change")
        ]
        | UnsetType
    ) = UNSET


class PhotoChange(Wire, frozen=True, kw_only=True):
    photo_id: str
    rating: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    title: str | UnsetType = UNSET
    caption: str | UnsetType = UNSET


class PhotoFailure(Wire, frozen=True, kw_only=True):
    photo_id: str
    code: str
    message: str


class WriteStop(Wire, frozen=True, kw_only=True):
    code: Annotated[str, Meta(description="CATALOG_BUSY, TIMEOUT, or LIGHTROOM_ERROR")]
    message: str


class CollectionRecord(Wire, frozen=True, kw_only=True):
    collection_id: str
    name: str
    kind: Literal["collection", "smart", "set"]


class GetStateArguments(Wire, frozen=True, kw_only=True):
    pass


class GetStateOutcome(Wire, frozen=True, kw_only=True):
    catalog_id: str
    catalog_name: str
    photo_count: Annotated[int, Meta(ge=0)]
    selected_count: Annotated[int, Meta(ge=0)]
    view: str
    read_only: bool
    agents_on: bool
    lightroom_version: str
    plugin_version: str


class ListPhotoIdsArguments(Wire, frozen=True, kw_only=True):
    source: Literal["all", "selection", "view"]
    offset: Annotated[int, Meta(ge=0)]
    limit: Annotated[int, Meta(ge=1, le=5000)]


class ListPhotoIdsOutcome(Wire, frozen=True, kw_only=True):
    photo_ids: list[str]
    total: Annotated[int, Meta(ge=0)]


class ReadPhotosArguments(Wire, frozen=True, kw_only=True):
    photo_ids: Annotated[list[str], Meta(max_length=500, min_length=1)]


class ReadPhotosOutcome(Wire, frozen=True, kw_only=True):
    photos: list[PhotoRecord]
    missing: list[str]


class GetThumbnailArguments(Wire, frozen=True, kw_only=True):
    photo_id: str
    size: Annotated[int, Meta(ge=64, le=1600)]


class GetThumbnailOutcome(Wire, frozen=True, kw_only=True):
    jpeg_base64: str


class ShowPhotosArguments(Wire, frozen=True, kw_only=True):
    photo_ids: Annotated[list[str], Meta(max_length=5000, min_length=1)]


class ShowPhotosOutcome(Wire, frozen=True, kw_only=True):
    shown: Annotated[int, Meta(ge=0)]
    missing: list[str]


class FindCollectionsArguments(Wire, frozen=True, kw_only=True):
    name: (
        Annotated[str, Meta(description="exact name; absent lists all")] | UnsetType
    ) = UNSET


class FindCollectionsOutcome(Wire, frozen=True, kw_only=True):
    collections: list[CollectionRecord]


class CreateCollectionArguments(Wire, frozen=True, kw_only=True):
    name: Annotated[str, Meta(max_length=200, min_length=1)]


CreateCollectionOutcome: TypeAlias = CollectionRecord


class AddToCollectionArguments(Wire, frozen=True, kw_only=True):
    collection_id: str
    photo_ids: Annotated[list[str], Meta(max_length=1000, min_length=1)]


class AddToCollectionOutcome(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[str], Meta(description="photos that are now in the collection; read back")
    ]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


class WritePhotosArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[
        str,
        Meta(
            description="what Lightroom's Undo menu says", max_length=80, min_length=1
        ),
    ]
    changes: Annotated[list[PhotoChange], Meta(max_length=500, min_length=1)]


class WritePhotosOutcome(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[PhotoRecord], Meta(description="each photo as it reads after the write")
    ]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET
