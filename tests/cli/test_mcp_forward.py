"""What ``safelight mcp`` hands on, and what it does when the service goes away."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPError

from safelight.cli.mcp_forward import Forwarder
from safelight.cli.mcp_session import Address, events
from safelight.errors import StartRefused
from safelight_client import Secret
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.cli.forwarding import forwarded_client
from tests.live import Live, live_service
from tests.requirement import requirement
from tests.routes.test_mcp_calls import ERAS, cancelled, journaled, owner


class Place:
    """Where the service is now; it may be moved."""

    def __init__(self) -> None:
        self.address: Address | None = None
        self.asked = 0

    def move(self, live: Live, token: str) -> None:
        self.address = Address(url=live.url, token=Secret(token), refused="The token was revoked.")

    async def find(self) -> Address:
        self.asked += 1
        if self.address is None:
            raise StartRefused("The service could not be started.")
        return self.address


@ERAS
@requirement("mcp.endpoint")
async def test_answers_progress_and_texts_of_every_kind_come_through(tmp_path: Path, era: str) -> None:
    told: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    place, title = Place(), "one\u2028two \U0001f43e"
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n, title=title) for n in range(1, 401)]),
    ):
        place.move(live, await owner(live))
        async with forwarded_client(place.find, era) as client:
            page = await client.call_tool("get_photos", {"photo_ids": ["photo-0001"], "thumbnails": True})
            assert page.structured_content["photos"][0]["title"] == title
            assert [block.type for block in page.content] == ["text", "image"]
            rating = {"set": "view", "rating": 4}
            await client.call_tool("set_rating", rating, progress_callback=on_progress)
            assert told == [200, 400]
            with pytest.raises(MCPError, match="There is no tool called"):
                await client.call_tool("erase_everything", {})


@ERAS
async def test_a_cancelled_request_is_cancelled_in_the_service(tmp_path: Path, era: str) -> None:
    place = Place()
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=1) for n in range(1, 401)]) as plugin,
    ):
        place.move(live, await owner(live))
        async with forwarded_client(place.find, era) as client:
            held = plugin.hold("write_photos")
            await cancelled(client, plugin, "write_photos", {"set": "view", "rating": 4})
            await client.list_tools(cache_mode="bypass")
            held.set()
            after = await client.call_tool("set_rating", {"photo_ids": ["photo-0400"], "rating": 5})
            assert after.structured_content["applied"] == ["photo-0400"]
            assert [change.states for change in await journaled(live)] == [{"done": 1}, {"done": 200}]


async def _tools(client: Client) -> int:
    return len((await client.list_tools(cache_mode="bypass")).tools)


@ERAS
async def test_after_a_restart_of_the_service_the_next_request_is_answered_as_if_nothing_had_been(
    tmp_path: Path, era: str
) -> None:
    place = Place()
    async with live_service(tmp_path) as live:
        token = await owner(live)
        place.move(live, token)
        client = await _entered(place, era)
        assert await _tools(client) > 3
    async with live_service(tmp_path) as live:
        place.move(live, token)
        assert await _tools(client) > 3
        status = await client.call_tool("get_status", {})
        assert status.structured_content["connected"] is False
        assert place.asked == 2
        await client.__aexit__(None, None, None)


async def _entered(place: Place, era: str) -> Client:
    from tests.cli.forwarding import forwarded

    client = Client(forwarded(place.find), mode=era)
    return await client.__aenter__()


@ERAS
async def test_a_call_that_a_restart_cut_off_is_told_as_unknown_and_never_sent_again(tmp_path: Path, era: str) -> None:
    place = Place()
    async with live_service(tmp_path) as live:
        token = await owner(live)
        place.move(live, token)
        client = await _entered(place, era)
        async with FakePlugin(live.application.service.bridge, [photo(1)]) as plugin:
            plugin.hold("write_photos")
            calling = asyncio.create_task(client.call_tool("set_rating", {"set": "view", "rating": 4}))
            await plugin.reached("write_photos")
    try:
        answer = await calling
        said = str(answer.content[0].text)  # type: ignore[union-attr]  # an error is one text
    except MCPError as error:
        said = str(error)
    assert "unknown" in said or "may or may not" in said
    async with live_service(tmp_path) as live, FakePlugin(live.application.service.bridge, [photo(1)]) as plugin:
        place.move(live, token)
        assert (await client.call_tool("get_status", {})).structured_content["connected"] is True
        assert plugin.names("write") == []
        await client.__aexit__(None, None, None)


async def said(lines: list[bytes], place: Place) -> list[Any]:
    """What the agent hears for these lines."""
    heard: list[Any] = []

    async def put(message: bytes) -> None:
        assert b"\n" not in message
        heard.append(json.loads(message))

    async def given_lines():  # noqa: ANN202  # an async generator
        for line in lines:
            yield line

    await Forwarder(place.find, put).run(given_lines())
    return heard


INITIALIZE = (
    b'{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}'
)


async def test_what_is_no_message_is_answered_and_does_no_harm(tmp_path: Path) -> None:
    place = Place()
    async with live_service(tmp_path) as live:
        place.move(live, await live.mint())
        lines = [b"nonsense", b"[1]", b"\xff", b"[" * 100_000, INITIALIZE, b'{"jsonrpc":"2.0","id":7,"method":"ping"}']
        heard = await said(lines, place)
    assert [message["id"] for message in heard] == [None, None, None, None, "first", 7]
    assert [message["error"]["code"] for message in heard[:4]] == [-32700, -32600, -32700, -32700]
    assert heard[5]["result"] == {}


async def test_a_service_that_cannot_be_started_is_an_answer_in_words() -> None:
    (answer,) = await said([INITIALIZE], Place())
    assert answer["id"] == "first"
    assert answer["error"]["message"] == "The service could not be started."


async def test_a_token_that_opens_nothing_is_told_with_what_to_do(tmp_path: Path) -> None:
    place = Place()
    async with live_service(tmp_path) as live:
        place.move(live, "slp_revoked")
        (answer,) = await said([INITIALIZE], place)
    assert answer["error"]["message"] == "The token was revoked."


async def test_a_request_before_initialize_gets_an_error_with_its_id(tmp_path: Path) -> None:
    place = Place()
    async with live_service(tmp_path) as live:
        place.move(live, await live.mint())
        (answer,) = await said([b'{"jsonrpc":"2.0","id":3,"method":"tools/list"}'], place)
    assert (answer["id"], "did not take the message" in answer["error"]["message"]) == (3, True)


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), min_size=1), max_size=5),
    st.sampled_from([b"\n", b"\r\n"]),
    st.integers(1, 9),
)
def test_events_come_out_as_they_went_in_however_they_are_cut(texts: list[str], end: bytes, size: int) -> None:
    messages = [json.dumps(text, ensure_ascii=False).encode() for text in texts]
    sent = b"".join(b": ping%s%sevent: message%sdata: %s%s%s" % (end, end, end, m, end, end) for m in messages)

    async def chunks():  # noqa: ANN202  # an async generator
        for start in range(0, len(sent), size):
            yield sent[start : start + size]

    async def read() -> list[bytes]:
        return [data async for data in events(chunks())]

    assert asyncio.run(read()) == messages
