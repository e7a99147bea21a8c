"""The header Idempotency-Key: a post that is sent again is done once and answered as the first time."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safelight.gate.tool import ToolAnswer
from safelight.tools.undo import UndoChange
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.mcp.asking import agent, inbox_reader, mint
from tests.requirement import requirement
from tests.routes.test_changes import rated
from tests.routes.test_doors import scripted


@contextlib.asynccontextmanager
async def service(folder: Path) -> AsyncGenerator[Live]:
    async with asyncio.timeout(60), live_service(folder, model=scripted(folder)) as live:
        yield live


def asking(folder: Path) -> str:
    """A model whose first and third turns call a tool."""
    file = folder / "asks.json"
    asks = {"calls": [{"tool": "get_status"}]}
    file.write_text(json.dumps([asks, {"text": "Bye."}, asks]), encoding="utf-8")
    return f"scripted:{file}"


def keyed(key: str) -> dict[str, str]:
    return {"idempotency-key": key}


async def events(live: Live, chat: dict[str, Any], last: str, count: int = 1) -> list[dict[str, Any]]:
    """The chat's events, up to the ``count``-th of the type ``last``."""
    seen: list[dict[str, Any]] = []
    url = f"/v1/chat/sessions/{chat['session_id']}/events"
    async with asyncio.timeout(20), live.http.stream("GET", url) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line.removeprefix("data: ")))
                if sum(event["type"] == last for event in seen) == count:
                    break
    return seen


async def logged(live: Live, chat: dict[str, Any]) -> list[dict[str, Any]]:
    """Every event that the chat has by now."""
    query = "SELECT body FROM events WHERE session_id = ? ORDER BY seq"
    database = live.application.service.store.database
    rows = await database.run(lambda db: db.execute(query, (chat["session_id"],)).fetchall())
    return [json.loads(body) for (body,) in rows]


def message_ids(events: list[dict[str, Any]]) -> set[str]:
    return {event["message_id"] for event in events if event["type"] in {"user_message", "queued"}}


@requirement("session.idempotent")
async def test_ten_identical_messages_at_once_are_one_and_get_the_same_bytes(tmp_path: Path) -> None:
    """anthropics/anthropic-sdk-java#370: a message whose answer was lost was there twice."""
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        body = {"text": "Rate the best."}
        answers = await asyncio.gather(*(live.http.post(url, json=body, headers=keyed("k")) for _ in range(10)))
        answers.append(await live.http.post(url, json=body, headers=keyed("k")))
        assert {(answer.status_code, answer.content) for answer in answers} == {(202, answers[0].content)}
        assert {answer.headers["content-type"] for answer in answers} == {"application/json"}
        assert message_ids(await logged(live, chat)) == {answers[0].json()["message_id"]}


@requirement("session.idempotent")
async def test_the_same_body_in_other_words_is_the_same_and_another_is_a_conflict(tmp_path: Path) -> None:
    """bigduu/Bamboo-agent PR#844: one key was taken for two bodies."""
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        json_headers = {"content-type": "application/json", **keyed("k")}
        first = await live.http.post(url, content=b'{"text": "a"}', headers=json_headers)
        again = await live.http.post(url, content=b'{\n"text":"\\u0061" }', headers=json_headers)
        assert again.content == first.content
        other = await live.http.post(url, json={"text": "b"}, headers=keyed("k"))
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
        assert other.headers["content-type"] == "application/problem+json"
        assert (await live.http.post(url, content=b'{"text": "a"}', headers=json_headers)).content == first.content
        assert len(message_ids(await logged(live, chat))) == 1


