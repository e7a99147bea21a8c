"""What a failed command says: a sentence for a photographer and a small model, for each code of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from safelight.errors import BridgeError
from safelight.wire.tool_table import ERROR_TEXTS

if TYPE_CHECKING:
    from safelight.bridge.delivery import Cause, Kind
    from safelight.wire.models import BridgeFailure

__all__ = ("ended_without_answer", "offline", "refused_by_plugin", "sentence", "unreadable_answer")

SENTENCES: Final[dict[str, str]] = {
    "NO_SELECTION": "No photo is selected in Lightroom. Select the photos in Lightroom's grid and try again.",
    "PHOTO_NOT_FOUND": "There is no photo with this id in the open catalog. Search again for the photos.",
    "COLLECTION_NOT_FOUND": "There is no such collection. Create it first with create_collection.",
    "PRESET_NOT_FOUND": "There is no such develop preset. See list_presets.",
    "ORIGINAL_OFFLINE": "The photo's original file cannot be reached. Connect its drive, then try again.",
    "NAME_EXISTS": "A collection with this name is there already. Fill it with add_to_collection.",
    "SMART_COLLECTION_READONLY": "This is a smart collection; it finds its photos by rules and takes none by hand.",
    "CATALOG_BUSY": "Lightroom is busy with another operation; nothing was changed. Try again in a moment.",
    "CATALOG_CHANGED": "Another catalog is open in Lightroom now; nothing was changed. Search again for the photos.",
    "READ_ONLY": "The read-only switch of the Safelight plug-in is on, so nothing was changed. "
    "The photographer can turn it off in Lightroom's Plug-in Manager.",
    "AGENTS_OFF": "AI agents are turned off in the settings of the Safelight plug-in. "
    "The photographer can turn them on in Lightroom's Plug-in Manager.",
    "UNKNOWN_COMMAND": "The Safelight plug-in in Lightroom is too old for this. Update the plug-in.",
    "BAD_ARGUMENTS": "The Safelight plug-in did not accept the values of this call.",
    "TIMEOUT": "Lightroom took too long to answer; nothing was changed. Try again in a moment.",
    "THUMBNAIL_UNAVAILABLE": "Lightroom has no preview of this photo.",
    "LIGHTROOM_ERROR": "Lightroom refused or failed.",
    "PLUGIN_OFFLINE": "Lightroom is not connected. Start Lightroom Classic and see that the Safelight plug-in is "
    "enabled in its Plug-in Manager, then try again.",
    "TIMEOUT_UNKNOWN_OUTCOME": "Lightroom gave no answer in time. The change may or may not have happened; "
    "look at the photos before trying again.",
}

DETAILED: Final = frozenset(["BAD_ARGUMENTS", "LIGHTROOM_ERROR"])
"""Codes whose sentence says too little without the plug-in's own words."""


def sentence(code: str, detail: str = "") -> str:
    """The sentence for a code; ``detail`` (the plug-in's words) stands in for codes without one, or is added."""
    known = SENTENCES.get(code)
    detail = detail.strip()
    if known is None:
        return detail or f"Lightroom answered with the error {code}."
    return f"{known} It said: {detail}" if detail and code in DETAILED and detail != ERROR_TEXTS.get(code) else known


def refused_by_plugin(failure: BridgeFailure, kind: Kind) -> BridgeError:
    """The plug-in's own error. A change that ran out of time there has an unknown outcome, unless it says otherwise."""
    code = failure.code
    if code == "TIMEOUT" and kind != "read" and not failure.retriable:
        code = "TIMEOUT_UNKNOWN_OUTCOME"
    return BridgeError(code, sentence(code, failure.message), retriable=failure.retriable)


def offline() -> BridgeError:
    """Nobody is there to take the command; nothing happened."""
    return BridgeError("PLUGIN_OFFLINE", SENTENCES["PLUGIN_OFFLINE"], retriable=True)


def ended_without_answer(cause: Cause) -> BridgeError:
    """The error of a command that ended without an answer."""
    match cause:
        case "unknown":
            return BridgeError("TIMEOUT_UNKNOWN_OUTCOME", SENTENCES["TIMEOUT_UNKNOWN_OUTCOME"])
        case "catalog_changed":
            return BridgeError("CATALOG_CHANGED", SENTENCES["CATALOG_CHANGED"])
        case "offline":
            return offline()
        case "closing":
            return BridgeError("PLUGIN_OFFLINE", "Safelight is stopping; nothing was changed.", retriable=True)
        case "timeout":
            return BridgeError("TIMEOUT", SENTENCES["TIMEOUT"], retriable=True)
        case "withdrawn":
            return BridgeError(
                "TIMEOUT",
                "Lightroom was too busy to take the request, so nothing happened. Try again in a moment.",
                retriable=True,
            )


def unreadable_answer(name: str, kind: Kind, problem: str) -> BridgeError:
    """The plug-in's answer does not have the shape of the contract."""
    doubt = (
        "" if kind == "read" else " The change may or may not have happened; look at the photos before trying again."
    )
    return BridgeError(
        "LIGHTROOM_ERROR",
        f"The Safelight plug-in gave an answer to {name} that cannot be read ({problem}).{doubt} "
        "Update the plug-in if this happens again.",
    )
