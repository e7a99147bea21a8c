# Generated from the contract by `make generate`; never edited.

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

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
    keywords: (
        Annotated[list[str], Meta(description='paths, names joined by " > "')]
        | UnsetType
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
    shutter: Annotated[float, Meta(description="seconds")] | UnsetType = UNSET
    focal_length: Annotated[float, Meta(description="millimetres")] | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType = UNSET
    file_format: (
        Annotated[
            str,
            Meta(
                description="as Lightroom says it: RAW, DNG, JPG, TIFF, PSD, PNG, HEIC, VIDEO"
            ),
        ]
        | UnsetType
    ) = UNSET
    virtual_copy: bool | UnsetType = UNSET
    copy_name: str | UnsetType = UNSET
    master_id: Annotated[str, Meta(description="of a virtual copy")] | UnsetType = UNSET
    edited: (
        Annotated[
            float, Meta(description="seconds since 2001-01-01 UTC of the last change")
        ]
        | UnsetType
    ) = UNSET


class PhotoChange(Wire, frozen=True, kw_only=True):
    photo_id: str
    rating: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    flag: Literal["pick", "none", "reject"] | UnsetType = UNSET
    label: (
        Annotated[
            str,
            Meta(description="a lower-case colour name, none, or a label's own text"),
        ]
        | UnsetType
    ) = UNSET
    title: str | UnsetType = UNSET
    caption: str | UnsetType = UNSET
    headline: str | UnsetType = UNSET
    creator: str | UnsetType = UNSET
    copyright: str | UnsetType = UNSET
    location: str | UnsetType = UNSET
    city: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    country: str | UnsetType = UNSET
    latitude: (
        Annotated[float, Meta(description="together with longitude", ge=-90.0, le=90.0)]
        | UnsetType
    ) = UNSET
    longitude: Annotated[float, Meta(ge=-180.0, le=180.0)] | UnsetType = UNSET
    clear_gps: bool | UnsetType = UNSET


AddItemItem: TypeAlias = Annotated[str, Meta(min_length=1)]


AddItem: TypeAlias = Annotated[list[AddItemItem], Meta(min_length=1)]


RemoveItemItem: TypeAlias = Annotated[str, Meta(min_length=1)]


RemoveItem: TypeAlias = Annotated[list[RemoveItemItem], Meta(min_length=1)]


class KeywordChange(Wire, frozen=True, kw_only=True):
    photo_id: str
    add: list[AddItem]
    remove: list[RemoveItem]


class KeywordRecord(Wire, frozen=True, kw_only=True):
    keyword_id: str
    path: list[str]


class DevelopRecord(Wire, frozen=True, kw_only=True):
    photo_id: str
    raw: Annotated[bool, Meta(description="whether white balance is in kelvin")]
    settings: dict[str, Any]


class DevelopChange(Wire, frozen=True, kw_only=True):
    photo_id: str
    settings: Annotated[
        dict[str, Any],
        Meta(description="Lightroom's own names; those that are absent stay"),
    ]


class PresetRecord(Wire, frozen=True, kw_only=True):
    preset_id: str
    name: str
    folder: str


class SnapshotRecord(Wire, frozen=True, kw_only=True):
    photo_id: str
    snapshot_id: str
    name: str


class CopyRecord(Wire, frozen=True, kw_only=True):
    photo_id: Annotated[str, Meta(description="the photo that was copied")]
    copy_id: str


class ExportRecord(Wire, frozen=True, kw_only=True):
    photo_id: str
    path: Annotated[str, Meta(description="of the file that was written")]


class SmartRule(Wire, frozen=True, kw_only=True):
    criteria: Literal[
        "rating", "pick", "labelColor", "captureTime", "keywords", "camera", "lens"
    ]
    operation: Annotated[
        Literal["==", "!=", ">", "<", ">=", "<=", "in", "all", "any", "words"],
        Meta(
            description="those that the SDK documents for the field; a date has no >= and <="
        ),
    ]
    text: (
        Annotated[str, Meta(description="the value where it is a text or a date")]
        | UnsetType
    ) = UNSET
    number: (
        Annotated[int, Meta(description="the value where it is a number")] | UnsetType
    ) = UNSET
    text2: Annotated[str, Meta(description="end of a range")] | UnsetType = UNSET
    number2: Annotated[int, Meta(description="end of a range")] | UnsetType = UNSET


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
    path: Annotated[
        list[str],
        Meta(description="names of the collection sets above it, from the top"),
    ]
    kind: Literal["collection", "smart", "set"]
    photos: (
        Annotated[
            int,
            Meta(
                description="only where it was asked for and there was time; never of a set",
                ge=0,
            ),
        ]
        | UnsetType
    ) = UNSET


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
    source: Annotated[
        Literal["all", "selection", "view", "collection", "adjusted"],
        Meta(description="adjusted: with develop settings of their own"),
    ]
    offset: Annotated[int, Meta(ge=0)]
    limit: Annotated[int, Meta(ge=1, le=5000)]
    collection_id: (
        Annotated[
            str, Meta(description="with collection; smart collections and sets too")
        ]
        | UnsetType
    ) = UNSET
    with_edited: (
        Annotated[bool, Meta(description="also tell when each photo was last edited")]
        | UnsetType
    ) = UNSET


class ListPhotoIdsOutcome(Wire, frozen=True, kw_only=True):
    photo_ids: list[str]
    total: Annotated[int, Meta(ge=0)]
    edited: (
        Annotated[
            list[float],
            Meta(
                description="of each photo of photo_ids, in order: seconds since 2001-01-01 UTC; 0 where Lightroom does not say"
            ),
        ]
        | UnsetType
    ) = UNSET


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
        Annotated[
            str, Meta(description="exact name without the sets above; absent lists all")
        ]
        | UnsetType
    ) = UNSET
    count_from: (
        Annotated[
            int,
            Meta(
                description="with count_to: count the photos of that part of the list, from 0",
                ge=0,
            ),
        ]
        | UnsetType
    ) = UNSET
    count_to: (
        Annotated[int, Meta(description="the first that is not counted", ge=0)]
        | UnsetType
    ) = UNSET


