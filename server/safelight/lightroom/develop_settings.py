"""The develop settings that are simulated: name, default and range of each, in the SDK's own names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ("CLAMPED", "NON_RAW", "PROFILES", "RAW", "TONES", "Setting")


class Setting(Struct, frozen=True):
    """What a setting is before anybody touches it; a number also has the ends of its slider."""

    default: Any
    least: float | None = None
    most: float | None = None


TONES: Final = (
    "Exposure2012",
    "Contrast2012",
    "Highlights2012",
    "Shadows2012",
    "Whites2012",
    "Blacks2012",
    "Vibrance",
    "Saturation",
)
"""What Auto sets."""

CLAMPED: Final = frozenset({"Exposure2012", "Temperature", "Tint", "SharpenRadius"})
"""Values beyond the range are moved to its end; all others silently keep their old value then (measured)."""

PROFILES: Final = frozenset(
    {
        "Adobe Standard",
        "Adobe Color",
        "Adobe Landscape",
        "Adobe Portrait",
        "Adobe Vivid",
        "Adobe Monochrome",
        "Embedded",
    }
)

_COLORS = ("Red", "Orange", "Yellow", "Green", "Aqua", "Blue", "Purple", "Magenta")
_LINEAR = (0, 0, 255, 255)


def _sliders(names: str, default: float = 0, least: float = -100, most: float = 100) -> dict[str, Setting]:
    return {name: Setting(default, least, most) for name in names.split()}


def _fixed(default: Any, names: str) -> dict[str, Setting]:
    return {name: Setting(default) for name in names.split()}


_BOTH: Final[dict[str, Setting]] = {
    "Exposure2012": Setting(0, -5, 5),
    **_sliders(" ".join(TONES[1:])),
    **_sliders("Texture Clarity2012 Dehaze"),
    **_sliders("ParametricShadows ParametricDarks ParametricLights ParametricHighlights"),
    "ParametricShadowSplit": Setting(25, 10, 70),
    "ParametricMidtoneSplit": Setting(50, 20, 80),
    "ParametricHighlightSplit": Setting(75, 30, 90),
    "ToneCurveName2012": Setting("Linear"),
    **_fixed(_LINEAR, "ToneCurvePV2012 ToneCurvePV2012Red ToneCurvePV2012Green ToneCurvePV2012Blue"),
    **{
        f"{kind}Adjustment{color}": Setting(0, -100, 100)
        for kind in ("Hue", "Saturation", "Luminance")
        for color in _COLORS
    },
    **{f"GrayMixer{color}": Setting(0, -100, 100) for color in _COLORS},
    **_sliders("SplitToningShadowHue SplitToningHighlightHue ColorGradeMidtoneHue ColorGradeGlobalHue", 0, 0, 360),
    **_sliders("SplitToningShadowSaturation SplitToningHighlightSaturation", 0, 0),
    **_sliders("ColorGradeMidtoneSat ColorGradeGlobalSat", 0, 0),
    **_sliders(
        "SplitToningBalance ColorGradeShadowLum ColorGradeMidtoneLum ColorGradeHighlightLum ColorGradeGlobalLum"
    ),
    "ColorGradeBlending": Setting(50, 0, 100),
    "SharpenRadius": Setting(1, 0.5, 3),
    "SharpenDetail": Setting(25, 0, 100),
    **_sliders("SharpenEdgeMasking LuminanceSmoothing LuminanceNoiseReductionContrast", 0, 0),
    **_sliders("LuminanceNoiseReductionDetail ColorNoiseReductionDetail ColorNoiseReductionSmoothness", 50, 0),
    **_sliders("PostCropVignetteAmount PostCropVignetteRoundness VignetteAmount LensManualDistortionAmount"),
    **_sliders("PostCropVignetteMidpoint PostCropVignetteFeather VignetteMidpoint GrainFrequency", 50, 0),
    "PostCropVignetteStyle": Setting(1, 1, 3),
    **_sliders("PostCropVignetteHighlightContrast GrainAmount", 0, 0),
    "GrainSize": Setting(25, 0, 100),
    **_sliders("LensProfileEnable AutoLateralCA", 0, 0, 1),
    **_sliders("DefringePurpleAmount DefringeGreenAmount", 0, 0, 20),
    **_sliders("PerspectiveVertical PerspectiveHorizontal PerspectiveAspect PerspectiveX PerspectiveY"),
    "PerspectiveRotate": Setting(0, -10, 10),
    "PerspectiveScale": Setting(100, 50, 150),
    **_sliders("ShadowTint RedHue RedSaturation GreenHue GreenSaturation BlueHue BlueSaturation"),
    **_sliders("CropLeft CropTop", 0, 0, 1),
    **_sliders("CropRight CropBottom", 1, 0, 1),
    "CropAngle": Setting(0, -45, 45),
    "ConvertToGrayscale": Setting(False),  # noqa: FBT003 - a setting's value
    **_fixed(True, "EnableColorAdjustments EnableDetail EnableEffects EnableLensCorrections EnableCalibration"),  # noqa: FBT003 - as above
    **_fixed((), "MaskGroupBasedCorrections RetouchInfo RedEyeInfo"),
    "ProcessVersion": Setting("15.4"),
    "WhiteBalance": Setting("As Shot"),
}

RAW: Final[Mapping[str, Setting]] = {
    **_BOTH,
    "Temperature": Setting(5200, 2000, 50000),
    "Tint": Setting(8, -150, 150),
    "Sharpness": Setting(40, 0, 150),
    "ColorNoiseReduction": Setting(25, 0, 100),
    "CameraProfile": Setting("Adobe Color"),
}

NON_RAW: Final[Mapping[str, Setting]] = {
    **_BOTH,
    "IncrementalTemperature": Setting(0, -100, 100),
    "IncrementalTint": Setting(0, -100, 100),
    "Sharpness": Setting(0, 0, 150),
    "ColorNoiseReduction": Setting(0, 0, 100),
    "CameraProfile": Setting("Embedded"),
}
