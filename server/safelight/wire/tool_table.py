# Generated from the contract by `make generate`; never edited.
"""Every tool of tools.yaml as MCP lists it, and every event type with its delivery."""

from __future__ import annotations

from typing import Final

from safelight.wire.base import BridgeTerms, ToolSpec

__all__ = ("BRIDGE", "COMMANDS", "ERROR_TEXTS", "LIVE_EVENTS", "NUMBERED_EVENTS", "TOOLS")

NUMBERED_EVENTS: Final = frozenset(
    [
        "approval_needed",
        "approval_resolved",
        "assistant_turn",
        "busy",
        "change",
        "cleared",
        "error",
        "job",
        "queued",
        "stopped",
        "tool_call",
        "tool_done",
        "tool_running",
        "tool_skipped",
        "unqueued",
        "usage",
        "user_message",
        "warning",
    ]
)
LIVE_EVENTS: Final = frozenset(["delta", "hello", "prefill", "resync", "snapshot"])

BRIDGE: Final = BridgeTerms(protocol=1, hold_s=20, busy_poll_s=0.05, idle_poll_s=1, lease_s=30, short_lease_s=10)

COMMANDS: Final[dict[str, tuple[str, float]]] = {
    "get_state": ("read", 10.0),
    "list_photo_ids": ("read", 30.0),
    "read_photos": ("read", 30.0),
    "get_thumbnail": ("read", 15.0),
    "show_photos": ("view", 15.0),
    "find_collections": ("read", 30.0),
    "create_collection": ("write", 20.0),
    "create_smart_collection": ("write", 20.0),
    "delete_collection": ("write", 20.0),
    "add_to_collection": ("write", 60.0),
    "remove_from_collection": ("write", 60.0),
    "write_photos": ("write", 60.0),
    "list_keywords": ("read", 60.0),
    "edit_keywords": ("write", 60.0),
    "list_presets": ("read", 30.0),
    "read_develop": ("read", 30.0),
    "write_develop": ("write", 120.0),
    "apply_preset": ("write", 120.0),
    "auto_tone": ("write", 120.0),
    "reset_develop": ("write", 120.0),
    "list_snapshots": ("read", 30.0),
    "create_snapshots": ("write", 60.0),
    "create_virtual_copies": ("write", 120.0),
    "export_photos": ("write", 300.0),
}
"""Command -> its kind (read, view, write) and the seconds after which nobody waits for it."""

ERROR_TEXTS: Final[dict[str, str]] = {
    "NO_SELECTION": "no photo is selected in Lightroom",
    "PHOTO_NOT_FOUND": "no photo with this id in the open catalog",
    "COLLECTION_NOT_FOUND": "no collection with this name or id",
    "PRESET_NOT_FOUND": "no develop preset with this id",
    "NAME_EXISTS": "a collection with this name is there already",
    "SMART_COLLECTION_READONLY": "a smart collection takes no photos by hand",
    "ORIGINAL_OFFLINE": "the photo's file cannot be reached",
    "FOLDER_NOT_WRITABLE": "nothing can be written into this folder",
    "UNSUPPORTED": "this version of Lightroom cannot do that",
    "CATALOG_BUSY": "another operation holds the catalog; nothing was changed",
    "CATALOG_CHANGED": "another catalog has been opened",
    "READ_ONLY": "the read-only switch of the plug-in is on",
    "AGENTS_OFF": "AI agents are turned off in the plug-in's settings",
    "UNKNOWN_COMMAND": "the plug-in does not know this command",
    "BAD_ARGUMENTS": "the arguments do not fit the command",
    "TIMEOUT": "the plug-in ran out of time before it was done",
    "THUMBNAIL_UNAVAILABLE": "Lightroom gave no preview of the photo",
    "LIGHTROOM_ERROR": "Lightroom refused or failed",
    "PLUGIN_OFFLINE": "Lightroom is not connected (said by the service)",
    "TIMEOUT_UNKNOWN_OUTCOME": "no answer in time, or none kept; the change may or may not have happened",
}