@requirement("session.idempotent")
async def test_keys_of_two_chats_and_messages_without_a_key_are_apart(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chats = [await live.open_chat(), await live.open_chat()]
        for chat in chats:
            url = f"/v1/chat/sessions/{chat['session_id']}/messages"
            for headers in (keyed("k"), keyed("k"), keyed("K"), {}, {}):
                assert (await live.http.post(url, json={"text": "a"}, headers=headers)).status_code == 202
        ids = [message_ids(await logged(live, chat)) for chat in chats]
        assert [len(each) for each in ids] == [4, 4]
        assert not ids[0] & ids[1]


@requirement("session.idempotent")
async def test_an_answer_to_a_question_counts_once_also_after_a_restart(tmp_path: Path) -> None:
    model = asking(tmp_path)
    async with service(tmp_path) as live:
        chat = await live.open_chat(model=model, mode="ask_all")
        url = f"/v1/chat/sessions/{chat['session_id']}"
        sent = await live.http.post(f"{url}/messages", json={"text": "look"}, headers=keyed("m"))
        call_id = (await events(live, chat, "approval_needed"))[-1]["call_id"]
        answer = f"{url}/approvals/{call_id}"
        deny = {"decision": "deny", "note": "no"}
        answers = await asyncio.gather(*(live.http.post(answer, json=deny, headers=keyed("a")) for _ in range(10)))
        assert {(each.status_code, each.content) for each in answers} == {(200, answers[0].content)}
        assert answers[0].json() == {"call_id": call_id, "outcome": "deny"}
        conflict = await live.http.post(answer, json={"decision": "once"}, headers=keyed("a"))
        assert (conflict.status_code, conflict.json()["code"]) == (409, "idempotency_conflict")
        elsewhere = await live.http.post(f"{url}/approvals/other", json=deny, headers=keyed("a"))
        assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "idempotency_conflict")
        late = await live.http.post(answer, json=deny, headers=keyed("b"))
        assert (late.status_code, late.json()["code"]) == (409, "already_settled")
        before = await events(live, chat, "busy", 2)
        assert [event["type"] for event in before].count("approval_resolved") == 1
    async with service(tmp_path) as live:
        again = await live.http.post(answer, json=deny, headers=keyed("a"))
        assert (again.status_code, again.content) == (200, answers[0].content)
        resent = await live.http.post(f"{url}/messages", json={"text": "look"}, headers=keyed("m"))
        assert (resent.status_code, resent.content) == (202, sent.content)
        other = await live.http.post(f"{url}/messages", json={"text": "no"}, headers=keyed("m"))
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
        assert len(message_ids(await logged(live, chat))) == 1
        assert (await live.http.post(answer, json=deny, headers=keyed("c"))).status_code == 409


@requirement("session.idempotent")
async def test_a_refused_request_is_forgotten_so_that_it_may_be_tried_again(tmp_path: Path) -> None:
    model = asking(tmp_path)
    async with service(tmp_path) as live:
        chat = await live.open_chat(model=model, mode="ask_all")
        url = f"/v1/chat/sessions/{chat['session_id']}"
        await live.http.post(f"{url}/messages", json={"text": "look"})
        call_id = (await events(live, chat, "approval_needed"))[-1]["call_id"]
        wrong = {"decision": "once", "arguments": {"nonsense": 1}}
        for _ in range(2):
            refused = await live.http.post(f"{url}/approvals/{call_id}", json=wrong, headers=keyed("a"))
            assert (refused.status_code, refused.json()["code"]) == (400, "invalid_body")
        deny = {"decision": "deny"}
        assert (await live.http.post(f"{url}/approvals/{call_id}", json=deny, headers=keyed("a"))).status_code == 200


async def test_an_erased_chat_takes_its_answers_along(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}"
        await live.http.post(f"{url}/messages", json={"text": "a"}, headers=keyed("k"))
        await live.http.delete(url)
        gone = await live.http.post(f"{url}/messages", json={"text": "a"}, headers=keyed("k"))
        assert gone.status_code == 403
        store = live.application.service.store
        count = await store.database.run(lambda db: db.execute("SELECT count(*) FROM keyed_answers").fetchone())
        assert count == (0,)


