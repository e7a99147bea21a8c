"""Questions of an agent that speaks through ``safelight mcp``: forms come through, and so does the waiting."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client

from safelight.cli.mcp_session import Address
from safelight_client import Secret, models
from tests.cli.forwarding import Find, forwarded
from tests.live import Live, live_service
from tests.mcp.asking import Forms, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_inbox import plugin_of, rating

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])


def finds(live: Live, token: str) -> Find:
    async def find() -> Address:
        return Address(url=live.url, token=Secret(token), refused="refused")

    return find


@ERAS
@requirement("mcp.approvals")
@pytest.mark.parametrize("answer", ["once", "deny"])
async def test_a_form_reaches_the_program_of_the_agent_and_its_answer_the_call(
    tmp_path: Path, era: str, answer: str
) -> None:
    forms = Forms.choosing(answer)
    async with live_service(tmp_path) as live, plugin_of(live) as plugin:
        transport = forwarded(finds(live, await mint(live)))
        async with Client(transport, mode=era, elicitation_callback=forms) as client:
            result = await rating(client)
            assert len(forms.shown) == 1
            assert result.is_error == (answer == "deny")
            assert {record.rating for record in plugin.photos.values()} == {1 if answer == "deny" else 5}


@ERAS
async def test_an_agent_without_forms_waits_for_the_inbox(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path) as live,
        plugin_of(live),
        inbox_reader(live) as reader,
        Client(forwarded(finds(live, await mint(live))), mode=era) as client,
    ):
        call = rating(client)
        await reader.inbox.answer(await reader.asked(), "deny", "Later.")
        assert "Later." in text_of(await call)
        await reader.seen(models.ToolSkippedEvent)
