"""Tools about Safelight and Lightroom themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.reach import OnNoPhotos
from safelight.wire.bridge_models import GetStateArguments, GetStateOutcome
from safelight.wire.tool_models import BridgeTraceArguments, GetStatusAnswer, Job
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs
    from safelight.gate.running import RunningCall
    from safelight.jobs.jobs import Jobs

__all__ = ("BridgeTrace", "GetStatus")

TRACED: Final = 50
JOBS: Final = 5


class GetStatus(OnNoPhotos):
    """Answers while Lightroom is away as well."""

    spec = TOOLS["get_status"]

    def __init__(self, bridge: Bridge, catalogs: Catalogs, jobs: Jobs) -> None:
        self._bridge = bridge
        self._catalogs = catalogs
        self._jobs = jobs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """What Lightroom says of itself; ``connected`` false, with the last known catalog, when it is away."""
        del arguments, call
        jobs = self._newest_jobs() or UNSET
        try:
            state = await self._bridge.command(GetStateArguments(), GetStateOutcome)
        except BridgeError as error:
            if error.tool_code != "PLUGIN_OFFLINE":
                raise
            catalog = self._bridge.catalog
            name = UNSET if catalog is None else catalog.name
            answer = GetStatusAnswer(connected=False, read_only=False, catalog=name, jobs=jobs)
            return ToolAnswer(content=msgspec.to_builtins(answer))
        answer = GetStatusAnswer(
            connected=True,
            catalog=state.catalog_name,
            photo_count=state.photo_count,
            selected_count=state.selected_count,
            view=state.view,
            read_only=state.read_only,
            agents_on=state.agents_on,
            lightroom_version=state.lightroom_version,
            plugin_version=state.plugin_version,
            transport=self._bridge.transport,
            indexed=await self._indexed(),
            jobs=jobs,
        )
        return ToolAnswer(content=msgspec.to_builtins(answer))

    async def _indexed(self) -> int | UnsetType:
        try:
            return await (await self._catalogs.present()).index.count()
        except ToolError:  # the rest can be told all the same
            return UNSET

    def _newest_jobs(self) -> list[Job]:
        """All that run or wait, and the last few that ended, oldest first."""
        jobs = self._jobs.list()
        ended = [job.job_id for job in jobs if job.state not in ("running", "paused")]
        old = frozenset(ended[:-JOBS])
        return [msgspec.convert(msgspec.to_builtins(job), Job) for job in jobs if job.job_id not in old]


class BridgeTrace(OnNoPhotos):
    """For developers: what went over the bridge lately, without any text of a photo."""

    spec = TOOLS["bridge_trace"]

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """The newest commands, newest first."""
        del call
        limit = parse(arguments, BridgeTraceArguments).limit
        commands = self._bridge.trace()[: TRACED if limit is UNSET else limit]
        return ToolAnswer(content={"commands": [msgspec.to_builtins(command) for command in commands]})
