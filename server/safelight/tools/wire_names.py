"""Keys of ours in MCP's ``_meta``, and in the scope of a request to it."""

from __future__ import annotations

from typing import Final

__all__ = ("CALL_ID", "ERROR_CODE", "LEFT", "PHOTO_ID", "SESSION_ID", "SKIPPED")

SESSION_ID: Final = "safelight/session_id"
"""Which chat a call is for. Heeded on the chats' own in-memory server only, which nobody outside can reach."""

CALL_ID: Final = "safelight/call_id"
SKIPPED: Final = "safelight/skipped"
"""Why a call did not run."""

ERROR_CODE: Final = "safelight/error_code"

PHOTO_ID: Final = "safelight/photo_id"
"""Of a picture: the photo that it shows."""

LEFT: Final = "safelight_left"
"""In the scope: the event that is set once the exchange is over."""
