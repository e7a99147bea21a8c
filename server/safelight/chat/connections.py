"""The AI servers and keys that a chat was given. They live in memory only; of them nothing but the providers' names is
kept, so that a restart can say what must be given again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from safelight.guard.secret import Secret
from safelight.wire.models import Provider

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.wire.models import Connection

__all__ = ("ChatConnection", "Connections", "as_connections")


class ChatConnection(msgspec.Struct, frozen=True, kw_only=True):
    """One AI server. Its address may hold a password, so that it is hidden like the key."""

    provider: Provider
    base_url: Secret | None = None
    api_key: Secret | None = None


class Connections(msgspec.Struct, frozen=True, kw_only=True):
    """What a chat has, and what a restart took from it that has not been given again."""

    given: tuple[ChatConnection, ...] = ()
    lost: tuple[Provider, ...] = ()

    @property
    def providers(self) -> tuple[Provider, ...]:
        """What is kept: the names of both, each once."""
        return tuple(dict.fromkeys([*(connection.provider for connection in self.given), *self.lost]))

    def replaced(self, given: Sequence[ChatConnection]) -> Connections:
        """With these in the place of those that it has."""
        names = {connection.provider for connection in given}
        return Connections(given=tuple(given), lost=tuple(name for name in self.lost if name not in names))


def as_connections(sent: Iterable[Connection]) -> tuple[ChatConnection, ...]:
    """What a request sent, with its secrets hidden from here on."""
    return tuple(
        ChatConnection(
            provider=connection.provider,
            base_url=None if connection.base_url is msgspec.UNSET else Secret(connection.base_url),
            api_key=None if connection.api_key is msgspec.UNSET else Secret(connection.api_key),
        )
        for connection in sent
    )
