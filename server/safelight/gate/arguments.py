"""Checks a call's arguments against the tool's own schema, and says in words what is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import msgspec

__all__ = ("ArgumentCheck",)

_MOST_WORDS = 300

_NOT_JSON = "the arguments are nested too deeply, or hold broken text or a number that is too large"
_NO_SCHEMA = "the tool's own schema is broken, so nothing can be checked and nothing ran; use another tool ({}: {})"


class ArgumentCheck:
    """An input schema (JSON Schema 2020-12), compiled on first use: the library would cost a tenth of the start."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator
        from referencing import Registry

        # A registry of one's own, however empty, keeps the library from fetching what a reference names.
        return Draft202012Validator(self._schema, registry=Registry())

    def problem(self, arguments: dict[str, Any]) -> str | None:
        """The most telling thing that is wrong, with the place; None when the arguments are right. Never raises:
        arguments that JSON cannot hold, or that are nested too deeply, are wrong too, and so are all arguments of a
        schema that nothing can be checked with."""
        try:
            if msgspec.json.decode(msgspec.json.encode(arguments)) != arguments:
                return "the arguments hold a number that is none"
        except (RecursionError, ValueError, OverflowError, msgspec.MsgspecError, TypeError):
            return _NOT_JSON
        try:
            error = self._first_error(arguments)
        except (RecursionError, OverflowError):
            return _NOT_JSON
        except Exception as broken:  # noqa: BLE001  # the library does not check a schema, and raises whatever it meets
            return _NO_SCHEMA.format(type(broken).__name__, " ".join(str(broken).split())[:_MOST_WORDS])
        if error is None:
            return None
        where = ".".join(str(step) for step in error.absolute_path)
        text = str(error.message)[:_MOST_WORDS]
        return f"{where}: {text}" if where else text

    def _first_error(self, arguments: dict[str, Any]) -> Any:
        from jsonschema import exceptions

        return cast(Any, exceptions).best_match(self._validator.iter_errors(arguments))
