"""``safelight demo``: the service and the plug-in on a simulated Lightroom, ready to chat."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safelight.cli.serve import add_service_arguments, settings_of
from safelight.errors import StartRefused

if TYPE_CHECKING:
    import argparse

    from safelight.app import Application
    from safelight.lightroom import Catalog

__all__ = ("add_parser", "run")

_MENU_ITEM = "Chat with Your Catalog..."
_CONNECT_S = 20.0


def add_parser(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "demo", help="try Safelight without Lightroom, on drawn photos, a folder or a copy of your catalog"
    )
    add_service_arguments(parser)
    made_of = parser.add_mutually_exclusive_group()
    made_of.add_argument("--photos", type=Path, default=None, metavar="DIR", help="make the catalog of this folder")
    made_of.add_argument(
        "--lrcat", type=Path, default=None, metavar="FILE", help="make the catalog of a copy of this Lightroom catalog"
    )
    parser.add_argument(
        "--count", type=int, default=60, help="how many photos are drawn otherwise (default %(default)s)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve, start the simulated Lightroom, and open a chat through the plug-in's own menu item."""
    from safelight.cli.serving import run_service

    try:
        from safelight.lightroom import SimulatedLightroom
    except ImportError as error:
        text = f"The demo needs the package {error.name}: pip install 'safelight[llama,demo]'"
        raise StartRefused(text) from None
    settings = settings_of(arguments)
    lightroom = SimulatedLightroom(_catalog(arguments), data_folder=settings.data_dir)

    async def on_ready(application: Application, url: str) -> dict[str, Any]:
        del url
        lightroom.start()
        if not await application.service.bridge.wait_connected(_CONNECT_S):
            raise StartRefused("The plug-in in the simulated Lightroom did not connect. The lines above say why.")
        page_url = await asyncio.to_thread(lightroom.choose_menu_item, _MENU_ITEM)
        sys.stderr.write(f"Open this page in your browser: {page_url}\n")
        return {"page_url": page_url}

    return run_service(settings, on_ready, lightroom.close)


def _catalog(arguments: argparse.Namespace) -> Catalog:
    from safelight.lightroom import FolderEmpty, LrcatRefused, drawn_catalog, folder_catalog, lrcat_catalog

    photos: Path | None = arguments.photos
    lrcat: Path | None = arguments.lrcat
    if photos is not None and not photos.is_dir():
        raise StartRefused(f"There is no folder {photos}.")
    try:
        if lrcat is not None:
            return lrcat_catalog(lrcat)
        return drawn_catalog(arguments.count) if photos is None else folder_catalog(photos)
    except (FolderEmpty, LrcatRefused) as error:
        raise StartRefused(str(error)) from None
