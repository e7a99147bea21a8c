--[[
What a photo's develop settings are before anybody touches them, for the settings that can be put back one by one.

Lightroom's own Reset is a call of LrDevelopController, which works on the active photo of the Develop module only, is
late, and cannot be tied to a photo: the person may click meanwhile. Writing the defaults works on any photo, makes one
named step of its history, and is proven by reading back. The profile (CameraProfile, Look) and lens profiles stay: what
a camera starts with is the photographer's choice, and the SDK does not tell it.
]]

local DevelopSettings = require("DevelopSettings")

local DevelopDefaults = {}

local LINEAR = { 0, 0, 255, 255 }

local VALUES = {
	WhiteBalance = "As Shot",
	IncrementalTemperature = 0,
	IncrementalTint = 0,
	ConvertToGrayscale = false,
	ToneCurveName2012 = "Linear",
	ToneCurvePV2012 = LINEAR,
	ToneCurvePV2012Red = LINEAR,
	ToneCurvePV2012Green = LINEAR,
	ToneCurvePV2012Blue = LINEAR,
	ParametricShadowSplit = 25,
	ParametricMidtoneSplit = 50,
	ParametricHighlightSplit = 75,
	ColorGradeBlending = 50,
	SharpenRadius = 1,
	SharpenDetail = 25,
	LuminanceNoiseReductionDetail = 50,
	ColorNoiseReductionDetail = 50,
	ColorNoiseReductionSmoothness = 50,
	PostCropVignetteMidpoint = 50,
	PostCropVignetteFeather = 50,
	PostCropVignetteStyle = 1,
	VignetteMidpoint = 50,
	GrainSize = 25,
	GrainFrequency = 50,
	PerspectiveScale = 100,
	CropLeft = 0,
	CropTop = 0,
	CropRight = 1,
	CropBottom = 1,
	MaskGroupBasedCorrections = {},
	RetouchInfo = {},
	RedEyeInfo = {},
}

local ZEROS = "Exposure2012 Contrast2012 Highlights2012 Shadows2012 Whites2012 Blacks2012 Texture Clarity2012 Dehaze "
	.. "Vibrance Saturation ParametricShadows ParametricDarks ParametricLights ParametricHighlights "
	.. "SplitToningShadowHue SplitToningShadowSaturation SplitToningHighlightHue SplitToningHighlightSaturation "
	.. "SplitToningBalance ColorGradeShadowLum ColorGradeMidtoneHue ColorGradeMidtoneSat ColorGradeMidtoneLum "
	.. "ColorGradeHighlightLum ColorGradeGlobalHue ColorGradeGlobalSat ColorGradeGlobalLum SharpenEdgeMasking "
	.. "LuminanceSmoothing LuminanceNoiseReductionContrast PostCropVignetteAmount PostCropVignetteRoundness "
	.. "PostCropVignetteHighlightContrast VignetteAmount GrainAmount LensManualDistortionAmount DefringePurpleAmount "
	.. "DefringeGreenAmount PerspectiveVertical PerspectiveHorizontal PerspectiveAspect PerspectiveX PerspectiveY "
	.. "PerspectiveRotate ShadowTint RedHue RedSaturation GreenHue GreenSaturation BlueHue BlueSaturation CropAngle"

for name in string.gmatch(ZEROS, "%S+") do
	VALUES[name] = 0
end
for color in string.gmatch("Red Orange Yellow Green Aqua Blue Purple Magenta", "%S+") do
	for kind in string.gmatch("HueAdjustment SaturationAdjustment LuminanceAdjustment GrayMixer", "%S+") do
		VALUES[kind .. color] = 0
	end
end

local DETAIL = {
	[true] = { Sharpness = 40, ColorNoiseReduction = 25 },
	[false] = { Sharpness = 0, ColorNoiseReduction = 0 },
}

-- The defaults of those settings of a photo that are otherwise and can be put back; nil when there are none. White
-- balance as shot brings its own temperature and tint.
function DevelopDefaults.changes(settings, isRaw)
	local changes = {}
	for _, values in ipairs({ VALUES, DETAIL[isRaw] }) do
		for name, value in pairs(values) do
			if settings[name] ~= nil and not DevelopSettings.isTaken(value, settings[name]) then
				changes[name] = value
			end
		end
	end
	return next(changes) and changes or nil
end

return DevelopDefaults
