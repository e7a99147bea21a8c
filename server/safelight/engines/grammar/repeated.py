"""The same part of a schema, written once."""

from __future__ import annotations

import json
from typing import Any, Final

from safelight.engines.grammar.parts import with_parts

__all__ = ("written_once",)

_WORTH: Final = 60
"""Characters of a part that is worth a reference."""


def written_once(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema in normal form, with its objects, lists and longer enums under ``$defs``, equal ones once. It accepts
    the same."""
    names: dict[str, str] = {}
    defs: dict[str, dict[str, Any]] = {}

    def referred(node: dict[str, Any]) -> dict[str, Any]:
        found = with_parts(node, referred)
        # The parts of what is long are short by now: each is looked at once.
        text = json.dumps(found, ensure_ascii=False)
        if len(text) < _WORTH:
            return found
        if text not in names:
            names[text] = str(len(names))
            defs[names[text]] = found
        return {"$ref": f"#/$defs/{names[text]}"}

    found = with_parts(schema, referred)
    return {**found, "$defs": defs} if defs else found
