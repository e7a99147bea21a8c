"""What people reported of other agents' loops: a call that fails is made again for hours, although it is warned of."""

from __future__ import annotations

from pathlib import Path

from safelight.conversation.parts import ToolResults
from safelight.wire.models import AssistantTurnEvent, ToolDoneEvent, ToolSkippedEvent
from tests.chat.rig import call, opened_rig, reply
from tests.chat.test_hard_races import is_well_formed
from tests.requirement import requirement


@requirement("session.repeat-refused")
async def test_a_call_that_fails_again_and_again_is_tried_once_and_soon_the_model_must_answer(tmp_path: Path) -> None:
    """NousResearch/hermes-agent#67829, NousResearch/hermes-agent#46709, NousResearch/hermes-agent#41490: a warning that
    said nothing was passed over 25 times."""
    turns = [*(call("look", f"c{n}", n="no number") for n in range(4)), reply("It does not work.")]
    async with opened_rig(tmp_path, [*turns, *(call("look", f"d{n}", n="no number") for n in range(20))]) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        is_well_formed(events)
        assert [(event.call_id, event.ok) for event in events if isinstance(event, ToolDoneEvent)] == [("c0", False)]
        skipped = [(event.call_id, event.reason) for event in events if isinstance(event, ToolSkippedEvent)]
        assert skipped == [(f"c{n}", "repeated_call") for n in (1, 2, 3)]
        assert [request.may_call for request in rig.model.requests] == [True] * 4 + [False]
        assert [event.text for event in events if isinstance(event, AssistantTurnEvent)][-1] == "It does not work."
        first, *again = [message.results[0] for message in rig.session.history if isinstance(message, ToolResults)]
        assert first.outcome == "failed"
        for told in again:
            assert 'You called look with {"n":"no number"}' in told.text
            assert "It failed" in told.text
            assert "Change what the error names" in told.text
