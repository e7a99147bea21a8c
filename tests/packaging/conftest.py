"""The two wheels, and an environment that holds them and what they declare, nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
EXTRAS: Final = ("demo", "llama")


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The server's and the client's wheel, built from the tree."""
    folder = tmp_path_factory.mktemp("wheels")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT), str(ROOT / "client"))
    (server,) = folder.glob("safelight-*.whl")
    (client,) = folder.glob("safelight_client-*.whl")
    return server, client


@pytest.fixture(scope="session")
def installed(wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of a new environment in which ``pip install safelight[demo,llama]`` has run, as good as.

    To install some sixty packages again takes a minute. Those that the wheel declares, and those that these declare,
    are linked in from the environment that runs the tests; the rest of that environment, the source tree among it, is
    not there. So a dependency that the wheel forgets to declare is missing here too.
    """
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    pip("--python", str(python), "install", "--no-deps", "--no-index", *map(str, wheels))
    done = run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    packages = Path(done.stdout.strip())
    for name in sorted(declared("safelight", EXTRAS) - {"safelight", "safelight-client"}):
        link(distribution(name), packages)
    return scripts


def declared(name: str, extras: tuple[str, ...] = ()) -> set[str]:
    """The distributions that a distribution needs on this machine, itself among them."""
    found: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(name), extra) for extra in ("", *extras)]
    while waiting:
        entry = waiting.pop()
        if entry in found:
            continue
        found.add(entry)
        for line in distribution(entry[0]).requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": entry[1]}):
                waiting += [(canonicalize_name(needed.name), extra) for extra in ("", *needed.extras)]
    return {name for name, _ in found}


def link(package: Distribution, target: Path) -> None:
    """Let a distribution's modules and data be found in ``target`` too."""
    source = Path(str(package.locate_file("")))
    for top in sorted({file.parts[0] for file in package.files or ()}):
        if top not in {"..", "__pycache__"} and not (target / top).exists():
            (target / top).symlink_to(source / top)


def pip(*arguments: str) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done
