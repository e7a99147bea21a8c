"""What may run without asking (pure): class, rule, mode and bulk limit in; run, ask or refuse out.

Order of force: a role that does not reach, a block, a question that a rule, the mode or the bulk limit wants, and only
then permission. A tool of unknown class counts as destructive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from safelight.wire.models import ApprovalReason, Mode, Role, Rule, ToolClass

if TYPE_CHECKING:
    from safelight.wire.base import ToolSpec

__all__ = ("Ask", "Decision", "DecisionInput", "Refuse", "Run", "class_of", "decide", "stricter")

_STRICTNESS: Final[tuple[Mode, ...]] = ("auto_all", "auto_safe", "auto_read", "ask_all")
_FREE: Final[dict[Mode, frozenset[ToolClass]]] = {
    "ask_all": frozenset(),
    "auto_read": frozenset({"read"}),
    "auto_safe": frozenset({"read", "change"}),
    "auto_all": frozenset({"read", "change", "destructive"}),
}
_REACH: Final[dict[Role, frozenset[ToolClass]]] = {
    "viewer": frozenset({"read"}),
    "editor": frozenset({"read", "change"}),
    "owner": frozenset({"read", "change", "destructive"}),
}


class Run(msgspec.Struct, frozen=True, tag="run"):
    """The call may run as it is."""


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """Somebody has to allow the call first."""

    reason: ApprovalReason


class Refuse(msgspec.Struct, frozen=True, tag="refuse"):
    """The call can never run here."""

    why: Literal["blocked", "role"]


Decision: TypeAlias = Run | Ask | Refuse


class DecisionInput(msgspec.Struct, frozen=True, kw_only=True):
    """All that a decision depends on. ``photos`` is what the call aims at, None where it aims at none;
    ``allowed_for_chat`` says that the person has answered "in this chat" for this tool before."""

    tool_class: ToolClass
    role: Role
    mode: Mode
    rule: Rule | None
    photos: int | None
    bulk_limit: int
    allowed_for_chat: bool = False


def class_of(spec: ToolSpec) -> ToolClass:
    """A tool's class by its MCP annotations."""
    if spec.read_only:
        return "read"
    return "destructive" if spec.destructive else "change"


def decide(given: DecisionInput) -> Decision:
    """What happens to the call."""
    if given.tool_class not in _REACH[given.role]:
        return Refuse("role")
    if given.rule == "block":
        return Refuse("blocked")
    free = given.rule == "allow" or given.allowed_for_chat
    if given.rule == "ask" and not given.allowed_for_chat:
        return Ask(ApprovalReason(kind="rule"))
    if not free and given.tool_class not in _FREE[given.mode]:
        return Ask(ApprovalReason(kind="mode"))
    if given.tool_class == "destructive" and given.bulk_limit and (given.photos or 0) > given.bulk_limit:
        return Ask(ApprovalReason(kind="bulk", photos=given.photos or 0, limit=given.bulk_limit))
    return Run()


def stricter(one: Mode, other: Mode) -> Mode:
    """The mode that asks more."""
    return one if _STRICTNESS.index(one) >= _STRICTNESS.index(other) else other
