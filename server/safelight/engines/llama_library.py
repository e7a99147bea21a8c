"""llama.cpp's library, loaded with the settings that it reads only then."""

from __future__ import annotations

import importlib
import os
from typing import Any

__all__ = ("llama",)

# By default libgomp's threads spin while they wait for each other: on a busy machine an answer then takes ten times as
# long. It reads this once, when it is loaded.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

llama: Any = importlib.import_module("llama_cpp")
"""``llama_cpp``, whose annotations are wrong in places."""
