"""Text from outside, made safe to store, send and show: unchanged but for characters that JSON or Lightroom refuse."""

from __future__ import annotations

import re
from typing import Any, Final, cast

__all__ = ("clean", "clean_text")

CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
SURROGATES: Final = re.compile(r"[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Line ends become ``\\n``, other control characters go (tab stays), a lone surrogate becomes U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SURROGATES.sub("\ufffd", CONTROLS.sub("", text))


def clean(value: Any) -> Any:
    """The same JSON value with every text in it (keys too) cleaned."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): clean(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [clean(item) for item in cast("list[Any]", value)]
    return value
