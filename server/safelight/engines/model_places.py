"""The folders in which models lie: Safelight's own, LM Studio's, and the Hugging Face cache."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ("Place", "PlaceName", "places")

PlaceName: TypeAlias = Literal["data", "lmstudio", "huggingface"]

_MOST_BYTES: Final = 1_000_000


class Place(msgspec.Struct, frozen=True):
    """A folder to look through, and the files that say where it is."""

    name: PlaceName
    root: Path
    said_by: tuple[Path, ...] = ()


def places(data_dir: Path, environment: Mapping[str, str], system: str = sys.platform) -> tuple[Place, ...]:
    """In the order in which models are preferred. Nothing is looked for in the home folder where ``environment`` names
    none."""
    home = _home(environment, system)
    found = [Place("data", data_dir / "models")]
    if home is not None:
        found += _lm_studio(home)
    cache = _hugging_face(environment, home)
    if cache is not None:
        found.append(Place("huggingface", cache))
    by_root: dict[Path, Place] = {}
    for place in found:
        by_root.setdefault(place.root, place)
    return tuple(by_root.values())


def _home(environment: Mapping[str, str], system: str) -> Path | None:
    # a shell on Windows may set HOME too, and neither LM Studio nor Hugging Face go by it there
    named = environment.get("USERPROFILE" if system == "win32" else "HOME")
    return Path(named) if named else None


def _lm_studio(home: Path) -> list[Place]:
    pointer = home / ".lmstudio-home-pointer"
    pointed = _absolute(_read(pointer).decode(errors="replace").strip(), home)
    bases = [*([pointed] if pointed else []), home / ".lmstudio", home / ".cache" / "lm-studio"]
    found: list[Place] = []
    for base in dict.fromkeys(bases):
        settings = base / "settings.json"
        chosen = _absolute(_downloads_folder(_read(settings)), home)
        for root in ([chosen] if chosen else []) + [base / "models"]:
            found.append(Place("lmstudio", root, (pointer, settings)))
    return found


def _downloads_folder(settings: bytes) -> str:
    try:
        value = msgspec.json.decode(settings)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    folder = cast("dict[str, object]", value).get("downloadsFolder") if isinstance(value, dict) else None
    return folder if isinstance(folder, str) else ""


def _hugging_face(environment: Mapping[str, str], home: Path | None) -> Path | None:
    """As the package ``huggingface_hub`` finds it."""
    for name, below in (
        ("HF_HUB_CACHE", ()),
        ("HUGGINGFACE_HUB_CACHE", ()),
        ("HF_HOME", ("hub",)),
        ("XDG_CACHE_HOME", ("huggingface", "hub")),
    ):
        named = environment.get(name)
        if named:
            folder = _absolute(named, home)
            return folder.joinpath(*below) if folder else None
    return home.joinpath(".cache", "huggingface", "hub") if home else None


def _absolute(named: str, home: Path | None) -> Path | None:
    """The folder of that name; None for one that depends on where this program was started."""
    if not named or "\0" in named:
        return None
    if home is not None and (named == "~" or named.startswith(("~/", "~\\"))):
        return home.joinpath(*named[2:].replace("\\", "/").split("/"))
    return Path(named) if Path(named).is_absolute() else None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return b""
