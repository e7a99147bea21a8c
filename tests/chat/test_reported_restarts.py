"""What people reported of other agents' restarts: what was damaged once is repaired anew at every turn."""

from __future__ import annotations

from pathlib import Path

from safelight.conversation.parts import ToolResults
from safelight.conversation.repair import INTERRUPTED, repair
from tests.chat.rig import PlayedModel, Rig, SpyTool, call, opened_rig, reply, serving_rig
from tests.requirement import requirement


@requirement("session.durable", "context.repair")
async def test_what_a_kill_left_open_is_repaired_once_and_kept_so(tmp_path: Path) -> None:
    """anthropics/claude-code#49083: hundreds of messages were repaired at each turn."""
    killed, again = tmp_path / "killed", tmp_path / "again"
    async with opened_rig(tmp_path, [call("rate", "c1", n=1)]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        session_id = rig.session.record.session_id
        copied(tmp_path, killed)
    async with serving_rig(killed, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        history, kept, log = rig.session.history, await transcript(rig), await rig.events()
        results = [result for message in history if isinstance(message, ToolResults) for result in message.results]
        assert [(result.call_id, result.text) for result in results] == [("c1", INTERRUPTED)]
        assert repair(history) == history
        copied(killed, again)
    model = PlayedModel([reply("Hello again.")])
    async with serving_rig(again, model, {"rate": SpyTool("rate")}, session_id) as rig:
        assert (rig.session.history, await transcript(rig), await rig.events()) == (history, kept, log)
        await rig.session.send("hello")
        await rig.idle(times=2)
        assert model.requests[0].history[: len(history)] == history
        assert (await transcript(rig))[: len(kept)] == kept


def copied(source: Path, target: Path) -> None:
    """As a kill would leave it: the files, not a clean close."""
    target.mkdir()
    for file in source.glob("safelight.db*"):
        (target / file.name).write_bytes(file.read_bytes())


async def transcript(rig: Rig) -> list[tuple[object, ...]]:
    return await rig.database.run(
        lambda connection: connection.execute("SELECT * FROM transcript ORDER BY session_id, position").fetchall()
    )
