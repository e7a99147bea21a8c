"""Ten requests in plain words, and what the demo's small model must reach for them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

__all__ = ("RIGHT_ARGUMENTS", "RIGHT_TOOLS", "WANTED", "Wanted", "fits")

RIGHT_TOOLS: Final = 10
RIGHT_ARGUMENTS: Final = 9


class Wanted(msgspec.Struct, frozen=True):
    """A request, the tools that answer it, and the arguments that the call must give."""

    request: str
    tools: tuple[str, ...]
    arguments: dict[str, Any] = {}


WANTED: Final = (
    Wanted("Find photos of the beach", ("search_photos",), {"text": "beach"}),
    Wanted("Show me the five-star photos", ("search_photos",), {"rating_min": 5}),
    Wanted("Find sunsets from 2023", ("search_photos",), {"text": "sunset", "captured_from": "2023"}),
    Wanted("What is selected?", ("get_photos", "get_status")),
    Wanted("Show me photos of dogs", ("search_photos",), {"text": "dog"}),
    Wanted("Rate the selected photos five stars", ("set_rating",), {"rating": 5, "set": "selection"}),
    Wanted("Create a collection called Best of Summer", ("create_collection",), {"collection": "Best of Summer"}),
    Wanted("Which photos have a red label?", ("search_photos",), {"label": "red"}),
    Wanted("Is Lightroom connected?", ("get_status",)),
    Wanted("Find pictures of mountains", ("search_photos",), {"text": "mountain"}),
)


def fits(given: dict[str, Any], wanted: Wanted) -> bool:
    """Whether a call's arguments are those that the request asks for."""
    return all(
        str(given.get(name, "")).rstrip("s") == str(value).rstrip("s") for name, value in wanted.arguments.items()
    )
