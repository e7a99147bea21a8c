"""The computer around the simulated Lightroom: its store of passwords, and the programs that the plug-in starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from safelight.lightroom.lua_value import text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ("NOT_FOUND", "Computer")

NOT_FOUND: Final = 127
"""What a shell says of a program that it does not find."""


def _no_programs(command: str) -> int:
    del command
    return NOT_FOUND


class Computer:
    """Runs nothing by itself: ``shell`` gets each command line and gives the exit status. ``commands`` remembers them.

    ``passwords`` stands for the encrypted store of the system.
    """

    REFUSABLE = ""
    PLAIN = "store_password retrieve_password execute"

    def __init__(self) -> None:
        self.passwords: dict[str, str] = {}
        self.commands: list[str] = []
        self.shell: Callable[[str], int] = _no_programs

    def store_password(self, name: bytes, secret: bytes) -> None:
        self.passwords[text(name)] = text(secret)

    def retrieve_password(self, name: bytes) -> bytes | None:
        secret = self.passwords.get(text(name))
        return None if secret is None else secret.encode()

    def execute(self, command: bytes) -> int:
        self.commands.append(text(command))
        return self.shell(text(command))
