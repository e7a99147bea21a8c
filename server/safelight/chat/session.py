"""One chat: what was said, what waits, and the run that works on a message."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.chat.log import EventLog
from safelight.chat.prompting import Prompting
from safelight.chat.questions import Answerer, Kept, Questions
from safelight.chat.run import Run, RunEnd
from safelight.conversation.parts import AssistantTurn, Message, UserMessage
from safelight.conversation.prompt import STOPPED, changing_facts
from safelight.errors import Conflict, Forbidden, NotFound
from safelight.gate.decision import stricter
from safelight.gate.principal import Denied, Profile, Question, Reply
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalAnswered,
    BusyEvent,
    Chat,
    ErrorEvent,
    Event,
    MessageAccepted,
    QueuedEvent,
    StoppedEvent,
    Stopping,
    ToolRunningEvent,
    UnqueuedEvent,
    UserMessageEvent,
    WarningEvent,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.chat.log import KeptAnswer
    from safelight.chat.services import ChatServices
    from safelight.chat.store import ChatRecord

__all__ = ("ChatSession",)

logger = logging.getLogger(__name__)


_STOPPING: Final = "Safelight is being stopped. Start it, and send the message again."


def _accepted(message: Waiting, kept: Kept[MessageAccepted] | None) -> KeptAnswer | None:
    if kept is None:
        return None
    return lambda seqs: kept(MessageAccepted(seq=seqs[-2] if len(seqs) > 1 else seqs[0], message_id=message.message_id))


class Waiting(msgspec.Struct, frozen=True):
    """A message in the queue."""

    message_id: str
    text: str


class ChatSession:
    """A chat, and the gate's principal of its calls. Runs live in the session's own task: a page that goes away stops
    nothing. Public methods are safe from any request."""

    def __init__(self, record: ChatRecord, services: ChatServices, head: int, history: tuple[Message, ...]) -> None:
        self.record = record
        self.log = EventLog(services.store.database, record.session_id, head)
        self.history = history
        self._services = services
        self.prompting = Prompting(record.temperature)
        self._questions = Questions(self.log)
        self._queue: list[Waiting] = []
        self._allowed: set[str] = set()
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._entering = asyncio.Lock()
        self._closing = False

    @property
    def busy(self) -> bool:
        return self._run is not None

    def describe(self) -> Chat:
        record = self.record
        return Chat(
            session_id=record.session_id,
            model=record.model,
            created=record.created,
            last_active=record.created,
            title="",
            busy=self.busy,
            questions=len(self._questions.open()),
            needs_connections=[],
            head=self.log.head,
            mode=msgspec.UNSET if record.mode is None else record.mode,
            sends_to=record.sends_to,
        )

    # --- messages ---------------------------------------------------------------------------------------------

    async def send(self, text: str, kept: Kept[MessageAccepted] | None = None) -> MessageAccepted:
        """Take a message: work on it now, or queue it behind the run that is going on. Its answer is ``kept`` in the
        same step."""
        message = Waiting(f"msg_{secrets.token_hex(8)}", text)
        async with self._entering:
            if self._closing:
                raise Forbidden if self.log.erased else Conflict(_STOPPING)
            if self._run is not None:
                event = QueuedEvent(seq=0, message_id=message.message_id, text=text)
                (seq,) = await self.log.append_all([event], answer=_accepted(message, kept))
                self._queue.append(message)
            else:
                seq = await self._begin(message, answer=_accepted(message, kept))
        return MessageAccepted(seq=seq, message_id=message.message_id)

    async def edit_queued(self, message_id: str, text: str) -> MessageAccepted:
        """Replace the text of a message that still waits."""
        async with self._entering:
            place = self._place_in_queue(message_id)
            seq = await self.log.append(QueuedEvent(seq=0, message_id=message_id, text=text))
            self._queue[place] = Waiting(message_id, text)
        return MessageAccepted(seq=seq, message_id=message_id)

    async def remove_queued(self, message_id: str) -> None:
        """Take a message out of the queue."""
        async with self._entering:
            place = self._place_in_queue(message_id)
            await self.log.append(UnqueuedEvent(seq=0, message_id=message_id))
            del self._queue[place]

    async def stop(self) -> Stopping:
        """Stop the run that is going on. What a tool does in Lightroom is not interrupted; what waits in the queue is
        returned."""
        run = self._run
        if run is None:
            return Stopping(stopping=False, returned=[])
        run.stop()
        await self._questions.stop_all()
        return Stopping(stopping=True, returned=[])

    async def close(self, *, erased: bool = False) -> None:
        """Take no more messages, stop the run, let it finish its bookkeeping, end every reader. What waits in the queue
        is taken out. ``erased`` tells the readers that the chat is gone."""
        self._closing = True
        self.log.erased = self.log.erased or erased
        await self.stop()
        async with self._entering:  # a message that was just being taken has begun its run by now
            await self.stop()
        if self._task is not None:
            await asyncio.wait({self._task})
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
        if self._run is None or self._run.stopped:
            return Denied(why="stopped", text="The user stopped before this was asked. It did not run.")
        outcome, reply = await self._questions.ask(question)
        if outcome == "chat":
            self._allowed.add(question.tool)
        elif outcome == "always":
            await self._allow_always(question)
        return reply

    async def _allow_always(self, question: Question) -> None:
        try:
            await asyncio.to_thread(self._services.permissions.always, question.tool)
        except OSError as error:
            text = f"The rule for {question.title} could not be saved ({error.strerror}); it holds till Safelight ends."
            await self.log.append(WarningEvent(seq=0, message=text))

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        del arguments
        stopped = Denied(why="stopped", text="The user stopped before this ran. It did not run.")
        if self._run is None or self._run.stopped:
            return stopped
        await self.log.append(ToolRunningEvent(seq=0, call_id=call_id))
        return stopped if self._run.stopped else None

    # --- runs -------------------------------------------------------------------------------------------------

    async def _begin(self, message: Waiting, before: Sequence[Event] = (), answer: KeptAnswer | None = None) -> int:
        """Log the message, behind what must come ``before`` it, and start working on it. Only while nothing runs."""
        spoken = UserMessage(text=message.text, context=changing_facts(self._services.now()))
        logged = UserMessageEvent(seq=0, message_id=message.message_id, text=message.text)
        seqs = await self.say(spoken, [*before, logged, BusyEvent(seq=0, busy=True)], answer)
        self._run = Run(self, self._services)
        self._task = asyncio.create_task(self._work(self._run), name=f"run {self.record.session_id}")
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
                if end.error is not None:
                    await self.say(AssistantTurn(text=f"({end.error.message})"), [end.error])
                elif run.stopped:
                    await self.say(AssistantTurn(text=STOPPED), [StoppedEvent(seq=0, reason="user")])
            finally:
                self._run = None
            await self._go_on()

    async def _go_on(self) -> None:
        """Log that the run is over, in one step with the beginning of what waited behind it: a restart finds either a
        run or none, and no message is lost between."""
        idle = BusyEvent(seq=0, busy=False)
        if self._queue and not self._closing:
            following = self._queue[0]
            await self._begin(following, [idle, UnqueuedEvent(seq=0, message_id=following.message_id)])
            del self._queue[0]
            return
        left = [UnqueuedEvent(seq=0, message_id=message.message_id) for message in self._queue]
        self._queue.clear()
        await self.log.append_all([*left, idle])

    async def say(self, message: Message, events: Sequence[Event] = (), answer: KeptAnswer | None = None) -> list[int]:
        """Add to the conversation and keep it, with the events that tell of it. Returns their numbers."""
        keep = self._services.store.saying(self.record.session_id, len(self.history), message)
        seqs = await self.log.append_all([*events], keep, answer)
        self.history = (*self.history, message)
        return seqs

    def _place_in_queue(self, message_id: str) -> int:
        for place, waiting in enumerate(self._queue):
            if waiting.message_id == message_id:
                return place
        raise NotFound("This message is not waiting any more.")
