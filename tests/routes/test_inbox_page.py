"""A chat that is opened for the inbox: it needs no model, and its page may do all that the questions need."""

from __future__ import annotations

from pathlib import Path

from safelight_client import models
from tests.live import live_service
from tests.mcp.asking import agent, inbox_reader, mint, text_of
from tests.requirement import requirement
from tests.routes.test_inbox import IN_A_MOMENT, plugin_of, rating


@requirement("mcp.approvals")
async def test_a_chat_for_the_inbox_opens_without_a_model_shows_photos_and_questions_and_takes_no_message(
    tmp_path: Path,
) -> None:
    async with (
        live_service(tmp_path, "local:none") as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
    ):
        assert (await live.http.post("/v1/chat/sessions", json={})).json()["code"] == "model_missing"
        chat = await live.open_chat(view="inbox")
        assert chat["page_url"].endswith(f"&token={chat['chat_token']}&view=inbox")
        (listed,) = (await live.http.get("/v1/chat/sessions")).json()["sessions"]
        assert (listed["model"], listed["sends_to"]) == ("", None)
        url = f"/v1/chat/sessions/{chat['session_id']}"
        async with live.client(chat["chat_token"]) as page, inbox_reader(live) as reader:
            refused = await page.post(f"{url}/messages", json={"text": "Hello"})
            assert (refused.status_code, refused.json()["code"]) == (409, "no_model")
            call = rating(client)
            call_id = await reader.asked()
            assert (await page.post(f"/v1/inbox/{call_id}", json={"decision": "once"})).status_code == 200
            assert not (await call).is_error
            assert (await reader.seen(models.ApprovalResolvedEvent))[0].by == "page"
            (change,) = await reader.seen(models.ChangeEvent)
            assert (await page.post(f"/v1/changes/{change.change_id}/undo")).status_code == 200
            taken_back = (await reader.seen(models.ChangeEvent, 2))[-1]
            assert taken_back.undoes == change.change_id
            assert (await page.get(url)).json()["head"] == 0


@requirement("mcp.approvals")
async def test_the_refusal_where_nobody_is_there_names_the_menu_item_of_lightroom(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path, limits=IN_A_MOMENT) as live,
        plugin_of(live),
        agent(live, await mint(live), "auto") as client,
    ):
        assert "Library > Plug-in Extras > Questions from Other Agents" in text_of(await rating(client))
