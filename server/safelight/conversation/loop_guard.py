"""Sees a model that goes round in circles within one message (pure)."""

from __future__ import annotations

from typing import Any

import msgspec

from safelight.conversation.normal_form import digest_of

__all__ = ("LoopGuard",)


class LoopGuard(msgspec.Struct, frozen=True):
    """The calls made for one message, by tool and arguments in normal form. An identical call is refused, whether the
    first one succeeded or not; so A, B, A, B ends at the second A."""

    tried: frozenset[str] = frozenset()

    def seen(self, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether this very call was made for this message before."""
        return _key(tool, arguments) in self.tried

    def with_call(self, tool: str, arguments: dict[str, Any]) -> LoopGuard:
        """The guard that also knows this call."""
        return LoopGuard(self.tried | {_key(tool, arguments)})

    @staticmethod
    def refusal(tool: str) -> str:
        """What the model reads in place of a result."""
        return (
            f"You called {tool} with these same arguments for this message already, and its result stands above. "
            "It did not run again. Use that result, call with other arguments, or answer the user."
        )


def _key(tool: str, arguments: dict[str, Any]) -> str:
    return f"{tool} {digest_of(arguments)}"
