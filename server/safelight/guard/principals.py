"""Who a request speaks for, once its token is known."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from safelight.wire.models import Role

__all__ = ("AgentHolder", "AppHolder", "ChatHolder", "Holder", "Scheme")

Scheme: TypeAlias = Literal["agentToken", "chatToken", "appToken"]
"""The security schemes of the contract."""


class AgentHolder(msgspec.Struct, frozen=True):
    """The plug-in or the CLI: opens everything."""

    scheme: Scheme = "agentToken"


class ChatHolder(msgspec.Struct, frozen=True):
    """The page of one chat."""

    session_id: str
    scheme: Scheme = "chatToken"


class AppHolder(msgspec.Struct, frozen=True):
    """One external program with a role."""

    token_id: str
    name: str
    role: Role
    scheme: Scheme = "appToken"


Holder: TypeAlias = AgentHolder | ChatHolder | AppHolder
