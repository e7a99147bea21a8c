"""``safelight mcp`` as a process, as Claude Desktop starts it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from tests.cli.test_mcp_forward import INITIALIZE
from tests.cli.test_serve import held_poll, served
from tests.e2e.demo import running_demo
from tests.requirement import requirement
from tests.routes.test_mcp_calls import ERAS

PROGRAM = [sys.executable, "-m", "safelight"]
LIST = b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


@contextlib.asynccontextmanager
async def agent(data_dir: Path, *options: str, era: str = "auto", **env: str) -> AsyncGenerator[Client]:
    """An agent that has started ``safelight mcp``."""
    parameters = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "mcp", "--data-dir", str(data_dir), "--port", "0", *options],
        env=env,
    )
    with (data_dir.parent / "agent.log").open("a", encoding="utf-8") as log:
        async with asyncio.timeout(120), Client(stdio_client(parameters, errlog=log), mode=era) as client:
            yield client


def runtime(data_dir: Path) -> dict[str, Any]:
    return json.loads((data_dir / "runtime.json").read_text(encoding="utf-8"))


@pytest.fixture
def data_dir(tmp_path: Path) -> Generator[Path]:
    """A data folder; a service that was started for it ends with the test."""
    folder = tmp_path / "data"
    yield folder
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        os.kill(runtime(folder)["pid"], signal.SIGTERM)


def person(data_dir: Path) -> httpx.AsyncClient:
    """The service of the data folder, with the agent token."""
    token = (data_dir / "agent-token").read_text(encoding="ascii").strip()
    return httpx.AsyncClient(base_url=runtime(data_dir)["url"], headers={"authorization": f"Bearer {token}"})


def answer_of(connection: socket.socket) -> dict[str, Any]:
    """The body of the HTTP answer that comes."""
    with contextlib.closing(HTTPResponse(connection)) as response:
        response.begin()
        return json.loads(response.read())


async def status(client: Client) -> dict[str, Any]:
    done = await client.call_tool("get_status", {})
    assert not done.is_error, done
    return done.structured_content


def run_once(data_dir: Path, *options: str, lines: list[bytes], **env: str) -> subprocess.CompletedProcess[bytes]:
    """Give the program all its input at once, and wait for its end."""
    command = [*PROGRAM, "mcp", "--data-dir", str(data_dir), "--port", "0", *options]
    return subprocess.run(
        command, input=b"\r\n".join(lines), capture_output=True, timeout=90, check=False, env={**os.environ, **env}
    )


def answers(done: subprocess.CompletedProcess[bytes]) -> dict[Any, dict[str, Any]]:
    """All that stood on standard output, which must be messages and nothing else."""
    return {message["id"]: message for message in map(json.loads, done.stdout.splitlines())}


@ERAS
@requirement("mcp.endpoint")
async def test_an_agent_lists_searches_and_rates_in_lightroom(tmp_path: Path, era: str) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    with running_demo(data_dir) as ready:
        assert ready["url"] == runtime(data_dir)["url"]
        async with person(data_dir) as http:
            allowed: dict[str, Any] = {"mode": "auto_all", "rules": {}, "bulk_limit": 200}
            assert (await http.put("/v1/permissions/agents", json=allowed)).status_code == 200
        async with agent(data_dir, "--role", "owner", era=era) as client:
            assert "set_rating" in {tool.name for tool in (await client.list_tools()).tools}
            found = await client.call_tool("search_photos", {"rating_min": 5})
            assert found.structured_content["count"] > 0
            photo_ids = [photo["photo_id"] for photo in found.structured_content["photos"][:2]]
            rated = await client.call_tool("set_rating", {"photo_ids": photo_ids, "rating": 2})
            assert sorted(rated.structured_content["applied"]) == sorted(photo_ids)
            page = await client.call_tool("get_photos", {"photo_ids": photo_ids})
            assert [photo["rating"] for photo in page.structured_content["photos"]] == [2, 2]


@requirement("auth.app-token", "auth.roles")
async def test_the_service_is_started_and_outlives_the_agent_whose_token_is_kept_private(data_dir: Path) -> None:
    async with agent(data_dir) as client:
        assert (await status(client))["connected"] is False
    first = runtime(data_dir)
    kept = data_dir / "stdio-token-editor"
    if os.name == "posix":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    async with agent(data_dir) as client:
        assert (await status(client))["connected"] is False
    assert runtime(data_dir) == first
    async with person(data_dir) as http:
        listed = (await http.get("/v1/tokens")).json()["tokens"]
        assert [(token["name"], token["role"]) for token in listed] == [("stdio", "editor")]
        assert (await http.delete(f"/v1/tokens/{listed[0]['token_id']}")).status_code == 204
    refused = answers(run_once(data_dir, lines=[INITIALIZE]))
    assert "was revoked" in refused["first"]["error"]["message"]
    assert str(kept) in refused["first"]["error"]["message"]


@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL"])
async def test_a_service_that_has_ended_is_started_again_for_the_next_request(data_dir: Path, end: str) -> None:
    async with agent(data_dir, era="legacy") as client:
        await status(client)
        first = runtime(data_dir)["pid"]
        os.kill(first, getattr(signal, end, signal.SIGTERM))
        served_by = first
        while served_by == first:  # it may answer for a moment yet
            try:
                await status(client)
            except MCPError as error:
                assert "ask again" in str(error)
            else:
                with contextlib.suppress(FileNotFoundError):
                    served_by = runtime(data_dir)["pid"]


@requirement("bridge.delivery")
async def test_a_call_in_the_middle_of_which_the_service_is_killed_is_told_as_unknown(data_dir: Path) -> None:
    with served(data_dir) as (process, ready):
        token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        with (
            httpx.Client(base_url=ready["url"], headers={"authorization": f"Bearer {token}"}, timeout=60) as http,
            held_poll(http, ready["url"]) as poll,
        ):
            # The index asks for itself first.
            first = await asyncio.to_thread(answer_of, poll)
            again = {"session": "s", "generation": 1, "seen": [first["command"]["command_id"]]}
            async with agent(data_dir) as client:
                calling = asyncio.create_task(client.call_tool("get_photos", {"set": "selection"}))
                work = await asyncio.to_thread(http.post, "/v1/bridge/poll", json=again)
                assert work.json()["command"]["arguments"]["source"] == "selection"
                process.kill()
                await asyncio.to_thread(process.wait)
                with pytest.raises(MCPError, match="look before you repeat"):
                    await calling
                assert (await status(client))["connected"] is False


async def test_two_agents_that_start_at_once_share_one_service(data_dir: Path) -> None:
    """Hosts start several servers, which fight over the plug-in (Automaat #151, #164, #215, #238; claude-code #90596,
    #75574; claude-ai-mcp #116)."""

    async def asks() -> int:
        async with agent(data_dir) as client:
            await status(client)
            return runtime(data_dir)["pid"]

    one, other = await asyncio.gather(asks(), asks())
    assert one == other
    async with person(data_dir) as http:
        assert len((await http.get("/v1/tokens")).json()["tokens"]) == 1


def test_standard_output_holds_messages_alone_whatever_the_surroundings_print(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, os, sys, warnings\n"
        "atexit.register(print, 'noise at the end')\n"
        "class Noise:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'safelight.cli.background':\n"
        "            print('noise', flush=True); os.write(1, b'raw noise'); warnings.warn('noise')\n"
        "sys.meta_path.insert(0, Noise())\n",
        encoding="utf-8",
    )
    noisy = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONDEVMODE": "1",
        "PYTHONWARNINGS": "always",
        "PYTHONIOENCODING": "utf-16",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
    }
    call = '{"jsonrpc":"2.0","id":"ü","method":"tools/call","params":{"name":"søk","arguments":{}}}'.encode()
    done = run_once(data_dir, lines=[INITIALIZE, LIST, call], **noisy)
    assert done.returncode == 0, done.stderr
    heard = answers(done)
    assert set(heard) == {"first", 2, "ü"}
    assert "søk" in heard["ü"]["error"]["message"]
    assert b"raw noise" in done.stderr


