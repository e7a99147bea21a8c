"""A chat over HTTP: opened with all that it is given, left alone by its page, stopped, and gone on with."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from safelight.conversation.prompt import SYSTEM
from safelight.conversation.sampling import Sampling
from safelight.engines import memory
from safelight.engines.free_memory import Memory
from safelight.models.chat_model import NO_WISHES, ChatModel, EngineWishes, ToolOffer
from safelight.models.source import Models
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.chat.rig import PlayedModel, reply
from tests.engines.model_files import write_gguf
from tests.live import Live, live_service
from tests.requirement import requirement
from tests.routes.test_hard_streams import Watch

KEY = "sk-canary-of-the-test"


def script(folder: Path, *turns: dict[str, Any]) -> str:
    file = folder / "turns.json"
    file.write_text(json.dumps(turns), encoding="utf-8")
    return f"scripted:{file}"


async def events_of(page: httpx.AsyncClient, chat: dict[str, Any], after: int = 0) -> AsyncGenerator[dict[str, Any]]:
    """What a page reads, until it leaves."""
    where = f"/v1/chat/sessions/{chat['session_id']}/events?after={after}"
    async with page.stream("GET", where) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


async def until(live: Live, chat: dict[str, Any], kind: str, **fields: Any) -> list[dict[str, Any]]:
    """A page of its own comes, reads up to such an event, and is closed."""
    seen: list[dict[str, Any]] = []
    async with (
        asyncio.timeout(10),
        live.client(chat["chat_token"]) as page,
        aclosing(events_of(page, chat)) as events,
    ):
        async for event in events:
            seen.append(event)
            if event["type"] == kind and fields.items() <= event.items():
                return seen
    raise AssertionError("the stream ended")


class PlayedModels:
    """Has the service take a played model for every id, and notes what its engine is wished to be."""

    def __init__(self, model: ChatModel, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wished: list[EngineWishes] = []

        def resolve(_models: Models, _model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
            self.wished.append(wishes)
            return model

        monkeypatch.setattr(Models, "resolve", resolve)


async def say(live: Live, chat: dict[str, Any], text: str) -> None:
    """One message, and its run to the end."""
    where = f"/v1/chat/sessions/{chat['session_id']}"
    async with live.client(chat["chat_token"]) as page:
        before = (await page.get(where)).json()["head"]
        assert (await page.post(f"{where}/messages", json={"text": text})).status_code == 202
        async with asyncio.timeout(10), aclosing(events_of(page, chat, before)) as events:
            async for event in events:
                if event["type"] == "busy" and not event["busy"]:
                    return


@requirement("context.result-cap")
async def test_the_pictures_of_a_result_say_which_photos_they_show(tmp_path: Path) -> None:
    shown = ["photo-0001", "photo-0002"]
    look = {"tool": "get_photos", "arguments": {"photo_ids": shown, "thumbnails": True}}
    model = script(tmp_path, {"calls": [look]}, {"text": "Two photos."})
    photos = [photo(place) for place in range(1, 4)]
    async with live_service(tmp_path) as live, FakePlugin(live.application.service.bridge, photos):
        chat = await live.open_chat(model=model)
        async with live.client(chat["chat_token"]) as page:
            where = f"/v1/chat/sessions/{chat['session_id']}"
            await page.post(f"{where}/messages", json={"text": "Show me two."})
            seen = await until(live, chat, "tool_done", ok=True)
            result = (await page.get(f"{where}/results/{seen[-1]['call_id']}")).json()
        assert [image["photo_id"] for image in result["images"]] == shown


@requirement("session.open")
async def test_a_chat_is_opened_with_model_connections_and_engine_and_answers_with_id_token_and_page(
    tmp_path: Path,
) -> None:
    model = script(tmp_path, {"text": "Hello."})
    async with live_service(tmp_path) as live:
        chat = await live.open_chat(
            model=model,
            connections=[{"provider": "openai", "api_key": KEY}],
            engine={"temperature": 0.7, "context_tokens": 4_096, "parallel": 2},
        )
        assert chat["session_id"].startswith("chat_")
        assert chat["page_url"] == (f"{live.url}/v1/ui/chat#session={chat['session_id']}&token={chat['chat_token']}")
        assert chat["sends_to"] is None
        async with live.client(chat["chat_token"]) as page:
            described = (await page.get(f"/v1/chat/sessions/{chat['session_id']}")).json()
            assert (described["model"], described["busy"], described["head"]) == (model, False, 0)
            sent = await page.post(f"/v1/chat/sessions/{chat['session_id']}/messages", json={"text": "hello"})
            assert sent.status_code == 202
        events = await until(live, chat, "busy", busy=False)
        assert "Hello." in [event.get("text") for event in events]
        session = await live.application.service.chats.get(chat["session_id"])
        assert (session.record.temperature, session.record.context_tokens) == (0.7, 4_096)
        assert [one.provider for one in session.connections.given] == ["openai"]
        assert KEY not in json.dumps([described, events, chat])
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


@requirement("session.open")
async def test_a_chat_with_an_unknown_model_is_not_opened_and_the_answer_says_how_to_get_one(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        answer = await live.http.post("/v1/chat/sessions", json={"model": "llama:none-such"})
        assert (answer.status_code, answer.json()["code"]) == (409, "model_missing")
        assert "none-such" in answer.json()["detail"]
        assert (await live.http.get("/v1/chat/sessions")).json() == {"sessions": []}


@requirement("session.open")
async def test_the_engine_settings_of_a_chat_reach_its_model_at_each_turn_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = PlayedModel([reply("One."), reply("Two.")])
    played = PlayedModels(model, monkeypatch)
    engine = {
        "temperature": 0.5,
        "top_p": 0.9,
        "min_p": 0.05,
        "seed": 4_294_967_295,
        "context_tokens": 2_048,
        "parallel": 2,
        "grammar": "xgrammar",
    }
    async with live_service(tmp_path) as live:
        chat = await live.open_chat(model="played", engine=engine)
        await say(live, chat, "hello")
        assert played.wished[-1] == EngineWishes(context_tokens=2_048, parallel=2, grammar="xgrammar")
    played.wished.clear()
    async with live_service(tmp_path) as live:
        await say(live, chat, "and again")
    assert played.wished == [EngineWishes(context_tokens=2_048, parallel=2, grammar="xgrammar")]
    assert [request.sampling for request in model.requests] == [
        Sampling(temperature=0.5, top_p=0.9, min_p=0.05, seed=4_294_967_295)
    ] * 2


@requirement("session.open")
async def test_engine_settings_out_of_bounds_are_refused_by_name_and_open_nothing(tmp_path: Path) -> None:
    bad = (
        {"temperature": -0.1},
        {"temperature": 2.1},
        {"top_p": 0},
        {"top_p": 1.1},
        {"min_p": -0.1},
        {"min_p": 1},
        {"seed": -1},
        {"seed": 4_294_967_296},
        {"seed": 1.5},
        {"context_tokens": 1_023},
        {"context_tokens": 1_048_577},
        {"parallel": 0},
        {"parallel": 17},
        {"grammar": "regular"},
        {"threads": 4},
        {"path": "/etc/passwd"},
    )
    async with live_service(tmp_path) as live:
        for engine in bad:
            body = {"model": "scripted:nothing.json", "engine": engine}
            answer = await live.http.post("/v1/chat/sessions", json=body)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_body"), engine
            assert next(iter(engine)) in answer.json()["detail"], "the field is named"
        assert (await live.http.get("/v1/chat/sessions")).json() == {"sessions": []}


@requirement("plugin.menu")
async def test_a_chat_that_names_no_model_gets_the_first_that_the_person_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PlayedModels(PlayedModel([]), monkeypatch)
    write_gguf(tmp_path / "models" / "Mine.gguf")
    async with live_service(tmp_path) as live:
        chat = await live.open_chat()
        described = (await live.http.get(f"/v1/chat/sessions/{chat['session_id']}")).json()
        assert described["model"] == "llama:mine"
        write_gguf(tmp_path / "models" / "earlier.gguf")
        chat = await live.open_chat()
        described = (await live.http.get(f"/v1/chat/sessions/{chat['session_id']}")).json()
        assert described["model"] == "llama:earlier", "one that was put there meanwhile"


async def test_each_new_chat_has_its_model_made_ready_since_it_may_have_been_unloaded_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: asyncio.Queue[str] = asyncio.Queue()

    class Warmed(PlayedModel):
        async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
            prepared.put_nowait(system)

    PlayedModels(Warmed([]), monkeypatch)
    async with live_service(tmp_path) as live, asyncio.timeout(10):
        for _ in range(2):
            await live.open_chat(model="played")
            assert await prepared.get() == SYSTEM


@requirement("engine.slots")
async def test_a_model_that_does_not_fit_into_memory_is_told_in_the_chat_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "memory_now", lambda: Memory(200_000_000, 400_000_000))
    async with live_service(tmp_path) as live:
        chat = await live.open_chat(model="llama:smollm2-135m")
        await say(live, chat, "hello")
        events = await until(live, chat, "error")
    assert events[-1]["code"] == "model_error"
    assert re.fullmatch(
        r"SmolLM2\S+ does not fit into memory: it takes about 0.6 GB \(0.1 GB of weights and 0.2 GB for 8,192 tokens "
        r"of context\), and 0.2 GB of 0.4 GB are free. Close other programs, choose a smaller model.",
        events[-1]["message"],
    )


async def test_a_chat_that_an_earlier_version_kept_goes_on_with_the_usual_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = PlayedModel([reply("Here.")])
    played = PlayedModels(model, monkeypatch)
    async with live_service(tmp_path) as live:
        chat = await live.open_chat(model="played", engine={"temperature": 0.7})
    with contextlib.closing(sqlite3.connect(tmp_path / "safelight.db")) as database, database:
        ((kept,),) = database.execute("SELECT body FROM sessions").fetchall()
        known = ("session_id", "token_hash", "model", "created", "mode", "sends_to", "temperature", "context_tokens")
        older = {name: value for name, value in json.loads(kept).items() if name in known}
        database.execute("UPDATE sessions SET body = ?", (json.dumps(older).encode(),))
    async with live_service(tmp_path) as live:
        await say(live, chat, "hello")
    assert played.wished[-1] == NO_WISHES
    assert [request.sampling for request in model.requests] == [Sampling(temperature=0.7)]


@requirement("session.stop-every-phase")
async def test_a_page_that_is_closed_while_a_question_stands_open_ends_nothing_and_another_can_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = script(tmp_path, {"calls": [{"tool": "get_status"}]}, {"text": "All is well."})
    async with live_service(tmp_path, model) as live:
        chat = await live.open_chat(mode="ask_all")
        address = f"/v1/chat/sessions/{chat['session_id']}"
        await live.http.post(f"{address}/messages", json={"text": "how are you?"})
        session = await live.application.service.chats.get(chat["session_id"])
        watch = Watch(session, monkeypatch)
        seen = await until(live, chat, "approval_needed")
        await watch.ended(1)
        assert session.busy
        assert "approval_resolved" not in {event["type"] for event in seen}
        async with live.client(chat["chat_token"]) as page:
            (question,) = (await page.get(f"{address}/approvals")).json()["approvals"]
            answer = await page.post(f"{address}/approvals/{question['call_id']}", json={"decision": "once"})
            assert answer.status_code == 200
        events = await until(live, chat, "busy", busy=False)
        assert [event["outcome"] for event in events if event["type"] == "approval_resolved"] == ["once"]
        assert "stopped" not in {event["type"] for event in events}
        assert "All is well." in [event.get("text") for event in events]


@requirement("session.stop", "session.queue", "session.stop-every-phase")
async def test_stop_answers_at_once_gives_back_what_waits_and_the_text_of_the_turn_is_gone(tmp_path: Path) -> None:
    model = script(tmp_path, {"text": "a long story " * 50, "delay_ms": 60_000}, {"text": "Here."})
    async with live_service(tmp_path, model) as live:
        chat = await live.open_chat()
        address = f"/v1/chat/sessions/{chat['session_id']}"
        await live.http.post(f"{address}/messages", json={"text": "tell"})
        await until(live, chat, "busy", busy=True)
        queued = (await live.http.post(f"{address}/messages", json={"text": "and then?"})).json()
        answer = await live.http.post(f"{address}/stop")
        returned = [{"message_id": queued["message_id"], "text": "and then?"}]
        assert (answer.status_code, answer.json()) == (202, {"stopping": True, "returned": returned})
        events = await until(live, chat, "busy", busy=False)
        assert [event["reason"] for event in events if event["type"] == "stopped"] == ["user"]
        assert "assistant_turn" not in {event["type"] for event in events}
        assert (await live.http.post(f"{address}/stop")).json() == {"stopping": False, "returned": []}


@requirement("session.queue")
async def test_a_full_queue_is_said_with_a_code_and_a_lost_message_with_404(tmp_path: Path) -> None:
    model = script(tmp_path, {"text": "slow", "delay_ms": 60_000})
    async with live_service(tmp_path, model) as live:
        chat = await live.open_chat()
        address = f"/v1/chat/sessions/{chat['session_id']}"
        answers = [await live.http.post(f"{address}/messages", json={"text": f"message {n}"}) for n in range(22)]
        assert [answer.status_code for answer in answers] == [202] * 21 + [409]
        assert answers[-1].json()["code"] == "queue_full"
        last = answers[20].json()["message_id"]
        assert (await live.http.put(f"{address}/queue/{last}", json={"text": "better"})).status_code == 200
        assert (await live.http.delete(f"{address}/queue/{last}")).status_code in (200, 204)
        assert (await live.http.put(f"{address}/queue/{last}", json={"text": "again"})).status_code == 404
        assert (await live.http.delete(f"{address}/queue/msg_unknown")).status_code == 404
        stopped = (await live.http.post(f"{address}/stop")).json()
        assert [message["text"] for message in stopped["returned"]] == [f"message {n}" for n in range(1, 20)]
        assert msgspec.json.decode(answers[0].content)["seq"] == 1
