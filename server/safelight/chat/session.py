"""One chat: what was said, what waits, and the run that works on a message."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from safelight.chat.chat_jobs import ChatJobs
from safelight.chat.description import described
from safelight.chat.facts import facts
from safelight.chat.log import EventLog
from safelight.chat.prompting import Prompting
from safelight.chat.question_texts import STOPPED_BY
from safelight.chat.questions import Answerer, Kept, Questions
from safelight.chat.queue import MessageQueue, Waiting
from safelight.chat.run import Run, RunEnd
from safelight.chat.standing import Standing
from safelight.conversation.loop import NOT_RUN_STOPPED
from safelight.conversation.parts import AssistantTurn, Message, UserMessage
from safelight.conversation.prompt import CUT_OFF, STOPPED
from safelight.errors import Conflict, Forbidden
from safelight.gate.decision import stricter
from safelight.gate.principal import Allowed, Denied, Profile, Question, Reply
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalAnswered,
    BusyEvent,
    Chat,
    ErrorEvent,
    Event,
    MessageAccepted,
    ReturnedMessage,
    StoppedEvent,
    Stopping,
    ToolRunningEvent,
    UnqueuedEvent,
    UserMessageEvent,
    WarningEvent,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from safelight.chat.calls import Calls
    from safelight.chat.connections import Connections
    from safelight.chat.log import KeptAnswer
    from safelight.chat.services import ChatServices
    from safelight.chat.store import StoredChat
    from safelight.conversation.loop import StoppedBy

__all__ = ("ChatSession",)

logger = logging.getLogger(__name__)


_NO_MODEL: Final = "This chat shows the questions of other agents and takes no messages. Open another chat to talk."
_STOPPING: Final = "Safelight is being stopped. Start it, and send the message again."


def _accepted(message: Waiting, kept: Kept[MessageAccepted] | None) -> KeptAnswer | None:
    if kept is None:
        return None
    return lambda seqs: kept(MessageAccepted(seq=seqs[0], message_id=message.message_id))


class ChatSession:
    """A chat, and the gate's principal of its calls. Runs live in the session's own task: a page that goes away stops
    nothing. Public methods are safe from any request."""

    def __init__(
        self, chat: StoredChat, services: ChatServices, history: tuple[Message, ...], connections: Connections
    ) -> None:
        self.record = record = chat.record
        self.connections = connections
        self.log = EventLog(services.store.database, record.session_id, chat.head, chat.standing)
        self.history = history
        self._services = services
        self.prompting = Prompting(record.sampling)
        self._questions = Questions(self.log, services.limits)
        self._queue = MessageQueue(self.log)
        self._to_return: list[ReturnedMessage] = []
        self._jobs = ChatJobs(services.jobs, self.log)
        self._allowed: set[str] = set()
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._entering = asyncio.Lock()
        self._closing = False

    @property
    def busy(self) -> bool:
        return self._run is not None

    @property
    def in_use(self) -> bool:
        """Whether somebody reads it, or something goes on in it."""
        goes_on = self.busy or self._entering.locked() or self._jobs.following
        return goes_on or self.log.readers > 0 or bool(self._questions.open())

    @property
    def resting(self) -> bool:
        """Whether all that it is stands in the database."""
        return not self.in_use and not self._allowed

    def describe(self) -> Chat:
        return described(
            self.record,
            self.log.standing or Standing(last_active=self.record.created),
            self.connections,
            head=self.log.head,
            busy=self.busy,
            questions=len(self._questions.open()),
        )

    async def follow(self, after: str | None, last_event_id: str | None) -> AsyncGenerator[bytes, None]:
        """The log's stream for one reader, who holds this chat by it."""
        async with contextlib.aclosing(self.log.follow(after, last_event_id)) as chunks:
            async for chunk in chunks:
                yield chunk

    # --- messages ---------------------------------------------------------------------------------------------

    async def send(self, text: str, kept: Kept[MessageAccepted] | None = None) -> MessageAccepted:
        """Take a message: work on it now, or queue it behind the run that is going on. Its answer is ``kept`` in the
        same step."""
        if not self.record.model:
            raise Conflict(_NO_MODEL, code="no_model")
        message = Waiting(f"msg_{secrets.token_hex(8)}", text)
        async with self._entering:
            if self._closing:
                raise Forbidden if self.log.erased else Conflict(_STOPPING)
            if self._run is not None:
                seq = await self._queue.add(message, _accepted(message, kept))
            else:
                seq = await self._begin(message, answer=_accepted(message, kept))
        return MessageAccepted(seq=seq, message_id=message.message_id)

    async def edit_queued(self, message_id: str, text: str) -> MessageAccepted:
        """Replace the text of a message that still waits."""
        async with self._entering:
            seq = await self._queue.edit(Waiting(message_id, text))
        return MessageAccepted(seq=seq, message_id=message_id)

    async def remove_queued(self, message_id: str) -> None:
        """Take a message out of the queue."""
        async with self._entering:
            await self._queue.remove(message_id)

    async def stop(self) -> Stopping:
        """Stop the run that is going on: within a moment it is over, but for a tool that runs already, which finishes.
        What waits in the queue is taken out and returned, to one caller."""
        return await self._stop("user")

    async def _stop(self, by: StoppedBy) -> Stopping:
        run = self._run
        if run is None:
            return Stopping(stopping=False, returned=[])
        run.stop(by)
        run.gives_back = True
        await self._questions.stop_all(STOPPED_BY[by])
        async with self._entering:
            await self._give_back(run)
            returned, self._to_return = self._to_return, []
        return Stopping(stopping=True, returned=returned)

    async def _give_back(self, run: Run) -> None:
        """Take out what waited when the run was stopped; what is sent from then on waits for its end. The stop and the
        end of the run both come here, and the first of them does it."""
        if run.gives_back:
            run.gives_back = False
            self._to_return += await self._queue.give_back()

    async def close(self, *, erased: bool = False) -> None:
        """Take no more messages, stop the run, let it finish its bookkeeping, end every reader. What waits in the queue
        is taken out. ``erased`` tells the readers that the chat is gone."""
        self._closing = True
        self.log.erased = self.log.erased or erased
        await self._stop("service")
        async with self._entering:  # a message that was just being taken has begun its run by now
            pass
        await self._stop("service")
        if self._task is not None:
            await asyncio.wait({self._task})
        await self._jobs.close()
        self.log.close()

    # --- questions --------------------------------------------------------------------------------------------

    def questions(self) -> Questions:
        return self._questions

    async def answer(
        self, call_id: str, answer: ApprovalAnswer, by: Answerer, kept: Kept[ApprovalAnswered] | None = None
    ) -> ApprovalAnswered:
        """Answer one of this chat's questions. What is answered is ``kept`` in the same step."""
        return await self._questions.answer(call_id, answer, by, kept)

    # --- the gate's principal ---------------------------------------------------------------------------------

    def profile(self) -> Profile:
        saved = self._services.permissions.current()
        mode = saved.mode if self.record.mode is None else stricter(saved.mode, self.record.mode)
        return Profile(
            by=f"chat {self.record.session_id}",
            role="owner",
            mode=mode,
            rules=saved.rules,
            bulk_limit=saved.bulk_limit,
            allowed_tools=frozenset(self._allowed),
        )

    async def ask(self, question: Question) -> Reply:
        calls = self._calls_of(question.call_id)
        if calls is None:
            return self._not_any_more()
        write_rule = partial(self._allow_always, question, self._services.permissions.place)
        with calls.asking(question.call_id):
            outcome, reply = await self._questions.ask(question, write_rule)
        if outcome == "chat":
            self._allowed.add(question.tool)
        if isinstance(reply, Allowed):
            await calls.turn_of(question.call_id)
        return reply

    async def _allow_always(self, question: Question, place: Path | None) -> None:
        """Write the rule that the question showed, for the catalog that it was put in."""
        try:
            if await asyncio.to_thread(self._services.permissions.always, question.tool, place):
                return
            text = f"The rule for {question.title} was not saved, since another catalog is open now."
        except OSError as error:
            text = f"The rule for {question.title} could not be saved ({error.strerror}); it holds till Safelight ends."
        await self.log.append(WarningEvent(seq=0, message=text))

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        calls = self._calls_of(call_id)
        if calls is None:
            return self._not_any_more()
        await self.log.append(ToolRunningEvent(seq=0, call_id=call_id, arguments=arguments))
        return None if calls.runs(call_id, arguments) else self._not_any_more()

    def _calls_of(self, call_id: str) -> Calls | None:
        """The calls of the run, where this one is among them and was not stopped."""
        run = self._run
        return run.calls if run is not None and run.calls.may_go_on(call_id) else None

    def _not_any_more(self) -> Denied:
        by = "user" if self._run is None else self._run.stopped_by or "user"
        return Denied(why="stopped", text=NOT_RUN_STOPPED[by])

    def follow_job(self, job_id: str) -> None:
        """Tell from here on how a long piece of work goes on that a call began."""
        self._jobs.follow(job_id)

    # --- runs -------------------------------------------------------------------------------------------------

    async def _begin(self, message: Waiting, before: Sequence[Event] = (), answer: KeptAnswer | None = None) -> int:
        """Log the message, behind what must come ``before`` it, and start working on it. Only while nothing runs. It
        can be stopped from the first moment on."""
        run = self._run = Run(self, self._services)
        try:
            glance = await self._services.glance()
            told = facts(self._services.now(), self.profile().mode, glance)
            spoken = UserMessage(text=message.text, context=told)
            logged = UserMessageEvent(seq=0, message_id=message.message_id, text=message.text)
            seqs = await self.say(spoken, [*before, logged, BusyEvent(seq=0, busy=True)], answer)
        except BaseException:
            self._run = None
            raise
        self._task = asyncio.create_task(self._work(run), name=f"run {self.record.session_id}")
        return seqs[len(before)]

    async def _work(self, run: Run) -> None:
        try:
            end = await run.go()
        except Exception:  # noqa: BLE001  # a chat must be usable after whatever a run met
            logger.exception("A run failed")
            text = "Something went wrong inside Safelight. The log says more. You can go on with this chat."
            end = RunEnd(error=ErrorEvent(seq=0, code="internal_error", message=text))
        async with self._entering:
            try:
                await self._say_end(run, end)
                await self._give_back(run)
            except Exception:  # also where the end cannot be told the next message must not find this run
                logger.exception("The end of a run could not be kept")
            self._run = None
            await self._go_on()

    async def _say_end(self, run: Run, end: RunEnd) -> None:
        """Note where a run failed or was stopped, so that the next message is not read as part of it. A stop that
        comes while that is written is told too."""
        if end.error is not None:
            await self.say(AssistantTurn(text=f"({end.error.message})"), [end.error])
        if run.stopped_by is not None:
            stopped = StoppedEvent(seq=0, reason=run.stopped_by)
            if end.error is not None:
                await self.log.append(stopped)
            else:
                await self.say(AssistantTurn(text=STOPPED if run.stopped_by == "user" else CUT_OFF), [stopped])

    async def _go_on(self) -> None:
        """Log that the run is over, in one step with the beginning of what waited behind it: a restart finds either a
        run or none, and no message is lost between."""
        if self._closing:
            await self._queue.give_back()
        idle = BusyEvent(seq=0, busy=False)
        following = self._queue.first
        if following is None:
            await self.log.append(idle)
            return
        delivered = UnqueuedEvent(seq=0, message_id=following.message_id, reason="delivered")
        await self._begin(following, [idle, delivered])
        self._queue.delivered()

    async def say(self, message: Message, events: Sequence[Event] = (), answer: KeptAnswer | None = None) -> list[int]:
        """Add to the conversation and keep it, with the events that tell of it. Returns their numbers."""
        keep = self._services.store.saying(self.record.session_id, len(self.history), message)
        seqs = await self.log.append_all([*events], keep, answer)
        self.history = (*self.history, message)
        return seqs

    def call_ids(self) -> set[str]:
        """Of all calls so far."""
        turns = (message for message in self.history if isinstance(message, AssistantTurn))
        return {call.call_id for turn in turns for call in turn.calls}
