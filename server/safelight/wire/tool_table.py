# Generated from the contract by `make generate`; never edited.
"""Every tool of tools.yaml as MCP lists it, and every event type with its delivery."""

from __future__ import annotations

from typing import Final

from safelight.wire.base import ToolSpec

__all__ = ("COMMANDS", "ERROR_TEXTS", "LIVE_EVENTS", "NUMBERED_EVENTS", "TOOLS")

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
LIVE_EVENTS: Final = frozenset(["delta", "hello", "resync", "snapshot"])

COMMANDS: Final[dict[str, tuple[str, float]]] = {
    "get_state": ("read", 10.0),
    "list_photo_ids": ("read", 30.0),
    "read_photos": ("read", 30.0),
    "get_thumbnail": ("read", 15.0),
    "show_photos": ("view", 15.0),
    "find_collections": ("read", 15.0),
    "create_collection": ("write", 20.0),
    "add_to_collection": ("write", 60.0),
    "write_photos": ("write", 60.0),
}
"""Command -> its kind (read, view, write) and the seconds after which nobody waits for it."""

ERROR_TEXTS: Final[dict[str, str]] = {
    "NO_SELECTION": "no photo is selected in Lightroom",
    "PHOTO_NOT_FOUND": "no photo with this id in the open catalog",
    "COLLECTION_NOT_FOUND": "no collection with this name or id",
    "NAME_EXISTS": "a collection with this name is there already",
    "SMART_COLLECTION_READONLY": "a smart collection takes no photos by hand",
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
        description="Tell whether Lightroom is connected, which catalog is open, and how many photos are selected.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
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
            },
        },
    ),
    "search_photos": ToolSpec(
        name="search_photos",
        title="Search photos",
        description="Find photos in the catalog by words and filters. Without arguments it finds all photos.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        on_photos=False,
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
                    "camera or lens",
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
                "sort": {"type": "string", "enum": ["newest", "oldest", "rating", "file_name"]},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "how many photos to list (the set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many photos to leave out at the beginning of the list",
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
                            "keywords": {"type": "array", "items": {"type": "string"}},
                            "city": {"type": "string"},
                            "country": {"type": "string"},
                            "camera": {"type": "string"},
                            "lens": {"type": "string"},
                            "iso": {"type": "integer"},
                            "width": {"type": "integer"},
                            "height": {"type": "integer"},
                            "file_format": {"type": "string"},
                            "virtual_copy": {"type": "boolean"},
                        },
                    },
                    "description": "the first page",
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
                    "description": "how many photos to list (the set always holds all)",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000000,
                    "description": "how many photos to leave out at the beginning of the list",
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
                            "keywords": {"type": "array", "items": {"type": "string"}},
                            "city": {"type": "string"},
                            "country": {"type": "string"},
                            "camera": {"type": "string"},
                            "lens": {"type": "string"},
                            "iso": {"type": "integer"},
                            "width": {"type": "integer"},
                            "height": {"type": "integer"},
                            "file_format": {"type": "string"},
                            "virtual_copy": {"type": "boolean"},
                        },
                    },
                    "description": "the first page",
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
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "name of a collection",
                }
            },
        },
        output_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection_id", "name", "kind"],
            "properties": {
                "collection_id": {"type": "string"},
                "name": {"type": "string"},
                "kind": {"type": "string", "enum": ["collection", "smart", "set"]},
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
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["collection"],
            "properties": {
                "collection": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "name of a collection",
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
                "warnings": {"type": "array", "items": {"type": "string"}},
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
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
    "set_metadata": ToolSpec(
        name="set_metadata",
        title="Change title and caption",
        description="Set the title or the caption of photos. An empty text takes it away.",
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        on_photos=True,
        input_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "title": {"type": "string", "maxLength": 500},
                "caption": {"type": "string", "maxLength": 1000},
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
                "warnings": {"type": "array", "items": {"type": "string"}},
            },
        },
    ),
}
