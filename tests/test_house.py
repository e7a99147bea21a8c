"""What holds for every file of the project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

FOLDERS: Final = (".ci", ".github", "client", "contract", "plugin", "server", "tests", "ui")
SKIPPED: Final = {"__pycache__", "node_modules", "output"}
CODE: Final = {".css", ".html", ".js", ".lua", ".py", ".ts", ".tsx"}
TEXT: Final = CODE | {"", ".cfg", ".json", ".lock", ".md", ".toml", ".txt", ".yaml", ".yml"}

LONGEST: Final = 400
"""Lines of a file of code."""

CEILINGS: Final[dict[str, int]] = {}
"""Files that are longer for a reason, each with its own limit, so that they can only shrink."""

GENERATED: Final = {
    "client/safelight_client/_calls.py",
    "client/safelight_client/models.py",
    "plugin/Safelight.lrplugin/Contract.lua",
    "server/safelight/wire/bridge_models.py",
    "server/safelight/wire/models.py",
    "server/safelight/wire/tool_models.py",
    "server/safelight/wire/tool_table.py",
    "ui/chat.html",
    "ui/src/contract.gen.ts",
}

SHAPELESS: Final = re.compile(r"_?(utils?|helpers?|common|managers?|misc)", re.IGNORECASE)

# Put together here, so that this file does not hold what it looks for.
FOREIGN: Final = ("/wo" + "rk/", "/ro" + "ot/")
"""Folders of the machines that the project happened to be written on."""


def files() -> list[Path]:
    """Every file of the project that people read or write."""
    found = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if not SKIPPED & set(path.relative_to(ROOT).parts))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


FILES: Final = files()


def test_no_file_is_too_long() -> None:
    too_long: dict[str, int] = {}
    for path in FILES:
        if path.suffix in CODE and name(path) not in GENERATED:
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > CEILINGS.get(name(path), LONGEST):
                too_long[name(path)] = lines
    assert too_long == {}


def test_a_file_with_a_ceiling_of_its_own_needs_it() -> None:
    for path, ceiling in CEILINGS.items():
        assert ceiling > LONGEST
        assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) > LONGEST


def test_every_module_is_named_after_what_it_holds() -> None:
    assert [name(path) for path in FILES if path.suffix in CODE and SHAPELESS.fullmatch(path.stem)] == []
    assert [name(path) for path in FILES if any(SHAPELESS.fullmatch(part) for part in path.parts)] == []


def test_nothing_speaks_of_a_place_on_one_machine() -> None:
    said: list[str] = []
    for path in FILES:
        if path.suffix not in TEXT or name(path) in {"tests/test_house.py", "ui/chat.html"}:
            continue
        text = path.read_text(encoding="utf-8")
        said += [f"{name(path)}: {words}" for words in FOREIGN if words in text]
    assert said == []


def test_lock_files_name_no_registry_but_the_public_one() -> None:
    assert "://" not in (ROOT / "requirements.lock").read_text(encoding="utf-8")
    packages = (ROOT / "ui/package-lock.json").read_text(encoding="utf-8")
    resolved = re.findall(r'"resolved": "([^"]*)"', packages)
    assert [address for address in resolved if not address.startswith("https://registry.npmjs.org/")] == []


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_the_readme_names_the_commands_to_begin_with(command: str) -> None:
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")
