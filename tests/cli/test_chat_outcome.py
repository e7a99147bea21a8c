"""What became of a message, as an exit status."""

from __future__ import annotations

from typing import Any, Final

import pytest

from safelight.cli.outcome import ANSWERED, DENIED, FAILED, Outcome
from safelight_client import StreamedEvent, models


def resolved(outcome: Any) -> models.ApprovalResolvedEvent:
    return models.ApprovalResolvedEvent(seq=1, call_id="c", outcome=outcome, by="agent", arguments=None, note=None)


ANSWER: Final = models.AssistantTurnEvent(seq=1, reasoning="", text="Here.")
SILENT: Final = models.AssistantTurnEvent(seq=1, reasoning="Hm.", text=" ")
ERROR: Final = models.ErrorEvent(seq=1, code="model_missing", message="Choose a model.")
OVER: Final = models.BusyEvent(seq=1, busy=False)
BUSY: Final = models.BusyEvent(seq=1, busy=True)
SKIPPED: Final = models.ToolSkippedEvent(seq=1, call_id="c", reason="not_allowed")
REPEATED: Final = models.ToolSkippedEvent(seq=1, call_id="c", reason="repeated_call")


@pytest.mark.parametrize(
    ("events", "status", "failure"),
    [
        ([BUSY, ANSWER, OVER], ANSWERED, None),
        ([BUSY, resolved("once"), ANSWER, OVER], ANSWERED, None),
        ([BUSY, REPEATED, ANSWER, OVER], ANSWERED, None),
        ([BUSY, resolved("deny"), SKIPPED, ANSWER, OVER], DENIED, None),
        ([BUSY, SKIPPED, SILENT, OVER], DENIED, None),
        ([BUSY, resolved("expired"), ANSWER, OVER], DENIED, None),
        ([BUSY, resolved("deny"), ERROR, OVER], FAILED, "Choose a model."),
        ([BUSY, ERROR, OVER], FAILED, "Choose a model."),
        ([BUSY, SILENT, OVER], FAILED, "The model gave no answer."),
        ([BUSY, ANSWER, SILENT, OVER], FAILED, "The model gave no answer."),
        ([BUSY, models.StoppedEvent(seq=1, reason="user"), OVER], FAILED, "The chat was stopped elsewhere."),
        (
            [BUSY, models.StoppedEvent(seq=1, reason="restart"), OVER],
            FAILED,
            "The service was restarted; ask again.",
        ),
        ([BUSY, ANSWER, models.ResyncEvent(reason="ended")], FAILED, "The chat was ended elsewhere."),
        ([], FAILED, "The chat was ended elsewhere."),
    ],
)
def test_the_exit_status_of_a_run(events: list[StreamedEvent], status: int, failure: str | None) -> None:
    outcome = Outcome()
    for event in events:
        outcome.note(event)
    assert (outcome.exit_status, outcome.failure) == (status, failure)
