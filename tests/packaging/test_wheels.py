"""The wheel alone carries all that runs: server, plug-in, page and contract."""

from __future__ import annotations

from email.parser import Parser
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from tests.requirement import requirement

ROOT: Final = Path(__file__).parents[2]

CARRIED: Final = {
    "server/safelight": "safelight",
    "plugin/Safelight.lrplugin": "safelight/_plugin/Safelight.lrplugin",
    "contract/openapi.yaml": "safelight/_contract/openapi.yaml",
    "contract/tools.yaml": "safelight/_contract/tools.yaml",
    "contract/bridge.yaml": "safelight/_contract/bridge.yaml",
    "ui/chat.html": "safelight/_ui/chat.html",
}
"""Folder or file of the tree -> its place in the wheel."""


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def source(folder: str) -> dict[str, bytes]:
    """The files of a folder of the tree, or the file itself as ``""``."""
    root = ROOT / folder
    if root.is_file():
        return {"": root.read_bytes()}
    paths = [path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {f"/{path.relative_to(root).as_posix()}": path.read_bytes() for path in paths}


@requirement("people.install")
def test_the_wheel_carries_server_plugin_page_and_contract_as_they_stand_in_the_tree(wheels: tuple[Path, Path]) -> None:
    expected = {f"{place}{name}": data for folder, place in CARRIED.items() for name, data in source(folder).items()}
    found = {name: data for name, data in contents(wheels[0]).items() if ".dist-info/" not in name}
    assert found.keys() == expected.keys()
    assert found == expected
    assert "safelight/_ui/chat.html" in found


def test_the_clients_wheel_carries_the_client_alone(wheels: tuple[Path, Path]) -> None:
    expected = {f"safelight_client{name}": data for name, data in source("client/safelight_client").items()}
    assert {name: data for name, data in contents(wheels[1]).items() if ".dist-info/" not in name} == expected


def test_both_wheels_hold_their_licence_and_say_which_python_they_need(wheels: tuple[Path, Path]) -> None:
    for wheel in wheels:
        metadata = next(data for name, data in contents(wheel).items() if name.endswith(".dist-info/METADATA"))
        fields = Parser().parsestr(metadata.decode())
        assert fields["License-Expression"] == "MIT"
        assert fields["Requires-Python"] == ">=3.11"
        assert fields["Version"] == "0.1.0"
