"""What people reported of other agents' contexts: pictures as text, and one long turn that nobody looked at."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from safelight.conversation.estimate import estimate
from safelight.conversation.parts import Image, ToolResults
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.wire.models import ErrorEvent, ToolDoneEvent
from tests.chat.rig import PlayedModel, SpyTool, call, opened_rig, reply, serving_rig
from tests.chat.test_hard_races import is_well_formed
from tests.requirement import requirement

PICTURE = bytes(range(256)) * 1_450


class Camera(SpyTool):
    """Answers with a picture of 362 KB."""

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        del arguments, call
        return ToolAnswer(content={"count": 1}, images=(Image(mime_type="image/png", data=PICTURE, photo_id="p1"),))


@requirement("context.fit", "context.result-cap")
async def test_a_picture_in_a_result_is_a_picture_and_never_text(tmp_path: Path) -> None:
    """CherryHQ/cherry-studio#13184: pictures filled the window as text."""
    tools = {"look": Camera("look", read_only=True, destructive=False)}
    async with serving_rig(tmp_path, PlayedModel([call("look", "c1"), reply("A gull.")]), tools) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        sent = rig.model.requests[1].history
        assert isinstance(sent[-1], ToolResults)
        (result,) = sent[-1].results
        assert [image.data for image in result.images] == [PICTURE]
        assert estimate(sent) < 1_000
        told = [event.text for event in events if isinstance(event, ToolDoneEvent)]
        assert base64.b64encode(PICTURE)[:40].decode() not in result.text + "".join(told)
        assert [len(text) < 200 for text in (result.text, *told)] == [True, True]


@requirement("context.fit", "context.result-cap")
async def test_one_message_with_many_large_results_is_within_the_window_at_each_of_its_turns(tmp_path: Path) -> None:
    """aaif-goose/goose#11072: one long turn overflowed, for only the next message was looked at."""
    turns = [call("look", f"c{n}", n=n) for n in range(11)]
    async with opened_rig(tmp_path, [reply("Hello."), *turns, reply("Done.")]) as rig:
        await rig.session.send("hello")
        await rig.idle()
        rig.tools["look"].says = {"log": "x" * 20_000}
        await rig.session.send("look at all of them")
        events = await rig.idle(times=2)
        is_well_formed(events)
        assert [event for event in events if isinstance(event, ErrorEvent)] == []
        assert [event.ok for event in events if isinstance(event, ToolDoneEvent)] == [True] * 11
        sizes = [estimate(request.history) for request in rig.model.requests]
        assert len(sizes) == 13
        window = rig.model.context_window
        assert max(sizes) + window // 4 <= window, "a quarter is left for the answer"
        assert sizes[-1] > window // 2, "the results are so large that they would not fit whole"
