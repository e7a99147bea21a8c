"""Settings that hold for every test."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.stable_prefix import watching

# Both draw the same examples on every run. `--hypothesis-profile=long` is what `make test-long` runs.
settings.register_profile("default", derandomize=True, max_examples=60, deadline=None)
settings.register_profile("long", derandomize=True, max_examples=1000, deadline=None)
settings.load_profile("default")


@pytest.fixture(autouse=True)
def every_request_begins_with_the_one_before(request: pytest.FixtureRequest) -> Generator[None, None, None]:
    """In every chat of every test, until something had to be fitted; see ``tests.stable_prefix``."""
    with watching() as broken:
        yield
    assert not broken or request.node.get_closest_marker("moves_prefix"), broken
