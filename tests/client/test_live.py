"""What holds against any service that runs: the service double here, the real service where the fixture says so."""

from __future__ import annotations

import asyncio
import runpy
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from safelight_client import Forbidden, SafelightClient, StreamedEvent, models, seq_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.client.conftest import LiveService

EXAMPLE: Final = Path(__file__).parents[2] / "client/examples/five_star.py"


async def test_a_chat_from_the_runtime_file_to_its_end(live_service: LiveService) -> None:
    async with asyncio.timeout(20), SafelightClient.from_runtime(live_service.data_dir) as client:
        assert (await client.get_health()).name == "safelight"
        chat = await client.start_chat(live_service.model)
        events: list[StreamedEvent] = []
        async with aclosing(chat.run("Hello")) as stream:
            events = [event async for event in stream]
        assert isinstance(events[0], models.HelloEvent)
        whole = [event for event in events if seq_of(event) is not None]
        assert [seq_of(event) for event in whole] == list(range(1, len(whole) + 1))
        assert any(isinstance(event, models.AssistantTurnEvent) and event.text for event in whole)

        replayed = await up_to(len(whole), chat.events())
        assert [event for event in replayed if seq_of(event) is not None] == whole

        await chat.delete()
        with pytest.raises(Forbidden):
            await chat.send("Are you there?")


async def up_to(seq: int, stream: AsyncGenerator[StreamedEvent, None]) -> list[StreamedEvent]:
    """The events until the one with that number."""
    found: list[StreamedEvent] = []
    async with aclosing(stream) as events:
        async for event in events:
            found.append(event)
            if seq_of(event) == seq:
                break
    return found


def test_the_example_prints_the_answer(
    live_service: LiveService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAFELIGHT_DATA_DIR", str(live_service.data_dir))
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_example_stands_in_the_clients_readme_as_it_is() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") in (EXAMPLE.parents[1] / "README.md").read_text(encoding="utf-8")
