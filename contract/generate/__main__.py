"""Writes everything that is derived from the contract, or with ``--check`` says what differs from a fresh copy.

Usage: ``python contract/generate [--check]``. Needs the development requirements (datamodel-code-generator, jinja2).
"""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING

from documents import ROOT, load
from lua import lua_contract
from models import client_models, server_bridge_models, server_models, server_tool_models
from tables import client_calls, server_tool_table

if TYPE_CHECKING:
    from pathlib import Path


def outputs() -> dict[Path, str]:
    """Path -> fresh text of each generated file."""
    documents = load()
    wire = ROOT / "server/safelight/wire"
    return {
        wire / "models.py": server_models(documents.openapi),
        wire / "tool_models.py": server_tool_models(documents.tools),
        wire / "bridge_models.py": server_bridge_models(documents.bridge),
        wire / "tool_table.py": server_tool_table(documents),
        ROOT / "client/safelight_client/models.py": client_models(documents.openapi),
        ROOT / "client/safelight_client/_calls.py": client_calls(documents.openapi),
        ROOT / "plugin/Safelight.lrplugin/Contract.lua": lua_contract(documents),
    }


def main(arguments: list[str]) -> int:
    check = arguments == ["--check"]
    if arguments and not check:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    stale = 0
    for path, fresh in outputs().items():
        present = path.read_text(encoding="utf-8") if path.exists() else ""
        if present == fresh:
            continue
        stale += 1
        name = str(path.relative_to(ROOT))
        if check:
            lines = difflib.unified_diff(
                present.splitlines(), fresh.splitlines(), f"{name} (committed)", f"{name} (fresh)", lineterm=""
            )
            sys.stdout.write("\n".join([*lines][:60]) + "\n")
        else:
            path.write_text(fresh, encoding="utf-8")
            sys.stdout.write(f"wrote {name}\n")
    if check and stale:
        sys.stderr.write(f"{stale} generated files differ from the contract. Run: make generate\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
