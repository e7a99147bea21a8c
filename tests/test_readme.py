"""The README is true: its client code is the example's, and it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.demo import running_demo

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "client" / "examples" / "five_star.py"


def test_the_client_code_in_the_readme_is_the_example() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code.strip() == EXAMPLE.read_text(encoding="utf-8").strip()


def test_the_example_runs_against_the_demo(tmp_path: Path) -> None:
    model = f"scripted:{ROOT / 'tests' / 'data' / 'five_star.json'}"
    with running_demo(tmp_path, "--model", model):
        environment = {**os.environ, "SAFELIGHT_DATA_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, str(EXAMPLE)], capture_output=True, text=True, timeout=60, env=environment, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "five stars" in done.stdout


def test_every_picture_and_link_into_the_tree_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target
