"""Develop settings by the names that people use, and what Lightroom calls them: pure.

Ranges are those of Lightroom's sliders. Beyond them Lightroom silently keeps the old value of most settings, so values
are limited here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = (
    "GROUPS",
    "NAMES",
    "WHITE_BALANCE",
    "Group",
    "Slider",
    "alike",
    "copied",
    "in_lightroom",
    "in_words",
    "slider_of",
)

Group: TypeAlias = Literal["tone", "white_balance", "presence", "detail", "effects"]


class Slider(msgspec.Struct, frozen=True):
    """One setting as a photo has it: Lightroom's key, its range, and how many decimals count."""

    key: str
    low: float
    high: float
    decimals: int = 0

    def limited(self, value: float) -> float:
        """The nearest value that the slider has."""
        kept = min(self.high, max(self.low, value))
        return round(kept, self.decimals) if self.decimals else float(round(kept))


_PRESENT: Final[dict[str, Slider]] = {
    "exposure": Slider("Exposure2012", -5, 5, 2),
    "contrast": Slider("Contrast2012", -100, 100),
    "highlights": Slider("Highlights2012", -100, 100),
    "shadows": Slider("Shadows2012", -100, 100),
    "whites": Slider("Whites2012", -100, 100),
    "blacks": Slider("Blacks2012", -100, 100),
    "texture": Slider("Texture", -100, 100),
    "clarity": Slider("Clarity2012", -100, 100),
    "dehaze": Slider("Dehaze", -100, 100),
    "vibrance": Slider("Vibrance", -100, 100),
    "saturation": Slider("Saturation", -100, 100),
    "sharpness": Slider("Sharpness", 0, 150),
    "noise_reduction": Slider("LuminanceSmoothing", 0, 100),
    "color_noise_reduction": Slider("ColorNoiseReduction", 0, 100),
    "vignette": Slider("PostCropVignetteAmount", -100, 100),
    "grain": Slider("GrainAmount", 0, 100),
}
_OLD_TONES: Final[dict[str, Slider]] = {
    "exposure": Slider("Exposure", -4, 4, 2),
    "contrast": Slider("Contrast", -50, 100),
    "shadows": Slider("FillLight", 0, 100),
    "clarity": Slider("Clarity", -100, 100),
}
"""Process versions 1 and 2, of Lightroom 3 and before."""
_SINCE_2012: Final = frozenset({"highlights", "whites", "blacks", "texture", "dehaze"})
"""What they have no slider for, or one that works the other way round (Recovery, Blacks)."""
WHITE_BALANCE: Final = "WhiteBalance"
"""Lightroom's name for where temperature and tint come from: "As Shot", "Custom" and others."""
_RAW: Final = {"temperature": Slider("Temperature", 2000, 50000), "tint": Slider("Tint", -150, 150)}
_RENDERED: Final = {
    "temperature": Slider("IncrementalTemperature", -100, 100),
    "tint": Slider("IncrementalTint", -100, 100),
}
NAMES: Final = (*_PRESENT, *_RAW)
GROUPS: Final[dict[Group, frozenset[str]]] = {
    "tone": frozenset({"exposure", "contrast", "highlights", "shadows", "whites", "blacks"}),
    "white_balance": frozenset({*_RAW, WHITE_BALANCE}),
    "presence": frozenset({"texture", "clarity", "dehaze", "vibrance", "saturation"}),
    "detail": frozenset({"sharpness", "noise_reduction", "color_noise_reduction"}),
    "effects": frozenset({"vignette", "grain"}),
}
_OF_ONE_PHOTO: Final = (
    "Crop",
    "Orientation",
    "Retouch",
    "RedEye",
    "Mask",
    "GradientBased",
    "CircularGradient",
    "PaintBased",
    "Local",
    "Perspective",
    "Upright",
    "Lens",
    "Defringe",
    "Auto",
    "orientation",
    "Has",
    "UUID",
    "Look",
    "RangeMask",
    "Enhance",
    "Depth",
)
"""Beginnings of keys that belong to the picture they were made for; they are never copied."""
_NEAR: Final = 0.006


def slider_of(name: str, settings: Mapping[str, Any], *, raw: bool) -> Slider | None:
    """The slider of a photo with these settings; None where its process version has none."""
    if name in _RAW:
        return _RAW[name] if raw else _RENDERED[name]
    if not _is_old(settings):
        return _PRESENT.get(name)
    return None if name in _SINCE_2012 else _OLD_TONES.get(name, _PRESENT.get(name))


def in_words(settings: Mapping[str, Any], *, raw: bool) -> dict[str, Any]:
    """Lightroom's settings with our names where there are some, the others under their own."""
    sliders = {name: slider_of(name, settings, raw=raw) for name in NAMES}
    ours = {slider.key: name for name, slider in sliders.items() if slider is not None}
    return {ours.get(key, key): value for key, value in settings.items()}


def in_lightroom(named: Mapping[str, Any], settings: Mapping[str, Any], *, raw: bool) -> dict[str, Any]:
    """The other way round, for a photo with these ``settings``, in the process version that it has then; a name that
    it has no slider for is left out. A changed white balance is a custom one."""
    version = {**settings, **named}
    found: dict[str, Any] = {}
    for name, value in named.items():
        if name in NAMES:
            slider = slider_of(name, version, raw=raw)
            if slider is not None:
                found[slider.key] = value
        else:
            found[name] = value
    if found.keys() & {slider.key for slider in (*_RAW.values(), *_RENDERED.values())}:
        found.setdefault(WHITE_BALANCE, "Custom")
    return found


def copied(named: Mapping[str, Any], only: frozenset[Group]) -> dict[str, Any]:
    """Of a photo's settings in our words, those that can be given to another photo: of these groups, or all. A white
    balance as shot is each photo's own; one that was found automatically is given as it was found."""
    if only:
        wanted = frozenset[str]().union(*(GROUPS[group] for group in only))
        given = {name: value for name, value in named.items() if name in wanted}
    else:
        given = {name: value for name, value in named.items() if not name.startswith(_OF_ONE_PHOTO)}
    if given.get(WHITE_BALANCE) == "As Shot":
        return {name: value for name, value in given.items() if name not in _RAW}
    return {**given, WHITE_BALANCE: "Custom"} if given.get(WHITE_BALANCE) == "Auto" else given


def alike(one: Any, other: Any) -> bool:
    """Whether two values of a setting are the same, but for how Lightroom rounds. None stands for a setting that a
    photo does not have, which is the same as an empty table."""
    if _is_nothing(one) and _is_nothing(other):
        return True
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-4, abs_tol=_NEAR)
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        return first.keys() == second.keys() and all(alike(value, second[key]) for key, value in first.items())
    if isinstance(one, list) and isinstance(other, list):
        firsts, seconds = cast("list[Any]", one), cast("list[Any]", other)
        return len(firsts) == len(seconds) and all(map(alike, firsts, seconds))
    return bool(one == other)


def _is_old(settings: Mapping[str, Any]) -> bool:
    try:
        return float(str(settings.get("ProcessVersion", "6.7"))) < 6
    except ValueError:
        return False


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, dict | list) and not value)
