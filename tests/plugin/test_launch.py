"""Starting the service from Lightroom: the words of each system's shell, the wait, and what is said when it fails."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safelight.lightroom import Catalog, ManualClock, MenuRefused, SimulatedLightroom, drawn_catalog
from safelight.lightroom.system_calls import System
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import CHAT, install_program
from tests.requirement import requirement


def run_with_sh(command: str) -> int:
    return subprocess.run(["/bin/sh", "-c", command], timeout=10, check=False).returncode


def as_cmd_reads(command: str) -> str:
    """The line that is left when cmd /c has taken away the outer quotes."""
    assert command[0] == command[-1] == '"'
    return command[1:-1]


def as_windows_programs_read(line: str) -> list[str]:
    """A command line in words, as C's start-up code on Windows does it."""
    words: list[str] = []
    position = 0
    while position < len(line):
        word, is_quoted = "", False
        while position < len(line) and (is_quoted or line[position] != " "):
            slashes = len(line[position:]) - len(line[position:].lstrip("\\"))
            position += slashes
            if line[position : position + 1] == '"':
                word += "\\" * (slashes // 2)
                if slashes % 2:
                    word += '"'
                else:
                    is_quoted = not is_quoted
                position += 1
            elif slashes:
                word += "\\" * slashes
            else:
                word += line[position]
                position += 1
        words.append(word)
        position += 1
    return words


@contextmanager
def running(pid: Path) -> Generator[None]:
    """Ends the program that has left its number there; it must be running still."""
    try:
        yield
    finally:
        os.kill(int(pid.read_text("ascii")), signal.SIGTERM)


@requirement("plugin.menu")
@pytest.mark.parametrize("system", ["MAC", "LINUX"])
def test_the_menu_starts_the_service_where_none_runs(catalog: Catalog, tmp_path: Path, system: System) -> None:
    prepared, data = tmp_path / "prepared", tmp_path / "it's the data"
    prepared.mkdir()
    data.mkdir()
    home = tmp_path / 'home of "Zoë"'
    install_program(
        home / ".local" / "bin",
        f'printf "%s\\n" "$@" > {shlex.quote(str(tmp_path / "said"))}; cp {shlex.quote(str(prepared))}/* "$3"; '
        f"echo $$ > {shlex.quote(str(tmp_path / 'pid'))}; exec tail -f /dev/null",
    )
    bridge = FakeBridge(prepared)
    with (
        running(tmp_path / "pid"),
        SimulatedLightroom(catalog, data_folder=data, system=system, home=str(home)) as lightroom,
    ):
        lightroom.computer.shell = run_with_sh
        assert lightroom.choose_menu_item(CHAT)
        assert len(bridge.chats) == 1
        assert (tmp_path / "said").read_text("utf-8").splitlines() == ["serve", "--data-dir", str(data)]
        bridge.wait_for(lambda: bool(bridge.polls), "the bridge")
        assert lightroom.choose_menu_item(CHAT)
        assert len(lightroom.computer.commands) == 1
        assert lightroom.errors == ()
    bridge.close()
    assert bridge.problems == []


@requirement("plugin.menu")
def test_on_windows_the_line_fits_cmd(catalog: Catalog, tmp_path: Path) -> None:
    program = tmp_path / "safe light.exe"
    program.write_bytes(b"")
    with SimulatedLightroom(catalog, data_folder=None, system="WIN", home=r"C:\Users\Zoë Ü") as lightroom:
        lightroom.prefs |= {"program": str(program), "dataFolder": "D:\\my data\\"}
        lightroom.computer.shell = lambda command: 1
        with pytest.raises(MenuRefused, match=r"could not be started.*safelight serve"):
            lightroom.choose_menu_item(CHAT)
        (command,) = lightroom.computer.commands
    line = as_cmd_reads(command)
    assert line.startswith('start "" /b ')
    assert line.endswith(" <nul >nul 2>&1")
    words = as_windows_programs_read(line.removesuffix(" <nul >nul 2>&1"))
    assert words == ["start", "", "/b", str(program), "serve", "--data-dir", "D:\\my data\\"]


@requirement("plugin.menu")
def test_the_usual_places_on_windows(catalog: Catalog, tmp_path: Path) -> None:
    home = tmp_path / "Zoë"
    # one file of that name, on systems where a backslash is a letter like another
    Path(f"{home}\\.local\\bin\\safelight.exe").write_bytes(b"")
    with SimulatedLightroom(catalog, data_folder=None, system="WIN", home=str(home)) as lightroom:
        with pytest.raises(MenuRefused, match="could not be started"):
            lightroom.choose_menu_item(CHAT)
        assert "\\.local\\bin\\safelight.exe" in lightroom.computer.commands[0]


@requirement("plugin.nothing-set-up")
def test_a_program_that_is_named_and_not_there_is_told(catalog: Catalog, data_folder: Path) -> None:
    with SimulatedLightroom(catalog, data_folder=data_folder) as lightroom:
        lightroom.prefs["program"] = "/nowhere/safelight"
        with pytest.raises(MenuRefused, match=r"there is no program /nowhere/safelight.*Plug-in Manager"):
            lightroom.choose_menu_item(CHAT)
        assert lightroom.computer.commands == []


@requirement("plugin.nothing-set-up")
def test_a_service_that_never_answers_is_not_waited_for_forever(catalog: Catalog, tmp_path: Path) -> None:
    """MIDI2LR #481, #821: a program beside Lightroom that was not there, and nothing said so."""
    install_program(tmp_path / ".local" / "bin", "")
    with SimulatedLightroom(catalog, data_folder=tmp_path, home=str(tmp_path), clock=ManualClock()) as lightroom:
        lightroom.computer.shell = lambda command: 0
        lightroom.run_menu_script("ChatMenu.lua")
        lightroom.advance(59)
        assert [dialog.message for dialog in lightroom.dialogs()] == ["Safelight is starting..."]
        lightroom.advance(2)
        assert "did not answer within 60 seconds" in lightroom.dialogs()[-1].text
        assert "safelight serve" in lightroom.dialogs()[-1].text


# --- quoting ----------------------------------------------------------------------------------------------------------

WORDS = st.lists(st.text(st.characters(exclude_categories=("Cc", "Cs"))), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def shells() -> Generator[dict[System, SimulatedLightroom]]:
    with (
        SimulatedLightroom(drawn_catalog(1), data_folder=None, system="WIN", home="C:\\") as windows,
        SimulatedLightroom(drawn_catalog(1), data_folder=None, system="LINUX", home="/nowhere") as unix,
    ):
        yield {"WIN": windows, "LINUX": unix}


def lua_text(word: str) -> str:
    return '"' + "".join(f"\\{byte:03d}" for byte in word.encode()) + '"'


def line_for(lightroom: SimulatedLightroom, words: list[str]) -> str:
    listed = ", ".join(lua_text(word) for word in words)
    lightroom.run_lua(
        f'import("LrDialogs").showBezel(require("CommandLine").detached({{ {listed} }}) or "refused")',
    )
    return lightroom.dialogs()[-1].message


@requirement("plugin.menu")
@settings(max_examples=60, deadline=None)
@given(words=WORDS)
def test_sh_reads_the_words_that_were_meant(shells: dict[System, SimulatedLightroom], words: list[str]) -> None:
    """karachungen #2: a path with a space in it, and the program did not start."""
    line = line_for(shells["LINUX"], words)
    assert shlex.split(line.removeprefix("nohup ").removesuffix(" </dev/null >/dev/null 2>&1 &")) == words


@requirement("plugin.menu")
@settings(max_examples=60, deadline=None)
@given(words=WORDS)
def test_windows_reads_the_words_that_were_meant_or_gets_none(
    shells: dict[System, SimulatedLightroom], words: list[str]
) -> None:
    """karachungen #4: cmd takes the outer quotes away, and the program did not start."""
    line = line_for(shells["WIN"], words)
    if any('"' in word or "%" in word for word in words):
        assert line == "refused"
        return
    line = as_cmd_reads(line).removeprefix('start "" /b ').removesuffix(" <nul >nul 2>&1")
    assert as_windows_programs_read(line) == words


@requirement("plugin.menu")
@pytest.mark.parametrize("system", ["WIN", "LINUX"])
def test_a_line_break_in_a_path_is_refused(shells: dict[System, SimulatedLightroom], system: System) -> None:
    assert line_for(shells[system], ["a\nrm -r /"]) == "refused"
