"""The public conformance suite for MCP servers, with each scenario's place: on the service itself, on its transport
with the suite's own tools, or nowhere, for a reason. ``CONFORMANCE.md`` is written from here."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.live import live_service
from tests.mcp.fixture_server import fixture_server, opened
from tests.requirement import requirement

SUITE: Final = "@modelcontextprotocol/conformance@0.1.16"
NODE: Final = "node@22"
TABLE: Final = Path(__file__).parent / "CONFORMANCE.md"

ON_THE_SERVICE: Final = ("server-initialize", "ping", "tools-list", "server-sse-multiple-streams")
ON_THE_TRANSPORT: Final = (
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-multiple-streams",
    "logging-set-level",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
)
_OTHER_TOOLS: Final = "not applicable: it calls a tool of its own"
_NO_RESOURCES: Final = "Safelight has no resources"
_NO_PROMPTS: Final = "Safelight has no prompts"
NOT_APPLICABLE: Final[dict[str, str]] = {
    "completion-complete": "Safelight has no prompts and no resource templates to complete arguments of",
    "server-sse-polling": "Safelight closes no stream in the middle of a call, and keeps no events to resume from",
    "resources-list": _NO_RESOURCES,
    "resources-read-text": _NO_RESOURCES,
    "resources-read-binary": _NO_RESOURCES,
    "resources-templates-read": _NO_RESOURCES,
    "resources-subscribe": _NO_RESOURCES,
    "resources-unsubscribe": _NO_RESOURCES,
    "prompts-list": _NO_PROMPTS,
    "prompts-get-simple": _NO_PROMPTS,
    "prompts-get-with-args": _NO_PROMPTS,
    "prompts-get-embedded-resource": _NO_PROMPTS,
    "prompts-get-with-image": _NO_PROMPTS,
    "dns-rebinding-protection": (
        "it is for servers without authentication, it says. It wants the Origin of a page on this computer let in, but "
        "here every Origin is refused. Its other half, that a foreign Host and Origin is refused, passes"
    ),
}

EXPLAINED: Final = """# Conformance

What `{suite}` says of Safelight's `/mcp`. *The transport* is the same border, guard,
route and transport with the suite's own tools in place of Safelight's (`fixture_server.py`). `make test-long` checks
that this page is true.

| scenario | the service | the transport |
| --- | --- | --- |
"""


def table(service: dict[str, str], transport: dict[str, str]) -> str:
    """The page."""
    lines = [EXPLAINED.format(suite=SUITE)]
    named = dict.fromkeys((*ON_THE_SERVICE, *ON_THE_TRANSPORT))
    lines += [f"| {name} | {service.get(name, _OTHER_TOOLS)} | {transport[name]} |\n" for name in named]
    lines += [f"| {name} | not applicable: {reason} | |\n" for name, reason in NOT_APPLICABLE.items()]
    return "".join(lines)


class Suite:
    """The suite and the node that runs it, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("this computer has no npm")
        installed = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), NODE, SUITE],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        modules = folder / "node_modules"
        self._node = modules / ".bin" / ("node.exe" if os.name == "nt" else "node")
        self._program = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
        if installed.returncode != 0 or not self._node.exists():
            pytest.skip(f"npm did not install node 22 and the suite: {installed.stderr.strip()[-200:]}")

    def scenarios(self) -> set[str]:
        said = subprocess.run(
            [self._node, self._program, "list", "--server"], capture_output=True, text=True, timeout=60, check=True
        )
        return {line.split()[1] for line in said.stdout.splitlines() if line.startswith("  - ")}

    async def checks(self, url: str, scenario: str) -> list[dict[str, Any]]:
        """What the suite finds, each with id and status."""
        out = self._folder / "out" / f"{scenario}-{url.rpartition(':')[2].partition('/')[0]}"
        process = await asyncio.create_subprocess_exec(
            self._node, self._program, "server", "--url", url, "--scenario", scenario, "-o", str(out),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        async with asyncio.timeout(60):
            said, _ = await process.communicate()
        (found,) = list(out.rglob("checks.json")) or [None]
        assert found is not None, said.decode()
        return json.loads(found.read_text(encoding="utf-8"))

    async def verdict(self, url: str, scenario: str) -> str:
        bad = [check for check in await self.checks(url, scenario) if check["status"] in {"FAILURE", "WARNING"}]
        return "passed" if not bad else "failed: " + "; ".join(check.get("errorMessage", check["id"]) for check in bad)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite(tmp_path_factory.mktemp("conformance"))


@pytest.mark.long
@requirement("mcp.conformance")
async def test_the_public_suite_passes_wherever_it_applies_and_the_page_says_so(suite: Suite, tmp_path: Path) -> None:
    assert suite.scenarios() == {*ON_THE_SERVICE, *ON_THE_TRANSPORT, *NOT_APPLICABLE}
    async with live_service(tmp_path / "data") as live, opened(live) as url:
        service = {name: await suite.verdict(url, name) for name in ON_THE_SERVICE}
        rebinding = {check["id"]: check["status"] for check in await suite.checks(url, "dns-rebinding-protection")}
    async with fixture_server(tmp_path) as url:
        transport = {name: await suite.verdict(url, name) for name in ON_THE_TRANSPORT}
    assert {*service.values(), *transport.values()} == {"passed"}, (service, transport)
    assert rebinding["localhost-host-rebinding-rejected"] == "SUCCESS"
    assert TABLE.read_text(encoding="utf-8") == table(service, transport)


def test_each_scenario_has_one_place_and_the_page_names_it() -> None:
    assert not set(NOT_APPLICABLE) & {*ON_THE_SERVICE, *ON_THE_TRANSPORT}
    passed = table(dict.fromkeys(ON_THE_SERVICE, "passed"), dict.fromkeys(ON_THE_TRANSPORT, "passed"))
    assert TABLE.read_text(encoding="utf-8") == passed
