"""The way back to an agent whose requests end with a form."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from mcp_types import ElicitResult

from safelight.tools.mcp_form import Form
from safelight.tools.mcp_lines import AskedForm, PausedLine

NOBODY: Any = None
ALLOWED = ElicitResult(action="accept", content={"answer": "once"})


async def test_the_answer_to_a_form_never_counts_for_the_next_one() -> None:
    line = PausedLine()
    going_on = asyncio.Event()

    async def call() -> Any:
        first = asyncio.create_task(line.fill_in(Form("first", {})))
        await going_on.wait()
        first.cancel()  # as when the question had its end in the inbox
        with suppress(asyncio.CancelledError):
            await first
        return await line.fill_in(Form("second", {}))

    task = asyncio.create_task(call())
    first = await line.until_form_or_end(task, NOBODY)
    assert isinstance(first, AskedForm)
    going_on.set()
    second = await line.until_form_or_end(task, NOBODY)
    assert isinstance(second, AskedForm)
    assert (first.form.message, second.form.message) == ("first", "second")
    first.answered(ALLOWED)
    assert not task.done()
    assert not second.said.done()
    second.answered("no answer to a form at all")
    said: Any = await line.until_form_or_end(task, NOBODY)
    assert said.answer.decision == "deny"
