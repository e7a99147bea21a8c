"""The one gate: every tool call of every principal passes ``Gate.call`` exactly once, and nothing else runs a tool."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from safelight.conversation.normal_form import digest_of
from safelight.errors import ToolError
from safelight.gate.arguments import ArgumentCheck
from safelight.gate.decision import Ask, Decision, DecisionInput, Refuse, class_of, decide
from safelight.gate.principal import Denied, NobodyToAsk, Principal, Question
from safelight.gate.running import RunningCall
from safelight.gate.tool import GatedTool, ToolAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from safelight.gate.journal import Journal
    from safelight.gate.running import Progress
    from safelight.wire.models import Preview

__all__ = ("Failed", "Gate", "Passage", "Ran", "Refused")

logger = logging.getLogger(__name__)

_MOST_QUESTIONS = 3
"""A call whose target keeps growing between question and run is asked this often, then refused."""


class Ran(msgspec.Struct, frozen=True, tag="ran"):
    """The tool ran and answered."""

    answer: ToolAnswer


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The tool was allowed, or needed no permission, and reported an error. ``code`` is machine-readable."""

    code: str
    text: str


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    """The tool did not run. ``text`` is for the model."""

    why: Literal["not_allowed", "stopped", "turned_off"]
    text: str


Passage: TypeAlias = Ran | Failed | Refused


class Gate:
    """Decides, asks, freezes, runs, and keeps the journal. One for the whole service.

    ``catalog_id`` tells which catalog is open: what was allowed in one is not allowed in another, where the same ids
    and names may mean other things.
    """

    def __init__(
        self, tools: Mapping[str, GatedTool], journal: Journal, catalog_id: Callable[[], str | None] = lambda: None
    ) -> None:
        self._tools = tools
        self._journal = journal
        self._catalog_id = catalog_id
        self._checks = {name: ArgumentCheck(tool.spec.input_schema) for name, tool in tools.items()}

    async def call(
        self,
        principal: Principal,
        call_id: str,
        name: str,
        arguments: dict[str, Any],
        progress: Progress | None = None,
    ) -> Passage:
        """Take one call through the gate. Never raises, but for being cancelled. A long call tells ``progress`` how far
        it is.

        What was shown in a question is what runs: these arguments, or those that the person put in their place, on
        the photos that they meant when the question was put. Should the call aim at more photos than were shown when
        it is about to run, it is asked again.
        """
        tool = self._tools.get(name)
        if tool is None:
            return Failed(code="UNKNOWN_TOOL", text=f"There is no tool called {name}.")
        if wrong := self._wrong_arguments(name, arguments):
            return wrong
        effective = msgspec.json.decode(msgspec.json.encode(arguments))
        try:
            return await self._decide_and_run(principal, call_id, tool, effective, progress)
        except ToolError as error:
            return Failed(code=error.tool_code, text=f"{error.tool_code}: {error.message}")
        except Exception:  # noqa: BLE001  # the border between a tool and a conversation that must go on
            logger.exception("The call of %s failed", name)
            return Failed(code="INTERNAL_ERROR", text=_FAILED)

    async def count(self, name: str, arguments: dict[str, Any]) -> int | None:
        """How many photos a call aims at, for showing; None where that is not known."""
        tool = self._tools.get(name)
        if tool is None or self._wrong_arguments(name, arguments):
            return None
        try:
            return await tool.count(arguments)
        except ToolError:
            return None
        except Exception:  # noqa: BLE001  # only for showing; the call itself says what is wrong
            logger.exception("The photos of a call of %s could not be counted", name)
            return None

    async def _decide_and_run(
        self,
        principal: Principal,
        call_id: str,
        tool: GatedTool,
        arguments: dict[str, Any],
        progress: Progress | None,
    ) -> Passage:
        if isinstance(refused := self._decision(principal, tool, None), Refuse):
            return _refusal(refused, tool)
        # What is counted against the bulk limit must be what runs, also where nobody is asked.
        effective = await tool.freeze(arguments) if class_of(tool.spec) == "destructive" else arguments
        approved: _Approved | None = None
        for _ in range(_MOST_QUESTIONS + 1):
            photos = await self._counted(tool, effective)
            decision = self._decision(principal, tool, photos)
            if isinstance(decision, Refuse):
                return _refusal(decision, tool)
            catalog_id = self._catalog_id()
            if isinstance(decision, Ask) and not _covers(approved, effective, photos, catalog_id):
                effective = await tool.freeze(effective)
                question = await self._question(call_id, tool, arguments, effective, decision)
                reply = await principal.ask(question)
                if isinstance(reply, NobodyToAsk):
                    return Refused(why="not_allowed", text=_NOBODY.format(title=tool.spec.title))
                if isinstance(reply, Denied):
                    return Refused(why=reply.why, text=reply.text)
                if reply.arguments is not None:
                    if wrong := self._wrong_arguments(tool.spec.name, reply.arguments):
                        return wrong
                    effective = await tool.freeze(_kept(arguments, effective, reply.arguments))
                    arguments = reply.arguments
                approved = (digest_of(effective), question.photos or 0, catalog_id)
                continue
            stopped = await principal.running(call_id, arguments)
            if stopped is not None:
                return Refused(why=stopped.why, text=stopped.text)
            running = RunningCall(tool.spec.name, principal.profile().by, self._journal, progress)
            return await self._run(tool, effective, running)
        return Refused(why="not_allowed", text=f"{tool.spec.title} did not run: it aimed at more photos each time.")

    def _decision(self, principal: Principal, tool: GatedTool, photos: int | None) -> Decision:
        profile = principal.profile()
        name = tool.spec.name
        return decide(
            DecisionInput(
                tool_class=class_of(tool.spec),
                role=profile.role,
                mode=profile.mode,
                rule=profile.rules.get(name),
                photos=photos,
                bulk_limit=profile.bulk_limit,
                allowed_for_chat=name in profile.allowed_tools,
            )
        )

    async def _counted(self, tool: GatedTool, arguments: dict[str, Any]) -> int | None:
        return None if class_of(tool.spec) == "read" else await tool.count(arguments)

    async def _question(
        self, call_id: str, tool: GatedTool, arguments: dict[str, Any], effective: dict[str, Any], decision: Ask
    ) -> Question:
        preview: Preview | None = None
        if class_of(tool.spec) == "destructive":
            preview = await tool.preview(effective)
        return Question(
            call_id=call_id,
            tool=tool.spec.name,
            title=tool.spec.title,
            tool_class=class_of(tool.spec),
            arguments=arguments,
            photos=await self._counted(tool, effective),
            reason=decision.reason,
            preview=preview,
            wrong=self._checks[tool.spec.name].problem,
        )

    async def _run(self, tool: GatedTool, arguments: dict[str, Any], running: RunningCall) -> Passage:
        try:
            return Ran(await tool.run(arguments, running))
        except (ToolError, msgspec.ValidationError) as error:
            code = error.tool_code if isinstance(error, ToolError) else "BAD_ARGUMENTS"
            return Failed(code=code, text=f"{code}: {error}")
        except Exception:  # noqa: BLE001  # the border between a tool and a conversation that must go on
            logger.exception("Tool %s failed", tool.spec.name)
            return Failed(code="INTERNAL_ERROR", text=_FAILED_RUNNING)

    def _wrong_arguments(self, name: str, arguments: dict[str, Any]) -> Failed | None:
        problem = self._checks[name].problem(arguments)
        return None if problem is None else Failed(code="BAD_ARGUMENTS", text=f"BAD_ARGUMENTS: {problem}")


