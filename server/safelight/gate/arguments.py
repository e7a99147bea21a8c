"""Checks a call's arguments against the tool's own schema, and says in words what is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import msgspec

__all__ = ("ArgumentCheck",)

_MOST_WORDS = 300


class ArgumentCheck:
    """An input schema (JSON Schema 2020-12), compiled on first use: the library would cost a tenth of the start."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self._schema)

    def problem(self, arguments: dict[str, Any]) -> str | None:
        """The most telling thing that is wrong, with the place; None when the arguments are right. Never raises:
        arguments that JSON cannot hold, or that are nested too deeply, are wrong too."""
        try:
            if msgspec.json.decode(msgspec.json.encode(arguments)) != arguments:
                return "the arguments hold a number that is none"
            error = self._first_error(arguments)
        except (RecursionError, ValueError, OverflowError, msgspec.MsgspecError, TypeError):
            return "the arguments are nested too deeply, or hold broken text or a number that is too large"
        if error is None:
            return None
        where = ".".join(str(step) for step in error.absolute_path)
        text = str(error.message)[:_MOST_WORDS]
        return f"{where}: {text}" if where else text

    def _first_error(self, arguments: dict[str, Any]) -> Any:
        from jsonschema import exceptions

        return cast(Any, exceptions).best_match(self._validator.iter_errors(arguments))
