"""The version of the service, the plug-in and the contract: they are released together."""

from __future__ import annotations

from typing import Final

__all__ = ("VERSION",)

VERSION: Final = "0.1.0"