class FindCollectionsOutcome(Wire, frozen=True, kw_only=True):
    collections: list[CollectionRecord]


PathItem: TypeAlias = Annotated[str, Meta(max_length=200, min_length=1)]


class CreateCollectionArguments(Wire, frozen=True, kw_only=True):
    path: Annotated[
        list[PathItem],
        Meta(
            description="its name, after those of the collection sets above it; missing sets are made",
            max_length=10,
            min_length=1,
        ),
    ]


CreateCollectionOutcome: TypeAlias = CollectionRecord


class CreateSmartCollectionArguments(Wire, frozen=True, kw_only=True):
    path: Annotated[list[PathItem], Meta(max_length=10, min_length=1)]
    rules: Annotated[
        list[SmartRule], Meta(description="all must fit", max_length=20, min_length=1)
    ]


CreateSmartCollectionOutcome: TypeAlias = CollectionRecord


class DeleteCollectionArguments(Wire, frozen=True, kw_only=True):
    collection_id: str


class DeleteCollectionOutcome(Wire, frozen=True, kw_only=True):
    deleted: Annotated[bool, Meta(description="false when it is still there")]


class AddToCollectionArguments(Wire, frozen=True, kw_only=True):
    collection_id: str
    photo_ids: Annotated[list[str], Meta(max_length=1000, min_length=1)]


class RemoveFromCollectionArguments(Wire, frozen=True, kw_only=True):
    collection_id: str
    photo_ids: Annotated[list[str], Meta(max_length=1000, min_length=1)]


class WritePhotosArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[
        str,
        Meta(
            description="what Lightroom's Undo menu says", max_length=80, min_length=1
        ),
    ]
    changes: Annotated[list[PhotoChange], Meta(max_length=500, min_length=1)]


class ListKeywordsArguments(Wire, frozen=True, kw_only=True):
    offset: Annotated[int, Meta(ge=0)]
    limit: Annotated[int, Meta(ge=1, le=5000)]


class ListKeywordsOutcome(Wire, frozen=True, kw_only=True):
    keywords: Annotated[
        list[KeywordRecord],
        Meta(
            description="depth first, without those that Lightroom fails to name: a page may be shorter than limit"
        ),
    ]
    total: Annotated[int, Meta(ge=0)]
    unreadable: Annotated[
        int,
        Meta(
            description="keywords of which Lightroom failed to tell the children or, on this page, the name",
            ge=0,
        ),
    ]


class EditKeywordsArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[str, Meta(max_length=80, min_length=1)]
    changes: Annotated[list[KeywordChange], Meta(max_length=200, min_length=1)]


class ListPresetsArguments(Wire, frozen=True, kw_only=True):
    pass


class ListPresetsOutcome(Wire, frozen=True, kw_only=True):
    presets: list[PresetRecord]


class ReadDevelopArguments(Wire, frozen=True, kw_only=True):
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class ReadDevelopOutcome(Wire, frozen=True, kw_only=True):
    photos: list[DevelopRecord]
    missing: list[str]


class WriteDevelopArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[
        str,
        Meta(
            description="what Undo and the photo's history say",
            max_length=80,
            min_length=1,
        ),
    ]
    changes: Annotated[list[DevelopChange], Meta(max_length=100, min_length=1)]


class ApplyPresetArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[str, Meta(max_length=80, min_length=1)]
    preset_id: str
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class AutoToneArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[str, Meta(max_length=80, min_length=1)]
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class ResetDevelopArguments(Wire, frozen=True, kw_only=True):
    undo_name: Annotated[str, Meta(max_length=80, min_length=1)]
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class ListSnapshotsArguments(Wire, frozen=True, kw_only=True):
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class ListSnapshotsOutcome(Wire, frozen=True, kw_only=True):
    snapshots: list[SnapshotRecord]
    missing: list[str]


class CreateSnapshotsArguments(Wire, frozen=True, kw_only=True):
    name: Annotated[str, Meta(max_length=100, min_length=1)]
    photo_ids: Annotated[list[str], Meta(max_length=100, min_length=1)]


class CreateVirtualCopiesArguments(Wire, frozen=True, kw_only=True):
    photo_ids: Annotated[list[str], Meta(max_length=50, min_length=1)]
    name: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET


class CreateVirtualCopiesOutcome(Wire, frozen=True, kw_only=True):
    copies: list[CopyRecord]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


class ExportPhotosArguments(Wire, frozen=True, kw_only=True):
    folder: Annotated[
        str,
        Meta(
            description="full path; made when the folder above it is there",
            min_length=1,
        ),
    ]
    format: Literal["jpeg", "tiff", "png", "dng", "original"]
    photo_ids: Annotated[list[str], Meta(max_length=20, min_length=1)]
    quality: (
        Annotated[
            int, Meta(description="of jpeg; 90 where it is left out", ge=1, le=100)
        ]
        | UnsetType
    ) = UNSET
    long_edge: (
        Annotated[
            int,
            Meta(
                description="pixels, never enlarged; not with dng and original",
                ge=16,
                le=65000,
            ),
        ]
        | UnsetType
    ) = UNSET


class ExportPhotosOutcome(Wire, frozen=True, kw_only=True):
    exported: list[ExportRecord]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


class WriteOutcome(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[PhotoRecord], Meta(description="each photo as it reads after the write")
    ]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


class IdsOutcome(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[str], Meta(description="ids of photos for which it holds now; read back")
    ]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


class DevelopOutcome(Wire, frozen=True, kw_only=True):
    applied: Annotated[
        list[DevelopRecord], Meta(description="each photo as it reads after the write")
    ]
    failed: list[PhotoFailure]
    not_attempted: list[str]
    stopped: WriteStop | UnsetType = UNSET


AddToCollectionOutcome: TypeAlias = IdsOutcome


RemoveFromCollectionOutcome: TypeAlias = IdsOutcome


WritePhotosOutcome: TypeAlias = WriteOutcome


EditKeywordsOutcome: TypeAlias = WriteOutcome


WriteDevelopOutcome: TypeAlias = DevelopOutcome


ApplyPresetOutcome: TypeAlias = DevelopOutcome


AutoToneOutcome: TypeAlias = DevelopOutcome


ResetDevelopOutcome: TypeAlias = DevelopOutcome


CreateSnapshotsOutcome: TypeAlias = IdsOutcome
