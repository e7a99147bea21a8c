"""What is generated is fresh, and a change of the contract without it is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.requirement import requirement

ROOT = Path(__file__).parents[2]


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "contract" / "generate"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@requirement("contract.single-source")
def test_every_generated_file_is_the_same_as_a_fresh_one() -> None:
    done = generate(ROOT, "--check")
    assert done.returncode == 0, done.stdout + done.stderr


CHANGES = {
    "openapi.yaml": ("message_id: {type: string}", "message_name: {type: string}"),
    "tools.yaml": ("title: Rate photos", "title: Rate"),
    "bridge.yaml": ("deadline_s: 15", "deadline_s: 16"),
}


@requirement("contract.single-source")
def test_a_description_that_an_unquoted_comma_cuts_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "contract", tmp_path / "contract")
    tools = tmp_path / "contract/tools.yaml"
    text = tools.read_text(encoding="utf-8")
    tools.write_text(text.replace("description: fewest stars}", "description: fewest, of all}"), encoding="utf-8")
    done = generate(tmp_path, "--check")
    assert done.returncode == 1
    assert "'of all' has no value" in done.stderr


STALE = (
    "server/safelight/wire/models.py",
    "client/safelight_client/models.py",
    "server/safelight/wire/tool_table.py",
    "plugin/Safelight.lrplugin/Contract.lua",
)


@requirement("contract.single-source")
def test_a_change_of_the_contract_alone_is_found(tmp_path: Path) -> None:
    for folder in ("contract", "server/safelight/wire", "client/safelight_client"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    lua = tmp_path / "plugin/Safelight.lrplugin"
    lua.mkdir(parents=True)
    shutil.copy(ROOT / "plugin/Safelight.lrplugin/Contract.lua", lua)
    for document, (old, new) in CHANGES.items():
        changed = tmp_path / "contract" / document
        text = changed.read_text(encoding="utf-8")
        assert old in text
        changed.write_text(text.replace(old, new), encoding="utf-8")
    done = generate(tmp_path, "--check")
    assert done.returncode == 1
    for file in STALE:
        assert f"{file} (committed)" in done.stdout
