"""The three kinds of token: made, kept as hashes, looked up."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from safelight.errors import NotFound
from safelight.guard.principals import AgentHolder, AppHolder, ChatHolder, Holder
from safelight.guard.secret import PREFIXES, Secret, digest, new_token, same_digest
from safelight.wire.models import Role, TokenInfo

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from safelight.catalog.database import Database

__all__ = ("TokenBook", "agent_token")


_SHORTEST: Final = 40
"""Characters of an agent token; what a damaged file still begins with must not become one that can be guessed."""


def agent_token(path: Path) -> Secret:
    """The agent token of the data folder; made on first use in a file that only the user can read. All who ask for it
    at once get the same one; a damaged file is replaced."""
    if (found := _read_token(path)) is not None:
        return found
    token = new_token("agent")
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token.reveal() + "\n")
        return _put(fresh, path) or token
    finally:
        fresh.unlink(missing_ok=True)


def _put(fresh: Path, path: Path) -> Secret | None:
    """Give the file its name; where somebody else was quicker, theirs stays and its token is returned."""
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        if (found := _read_token(path)) is not None:
            return found
        fresh.replace(path)
    except OSError:  # a file system without hard links
        fresh.replace(path)
    return None


def _read_token(path: Path) -> Secret | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    if not text.startswith(PREFIXES["agent"]) or len(text) < _SHORTEST:
        return None
    if os.name == "posix":
        path.chmod(0o600)
    return Secret(text)


class TokenBook:
    """Looks a token up in constant work: the agent token by its hash, chat and app tokens by the hash as key."""

    def __init__(self, database: Database, agent: Secret) -> None:
        self._database = database
        self._agent = digest(agent.reveal())
        self._chats: dict[str, str] = {}
        self._apps: dict[str, AppHolder] = {}
        self._infos: dict[str, TokenInfo] = {}

    async def load(self) -> None:
        """Read the app tokens that were minted before."""

        def read(connection: sqlite3.Connection) -> list[tuple[str, str, Role, str, str]]:
            return connection.execute("SELECT token_id, name, role, hash, created FROM tokens").fetchall()

        for token_id, name, role, hashed, created in await self._database.run(read):
            self._remember(
                TokenInfo(token_id=token_id, name=name, role=role, created=datetime.fromisoformat(created)), hashed
            )

    def holder(self, token: str) -> Holder | None:
        """Who holds this token; None when nobody does."""
        hashed = digest(token)
        if same_digest(hashed, self._agent):
            return AgentHolder()
        if (session_id := self._chats.get(hashed)) is not None:
            return ChatHolder(session_id)
        return self._apps.get(hashed)

    def bind_chat(self, token_hash: str, session_id: str) -> None:
        """From now on this chat token opens that chat."""
        self._chats[token_hash] = session_id

    def unbind_chat(self, session_id: str) -> None:
        """The chat has ended: its token opens nothing."""
        for hashed in [h for h, s in self._chats.items() if s == session_id]:
            del self._chats[hashed]

    async def mint(self, name: str, role: Role) -> tuple[TokenInfo, Secret]:
        """A new app token. The value is returned this one time and kept only as a hash."""
        token = new_token("app")
        info = TokenInfo(token_id=f"tok_{secrets.token_hex(6)}", name=name, role=role, created=datetime.now(UTC))
        hashed = digest(token.reveal())

        def write(connection: sqlite3.Connection) -> None:
            row = (info.token_id, name, role, hashed, info.created.isoformat())
            connection.execute("INSERT INTO tokens (token_id, name, role, hash, created) VALUES (?, ?, ?, ?, ?)", row)

        await self._database.run(write)
        self._remember(info, hashed)
        return info, token

    async def revoke(self, token_id: str) -> None:
        """Forget an app token, or ``NotFound``."""
        if token_id not in self._infos:
            raise NotFound("There is no app token with this id. List them with: safelight token list")

        def erase(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM tokens WHERE token_id = ?", (token_id,))

        await self._database.run(erase)
        self._infos.pop(token_id, None)
        self._apps = {h: app for h, app in self._apps.items() if app.token_id != token_id}

    def stands(self, token_id: str) -> bool:
        """Whether there is an app token with this id, and it has not been revoked."""
        return token_id in self._infos

    def infos(self) -> list[TokenInfo]:
        """All app tokens, oldest first, without their values."""
        return sorted(self._infos.values(), key=lambda info: info.created)

    def _remember(self, info: TokenInfo, hashed: str) -> None:
        self._infos[info.token_id] = info
        self._apps[hashed] = AppHolder(info.token_id, info.name, info.role)


TOKENS_SCHEMA = """
CREATE TABLE tokens (token_id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
                     created TEXT NOT NULL);
"""
