"""Settings that hold for every test."""

from __future__ import annotations

from hypothesis import settings

# Both draw the same examples on every run. `--hypothesis-profile=long` is what `make test-long` runs.
settings.register_profile("default", derandomize=True, max_examples=60, deadline=None)
settings.register_profile("long", derandomize=True, max_examples=1000, deadline=None)
settings.load_profile("default")
