return {
	LrSdkVersion = 13.0,
	LrSdkMinimumVersion = 10.0,
	LrToolkitIdentifier = "org.safelight.lightroom",
	LrPluginName = LOC("$$$/Safelight/Name=Safelight"),
	LrInitPlugin = "Init.lua",
	-- the bridge runs from Lightroom's start on, without a menu item being used first
	LrForceInitPlugin = true,
	LrShutdownPlugin = "ShutdownPlugin.lua",
	LrShutdownApp = "ShutdownApp.lua",
	LrPluginInfoProvider = "PluginInfo.lua",
	LrLibraryMenuItems = {
		{ title = LOC("$$$/Safelight/Menu/Chat=Chat with Your Catalog..."), file = "ChatMenu.lua" },
		{ title = LOC("$$$/Safelight/Menu/Inbox=Questions from Other Agents..."), file = "InboxMenu.lua" },
		{ title = LOC("$$$/Safelight/Menu/Index=Analyze & Index Photos..."), file = "IndexMenu.lua" },
		{ title = LOC("$$$/Safelight/Menu/ReadOnly=Turn Read-Only Mode On or Off"), file = "ReadOnlyMenu.lua" },
	},
	VERSION = { major = 0, minor = 1, revision = 0 },
}
