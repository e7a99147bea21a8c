"""Grammars of JSON Schemas, which keep what a model writes inside one; llguidance or XGrammar does the work."""

from __future__ import annotations

from safelight.engines.grammar.grammars import Grammars
from safelight.engines.grammar.guide import Guide
from safelight.engines.grammar.refusals import refused

__all__ = ("Grammars", "Guide", "refused")
