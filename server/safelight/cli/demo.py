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

__all__ = ("add_parser", "run")

_MENU_ITEM = "Chat with Your Catalog..."
_CONNECT_S = 20.0


def add_parser(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "demo", help="try Safelight without Lightroom, on drawn photos or on a folder of yours"
    )
    add_service_arguments(parser)
    parser.add_argument("--photos", type=Path, default=None, metavar="DIR", help="make the catalog of this folder")
    parser.add_argument("--count", type=int, default=60, help="drawn photos without --photos (default %(default)s)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve, start the simulated Lightroom, and open a chat through the plug-in's own menu item."""
    from safelight.cli.serving import run_service

    try:
        from safelight.lightroom import FolderEmpty, SimulatedLightroom, drawn_catalog, folder_catalog
    except ImportError as error:
        text = f"The demo needs the package {error.name}: pip install 'safelight[llama,demo]'"
        raise StartRefused(text) from None
    settings = settings_of(arguments)
    photos: Path | None = arguments.photos
    if photos is not None and not photos.is_dir():
        raise StartRefused(f"There is no folder {photos}.")
    try:
        catalog = drawn_catalog(arguments.count) if photos is None else folder_catalog(photos)
    except FolderEmpty as error:
        raise StartRefused(str(error)) from None
    lightroom = SimulatedLightroom(catalog, data_folder=settings.data_dir)

    async def on_ready(application: Application, url: str) -> dict[str, Any]:
        del url
        lightroom.start()
        if not await application.service.bridge.wait_connected(_CONNECT_S):
            raise StartRefused("The plug-in in the simulated Lightroom did not connect. The lines above say why.")
        page_url = await asyncio.to_thread(lightroom.choose_menu_item, _MENU_ITEM)
        sys.stderr.write(f"Open this page in your browser: {page_url}\n")
        return {"page_url": page_url}

    return run_service(settings, on_ready, lightroom.close)