def test_it_ends_when_standard_input_closes_with_nothing_said(data_dir: Path) -> None:
    done = run_once(data_dir, lines=[])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not data_dir.exists()


def test_a_service_that_cannot_start_is_explained_to_the_agent_and_on_standard_error(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run_once(data_dir, "--port", port, lines=[INITIALIZE])
    message = answers(done)["first"]["error"]["message"]
    assert "could not be started" in message
    assert f"Port {port}" in message
    assert message in done.stderr.decode()


def test_the_token_of_a_file_or_of_the_environment_is_used(tmp_path: Path, data_dir: Path) -> None:
    with served(data_dir) as (_, ready):
        agent_token = Path(ready["agent_token_file"]).read_text(encoding="ascii").strip()
        headers = {"authorization": f"Bearer {agent_token}"}
        minted = httpx.post(f"{ready['url']}/v1/tokens", json={"name": "Mine", "role": "viewer"}, headers=headers)
        file = tmp_path / "token"
        file.write_text(minted.json()["token"] + "\n", encoding="ascii")
        assert "result" in answers(run_once(data_dir, "--token-file", str(file), lines=[INITIALIZE]))["first"]
        named = run_once(data_dir, lines=[INITIALIZE], SAFELIGHT_APP_TOKEN=minted.json()["token"])
        assert "result" in answers(named)["first"]
        wrong = run_once(data_dir, lines=[INITIALIZE], SAFELIGHT_APP_TOKEN="slp_wrong")
        assert "refuses the token" in answers(wrong)["first"]["error"]["message"]
        assert not list(data_dir.glob("stdio-token*"))


@pytest.mark.parametrize("text", [None, "", "two\nlines"])
def test_a_token_file_without_a_token_is_refused_at_once(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "token"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    done = run_once(tmp_path / "data", "--token-file", str(file), lines=[INITIALIZE])
    assert (done.returncode, done.stdout) == (2, b"")
    assert "There is no token in the file" in done.stderr.decode()
