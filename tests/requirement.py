"""The marker that ties a test to rows of tests/requirements.yaml; ``tests/test_requirements.py`` checks both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

__all__ = ("requirement",)

T = TypeVar("T", bound=Callable[..., object] | type)


def requirement(*ids: str) -> Callable[[T], T]:
    """Mark a test as proof of the named rows."""
    return pytest.mark.requirement(*ids)
