"""What a person's answer to a question is sent as."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET

from safelight_client import models

__all__ = ("Decision", "as_answer")

Decision: TypeAlias = models.Decision


def as_answer(decision: Decision, note: str | None, arguments: dict[str, Any] | None) -> models.ApprovalAnswer:
    """The answer; no ``arguments`` run what was proposed."""
    return models.ApprovalAnswer(
        decision=decision,
        note=UNSET if note is None else note,
        arguments=UNSET if arguments is None else arguments,
    )
