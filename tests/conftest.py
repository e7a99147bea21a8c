"""Settings that hold for every test."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from safelight.engines import discovery
from safelight.engines.model_places import Place, places
from tests.stable_prefix import watching

# Both draw the same examples on every run. `--hypothesis-profile=long` is what `make test-long` runs.
settings.register_profile("default", derandomize=True, max_examples=60, deadline=None)
settings.register_profile("long", derandomize=True, max_examples=1000, deadline=None)
settings.load_profile("default")


@pytest.fixture(autouse=True, scope="session")
def no_models_of_this_computer() -> Generator[None, None, None]:
    """A test finds the models in its own folders and those of packages, not what a developer uses."""

    def own_places(data_dir: Path, environment: Mapping[str, str]) -> tuple[Place, ...]:
        return places(data_dir, {} if environment is os.environ else environment)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discovery, "places", own_places)
        yield


@pytest.fixture(autouse=True)
def every_request_begins_with_the_one_before(request: pytest.FixtureRequest) -> Generator[None, None, None]:
    """In every chat of every test, until something had to be fitted; see ``tests.stable_prefix``."""
    with watching() as broken:
        yield
    assert not broken or request.node.get_closest_marker("moves_prefix"), broken