@requirement("session.idempotent")
async def test_a_chat_is_opened_and_a_token_minted_once_and_neither_is_written_down(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        for path, body, secret in (
            ("/v1/chat/sessions", {"mode": "ask_all"}, "chat_token"),
            ("/v1/tokens", {"name": "a", "role": "viewer"}, "token"),
        ):
            posts = (live.http.post(path, json=body, headers=keyed("k")) for _ in range(5))
            answers = await asyncio.gather(*posts)
            assert {(each.status_code, each.content) for each in answers} == {(201, answers[0].content)}
            other = await live.http.post(path, json=body | {next(iter(body)): "auto_all"}, headers=keyed("k"))
            assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
            token = answers[0].json()[secret].encode()
            written = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
            assert not any(token in content for content in written)
        assert len((await live.http.get("/v1/chat/sessions")).json()["sessions"]) == 1
        assert len((await live.http.get("/v1/tokens")).json()["tokens"]) == 1


@requirement("session.idempotent")
async def test_a_stop_that_is_sent_again_does_not_stop_what_was_begun_since(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat(model=asking(tmp_path), mode="ask_all")
        url = f"/v1/chat/sessions/{chat['session_id']}"
        await live.http.post(f"{url}/messages", json={"text": "one"})
        await events(live, chat, "approval_needed")
        first = await live.http.post(f"{url}/stop", headers=keyed("s"))
        assert (first.status_code, first.json()["stopping"]) == (202, True)
        await events(live, chat, "stopped")
        await events(live, chat, "busy", 2)
        idle = await live.http.post(f"{url}/stop")
        assert idle.json()["stopping"] is False
        await live.http.post(f"{url}/messages", json={"text": "two"})
        question = (await events(live, chat, "approval_needed", 2))[-1]
        again = await live.http.post(f"{url}/stop", headers=keyed("s"))
        assert again.content == first.content
        open_questions = (await live.http.get(f"{url}/approvals")).json()["approvals"]
        assert [each["call_id"] for each in open_questions] == [question["call_id"]]
        assert (await live.http.post(f"{url}/stop", headers=keyed("t"))).json()["stopping"] is True


@requirement("session.idempotent")
async def test_an_undo_is_done_once_for_each_holder(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        bridge = live.application.service.bridge
        async with FakePlugin(bridge, [photo(n, rating=3) for n in range(1, 4)], catalog_id="catalog") as plugin:
            change_id = await rated(live, 1)
            url = f"/v1/changes/{change_id}/undo"
            answers = await asyncio.gather(*(live.http.post(url, headers=keyed("u")) for _ in range(5)))
            assert {(each.status_code, each.content) for each in answers} == {(200, answers[0].content)}
            assert len(answers[0].json()["applied"]) == 3
            assert plugin.names("write").count("write_photos") == 2
            chat = await live.open_chat()
            async with live.client(chat["chat_token"]) as page:
                assert (await page.post(url, headers=keyed("u"))).json()["code"] == "already_undone"
            second = await rated(live, 2)
            reused = await live.http.post(f"/v1/changes/{second}/undo", headers=keyed("u"))
            assert (reused.status_code, reused.json()["code"]) == (409, "idempotency_conflict")


@requirement("session.idempotent")
async def test_an_undo_whose_outcome_is_unknown_is_not_done_again_by_its_key(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        bridge = live.application.service.bridge
        async with FakePlugin(bridge, [photo(1, rating=3)], catalog_id="catalog") as plugin:
            change_id = await rated(live, 1)
            plugin.read_only = True
            refused = await live.http.post(f"/v1/changes/{change_id}/undo", headers=keyed("r"))
            assert (refused.status_code, refused.json()["code"]) == (409, "read_only")
            plugin.read_only = False
            plugin.fail("write_photos", "TIMEOUT_UNKNOWN_OUTCOME")
            first = await live.http.post(f"/v1/changes/{change_id}/undo", headers=keyed("u"))
            assert [each["photo_id"] for each in first.json()["failed"]] == ["photo-0001"]
            received = len(plugin.received)
            again = await live.http.post(f"/v1/changes/{change_id}/undo", headers=keyed("u"))
            assert (again.status_code, again.content) == (first.status_code, first.content)
            assert again.headers["content-type"] == first.headers["content-type"]
            assert len(plugin.received) == received
            tried = await live.http.post(f"/v1/changes/{change_id}/undo", headers=keyed("r"))
            assert tried.status_code == 200


@requirement("session.idempotent")
async def test_a_sync_that_is_asked_for_again_is_the_same_job_also_when_it_has_ended(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        async with FakePlugin(live.application.service.bridge, [photo(1)]):
            first = await live.http.post("/v1/index/sync", json={"what": "catalog"}, headers=keyed("s"))
            assert first.status_code == 202
            await live.application.service.jobs.wait(first.json()["job_id"], 20)
            again = await live.http.post("/v1/index/sync", json={"what": "catalog"}, headers=keyed("s"))
            assert again.content == first.content
            assert len((await live.http.get("/v1/jobs")).json()["jobs"]) == 1
            other = await live.http.post("/v1/index/sync", json={"what": "texts"}, headers=keyed("s"))
            assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
        await live.http.post("/v1/index/sync", json={"what": "catalog"}, headers=keyed("new"))
        assert len((await live.http.get("/v1/jobs")).json()["jobs"]) == 2


@requirement("session.idempotent")
async def test_an_undo_that_failed_on_its_way_is_not_done_again_by_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[dict[str, Any]] = []

    async def fails(_tool: UndoChange, arguments: dict[str, Any], _call: object) -> ToolAnswer:
        calls.append(arguments)
        raise RuntimeError("half done")

    async with service(tmp_path) as live:
        bridge = live.application.service.bridge
        async with FakePlugin(bridge, [photo(1, rating=3)], catalog_id="catalog"):
            url = f"/v1/changes/{await rated(live, 1)}/undo"
            monkeypatch.setattr(UndoChange, "run", fails)
            answers = [await live.http.post(url, headers=keyed("u")) for _ in range(2)]
            assert {(each.status_code, each.content) for each in answers} == {(409, answers[0].content)}
            assert answers[0].json()["code"] == "internal_error"
            assert answers[1].headers["content-type"] == "application/problem+json"
            assert len(calls) == 1


@requirement("session.idempotent")
async def test_an_answer_in_the_inbox_is_given_again_after_a_restart(tmp_path: Path) -> None:
    async with (
        service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(1, rating=1)]),
        agent(live, await mint(live), "auto") as client,
        inbox_reader(live) as reader,
    ):
        call = asyncio.create_task(client.call_tool("set_rating", {"set": "view", "rating": 5}))
        url = f"/v1/inbox/{await reader.asked()}"
        first = await live.http.post(url, json={"decision": "deny"}, headers=keyed("i"))
        assert first.status_code == 200
        await call
    async with service(tmp_path) as live:
        again = await live.http.post(url, json={"decision": "deny"}, headers=keyed("i"))
        assert (again.status_code, again.content) == (200, first.content)
        other = await live.http.post(url, json={"decision": "once"}, headers=keyed("i"))
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
        assert (await live.http.post(url, json={"decision": "deny"}, headers=keyed("j"))).status_code == 409


@requirement("session.idempotent")
async def test_where_no_chat_is_kept_its_answers_are_neither(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path), keep_days=0) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        answers = [await live.http.post(url, json={"text": "a"}, headers=keyed("k-canary")) for _ in range(2)]
        assert answers[0].status_code == 202
        assert answers[0].content == answers[1].content
        assert len(message_ids(await logged(live, chat))) == 1
        assert not any(b"k-canary" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


class Shared:
    """One service for many examples, and what runs it."""

    def __init__(self, runner: asyncio.Runner, live: Live) -> None:
        self.runner = runner
        self.live = live


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shared]:
    with asyncio.Runner() as runner:
        stack = contextlib.AsyncExitStack()
        folder = tmp_path_factory.mktemp("shared")
        live = runner.run(stack.enter_async_context(live_service(folder, model=scripted(folder))))
        yield Shared(runner, live)
        runner.run(stack.aclose())


POSTS: Final = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), min_size=1, max_size=12)


