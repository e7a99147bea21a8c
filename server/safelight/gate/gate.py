"""The one gate: every tool call of every principal passes ``Gate.call`` exactly once, and nothing else runs a tool."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from safelight.conversation.normal_form import digest_of
from safelight.errors import ToolError
from safelight.gate.arguments import ArgumentCheck
from safelight.gate.decision import Ask, Decision, DecisionInput, Refuse, Run, class_of, decide
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
    """The tool ran and answered. ``changed`` tells the model of arguments that the user put in place of its own."""

    answer: ToolAnswer
    changed: str = ""


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The tool was allowed, or needed no permission, and reported an error. ``code`` is machine-readable."""

    code: str
    text: str


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    """The tool did not run. ``text`` is for the model."""

    why: Literal["not_allowed", "stopped", "turned_off"]
    text: str


Passage: TypeAlias = Ran | Failed | Refused


class _Approved(msgspec.Struct, frozen=True):
    """What somebody said yes to: the arguments' digest, the photos that were shown, the catalog they were shown in."""

    digest: str
    photos: int
    catalog_id: str | None


class _Call:
    """A call on its way. ``proposed`` came from the model; ``decided`` is that, or what the person put in its place;
    ``effective`` is what runs: as decided, with the photos that were meant then written down."""

    def __init__(
        self,
        principal: Principal,
        call_id: str,
        tool: GatedTool,
        proposed: dict[str, Any],
        progress: Progress | None,
    ) -> None:
        self.principal = principal
        self.call_id = call_id
        self.tool = tool
        self.progress = progress
        self.proposed = self.decided = self.effective = proposed
        self.catalog_id: str | None = None
        """The catalog in which it was looked at, and shown where it was."""
        self.approved: _Approved | None = None


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
        it is about to run, it is asked again; should it have been turned off meanwhile, or another catalog been
        opened, it does not run. A model whose arguments were changed is told.
        """
        tool = self._tools.get(name)
        if tool is None:
            return Failed(code="UNKNOWN_TOOL", text=f"There is no tool called {name}.")
        if wrong := self._wrong_arguments(name, arguments):
            return wrong
        proposed = msgspec.json.decode(msgspec.json.encode(arguments))
        try:
            return await self._decide_and_run(_Call(principal, call_id, tool, proposed, progress))
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

    async def _decide_and_run(self, call: _Call) -> Passage:
        tool, call.catalog_id = call.tool, self._catalog_id()
        if isinstance(refused := self._decision(call, None), Refuse):
            return _refusal(refused, tool)
        # What is counted against the bulk limit must be what runs, also where nobody is asked.
        if class_of(tool.spec) == "destructive":
            call.effective = await tool.freeze(call.effective)
        for _ in range(_MOST_QUESTIONS + 1):
            photos = await self._counted(tool, call.effective)
            decision = self._decision(call, photos)
            if isinstance(decision, Refuse):
                return _refusal(decision, tool)
            if isinstance(decision, Run) or self._is_approved(call, photos):
                return await self._start(call, photos)
            if (ended := await self._ask(call, decision)) is not None:
                return ended
        return Refused(why="not_allowed", text=_GROWING.format(title=tool.spec.title))

    async def _ask(self, call: _Call, decision: Ask) -> Passage | None:
        """Put the question; None when the call was allowed, as ``call.approved`` says."""
        tool, catalog_id = call.tool, self._catalog_id()
        call.catalog_id = catalog_id
        call.effective = await tool.freeze(call.effective)
        question = await self._question(call, decision)
        reply = await call.principal.ask(question)
        if isinstance(reply, NobodyToAsk):
            return Refused(why="not_allowed", text=_NOBODY.format(title=tool.spec.title))
        if isinstance(reply, Denied):
            return Refused(why=reply.why, text=reply.text)
        if reply.arguments is not None:
            if wrong := self._wrong_arguments(tool.spec.name, reply.arguments):
                return wrong
            call.effective = await tool.freeze(_kept(call.decided, call.effective, reply.arguments))
            call.decided = reply.arguments
        call.approved = _Approved(digest_of(call.effective), question.photos or 0, catalog_id)
        return None

    async def _start(self, call: _Call, photos: int | None) -> Passage:
        stopped = await call.principal.running(call.call_id, call.effective)
        if stopped is not None:
            return Refused(why=stopped.why, text=stopped.text)
        # Whatever changed while that was told of, the tool starts in the same step as this is looked at.
        decision = self._decision(call, photos)
        if isinstance(decision, Refuse):
            return _refusal(decision, call.tool)
        if call.catalog_id not in (None, self._catalog_id()):
            return Failed(code="CATALOG_CHANGED", text=_OTHER_CATALOG)
        if isinstance(decision, Ask) and not self._is_approved(call, photos):
            return Refused(why="not_allowed", text=_TO_BE_ASKED.format(title=call.tool.spec.title))
        running = RunningCall(call.tool.spec.name, call.principal.profile().by, self._journal, call.progress)
        passage = await self._run(call.tool, call.effective, running)
        return _told_of(passage, call)

    def _decision(self, call: _Call, photos: int | None) -> Decision:
        """By the permissions of this moment. A call that was allowed once asks again only because of its photos."""
        profile = call.principal.profile()
        name = call.tool.spec.name
        given = DecisionInput(
            tool_class=class_of(call.tool.spec),
            role=profile.role,
            mode=profile.mode,
            rule=profile.rules.get(name),
            photos=photos,
            bulk_limit=profile.bulk_limit,
            allowed_for_chat=name in profile.allowed_tools,
        )
        decision = decide(given)
        if call.approved is not None and isinstance(decision, Ask):
            because_of_photos = decide(msgspec.structs.replace(given, allowed_for_chat=True))
            return because_of_photos if isinstance(because_of_photos, Ask) else decision
        return decision

    def _is_approved(self, call: _Call, photos: int | None) -> bool:
        """Whether an answer that was given stands for this call: same arguments, in the same catalog, and no more
        photos than were shown."""
        approved = call.approved
        return (
            approved is not None
            and approved.digest == digest_of(call.effective)
            and (photos or 0) <= approved.photos
            and approved.catalog_id == self._catalog_id()
        )

    async def _counted(self, tool: GatedTool, arguments: dict[str, Any]) -> int | None:
        return None if class_of(tool.spec) == "read" else await tool.count(arguments)

    async def _question(self, call: _Call, decision: Ask) -> Question:
        tool, profile = call.tool, call.principal.profile()
        preview: Preview | None = None
        if class_of(tool.spec) == "destructive":
            preview = await tool.preview(call.effective)
        return Question(
            call_id=call.call_id,
            tool=tool.spec.name,
            title=tool.spec.title,
            tool_class=class_of(tool.spec),
            arguments=call.decided,
            photos=await self._counted(tool, call.effective),
            reason=decision.reason,
            preview=preview,
            wrong=self._checks[tool.spec.name].problem,
            by=profile.by,
            bulk_limit=profile.bulk_limit,
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
_TO_BE_ASKED = (
    "{title} did not run: the user has just changed the settings, and it has to be asked about now. Nothing was "
    "changed. Tell the user."
)
_OTHER_CATALOG = (
    "CATALOG_CHANGED: Another catalog was opened in Lightroom before this ran. It did not run, and nothing was "
    "changed. Search again there if it is still wanted."
)
_GROWING = "{title} did not run: it aimed at more photos each time. Nothing was changed."
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


def _told_of(passage: Passage, call: _Call) -> Passage:
    """The outcome, with what the model must know: that what ran is not what it called."""
    if digest_of(call.decided) == digest_of(call.proposed):
        return passage
    changed = f"The user changed the arguments to {msgspec.json.encode(call.decided).decode()} before allowing this."
    if isinstance(passage, Ran):
        return msgspec.structs.replace(passage, changed=changed)
    return msgspec.structs.replace(passage, text=f"{changed} {passage.text}")


def _refusal(decision: Refuse, tool: GatedTool) -> Refused:
    if decision.why == "blocked":
        return Refused(
            why="turned_off",
            text=f"{tool.spec.title} is turned off in the user's settings. It did not run. Do without it.",
        )
    return Refused(why="not_allowed", text=f"{tool.spec.title} is beyond this token's role. It did not run.")