_NOBODY = (
    "{title} needs somebody's permission, and nobody can be asked here. Nothing was changed. Tell the user to allow it "
    "in Safelight's settings or to do it in Safelight's own chat."
)


_FAILED = "INTERNAL_ERROR: The call failed inside Safelight before the tool ran. Nothing was changed."
_FAILED_RUNNING = (
    "INTERNAL_ERROR: The tool failed inside Safelight. Whether it changed anything is unknown; look before you "
    "repeat it."
)


def _kept(proposed: dict[str, Any], frozen: dict[str, Any], edited: dict[str, Any]) -> dict[str, Any]:
    """What the person wrote, with what was frozen of the proposal where they left that alone: who changes the stars
    still means the photos that were shown."""
    left_alone = {name for name, value in proposed.items() if edited.get(name) == value}
    return edited | {name: value for name, value in frozen.items() if name in left_alone}


_Approved: TypeAlias = tuple[str, int, str | None]
"""The arguments' digest, the photos that were shown, and the catalog that they were shown in."""


def _covers(approved: _Approved | None, arguments: dict[str, Any], photos: int | None, catalog_id: str | None) -> bool:
    """Whether an answer that was given stands for this call: same arguments, in the same catalog, and no more photos
    than were shown."""
    return (
        approved is not None
        and approved[0] == digest_of(arguments)
        and (photos or 0) <= approved[1]
        and approved[2] == catalog_id
    )


def _refusal(decision: Refuse, tool: GatedTool) -> Refused:
    if decision.why == "blocked":
        return Refused(why="turned_off", text=f"{tool.spec.title} is turned off by the user. Do without it.")
    return Refused(why="not_allowed", text=f"{tool.spec.title} is beyond this token's role. Nothing was changed.")
