-- Lua 5.1 as Lightroom gives it: nothing global but what the SDK brings.
std = "lua51"
max_line_length = 120
cache = false
codes = true

files["plugin/Safelight.lrplugin"] = {
    read_globals = { "import", "LOC", "_PLUGIN", "WIN_ENV", "MAC_ENV" },
}
