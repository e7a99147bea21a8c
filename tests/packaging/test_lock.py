"""The lock file is what the tests run on."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[2]


def test_the_locked_versions_are_the_installed_ones() -> None:
    differing: dict[str, str] = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if line[:1] in {"", " ", "#"}:
            continue
        pin = Requirement(line.removesuffix("\\"))
        if (pin.marker is None or pin.marker.evaluate()) and installed(pin.name) not in pin.specifier:
            differing[str(pin)] = installed(pin.name)
    assert differing == {}, "run: make setup"


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "0"
