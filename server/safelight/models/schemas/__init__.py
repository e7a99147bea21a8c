"""Pure transforms of JSON Schemas: into the grammar of a local model's answer, and into what cloud services take."""

from __future__ import annotations

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.answer import answer_of, answer_schema, argument_schemas, reply_schema
from safelight.models.schemas.choice import split_choice
from safelight.models.schemas.normal import grammar_schema
from safelight.models.schemas.portable import portable_tool_schema

__all__ = (
    "SchemaNotSupported",
    "answer_of",
    "answer_schema",
    "argument_schemas",
    "grammar_schema",
    "portable_tool_schema",
    "reply_schema",
    "split_choice",
)
