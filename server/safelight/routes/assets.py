"""The page and the contract, from the wheel or from the source tree, and the page's Content-Security-Policy."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ("Assets", "content_security_policy", "load_assets")

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_SOURCE: Final = _PACKAGE.parent.parent

_INLINE = re.compile(r"<(script|style)(?:\s[^>]*)?>(.*?)</\1>", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Assets:
    """Ready-made bytes."""

    page: bytes
    page_policy: str
    contract: bytes


def load_assets() -> Assets:
    """Read them once, at start."""
    page = _find("_ui/chat.html", "ui/chat.html").read_bytes()
    contract = _find("_contract/openapi.yaml", "contract/openapi.yaml").read_bytes()
    return Assets(page=page, page_policy=content_security_policy(page.decode("utf-8")), contract=contract)


def content_security_policy(page: str) -> str:
    """A policy that runs exactly the page's own inline script and style, by their hashes, and loads nothing else."""
    hashes: dict[str, list[str]] = {"script": [], "style": []}
    for match in _INLINE.finditer(page):
        digest = hashlib.sha256(match.group(2).encode()).digest()
        hashes[match.group(1)].append(f"'sha256-{base64.b64encode(digest).decode('ascii')}'")
    rules = [
        "default-src 'none'",
        f"script-src {' '.join(hashes['script']) or _NONE}",
        f"style-src {' '.join(hashes['style']) or _NONE}",
        "img-src data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types dompurify",
    ]
    return "; ".join(rules)


_NONE: Final = "'none'"


def _find(in_wheel: str, in_source: str) -> Path:
    packed = _PACKAGE / in_wheel
    return packed if packed.exists() else _SOURCE / in_source
