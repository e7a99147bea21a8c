"""Every kind of change on the plug-in's own Lua, and all of it taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.demo import running_demo
from tests.requirement import requirement

ON_PHOTOS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("set_rating", {"rating": 5}),
    ("set_flag", {"flag": "reject"}),
    ("set_label", {"label": "red"}),
    ("set_metadata", {"title": "T", "caption": "", "city": "Rome", "latitude": 41.9, "longitude": 12.5}),
    ("set_metadata", {"clear_gps": True}),
    ("edit_keywords", {"add": ["Animals > Dog"]}),
    ("edit_keywords", {"replace": ["x"]}),
    ("set_develop_settings", {"settings": {"exposure": 1.0, "contrast": 20}}),
    ("auto_tone", {}),
    ("reset_develop", {}),
    ("add_to_collection", {"collection": "Rome"}),
    ("remove_from_collection", {"collection": "Rome"}),
]


class Agent:
    """An agent from outside that may do everything."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = await self._client.call_tool(name, arguments)
        assert not result.is_error, result
        content = result.structured_content
        assert content.get("failed", []) == content.get("not_attempted", []) == []
        return content

    async def seen(self, photo_ids: list[str]) -> list[Any]:
        """All that can be seen of the photos and of the collections, but for ids of collections."""
        details = {"photo_ids": photo_ids, "fields": ["exif", "iptc", "place", "file"]}
        collections = (await self.call("list_collections", {}))["collections"]
        return [
            (await self.call("get_photos", details))["photos"],
            (await self.call("get_develop_settings", {"photo_ids": photo_ids})),
            [{name: value for name, value in c.items() if name != "collection_id"} for c in collections],
        ]


@requirement("perm.undo", "tool.list-destructive")
async def test_all_that_was_changed_is_taken_back_step_by_step(tmp_path: Path) -> None:
    with running_demo(tmp_path) as ready:
        token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        headers = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=ready["url"], headers=headers) as http:
            everything: dict[str, Any] = {"mode": "auto_all", "rules": {}, "bulk_limit": 0}
            assert (await http.put("/v1/permissions/agents", json=everything)).status_code == 200
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{ready['url']}/mcp", http_client=http)) as client,
        ):
            await _change_and_take_back(Agent(client))


async def _change_and_take_back(agent: Agent) -> None:
    photo_ids = [photo["photo_id"] for photo in (await agent.call("search_photos", {"limit": 3}))["photos"]]
    steps = [
        ("create_collection", {"collection": "Trips > Italy > Rome"}),
        *((name, {**arguments, "photo_ids": photo_ids}) for name, arguments in ON_PHOTOS),
        ("add_to_collection", {"collection": "Rome", "photo_ids": photo_ids[:2]}),
        ("delete_collection", {"collection": "Rome"}),
        ("create_smart_collection", {"collection": "Best", "rating_min": 4, "label": "red", "captured_from": "2020"}),
    ]
    history: list[tuple[str, list[Any]]] = []
    for name, arguments in steps:
        before = await agent.seen(photo_ids)
        change_id = (await agent.call(name, arguments))["change_id"]
        assert await agent.seen(photo_ids) != before, name
        history.append((change_id, before))
    for change_id, before in reversed(history):
        await agent.call("undo_change", {"change_id": change_id})
        assert await agent.seen(photo_ids) == before
