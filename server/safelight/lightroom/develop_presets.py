"""The develop presets of the simulated Lightroom."""

from __future__ import annotations

import uuid
from typing import Any, Final

from msgspec import Struct

__all__ = ("FOLDERS", "Preset", "preset_of")

_NAMESPACE: Final = uuid.UUID("6b1f0a52-2c1d-4a55-9d0e-5afe11947001")


class Preset(Struct, frozen=True):
    """A preset; its settings are all that it changes."""

    name: str
    settings: dict[str, Any]
    preset_id: str


def _preset(name: str, **settings: Any) -> Preset:
    return Preset(name, settings, str(uuid.uuid5(_NAMESPACE, name)).upper())


FOLDERS: Final[dict[str, tuple[Preset, ...]]] = {
    "Color - Natural": (
        _preset("Natural Light", Contrast2012=8, Highlights2012=-20, Shadows2012=15, Vibrance=10),
        _preset("Warm Shadows", Shadows2012=25, SplitToningShadowHue=40, SplitToningShadowSaturation=12),
    ),
    "Color - Vivid": (_preset("Strong Colours", Contrast2012=15, Vibrance=35, Saturation=12, Clarity2012=10),),
    "B&W - High Contrast": (
        _preset("Deep Blacks", ConvertToGrayscale=True, Contrast2012=40, Blacks2012=-35, Clarity2012=20),
        _preset("Bright Whites", ConvertToGrayscale=True, Contrast2012=30, Whites2012=30),
    ),
    "User Presets": (
        _preset("My Portraits", Texture=-10, Clarity2012=-5, Exposure2012=0.25, Shadows2012=20),
        _preset("Night Walk", Temperature=3800, Exposure2012=0.5, LuminanceSmoothing=30),
    ),
}
"""By folder, in the order of Lightroom's panel."""

_BY_ID: Final = {preset.preset_id: preset for presets in FOLDERS.values() for preset in presets}


def preset_of(preset_id: str) -> Preset | None:
    return _BY_ID.get(preset_id)
