"""A service to talk to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from safelight_client import SafelightClient
from tests.client.service_double import ServiceDouble, hosted

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from pathlib import Path


class LiveService(msgspec.Struct, frozen=True):
    """Any service that runs: its data folder, and a model that answers every message with a sentence."""

    data_dir: Path
    model: str | None


@pytest.fixture(scope="session")
def service_host() -> Generator[ServiceDouble]:
    with hosted() as double:
        yield double


@pytest.fixture
def service(service_host: ServiceDouble) -> Generator[ServiceDouble]:
    """The service double, as new."""
    yield service_host
    for chat in (*service_host.chats.values(), service_host.inbox):
        service_host.do(chat.hang_up)
    service_host.reset()


@pytest.fixture
async def client(service: ServiceDouble) -> AsyncGenerator[SafelightClient]:
    """A client with the agent token."""
    async with SafelightClient(service.url, agent_token=service.agent_token) as client:
        yield client


@pytest.fixture
def live_service(service: ServiceDouble, tmp_path: Path) -> LiveService:
    """The one place that says which service test_live.py talks to."""
    return LiveService(service.write_runtime(tmp_path), model=None)
