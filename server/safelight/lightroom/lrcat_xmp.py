"""Title and headline of a photo in a catalog file: they stand only in the XMP that the catalog keeps for each photo."""

from __future__ import annotations

import zlib
from typing import Any, Final

from defusedxml import ElementTree

__all__ = ("title_and_headline",)

_RDF: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
_HEADLINE: Final = "{http://ns.adobe.com/photoshop/1.0/}Headline"
_LANGUAGE: Final = "{http://www.w3.org/XML/1998/namespace}lang"

_LENGTH_BYTES: Final = 4
_LARGEST: Final = 64 * 2**20


def title_and_headline(packet: Any) -> tuple[str, str]:
    """Both, empty where the packet does not say them or cannot be read.

    Older catalogs keep the packet as text, newer ones as its length in four bytes, highest first, and a zlib stream.
    """
    xml = _unpacked(packet)
    if b":title" not in xml and b":Headline" not in xml:
        return "", ""
    try:
        root = ElementTree.fromstring(xml)
    except (ElementTree.ParseError, ValueError, LookupError):
        return "", ""
    return _title(root), _headline(root)


def _unpacked(packet: Any) -> bytes:
    if isinstance(packet, str):
        return packet.encode("utf-8", "replace")
    if not isinstance(packet, bytes):
        return b""
    if packet.lstrip().startswith(b"<"):
        return packet
    try:
        return zlib.decompressobj().decompress(packet[_LENGTH_BYTES:], _LARGEST)
    except zlib.error:
        return b""


def _title(root: Any) -> str:
    """The title in the default language; otherwise the first one."""
    titles = [item for element in root.iter(_TITLE) for item in element.iter(f"{_RDF}li")]
    titles.sort(key=lambda item: item.get(_LANGUAGE) != "x-default")
    return (titles[0].text or "").strip() if titles else ""


def _headline(root: Any) -> str:
    for description in root.iter(f"{_RDF}Description"):
        if _HEADLINE in description.attrib:
            return description.attrib[_HEADLINE].strip()
    return next(((element.text or "").strip() for element in root.iter(_HEADLINE)), "")