@requirement("session.idempotent")
@settings(max_examples=25)
@given(POSTS)
def test_any_interleaving_of_posts_with_repeats_is_one_message_for_each_key(
    shared: Shared, posts: list[tuple[int, bool, bool]]
) -> None:
    """Each post has a key, says the key's own text or another, and is awaited before the next or not."""
    live = shared.live

    async def example() -> None:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        sending: list[tuple[int, bool, asyncio.Task[httpx.Response]]] = []
        for key, own, awaited in posts:
            body = {"text": f"text {key}" if own else f"another than {key}"}
            task = asyncio.create_task(live.http.post(url, json=body, headers=keyed(f"k{key}")))
            sending.append((key, own, task))
            if awaited:
                await task
        answers = [(key, own, await task) for key, own, task in sending]
        said: dict[int, set[tuple[bool, bytes]]] = {}
        for key, own, answer in answers:
            if answer.status_code == 202:
                said.setdefault(key, set()).add((own, answer.content))
            else:
                assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_conflict")
        assert {key: len(each) for key, each in said.items()} == {key: 1 for key, _, _ in posts}
        for key, own, answer in answers:
            (first,) = said[key]
            assert (answer.status_code == 202) == (own == first[0])
        assert len(message_ids(await logged(live, chat))) == len(said)

    shared.runner.run(example())


async def test_a_service_that_ends_while_a_keyed_post_is_worked_on_ends_quickly(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        bridge = live.application.service.bridge
        async with FakePlugin(bridge, [photo(1, rating=3)], catalog_id="catalog") as plugin:
            url = f"/v1/changes/{await rated(live, 1)}/undo"
            await plugin.reached("write_photos")
            plugin.hold("write_photos")
            posting = asyncio.create_task(live.http.post(url, headers=keyed("u")))
            await plugin.reached("write_photos")
    answer = (await asyncio.gather(posting, return_exceptions=True))[0]
    assert isinstance(answer, httpx.Response | httpx.TransportError)
