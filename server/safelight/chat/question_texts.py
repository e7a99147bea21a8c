"""What a question says to the person, and what its end says to the model: each kind of end in words of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from safelight.gate.principal import Question

__all__ = (
    "STOPPED",
    "STOPPED_BY",
    "UNRECORDED",
    "WITHDRAWN",
    "always_text",
    "denied",
    "nobody_answered",
    "nobody_at_the_page",
    "time_is_over",
)

STOPPED: Final = "The user stopped before this was allowed. It did not run."
STOPPED_BY: Final = {
    "user": STOPPED,
    "service": "Safelight was stopped before this was allowed. It did not run. The user has not said no.",
}
WITHDRAWN: Final = "The call was cancelled before it was allowed. It did not run."
UNRECORDED: Final = "The answer could not be recorded, so this did not run. It is not known what the user wanted."

_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def denied(note: str) -> str:
    """The person said no, with what they added."""
    base = "The user did not allow this call. Nothing was changed. Do not repeat it."
    return f"{base} They said: {note}" if note else base


def nobody_answered(why: str) -> str:
    """The question expired: that is nobody's no."""
    return (
        f"Nobody answered whether this may run: {why}. It did not run, and nothing was changed. The user has not said "
        "no; they may want it when they are back."
    )


def time_is_over(seconds: float) -> str:
    """Why a question expired that was to wait for so long only."""
    return f"there was no answer within {_spoken(seconds)}"


def nobody_at_the_page(seconds: float) -> str:
    """Why a question expired that nobody could see."""
    return f"nobody was at the page for {_spoken(seconds)}"


def always_text(question: Question, where: str) -> str:
    """Exactly what the rule means that the answer "always" writes."""
    text = f"{question.title} will run without asking {where}"
    if question.tool_class == "destructive" and question.bulk_limit:
        of_photos = "1 photo" if question.bulk_limit == 1 else f"{question.bulk_limit} photos"
        return f"{text}; more than {of_photos} at once still ask."
    return f"{text}."


def _spoken(seconds: float) -> str:
    for size, unit in _UNITS:
        count = seconds / size
        if count >= 1 and count == int(count):
            return f"{int(count)} {unit}" if count == 1 else f"{int(count)} {unit}s"
    return "1 second" if seconds == 1 else f"{seconds:g} seconds"
