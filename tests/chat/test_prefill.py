"""A page sees how far a model on this computer has read."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import msgspec

from safelight.models.chat_model import TurnReading
from tests.chat.rig import opened_rig, reply
from tests.requirement import requirement


@requirement("event.types")
async def test_a_reader_is_told_how_far_the_model_has_read_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    reads = (TurnReading(0, 900), TurnReading(512, 900))
    async with opened_rig(tmp_path, [reply("Two photos.")], reads=reads) as rig:
        seen: list[bytes] = []
        async with asyncio.timeout(5), aclosing(rig.session.log.follow(None)) as chunks:
            async for chunk in chunks:
                if not seen:  # the hello: the reader is there
                    await rig.session.send("what is there?")
                seen.append(chunk)
                if b'"busy":false' in chunk:
                    break
            kept = await rig.idle()
        frames = [line for line in b"".join(seen).splitlines() if b'"prefill"' in line]
        told = [msgspec.json.decode(frame.removeprefix(b"data: ")) for frame in frames]
        assert told == [{"type": "prefill", "done": read.done, "total": 900} for read in reads]
        assert "prefill" not in repr(kept).lower()