TOOLS: Final[dict[str, ToolSpec]] = {
    "get_status": ToolSpec(
        name="get_status",
        title="Look at Lightroom",
        description="Tell whether Lightroom is connected, which catalog is open, how many photos are selected, and what is running.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={"type": "object", "additionalProperties": False, "properties": {}},
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["connected", "read_only"],
            "properties": {
                "connected": {"type": "boolean"},
                "catalog": {"type": "string", "description": "name of the open catalog"},
                "photo_count": {"type": "integer", "minimum": 0},
                "selected_count": {"type": "integer", "minimum": 0},
                "view": {"type": "string", "description": "what the grid shows, e.g. All Photographs"},
                "read_only": {"type": "boolean", "description": "the plug-in's read-only switch"},
                "agents_on": {
                    "type": "boolean",
                    "description": "whether AI agents are turned on in the plug-in's settings",
                },
                "lightroom_version": {"type": "string"},
                "plugin_version": {"type": "string"},
                "transport": {
                    "type": "string",
                    "enum": ["long_poll", "short_poll"],
                    "description": "how commands reach Lightroom",
                },
                "indexed": {"type": "integer", "minimum": 0, "description": "photos that searches can find"},
                "jobs": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["job_id", "state", "done", "total"],
                        "properties": {
                            "job_id": {"type": "string"},
                            "kind": {"type": "string"},
                            "state": {"type": "string", "enum": ["running", "paused", "done", "failed", "cancelled"]},
                            "done": {"type": "integer", "minimum": 0},
                            "total": {"type": "integer", "minimum": 0},
                            "message": {"type": "string"},
                        },
                    },
                },
            },
        },
    ),
    "catalog_overview": ToolSpec(
        name="catalog_overview",
        title="Look over the catalog",
        description="Count the photos by year, rating, camera, keyword, collection and more.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={"type": "object", "additionalProperties": False, "properties": {}},
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "facets"],
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "first": {"type": "string", "description": "oldest time of capture"},
                "last": {"type": "string", "description": "newest time of capture"},
                "facets": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["name", "counts", "more"],
                        "properties": {
                            "name": {
                                "type": "string",
                                "enum": [
                                    "rating",
                                    "flag",
                                    "label",
                                    "year",
                                    "camera",
                                    "lens",
                                    "keyword",
                                    "collection",
                                    "file_type",
                                ],
                            },
                            "counts": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["value", "photos"],
                                    "properties": {
                                        "value": {"type": "string"},
                                        "photos": {"type": "integer", "minimum": 0},
                                    },
                                },
                            },
                            "more": {"type": "integer", "minimum": 0, "description": "values that are not listed"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "search_photos": ToolSpec(
        name="search_photos",
        title="Search photos",
        description="Find photos by words and filters; all must fit. Without arguments it finds all photos.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "words that must occur in file name, "
                    "title, caption, keywords, place, "
                    'camera or lens; also "a phrase", '
                    "-word, a OR b",
                },
                "rating_min": {"type": "integer", "minimum": 0, "maximum": 5, "description": "fewest stars"},
                "rating_max": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 5,
                    "description": "most stars; 0 finds unrated photos",
                },
                "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                "label": {"type": "string", "enum": ["red", "yellow", "green", "blue", "purple", "none"]},
                "captured_from": {
                    "type": "string",
                    "pattern": "^\\d{4}(-\\d{2}(-\\d{2})?)?$",
                    "maxLength": 10,
                    "description": "first day, e.g. 2024-05-01, or a year",
                },
                "captured_to": {
                    "type": "string",
                    "pattern": "^\\d{4}(-\\d{2}(-\\d{2})?)?$",
                    "maxLength": 10,
                    "description": "last day, e.g. 2024-05-31, or a year",
                },
                "when": {
                    "type": "string",
                    "enum": [
                        "today",
                        "yesterday",
                        "this_week",
                        "last_week",
                        "this_month",
                        "last_month",
                        "this_year",
                        "last_year",
                    ],
                    "description": "time of capture",
                },
                "keyword": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "keyword or path; finds what stands below it too",
                },
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                },
                "folder": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 500,
                    "description": "part of the folder's path",
                },
                "place": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "location, city, state or country",
                },
                "camera": {"type": "string", "minLength": 1, "maxLength": 100, "description": "part of its name"},
                "lens": {"type": "string", "minLength": 1, "maxLength": 100, "description": "part of its name"},
                "file_type": {"type": "string", "enum": ["raw", "dng", "jpeg", "tiff", "psd", "png", "heic", "video"]},
                "file_name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "pattern with * and ?, e.g. IMG_12*",
                },
                "missing": {
                    "type": "string",
                    "enum": ["title", "caption", "keywords", "gps", "copyright"],
                    "description": "photos that lack it",
                },
                "adjusted": {"type": "boolean", "description": "has develop settings of its own"},
                "virtual_copy": {"type": "boolean"},
                "shows": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "what the picture shows, in words; finds at most the 100 best",
                },
                "filter": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "more conditions, e.g. iso>=1600 and "
                    "(camera:nikon or not keyword:dog); "
                    "also aperture, focal, lat, lon, "
                    "width, height",
                },
                "within": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": 'search only in this set, "selection" or "view"',
                },
                "facets": {
                    "type": "boolean",
                    "description": "also count what was found by rating and year and camera and more",
                },
                "sort": {
                    "type": "string",
                    "enum": ["best", "newest", "oldest", "rating", "file_name"],
                    "description": "newest is usual, with shows best; best: where text fits best",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["set_id", "count", "photos"],
            "properties": {
                "set_id": {"type": "string", "description": "a set that later calls can use"},
                "count": {"type": "integer", "minimum": 0, "description": "photos in the set"},
                "photos": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "file_name"],
                        "properties": {
                            "photo_id": {"type": "string", "description": "Lightroom's uuid of the photo"},
                            "file_name": {"type": "string"},
                            "title": {"type": "string"},
                            "caption": {"type": "string"},
                            "rating": {"type": "integer", "minimum": 0, "maximum": 5, "description": "0 means unrated"},
                            "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                            "label": {"type": "string"},
                            "captured": {"type": "string", "description": "local time of capture, ISO 8601"},
                            "keywords": {
                                "type": "array",
                                "items": {"type": "string"},
                                "description": "paths, e.g. Animals > Dog",
                            },
                            "headline": {"type": "string"},
                            "creator": {"type": "string"},
                            "copyright": {"type": "string"},
                            "location": {"type": "string"},
                            "city": {"type": "string"},
                            "state": {"type": "string"},
                            "country": {"type": "string"},
                            "latitude": {"type": "number"},
                            "longitude": {"type": "number"},
                            "camera": {"type": "string"},
                            "lens": {"type": "string"},
                            "iso": {"type": "integer"},
                            "aperture": {"type": "number", "description": "f-number"},
                            "shutter": {"type": "string", "description": "seconds, e.g. 1/250"},
                            "focal_length": {"type": "number", "description": "millimetres"},
                            "width": {"type": "integer"},
                            "height": {"type": "integer"},
                            "file_format": {"type": "string"},
                            "folder": {"type": "string"},
                            "adjusted": {"type": "boolean", "description": "has develop settings of its own"},
                            "virtual_copy": {"type": "boolean"},
                            "copy_name": {"type": "string"},
                            "score": {"type": "number", "description": "how alike; 1 is the same"},
                        },
                    },
                    "description": "the first page",
                },
                "facets": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["name", "counts", "more"],
                        "properties": {
                            "name": {
                                "type": "string",
                                "enum": [
                                    "rating",
                                    "flag",
                                    "label",
                                    "year",
                                    "camera",
                                    "lens",
                                    "keyword",
                                    "collection",
                                    "file_type",
                                ],
                            },
                            "counts": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["value", "photos"],
                                    "properties": {
                                        "value": {"type": "string"},
                                        "photos": {"type": "integer", "minimum": 0},
                                    },
                                },
                            },
                            "more": {"type": "integer", "minimum": 0, "description": "values that are not listed"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "get_photos": ToolSpec(
        name="get_photos",
        title="Look at photos",
        description="List photos of a set, or single photos, with their details.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
                "fields": {
                    "type": "array",
                    "items": {"type": "string", "enum": ["exif", "iptc", "place", "file"]},
                    "maxItems": 4,
                    "description": "more details than the usual ones",
                },
                "thumbnails": {"type": "boolean", "description": "also give small pictures of up to 8 photos"},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["set_id", "count", "photos"],
            "properties": {
                "set_id": {"type": "string", "description": "a set that later calls can use"},
                "count": {"type": "integer", "minimum": 0, "description": "photos in the set"},
                "photos": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "file_name"],
                        "properties": {
                            "photo_id": {"type": "string", "description": "Lightroom's uuid of the photo"},
                            "file_name": {"type": "string"},
                            "title": {"type": "string"},
                            "caption": {"type": "string"},
                            "rating": {"type": "integer", "minimum": 0, "maximum": 5, "description": "0 means unrated"},
                            "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                            "label": {"type": "string"},
                            "captured": {"type": "string", "description": "local time of capture, ISO 8601"},
                            "keywords": {
                                "type": "array",
                                "items": {"type": "string"},
                                "description": "paths, e.g. Animals > Dog",
                            },
                            "headline": {"type": "string"},
                            "creator": {"type": "string"},
                            "copyright": {"type": "string"},
                            "location": {"type": "string"},
                            "city": {"type": "string"},
                            "state": {"type": "string"},
                            "country": {"type": "string"},
                            "latitude": {"type": "number"},
                            "longitude": {"type": "number"},
                            "camera": {"type": "string"},
                            "lens": {"type": "string"},
                            "iso": {"type": "integer"},
                            "aperture": {"type": "number", "description": "f-number"},
                            "shutter": {"type": "string", "description": "seconds, e.g. 1/250"},
                            "focal_length": {"type": "number", "description": "millimetres"},
                            "width": {"type": "integer"},
                            "height": {"type": "integer"},
                            "file_format": {"type": "string"},
                            "folder": {"type": "string"},
                            "adjusted": {"type": "boolean", "description": "has develop settings of its own"},
                            "virtual_copy": {"type": "boolean"},
                            "copy_name": {"type": "string"},
                            "score": {"type": "number", "description": "how alike; 1 is the same"},
                        },
                    },
                    "description": "the first page",
                },
                "facets": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["name", "counts", "more"],
                        "properties": {
                            "name": {
                                "type": "string",
                                "enum": [
                                    "rating",
                                    "flag",
                                    "label",
                                    "year",
                                    "camera",
                                    "lens",
                                    "keyword",
                                    "collection",
                                    "file_type",
                                ],
                            },
                            "counts": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["value", "photos"],
                                    "properties": {
                                        "value": {"type": "string"},
                                        "photos": {"type": "integer", "minimum": 0},
                                    },
                                },
                            },
                            "more": {"type": "integer", "minimum": 0, "description": "values that are not listed"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "find_similar": ToolSpec(
        name="find_similar",
        title="Find similar photos",
        description="Find photos that look like one photo; without an image model, those taken around the same time.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["photo_id"],
            "properties": {
                "photo_id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "id of the photo"},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["set_id", "count", "photos"],
            "properties": {
                "set_id": {"type": "string", "description": "a set that later calls can use"},
                "count": {"type": "integer", "minimum": 0, "description": "photos in the set"},
                "photos": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "file_name"],
                        "properties": {
                            "photo_id": {"type": "string", "description": "Lightroom's uuid of the photo"},
                            "file_name": {"type": "string"},
                            "title": {"type": "string"},
                            "caption": {"type": "string"},
                            "rating": {"type": "integer", "minimum": 0, "maximum": 5, "description": "0 means unrated"},
                            "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                            "label": {"type": "string"},
                            "captured": {"type": "string", "description": "local time of capture, ISO 8601"},
                            "keywords": {
                                "type": "array",
                                "items": {"type": "string"},
                                "description": "paths, e.g. Animals > Dog",
                            },
                            "headline": {"type": "string"},
                            "creator": {"type": "string"},
                            "copyright": {"type": "string"},
                            "location": {"type": "string"},
                            "city": {"type": "string"},
                            "state": {"type": "string"},
                            "country": {"type": "string"},
                            "latitude": {"type": "number"},
                            "longitude": {"type": "number"},
                            "camera": {"type": "string"},
                            "lens": {"type": "string"},
                            "iso": {"type": "integer"},
                            "aperture": {"type": "number", "description": "f-number"},
                            "shutter": {"type": "string", "description": "seconds, e.g. 1/250"},
                            "focal_length": {"type": "number", "description": "millimetres"},
                            "width": {"type": "integer"},
                            "height": {"type": "integer"},
                            "file_format": {"type": "string"},
                            "folder": {"type": "string"},
                            "adjusted": {"type": "boolean", "description": "has develop settings of its own"},
                            "virtual_copy": {"type": "boolean"},
                            "copy_name": {"type": "string"},
                            "score": {"type": "number", "description": "how alike; 1 is the same"},
                        },
                    },
                    "description": "the first page",
                },
                "facets": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["name", "counts", "more"],
                        "properties": {
                            "name": {
                                "type": "string",
                                "enum": [
                                    "rating",
                                    "flag",
                                    "label",
                                    "year",
                                    "camera",
                                    "lens",
                                    "keyword",
                                    "collection",
                                    "file_type",
                                ],
                            },
                            "counts": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["value", "photos"],
                                    "properties": {
                                        "value": {"type": "string"},
                                        "photos": {"type": "integer", "minimum": 0},
                                    },
                                },
                            },
                            "more": {"type": "integer", "minimum": 0, "description": "values that are not listed"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "list_collections": ToolSpec(
        name="list_collections",
        title="List collections",
        description="List collections, smart collections and collection sets.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "part of the name; absent lists all",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "collections"],
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "collections": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["collection_id", "name", "kind"],
                        "properties": {
                            "collection_id": {"type": "string"},
                            "name": {"type": "string", "description": "with the collection sets above it"},
                            "kind": {"type": "string", "enum": ["collection", "smart", "set"]},
                            "photos": {"type": "integer", "minimum": 0},
                            "change_id": {"type": "string", "description": "what undo_change takes"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "list_keywords": ToolSpec(
        name="list_keywords",
        title="List keywords",
        description="List keywords with the number of photos that have them.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "part of the name; absent lists all",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "keywords"],
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "keywords": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["keyword", "photos"],
                        "properties": {
                            "keyword": {"type": "string", "description": "path, e.g. Animals > Dog"},
                            "photos": {"type": "integer", "minimum": 0, "description": "photos that have it"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "list_presets": ToolSpec(
        name="list_presets",
        title="List develop presets",
        description="List the develop presets.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "part of the name; absent lists all",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "presets"],
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "presets": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["preset_id", "name", "folder"],
                        "properties": {
                            "preset_id": {"type": "string"},
                            "name": {"type": "string"},
                            "folder": {"type": "string"},
                        },
                    },
                },
            },
        },
    ),
    "get_develop_settings": ToolSpec(
        name="get_develop_settings",
        title="Read develop settings",
        description="Read exposure, white balance and other develop settings of photos.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "photos"],
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "photos": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "settings"],
                        "properties": {
                            "photo_id": {"type": "string"},
                            "settings": {"type": "object", "additionalProperties": True},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "list_snapshots": ToolSpec(
        name="list_snapshots",
        title="List snapshots",
        description="List the develop snapshots of photos.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many to leave out at the beginning of the list",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["count", "snapshots"],
            "properties": {
                "count": {"type": "integer", "minimum": 0, "description": "photos of the target"},
                "snapshots": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "snapshot_id", "name"],
                        "properties": {
                            "photo_id": {"type": "string"},
                            "snapshot_id": {"type": "string"},
                            "name": {"type": "string"},
                        },
                    },
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "show_photos": ToolSpec(
        name="show_photos",
        title="Show photos in Lightroom",
        description="Show photos in Lightroom's grid and select them. Changes what the user sees, not the photos.",
        read_only=False,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["shown"],
            "properties": {
                "shown": {"type": "integer", "minimum": 0},
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "create_collection": ToolSpec(
        name="create_collection",
        title="Create a collection",
        description="Create an empty collection. To fill it, call add_to_collection afterwards.",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection_id", "name", "kind"],
            "properties": {
                "collection_id": {"type": "string"},
                "name": {"type": "string", "description": "with the collection sets above it"},
                "kind": {"type": "string", "enum": ["collection", "smart", "set"]},
                "photos": {"type": "integer", "minimum": 0},
                "change_id": {"type": "string", "description": "what undo_change takes"},
            },
        },
    ),
    "create_smart_collection": ToolSpec(
        name="create_smart_collection",
        title="Create a smart collection",
        description="Create a collection that Lightroom itself keeps filled by rules; all must fit.",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                },
                "rating_min": {"type": "integer", "minimum": 0, "maximum": 5, "description": "fewest stars"},
                "rating_max": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 5,
                    "description": "most stars; 0 finds unrated photos",
                },
                "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                "label": {"type": "string", "enum": ["red", "yellow", "green", "blue", "purple", "none"]},
                "captured_from": {
                    "type": "string",
                    "pattern": "^\\d{4}(-\\d{2}(-\\d{2})?)?$",
                    "maxLength": 10,
                    "description": "first day, e.g. 2024-05-01, or a year",
                },
                "captured_to": {
                    "type": "string",
                    "pattern": "^\\d{4}(-\\d{2}(-\\d{2})?)?$",
                    "maxLength": 10,
                    "description": "last day, e.g. 2024-05-31, or a year",
                },
                "keyword": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "keyword or path; finds what stands below it too",
                },
                "camera": {"type": "string", "minLength": 1, "maxLength": 100, "description": "part of its name"},
                "lens": {"type": "string", "minLength": 1, "maxLength": 100, "description": "part of its name"},
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection_id", "name", "kind"],
            "properties": {
                "collection_id": {"type": "string"},
                "name": {"type": "string", "description": "with the collection sets above it"},
                "kind": {"type": "string", "enum": ["collection", "smart", "set"]},
                "photos": {"type": "integer", "minimum": 0},
                "change_id": {"type": "string", "description": "what undo_change takes"},
            },
        },
    ),
    "add_to_collection": ToolSpec(
        name="add_to_collection",
        title="Add photos to a collection",
        description="Add photos to an existing collection.",
        read_only=False,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                },
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "remove_from_collection": ToolSpec(
        name="remove_from_collection",
        title="Remove photos from a collection",
        description="Take photos out of a collection; they stay in the catalog.",
        read_only=False,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                },
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "create_snapshot": ToolSpec(
        name="create_snapshot",
        title="Make snapshots",
        description="Keep the present develop settings of photos as a snapshot, to come back to.",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 100, "description": "name of what is made"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "create_virtual_copies": ToolSpec(
        name="create_virtual_copies",
        title="Make virtual copies",
        description="Make one virtual copy of each photo.",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 100, "description": "name of what is made"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["copies", "failed", "not_attempted"],
            "properties": {
                "set_id": {"type": "string", "description": "the copies as a set"},
                "copies": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "copy_id"],
                        "properties": {"photo_id": {"type": "string"}, "copy_id": {"type": "string"}},
                    },
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {"type": "string"},
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "index_photos": ToolSpec(
        name="index_photos",
        title="Index the catalog",
        description="Read the catalog anew for searches, in the background; with pictures, also what they show.",
        read_only=False,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "what": {
                    "type": "string",
                    "enum": ["catalog", "texts", "pictures"],
                    "description": "catalog (usual), or embeddings of texts or pictures",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["job_id", "state", "done", "total"],
            "properties": {
                "job_id": {"type": "string"},
                "kind": {"type": "string"},
                "state": {"type": "string", "enum": ["running", "paused", "done", "failed", "cancelled"]},
                "done": {"type": "integer", "minimum": 0},
                "total": {"type": "integer", "minimum": 0},
                "message": {"type": "string"},
            },
        },
    ),
    "export_photos": ToolSpec(
        name="export_photos",
        title="Export photos",
        description="Export photos as files into a folder, in the background. Never overwrites a file.",
        read_only=False,
        destructive=False,
        idempotent=False,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["destination"],
            "properties": {
                "destination": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "full path of the folder",
                },
                "format": {
                    "type": "string",
                    "enum": ["jpeg", "tiff", "png", "dng", "original"],
                    "description": "jpeg is usual",
                },
                "quality": {"type": "integer", "minimum": 1, "maximum": 100, "description": "of jpeg"},
                "long_edge": {"type": "integer", "minimum": 16, "maximum": 65000, "description": "pixels"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["job_id", "state", "done", "total"],
            "properties": {
                "job_id": {"type": "string"},
                "kind": {"type": "string"},
                "state": {"type": "string", "enum": ["running", "paused", "done", "failed", "cancelled"]},
                "done": {"type": "integer", "minimum": 0},
                "total": {"type": "integer", "minimum": 0},
                "message": {"type": "string"},
            },
        },
    ),
    "set_rating": ToolSpec(
        name="set_rating",
        title="Rate photos",
        description="Give photos a rating of 1 to 5 stars; 0 takes the rating away.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["rating"],
            "properties": {
                "rating": {"type": "integer", "minimum": 0, "maximum": 5, "description": "stars"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "set_flag": ToolSpec(
        name="set_flag",
        title="Flag photos",
        description="Flag photos as pick or reject, or take the flag away.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["flag"],
            "properties": {
                "flag": {"type": "string", "enum": ["pick", "none", "reject"]},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "set_label": ToolSpec(
        name="set_label",
        title="Label photos",
        description="Give photos a colour label, or take it away.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["label"],
            "properties": {
                "label": {"type": "string", "enum": ["red", "yellow", "green", "blue", "purple", "none"]},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "set_metadata": ToolSpec(
        name="set_metadata",
        title="Change title, caption and other texts",
        description="Set title, caption, other IPTC fields or GPS of photos. An empty text takes a field away.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "title": {"type": "string", "maxLength": 500},
                "caption": {"type": "string", "maxLength": 1000},
                "headline": {"type": "string", "maxLength": 500},
                "creator": {"type": "string", "maxLength": 200},
                "copyright": {"type": "string", "maxLength": 500},
                "location": {"type": "string", "maxLength": 200},
                "city": {"type": "string", "maxLength": 200},
                "state": {"type": "string", "maxLength": 200},
                "country": {"type": "string", "maxLength": 200},
                "latitude": {
                    "type": "number",
                    "minimum": -90,
                    "maximum": 90,
                    "description": "degrees; together with longitude",
                },
                "longitude": {"type": "number", "minimum": -180, "maximum": 180},
                "clear_gps": {"type": "boolean", "description": "take the GPS place away"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "edit_keywords": ToolSpec(
        name="edit_keywords",
        title="Edit keywords",
        description='Add keywords to photos, remove some, or replace all. "A > B" is keyword B under A.',
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "add": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 400},
                    "minItems": 1,
                    "maxItems": 50,
                },
                "remove": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 400},
                    "minItems": 1,
                    "maxItems": 50,
                },
                "replace": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 400},
                    "maxItems": 50,
                    "description": "the only keywords that the photos shall have",
                },
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "set_develop_settings": ToolSpec(
        name="set_develop_settings",
        title="Change develop settings",
        description="Set develop settings of photos, or change them by an amount with relative.",
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["settings"],
            "properties": {
                "settings": {
                    "type": "object",
                    "additionalProperties": False,
                    "minProperties": 1,
                    "description": "numbers by name; exposure in "
                    "stops; temperature in kelvin for "
                    "raw photos, -100 to 100 for "
                    "others",
                    "properties": {
                        "exposure": {"type": "number", "minimum": -10, "maximum": 10, "description": "stops"},
                        "contrast": {"type": "integer", "minimum": -200, "maximum": 200},
                        "highlights": {"type": "integer", "minimum": -200, "maximum": 200},
                        "shadows": {"type": "integer", "minimum": -200, "maximum": 200},
                        "whites": {"type": "integer", "minimum": -200, "maximum": 200},
                        "blacks": {"type": "integer", "minimum": -200, "maximum": 200},
                        "temperature": {
                            "type": "integer",
                            "minimum": -50000,
                            "maximum": 50000,
                            "description": "kelvin for raw photos, -100 to 100 for others",
                        },
                        "tint": {"type": "integer", "minimum": -300, "maximum": 300},
                        "texture": {"type": "integer", "minimum": -200, "maximum": 200},
                        "clarity": {"type": "integer", "minimum": -200, "maximum": 200},
                        "dehaze": {"type": "integer", "minimum": -200, "maximum": 200},
                        "vibrance": {"type": "integer", "minimum": -200, "maximum": 200},
                        "saturation": {"type": "integer", "minimum": -200, "maximum": 200},
                        "sharpness": {"type": "integer", "minimum": -150, "maximum": 150},
                        "noise_reduction": {"type": "integer", "minimum": -100, "maximum": 100},
                        "color_noise_reduction": {"type": "integer", "minimum": -100, "maximum": 100},
                        "vignette": {"type": "integer", "minimum": -200, "maximum": 200},
                        "grain": {"type": "integer", "minimum": -100, "maximum": 100},
                    },
                },
                "relative": {"type": "boolean", "description": "add to the present values"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "apply_preset": ToolSpec(
        name="apply_preset",
        title="Apply a develop preset",
        description="Apply a develop preset to photos.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["preset"],
            "properties": {
                "preset": {"type": "string", "minLength": 1, "maxLength": 200, "description": "name or preset_id"},
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "copy_develop_settings": ToolSpec(
        name="copy_develop_settings",
        title="Copy develop settings",
        description="Give photos the develop settings of another photo.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["photo_id"],
            "properties": {
                "photo_id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "id of the photo"},
                "only": {
                    "type": "array",
                    "items": {"type": "string", "enum": ["tone", "white_balance", "presence", "detail", "effects"]},
                    "minItems": 1,
                    "maxItems": 5,
                    "description": "groups of settings; absent copies all of them",
                },
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "auto_tone": ToolSpec(
        name="auto_tone",
        title="Auto tone",
        description="Let Lightroom set the tones of photos automatically.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "reset_develop": ToolSpec(
        name="reset_develop",
        title="Reset develop settings",
        description="Take the develop settings of photos back to their defaults; the profile stays.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "set": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": '"selection" (the photos selected in '
                    'Lightroom), "view" (all photos now '
                    "shown), or the set_id of an earlier "
                    "result",
                },
                "photo_ids": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": 64},
                    "minItems": 1,
                    "maxItems": 1000,
                    "description": "ids of single photos, as found in an earlier result; use either set or photo_ids",
                },
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "delete_collection": ToolSpec(
        name="delete_collection",
        title="Delete a collection",
        description="Delete a collection; its photos stay in the catalog.",
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "name of a collection, or its path: Trips > Rome",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection_id", "name", "kind"],
            "properties": {
                "collection_id": {"type": "string"},
                "name": {"type": "string", "description": "with the collection sets above it"},
                "kind": {"type": "string", "enum": ["collection", "smart", "set"]},
                "photos": {"type": "integer", "minimum": 0},
                "change_id": {"type": "string", "description": "what undo_change takes"},
            },
        },
    ),
    "undo_change": ToolSpec(
        name="undo_change",
        title="Undo a change",
        description="Take back one of Safelight's changes, as far as nothing was changed since.",
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=False,
        on_photos=False,
        developer=False,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["change_id"],
            "properties": {
                "change_id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "description": "from the answer to the change",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["applied", "failed", "not_attempted"],
            "properties": {
                "applied": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "ids of photos that now have the value; read back",
                },
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["photo_id", "reason"],
                        "properties": {"photo_id": {"type": "string"}, "reason": {"type": "string"}},
                    },
                },
                "not_attempted": {"type": "array", "items": {"type": "string"}},
                "change_id": {
                    "type": "string",
                    "description": "what undo_change takes; absent when nothing was changed",
                },
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "bridge_trace": ToolSpec(
        name="bridge_trace",
        title="Trace the bridge",
        description="List the newest commands to Lightroom, with times and outcomes.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
        developer=True,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many to list (a set always holds all)",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["commands"],
            "properties": {"commands": {"type": "array", "items": {"type": "object", "additionalProperties": True}}},
        },
    ),
}
