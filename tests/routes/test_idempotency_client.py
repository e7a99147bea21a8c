"""The client library on the real service, over connections that lose the answers."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import Final

import httpx
import pytest

from safelight_client import SafelightClient, _backoff, models
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.routes.test_changes import rated
from tests.routes.test_idempotency import asking, logged, message_ids, service

LOST: Final = 2


class LosesAnswers(httpx.AsyncHTTPTransport):
    """Each post reaches the service, and its first two answers do not come back."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, int] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        key = request.headers.get("idempotency-key")
        if key is None:
            return response
        self.sent[key] = self.sent.get(key, 0) + 1
        if self.sent[key] > LOST:
            return response
        await response.aread()
        await response.aclose()
        raise httpx.ReadError("lost", request=request)


@requirement("session.idempotent")
async def test_whatever_a_client_does_over_connections_that_lose_answers_happens_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_backoff, "FIRST_PAUSE_S", 0.001)
    losing = LosesAnswers()
    async with (
        service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(1, rating=3)], catalog_id="catalog") as plugin,
        httpx.AsyncClient(transport=losing) as http,
    ):
        client = SafelightClient(live.url, agent_token=live.agent_token, http_client=http)
        chat = await client.start_chat(model=asking(tmp_path), mode="ask_all")
        assert [each.session_id for each in (await client.list_chats()).sessions] == [chat.session_id]
        accepted = await chat.send("look")
        async with aclosing(chat.events()) as events:
            async for event in events:
                if isinstance(event, models.ApprovalNeededEvent):
                    answered = await chat.answer(event.call_id, "deny")
                    assert answered.outcome == "deny"
                elif isinstance(event, models.BusyEvent) and not event.busy:
                    break
        log = await logged(live, {"session_id": chat.session_id})
        assert message_ids(log) == {accepted.message_id}
        assert [event["type"] for event in log].count("approval_resolved") == 1
        assert (await chat.stop()).stopping is False
        report = await chat.undo(await rated(live, 1))
        assert report.applied == ["photo-0001"]
        assert plugin.names("write").count("write_photos") == 2
        minted = await client.mint_token(models.NewToken(name="a", role="viewer"))
        assert [token.token_id for token in (await client.list_tokens()).tokens] == [minted.token_id]
        assert set(losing.sent.values()) == {LOST + 1}
