"""Which Host and which Origin is this server's own (pure).

A page of a stranger can make a browser send requests here: by its own address (then ``Origin`` is foreign) or by a name
that it points at 127.0.0.1 (then ``Host`` is foreign). Both headers are parsed, never compared as text.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final

__all__ = ("LOOPBACK", "is_own_host", "is_own_origin", "parse_host")

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.?")


def parse_host(value: str) -> tuple[str, int | None] | None:
    """``host[:port]`` as (lower-case host without brackets and trailing dot, port); None when it is malformed."""
    host, port_text = value, ""
    if value.startswith("["):
        host, bracket, rest = value[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return None
        try:
            host = ipaddress.IPv6Address(host).compressed
        except ValueError:
            return None
        port_text = rest[1:]
        if rest == ":":
            return None
    else:
        host, colon, port_text = value.partition(":")
        host = host.lower()
        if (colon and not port_text) or not _NAME.fullmatch(host):
            return None
        host = host.removesuffix(".")
    if not port_text:
        return host, None
    if not (port_text.isascii() and port_text.isdigit() and len(port_text) <= 5) or int(port_text) > 65_535:
        return None
    return host, int(port_text)


def is_own_host(value: str | None, own_hosts: frozenset[str], own_port: int | None) -> bool:
    """Whether a Host header names this server. A Host without a port means port 80."""
    parsed = parse_host(value) if value else None
    if parsed is None:
        return False
    host, port = parsed
    return host in own_hosts and (own_port is None or (80 if port is None else port) == own_port)


def is_own_origin(value: str | None, own_hosts: frozenset[str], own_port: int | None) -> bool:
    """Whether an Origin header is absent or this server's own page; ``null`` is foreign."""
    if value is None:
        return True
    scheme, separator, rest = value.partition("://")
    return bool(separator) and scheme == "http" and is_own_host(rest, own_hosts, own_port)
