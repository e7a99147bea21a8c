"""schemathesis on the running service: no 5xx, no undocumented answer, no body that breaks its schema.

A seeded slice of what fuzzing the whole contract finds; /mcp is left to the protocol's own tests.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi import checks

from tests.live import CONTRACT, Live, live_service, operations
from tests.requirement import requirement

IGNORED_AUTH: Any = cast(Any, checks).ignored_auth  # the tests of the doors do this one, with our own 403
ACCEPTANCE: Any = cast(Any, checks).positive_data_acceptance
NARROWED = frozenset(["search_index"])
"""Operations whose body holds a tool's arguments: an open object here, and narrowed by the tool's own schema."""

SCHEMA: Any = schemathesis.openapi.from_dict(CONTRACT)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str], None, None]:
    """A service in a thread of its own, with one open chat: its address, its tokens and the chat's id."""
    folder = tmp_path_factory.mktemp("served")
    model = folder / "hello.json"
    model.write_text('[{"text": "Hello."}]', encoding="utf-8")
    ready = threading.Event()
    facts: dict[str, str] = {}
    loop = asyncio.new_event_loop()
    done = asyncio.Event()

    async def serve() -> None:
        async with live_service(folder, f"scripted:{model}") as live:
            await _remember(live, facts)
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    yield facts
    loop.call_soon_threadsafe(done.set)
    thread.join(20)
    loop.close()


async def _remember(live: Live, facts: dict[str, str]) -> None:
    chat = await live.open_chat()
    facts |= {"url": live.url, "agentToken": live.agent_token, "session_id": chat["session_id"]}
    facts["chatToken"] = chat["chat_token"]


STREAMS = {"follow_events", "follow_inbox"}
"""Asked for a number beyond their end, which ends them."""

FUZZED = [(method, path, operation) for method, path, operation in operations() if "x-protocol" not in operation]


@requirement("contract.served", "contract.errors", "contract.fuzz")
@pytest.mark.parametrize(
    ("method", "path", "raw"), FUZZED, ids=[operation["operationId"] for _, _, operation in FUZZED]
)
def test_no_generated_request_breaks_the_contract(
    served: dict[str, str], method: str, path: str, raw: dict[str, Any]
) -> None:
    operation = SCHEMA[path][method.lower()]
    schemes = [scheme for entry in raw["security"] for scheme in entry]
    headers = {"authorization": f"Bearer {served[schemes[0]]}"} if schemes else {}

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        if "session_id" in (case.path_parameters or {}) and raw["operationId"] != "delete_chat":
            case.path_parameters["session_id"] = served["session_id"]
        if raw["operationId"] in STREAMS:
            case.query = {"after": "999999"}
        excluded = [IGNORED_AUTH, ACCEPTANCE] if raw["operationId"] in NARROWED else [IGNORED_AUTH]
        case.call_and_validate(base_url=served["url"], headers=headers, timeout=10, excluded_checks=excluded)

    check()
