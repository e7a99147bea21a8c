"""Checks a call's arguments against the tool's own schema, and says in words what is wrong."""

from __future__ import annotations

from typing import Any, cast

import jsonschema
import jsonschema.exceptions
import msgspec

__all__ = ("ArgumentCheck",)

_MOST_WORDS = 300


class ArgumentCheck:
    """A compiled input schema (JSON Schema 2020-12)."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator: Any = jsonschema.Draft202012Validator(schema)

    def problem(self, arguments: dict[str, Any]) -> str | None:
        """The most telling thing that is wrong, with the place; None when the arguments are right. Never raises:
        arguments that JSON cannot hold, or that are nested too deeply, are wrong too."""
        try:
            if msgspec.json.decode(msgspec.json.encode(arguments)) != arguments:
                return "the arguments hold a number that is none"
            best_match = cast(Any, jsonschema.exceptions).best_match
            error = cast("jsonschema.ValidationError | None", best_match(self._validator.iter_errors(arguments)))
        except (RecursionError, ValueError, OverflowError, msgspec.MsgspecError, TypeError):
            return "the arguments are nested too deeply, or hold broken text or a number that is too large"
        if error is None:
            return None
        where = ".".join(str(step) for step in error.absolute_path)
        text = str(error.message)[:_MOST_WORDS]
        return f"{where}: {text}" if where else text
