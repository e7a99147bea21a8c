"""Where the plug-in lies: in the source tree, or as data of the installed package."""

from __future__ import annotations

from pathlib import Path

__all__ = ("NAME", "plugin_folder")

NAME = "Safelight.lrplugin"


def plugin_folder() -> Path:
    """The plug-in's folder; raises ``FileNotFoundError`` with both places when it is in neither."""
    package = Path(__file__).resolve().parent.parent
    places = (package / "_plugin" / NAME, package.parent.parent / "plugin" / NAME)
    for place in places:
        if (place / "Info.lua").is_file():
            return place
    raise FileNotFoundError(f"The plug-in is neither at {places[0]} nor at {places[1]}.")
