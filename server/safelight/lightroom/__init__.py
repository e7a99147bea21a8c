"""The simulated Lightroom: the plug-in's own Lua on strict doubles of the SDK, and catalogs to run it on."""

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.clock import ManualClock
from safelight.lightroom.collections import Collection
from safelight.lightroom.drawn import drawn_catalog, write_drawn_photos
from safelight.lightroom.folder import FolderEmpty, folder_catalog
from safelight.lightroom.kernel import PluginError
from safelight.lightroom.lrcat import LrcatRefused, lrcat_catalog
from safelight.lightroom.photo import Photo
from safelight.lightroom.plugin_folder import plugin_folder
from safelight.lightroom.simulator import MenuRefused, SimulatedLightroom

__all__ = (
    "Catalog",
    "Collection",
    "FolderEmpty",
    "LrcatRefused",
    "ManualClock",
    "MenuRefused",
    "Photo",
    "PluginError",
    "SimulatedLightroom",
    "drawn_catalog",
    "folder_catalog",
    "lrcat_catalog",
    "plugin_folder",
    "write_drawn_photos",
)
