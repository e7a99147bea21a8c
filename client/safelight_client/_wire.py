"""The base of the generated structs."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ("Wire",)

_HIDDEN: Final = frozenset({"token", "chat_token", "api_key", "page_url"})
"""Fields that hold a token or a key; ``page_url`` carries one in its fragment."""


class Wire(msgspec.Struct, frozen=True):
    """A value of the contract: immutable, ignores fields that it does not know, and shows no secret in its repr."""

    def __repr__(self) -> str:
        fields = (
            f"{name}={'<hidden>' if name in _HIDDEN else repr(getattr(self, name))}" for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(fields)})"
