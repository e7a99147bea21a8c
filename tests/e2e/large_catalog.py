"""A large catalog in the simulated Lightroom, worked by the whole service in a process of its own: indexed, searched,
rated with a question in a chat, and undone. Used by a test on a small scale and by a benchmark on a large one."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from safelight.lightroom import SimulatedLightroom
from safelight.lightroom.catalog import Catalog
from safelight.lightroom.synthetic import synthetic_catalog
from tests.bench.machine import peak_mb

__all__ = ("Figures", "work_a_large_catalog")

STARS = 4


@dataclass(frozen=True)
class Figures:
    """Seconds, but for the memory. ``rate`` and ``undo`` are from the answer to the question to the tool's result."""

    index_s: float
    service_mb: float
    search_ms: float
    rate_s: float
    undo_s: float


@dataclass(frozen=True)
class _Studio:
    http: httpx.AsyncClient
    catalog: Catalog
    pid: int
    folder: Path


async def work_a_large_catalog(folder: Path, photos: int, rated: int) -> Figures:
    """Index ``photos`` of them; give the first ``rated`` photos that a search finds four stars, after a yes; take that
    back. Asserts that every photo is as it should be in between and at the end."""
    async with _studio(folder, photos) as studio:
        began = time.perf_counter()
        job = await _post(studio, "/v1/index/sync", {"what": "catalog"})
        await _until_done(studio, job["job_id"])
        index_s = time.perf_counter() - began
        service_mb = peak_mb(studio.pid)
        status = (await studio.http.get("/v1/index/status")).json()
        assert status["photos"] == photos, status

        searches = [{"text": "sunset", "rating_min": 3}, {"captured_from": "2020", "flag": "pick"}, {"text": "IMG"}]
        began = time.perf_counter()
        for arguments in searches:
            await _post(studio, "/v1/index/search", {"arguments": arguments})
        search_ms = (time.perf_counter() - began) / len(searches) * 1e3

        before = {photo.uuid: photo.rating for photo in studio.catalog.photos()}
        wanted = [photo.uuid for photo in studio.catalog.photos() if photo.rating != STARS][:rated]
        rate_s, report = await _rate(studio, wanted)
        assert set(report["applied"]) == set(wanted)
        after = {photo.uuid: photo.rating for photo in studio.catalog.photos()}
        assert after == before | dict.fromkeys(wanted, STARS)

        began = time.perf_counter()
        undone = await _post(studio, f"/v1/changes/{report['change_id']}/undo", None)
        undo_s = time.perf_counter() - began
        assert set(undone["applied"]) == set(wanted)
        assert {photo.uuid: photo.rating for photo in studio.catalog.photos()} == before
        return Figures(index_s=index_s, service_mb=service_mb, search_ms=search_ms, rate_s=rate_s, undo_s=undo_s)


@asynccontextmanager
async def _studio(folder: Path, photos: int) -> AsyncGenerator[_Studio]:
    command = [sys.executable, "-m", "safelight", "serve", "--port", "0", "--data-dir", str(folder)]
    with (folder / "service.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
    catalog = await asyncio.to_thread(synthetic_catalog, photos, 7)
    lightroom = SimulatedLightroom(catalog, data_folder=folder)
    try:
        assert process.stdout is not None
        ready = json.loads(await asyncio.to_thread(process.stdout.readline))
        token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        await asyncio.to_thread(lightroom.start)
        headers = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=ready["url"], headers=headers, timeout=600) as http:

            async def is_there() -> bool:
                return (await http.get("/v1/index/status")).status_code == 200

            studio = _Studio(http, catalog, process.pid, folder)
            await _until(is_there, 30)
            yield studio
        assert lightroom.errors == ()
    finally:
        await asyncio.to_thread(lightroom.close)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        process.stdout.close()  # type: ignore[union-attr]  # it was asked for


async def _until(true: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Wait for another process, which has no other way to tell."""
    async with asyncio.timeout(seconds):
        while not await true():  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)


async def _post(studio: _Studio, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
    answer = await (studio.http.post(path) if body is None else studio.http.post(path, json=body))
    assert answer.is_success, answer.text
    return answer.json()


async def _until_done(studio: _Studio, job_id: str) -> None:
    async def is_done() -> bool:
        jobs = (await studio.http.get("/v1/jobs")).json()["jobs"]
        job = next(job for job in jobs if job["job_id"] == job_id)
        assert job["state"] in {"running", "done"}, job
        return job["state"] == "done"

    await _until(is_done, 900)


async def _rate(studio: _Studio, photo_ids: list[str]) -> tuple[float, dict[str, Any]]:
    """In a chat whose bulk limit makes it ask; the yes is given at once."""
    selected = [{"tool": "get_photos", "arguments": {"set": "selection", "limit": 1}}]
    rate = [{"tool": "set_rating", "arguments": {"rating": STARS, "set": "${set_id}"}}]
    await asyncio.to_thread(studio.catalog.select, photo_ids)
    script = studio.folder / "script.json"
    script.write_text(json.dumps([{"calls": selected}, {"calls": rate}, {"text": "Rated."}]), encoding="utf-8")
    chat = await _post(studio, "/v1/chat/sessions", {"model": f"scripted:{script}"})
    path = f"/v1/chat/sessions/{chat['session_id']}"
    permissions: dict[str, Any] = {"mode": "auto_all", "rules": {}, "bulk_limit": len(photo_ids) - 1}
    assert (await studio.http.put(f"{path}/permissions", json=permissions)).is_success
    await _post(studio, f"{path}/messages", {"text": "Four stars for these"})
    began = 0.0
    last: dict[str, Any] = {}
    async with asyncio.timeout(600), studio.http.stream("GET", f"{path}/events") as stream:
        async for line in stream.aiter_lines():
            event: dict[str, Any] = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if event.get("type") == "approval_needed":
                assert event["reason"]["kind"] == "bulk"
                began = time.perf_counter()
                await _post(studio, f"{path}/approvals/{event['call_id']}", {"decision": "once"})
            elif event.get("type") == "tool_done":
                last = event
                if began:
                    break
    seconds = time.perf_counter() - began
    assert last["ok"], last
    result = (await studio.http.get(f"{path}/results/{last['call_id']}")).json()
    return seconds, result["content"]
