# Generated from the contract by `make generate`; never edited.

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field
from safelight.wire.base import Request, Wire


class Problem(Wire, frozen=True, kw_only=True):
    type: str
    title: str
    status: int
    detail: Annotated[str, Meta(description="a sentence that says what to do")]
    code: Annotated[str, Meta(description="stable and machine-readable")]
    field_: (
        Annotated[str, Meta(description="the field or parameter at fault")] | UnsetType
    ) = field(name="field", default=UNSET)


Mode: TypeAlias = Annotated[
    Literal["ask_all", "auto_read", "auto_safe", "auto_all"],
    Meta(
        description="What runs without asking. `ask_all` nothing; `auto_read` reading; `auto_safe` reading and what changes no photo;\n`auto_all` everything.\n"
    ),
]


Rule: TypeAlias = Literal["allow", "ask", "block"]


ToolClass: TypeAlias = Literal["read", "change", "destructive"]


Role: TypeAlias = Literal["viewer", "editor", "owner"]


Provider: TypeAlias = Literal[
    "openai", "anthropic", "gemini", "ollama", "lmstudio", "server"
]


class Connection(Request, frozen=True, kw_only=True):
    provider: Provider
    base_url: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    api_key: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET


class EngineSettings(Request, frozen=True, kw_only=True):
    temperature: (
        Annotated[
            float,
            Meta(
                description="0 takes the likeliest word always; the usual",
                ge=0.0,
                le=2.0,
            ),
        ]
        | UnsetType
    ) = UNSET
    top_p: (
        Annotated[
            float,
            Meta(
                description="keeps the likeliest tokens that together have this share",
                gt=0.0,
                le=1.0,
            ),
        ]
        | UnsetType
    ) = UNSET
    min_p: (
        Annotated[
            float,
            Meta(
                description="keeps tokens with this share of the likeliest one's probability",
                ge=0.0,
                lt=1.0,
            ),
        ]
        | UnsetType
    ) = UNSET
    seed: (
        Annotated[
            int,
            Meta(
                description="the same seed gives the same answers", ge=0, le=4294967295
            ),
        ]
        | UnsetType
    ) = UNSET
    context_tokens: (
        Annotated[
            int,
            Meta(
                description="tokens that a model on this computer holds altogether",
                ge=1024,
                le=1048576,
            ),
        ]
        | UnsetType
    ) = UNSET
    parallel: (
        Annotated[
            int,
            Meta(
                description="photos described side by side; a conversation has this part of context_tokens",
                ge=1,
                le=16,
            ),
        ]
        | UnsetType
    ) = UNSET
    grammar: (
        Annotated[
            Literal["llguidance", "xgrammar"],
            Meta(
                description="what keeps a model on this computer to the form of its answers"
            ),
        ]
        | UnsetType
    ) = UNSET


class ChatOpened(Wire, frozen=True, kw_only=True):
    session_id: str
    chat_token: str
    page_url: Annotated[
        str, Meta(description="the page's address; the token stands in its fragment")
    ]
    sends_to: (
        Annotated[
            str,
            Meta(
                description="who receives the conversation when it leaves this computer"
            ),
        ]
        | None
    )


class Chat(Wire, frozen=True, kw_only=True):
    session_id: str
    model: Annotated[
        str,
        Meta(
            description="id of the model; empty where the chat was opened for the inbox"
        ),
    ]
    created: datetime
    last_active: Annotated[datetime, Meta(description="time of the newest event")]
    title: Annotated[
        str,
        Meta(
            description="the beginning of the first message; empty before there is one"
        ),
    ]
    busy: bool
    questions: Annotated[
        int, Meta(description="questions that wait for an answer", ge=0)
    ]
    needs_connections: Annotated[
        list[Provider],
        Meta(
            description="what the chat was given and a restart has taken from its memory; to be given again"
        ),
    ]
    head: Annotated[int, Meta(description="number of the newest event", ge=0)]
    sends_to: str | None
    mode: Mode | UnsetType = UNSET


class ChatList(Wire, frozen=True, kw_only=True):
    sessions: list[Chat]


class NewMessage(Request, frozen=True, kw_only=True):
    text: Annotated[
        str,
        Meta(
            description="more than blanks",
            max_length=100000,
            min_length=1,
            pattern="\\S",
        ),
    ]


class MessageAccepted(Wire, frozen=True, kw_only=True):
    seq: Annotated[int, Meta(ge=1)]
    message_id: str


class ReturnedMessage(Wire, frozen=True, kw_only=True):
    message_id: str
    text: str


Decision: TypeAlias = Literal["once", "chat", "always", "deny"]


class AlwaysRule(Wire, frozen=True, kw_only=True):
    tool: str
    rule: Literal["allow"]
    text: Annotated[str, Meta(description="what it means in words")]


class ApprovalAnswer(Request, frozen=True, kw_only=True):
    decision: Decision
    note: (
        Annotated[
            str,
            Meta(description="with deny, what the model should know", max_length=2000),
        ]
        | UnsetType
    ) = UNSET
    arguments: (
        Annotated[
            dict[str, Any],
            Meta(description="changed arguments; absent runs what was proposed"),
        ]
        | UnsetType
    ) = UNSET


ApprovalOutcome: TypeAlias = Annotated[
    Literal[
        "once",
        "chat",
        "always",
        "deny",
        "expired",
        "stopped",
        "restarted",
        "model_changed",
    ],
    Meta(description="how a question ended; the first four are answers"),
]


class ApprovalReason(Wire, frozen=True, kw_only=True):
    kind: Literal["mode", "rule", "bulk"]
    photos: Annotated[int, Meta(description="with bulk", ge=0)] | UnsetType = UNSET
    limit: Annotated[int, Meta(description="with bulk", ge=0)] | UnsetType = UNSET


class PreviewPhoto(Wire, frozen=True, kw_only=True):
    photo_id: str
    file_name: str
    before: dict[str, Any]
    after: dict[str, Any]


class Permissions(Wire, frozen=True, kw_only=True):
    mode: Mode
    rules: dict[str, Rule]
    bulk_limit: Annotated[int, Meta(description="0 is off", ge=0, le=1000000)]
    saved: Annotated[
        bool,
        Meta(
            description="false while no catalog is bound and the settings live in memory"
        ),
    ]
    problem: (
        Annotated[
            str,
            Meta(
                description="what is wrong with the saved settings, and what holds instead; absent when nothing is"
            ),
        ]
        | UnsetType
    ) = UNSET


class PermissionsUpdate(Request, frozen=True, kw_only=True):
    mode: Mode
    rules: Annotated[dict[str, Rule], Meta(max_length=500)]
    bulk_limit: Annotated[int, Meta(ge=0, le=1000000)]
    saved: (
        Annotated[
            bool,
            Meta(
                description="taken so that what was read can be sent back; has no effect"
            ),
        ]
        | UnsetType
    ) = UNSET
    problem: (
        Annotated[
            str,
            Meta(
                description="taken so that what was read can be sent back; has no effect"
            ),
        ]
        | UnsetType
    ) = UNSET


class ResultImage(Wire, frozen=True, kw_only=True):
    mime_type: str
    data_base64: str
    photo_id: str | UnsetType = UNSET


class Change(Wire, frozen=True, kw_only=True):
    change_id: str
    time: datetime
    tool: str
    by: Annotated[
        str, Meta(description="who made it: chat <id>, agent <name>, or person")
    ]
    catalog_id: str
    state: Annotated[
        Literal["done", "partly", "unknown", "undone"],
        Meta(description="unknown: the outcome of a part is not known"),
    ]
    items: Annotated[
        int, Meta(description="photos or collections that were changed", ge=0)
    ]
    undoable: bool
    undoes: (
        Annotated[str, Meta(description="change that this one took back")] | UnsetType
    ) = UNSET


class ChangeList(Wire, frozen=True, kw_only=True):
    changes: list[Change]
    next: (
        Annotated[
            str, Meta(description="before-value of the next page; absent on the last")
        ]
        | UnsetType
    ) = UNSET


class ChangeItem(Wire, frozen=True, kw_only=True):
    item_id: Annotated[str, Meta(description="id of the photo or collection")]
    name: Annotated[str, Meta(description="its name then")]
    before: dict[str, Any]
    after: dict[str, Any]
    state: Literal["done", "failed", "unknown", "undone"]


class ChangeDetails(Wire, frozen=True, kw_only=True):
    change: Change
    items: list[ChangeItem]


class UndoFailure(Wire, frozen=True, kw_only=True):
    photo_id: str
    reason: str


class Job(Wire, frozen=True, kw_only=True):
    job_id: str
    kind: Literal["index", "texts", "pictures", "export"]
    state: Literal["running", "paused", "done", "failed", "cancelled"]
    done: Annotated[int, Meta(ge=0)]
    total: Annotated[int, Meta(ge=0)]
    message: (
        Annotated[str, Meta(description="what went wrong or was left out")] | UnsetType
    ) = UNSET


class JobList(Wire, frozen=True, kw_only=True):
    jobs: list[Job]


class EmbeddingStatus(Wire, frozen=True, kw_only=True):
    photos: Annotated[int, Meta(description="photos that have one", ge=0)]
    model: (
        Annotated[str, Meta(description="absent when none is installed")] | UnsetType
    ) = UNSET


class SearchIndex(Request, frozen=True, kw_only=True):
    arguments: Annotated[
        dict[str, Any], Meta(description="what the tool search_photos takes")
    ]


class IndexFound(Wire, frozen=True, kw_only=True):
    answer: Annotated[
        dict[str, Any], Meta(description="what the tool search_photos answers")
    ]


class SyncIndex(Request, frozen=True, kw_only=True):
    what: Literal["catalog", "texts", "pictures"]


class NewToken(Request, frozen=True, kw_only=True):
    name: Annotated[str, Meta(max_length=100, min_length=1)]
    role: Role


class TokenMinted(Wire, frozen=True, kw_only=True):
    token_id: str
    token: str


class TokenInfo(Wire, frozen=True, kw_only=True):
    token_id: str
    name: str
    role: Role
    created: datetime


class TokenList(Wire, frozen=True, kw_only=True):
    tokens: list[TokenInfo]


class BridgeHello(Request, frozen=True, kw_only=True):
    protocol: Annotated[int, Meta(description="must be 1")]
    session: Annotated[
        str,
        Meta(
            description="random for each start of the plug-in",
            max_length=64,
            min_length=1,
        ),
    ]
    generation: Annotated[
        int,
        Meta(description="a newer loop of the same session ends the older one", ge=0),
    ]
    plugin_version: Annotated[str, Meta(max_length=50)]
    lightroom_version: Annotated[str, Meta(max_length=50)]
    catalog_id: Annotated[
        str,
        Meta(description="stored in the catalog itself", max_length=64, min_length=1),
    ]
    catalog_path: Annotated[str, Meta(max_length=4096)]
    hold_s: (
        Annotated[
            float,
            Meta(
                description="how long polls may be held as far as the plug-in knows; 0 not at all; absent as long as the service likes",
                ge=0.0,
                le=60.0,
            ),
        ]
        | UnsetType
    ) = UNSET


class BridgeWelcome(Wire, frozen=True, kw_only=True):
    hold_s: Annotated[float, Meta(description="how long a poll is held at most")]
    lease_s: Annotated[
        float,
        Meta(
            description="how long after its last poll the plug-in counts as there; less for polls that are not held"
        ),
    ]
    busy_poll_s: Annotated[
        float,
        Meta(description="pause between polls that are not held while commands come"),
    ]
    idle_poll_s: Annotated[
        float, Meta(description="the same pause when none has come for some seconds")
    ]
    version: str


SeenItem: TypeAlias = Annotated[str, Meta(max_length=64)]


class BridgePoll(Request, frozen=True, kw_only=True):
    session: Annotated[str, Meta(max_length=64)]
    generation: Annotated[int, Meta(ge=0)]
    seen: Annotated[
        list[SeenItem],
        Meta(
            description="Ids of the newest commands that the plug-in has received, at least 16 when there were so many. A newer command\nthat is not among them was not received, and is handed out again.\n",
            max_length=256,
        ),
    ]
    hold_s: (
        Annotated[
            float,
            Meta(
                description="how long this poll may be held; 0 answer at once; absent as welcomed",
                ge=0.0,
                le=60.0,
            ),
        ]
        | UnsetType
    ) = UNSET


class BridgeCommand(Wire, frozen=True, kw_only=True):
    command_id: str
    name: str
    arguments: dict[str, Any]
    deadline_s: Annotated[
        float, Meta(description="seconds from now after which nobody waits for it")
    ]


class BridgeFailure(Request, frozen=True, kw_only=True):
    code: Annotated[str, Meta(max_length=64)]
    message: Annotated[str, Meta(max_length=4000)]
    retriable: Annotated[
        bool,
        Meta(description="nothing was changed and the same command may be sent again"),
    ]


class BridgeTaken(Wire, frozen=True, kw_only=True):
    taken: Annotated[
        bool, Meta(description="false when nobody waits for this result any more")
    ]


class Health(Wire, frozen=True, kw_only=True):
    name: Literal["safelight"]
    version: str
    status: Literal["ok"]


class HelloEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    head: Annotated[int, Meta(description="number of the newest event", ge=0)]
    time: Annotated[datetime, Meta(description="the server's time")]
    keepalive_s: float
    first: (
        Annotated[
            int,
            Meta(
                description="number of the oldest event that is kept; absent means 1. A reader that lacks earlier ones goes on from there.",
                ge=1,
            ),
        ]
        | UnsetType
    ) = UNSET


class SnapshotEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="snapshot"):
    reasoning: str
    text: str
    offset: Annotated[
        int,
        Meta(
            description="characters streamed so far; drop a delta whose offset is smaller",
            ge=0,
        ),
    ]


class DeltaEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="delta"):
    kind: Literal["reasoning", "text"]
    text: str
    offset: Annotated[
        int,
        Meta(
            description="characters (Unicode code points) of this turn streamed before this piece",
            ge=0,
        ),
    ]


class PrefillEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="prefill"):
    done: Annotated[int, Meta(description="tokens read", ge=0)]
    total: Annotated[int, Meta(ge=0)]


class ResyncEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="resync"):
    reason: Annotated[
        Literal["behind", "bad_after", "future_after", "ended"],
        Meta(
            description="behind: connect with the last seq; bad_after and future_after: connect from the start; ended: the chat is gone"
        ),
    ]


class ClearedEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="cleared"):
    seq: Annotated[int, Meta(ge=1)]


class UserMessageEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="user_message"):
    seq: Annotated[int, Meta(ge=1)]
    message_id: str
    text: str


class QueuedEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="queued"):
    seq: Annotated[int, Meta(ge=1)]
    message_id: str
    text: str


class UnqueuedEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="unqueued"):
    seq: Annotated[int, Meta(ge=1)]
    message_id: str
    reason: (
        Annotated[
            Literal["delivered", "removed", "returned"],
            Meta(
                description="`delivered` a user_message with its id follows before any busy; `removed` the person took it out;\n`returned` the run was stopped or cut off, and it was not delivered.\n"
            ),
        ]
        | UnsetType
    ) = UNSET


class BusyEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="busy"):
    seq: Annotated[int, Meta(ge=1)]
    busy: bool


class AssistantTurnEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="assistant_turn"):
    seq: Annotated[int, Meta(ge=1)]
    reasoning: str
    text: str


class ToolCallEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_call"):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    tool: str
    title: str
    class_: ToolClass = field(name="class")
    arguments: dict[str, Any]
    photos: (
        Annotated[
            int, Meta(description="photos that the call aims at, where known", ge=0)
        ]
        | None
    )
    by: (
        Annotated[str, Meta(description="in the inbox, the agent that calls")]
        | UnsetType
    ) = UNSET


class ApprovalResolvedEvent(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="approval_resolved"
):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    outcome: ApprovalOutcome
    by: Annotated[
        Literal["page", "agent", "client", "service"],
        Meta(
            description="who ended it: a chat's page, the holder of the agent token, the calling agent's own person (MCP elicitation), or the service itself"
        ),
    ]
    arguments: (
        Annotated[
            dict[str, Any],
            Meta(
                description="what was decided, the proposed arguments or those put in their place; null when nothing runs"
            ),
        ]
        | None
    )
    note: (
        Annotated[
            str,
            Meta(
                description="with deny, what the person told the model; with expired, why"
            ),
        ]
        | None
    )


class ToolRunningEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_running"):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    arguments: (
        Annotated[
            dict[str, Any],
            Meta(
                description="what runs: as decided, with the photos that were meant then written down where they could become others"
            ),
        ]
        | UnsetType
    ) = UNSET


class ToolDoneEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_done"):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    ok: bool
    text: str
    set_id: str | None
    count: Annotated[int, Meta(ge=0)] | None
    warnings: list[str]
    images: Annotated[int, Meta(description="pictures in the result", ge=0)]


class ToolSkippedEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_skipped"):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    reason: Annotated[
        Literal[
            "not_allowed",
            "stopped",
            "repeated_call",
            "turned_off",
            "read_only",
            "agents_off",
            "last_step",
            "interrupted",
            "incomplete",
        ],
        Meta(
            description="`not_allowed` the person said no, or nobody could be asked; `turned_off` a rule blocks the tool; `read_only` and\n`agents_off` the switches in Lightroom; `last_step` the run had no step left for calls; `interrupted` a\nrestart: it may or may not have happened.\n"
        ),
    ]


class ChangeEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="change"):
    seq: Annotated[int, Meta(ge=1)]
    change_id: str
    tool: str
    photos: Annotated[int, Meta(ge=0)]
    undoes: (
        Annotated[str, Meta(description="the change that this one took back")]
        | UnsetType
    ) = UNSET


class JobEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="job"):
    seq: Annotated[int, Meta(ge=1)]
    job_id: str
    kind: str
    state: Literal["running", "paused", "done", "failed", "cancelled"]
    done: Annotated[int, Meta(ge=0)]
    total: Annotated[int, Meta(ge=0)]


class UsageEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="usage"):
    seq: Annotated[int, Meta(ge=1)]
    prompt_tokens: Annotated[int, Meta(ge=0)]
    completion_tokens: Annotated[int, Meta(ge=0)]
    cached_tokens: Annotated[int, Meta(ge=0)]
    context_window: Annotated[int, Meta(ge=0)]


class WarningEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="warning"):
    seq: Annotated[int, Meta(ge=1)]
    message: str


class ErrorEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="error"):
    seq: Annotated[int, Meta(ge=1)]
    code: str
    message: str


class StoppedEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="stopped"):
    seq: Annotated[int, Meta(ge=1)]
    reason: Annotated[
        Literal["user", "service", "restart"],
        Meta(
            description="who or what stopped it; service: Safelight was ended in order, restart: it was cut off"
        ),
    ]


class OpenChat(Request, frozen=True, kw_only=True):
    model: (
        Annotated[
            str,
            Meta(
                description="id of the model; absent means the service's own choice",
                max_length=500,
                min_length=1,
            ),
        ]
        | UnsetType
    ) = UNSET
    connections: (
        Annotated[
            list[Connection],
            Meta(
                description="AI servers and cloud services that the chat may use; kept in this chat's memory only",
                max_length=20,
            ),
        ]
        | UnsetType
    ) = UNSET
    engine: EngineSettings | UnsetType = UNSET
    mode: (
        Annotated[
            Mode,
            Meta(
                description="holds for this chat and can only be stricter than the saved mode"
            ),
        ]
        | UnsetType
    ) = UNSET
    view: (
        Annotated[
            Literal["inbox"],
            Meta(
                description="what the page shows in place of a conversation: the questions of agents from outside; such a chat needs no model and takes no messages"
            ),
        ]
        | UnsetType
    ) = UNSET


class ConnectionsUpdate(Request, frozen=True, kw_only=True):
    connections: Annotated[
        list[Connection],
        Meta(description="kept in this chat's memory only", max_length=20),
    ]


class Stopping(Wire, frozen=True, kw_only=True):
    stopping: Annotated[bool, Meta(description="false when nothing was running")]
    returned: Annotated[
        list[ReturnedMessage],
        Meta(
            description="messages that waited in the queue, oldest first; they were not delivered"
        ),
    ]


class ApprovalAnswered(Wire, frozen=True, kw_only=True):
    call_id: str
    outcome: ApprovalOutcome


class Preview(Wire, frozen=True, kw_only=True):
    photos: Annotated[list[PreviewPhoto], Meta(max_length=20)]
    more: Annotated[int, Meta(description="photos beyond the first 20", ge=0)]


class CallResult(Wire, frozen=True, kw_only=True):
    call_id: str
    tool: str
    ok: bool
    text: Annotated[str, Meta(description="what the model read")]
    warnings: list[str]
    images: list[ResultImage]
    content: (
        Annotated[dict[str, Any], Meta(description="the tool's structured answer")]
        | UnsetType
    ) = UNSET


class UndoReport(Wire, frozen=True, kw_only=True):
    applied: list[str]
    failed: list[UndoFailure]
    not_attempted: list[str]
    change_id: Annotated[str, Meta(description="of the undo itself")] | UnsetType = (
        UNSET
    )
    warnings: list[str] | UnsetType = UNSET


class IndexStatus(Wire, frozen=True, kw_only=True):
    catalog_id: str
    catalog: Annotated[str, Meta(description="its name")]
    photos: Annotated[int, Meta(description="photos that searches can find", ge=0)]
    texts: EmbeddingStatus
    pictures: EmbeddingStatus
    syncing: bool
    synced: (
        Annotated[datetime, Meta(description="when the whole catalog was last read")]
        | UnsetType
    ) = UNSET
    message: (
        Annotated[
            str,
            Meta(description="what is wrong, e.g. that a damaged index was built anew"),
        ]
        | UnsetType
    ) = UNSET


class BridgeWork(Wire, frozen=True, kw_only=True):
    command: BridgeCommand | UnsetType = UNSET


class BridgeResult(Request, frozen=True, kw_only=True):
    session: Annotated[str, Meta(max_length=64)]
    command_id: Annotated[str, Meta(max_length=64)]
    ok: bool
    result: Annotated[dict[str, Any], Meta(description="with ok")] | UnsetType = UNSET
    error: BridgeFailure | UnsetType = UNSET


class ApprovalNeededEvent(Wire, frozen=True, kw_only=True, tag_field="type", tag="approval_needed"):
    seq: Annotated[int, Meta(ge=1)]
    call_id: str
    reason: ApprovalReason
    preview: Preview | None
    decisions: (
        Annotated[list[Decision], Meta(description="the answers that are possible")]
        | UnsetType
    ) = UNSET
    always: (
        Annotated[
            AlwaysRule, Meta(description="the rule that the answer always would write")
        ]
        | None
        | UnsetType
    ) = UNSET
    expires: (
        Annotated[
            datetime,
            Meta(description="when it ends by itself; absent when it does not"),
        ]
        | UnsetType
    ) = UNSET


class Approval(Wire, frozen=True, kw_only=True):
    call_id: str
    tool: str
    title: str
    class_: ToolClass = field(name="class")
    arguments: dict[str, Any]
    photos: Annotated[int, Meta(ge=0)] | None
    reason: ApprovalReason
    preview: Preview | None
    decisions: Annotated[
        list[Decision], Meta(description="the answers that are possible")
    ]
    always: AlwaysRule | None
    asked: datetime
    expires: (
        Annotated[
            datetime,
            Meta(description="when it ends by itself; absent when it does not"),
        ]
        | UnsetType
    ) = UNSET
    by: (
        Annotated[str, Meta(description="in the inbox, the agent that calls")]
        | UnsetType
    ) = UNSET


class ApprovalList(Wire, frozen=True, kw_only=True):
    approvals: list[Approval]


Event: TypeAlias = Annotated[
    HelloEvent
    | SnapshotEvent
    | DeltaEvent
    | PrefillEvent
    | ResyncEvent
    | ClearedEvent
    | UserMessageEvent
    | QueuedEvent
    | UnqueuedEvent
    | BusyEvent
    | AssistantTurnEvent
    | ToolCallEvent
    | ApprovalNeededEvent
    | ApprovalResolvedEvent
    | ToolRunningEvent
    | ToolDoneEvent
    | ToolSkippedEvent
    | ChangeEvent
    | JobEvent
    | UsageEvent
    | WarningEvent
    | ErrorEvent
    | StoppedEvent,
    Meta(
        description="What a chat's stream carries. Numbered events have `seq` (from 1, without gaps) and are kept; live ones are sent\nonce. A reader hands on an event of a type that it does not know. Fields marked `?` may be absent, also because the\nevent was kept by an earlier version.\n\n| type | delivery | fields |\n| --- | --- | --- |\n| hello | live | head, first?, time, keepalive_s |\n| snapshot | live | reasoning, text, offset |\n| delta | live | kind, text, offset |\n| prefill | live | done, total |\n| resync | live | reason |\n| cleared | numbered | |\n| user_message | numbered | message_id, text |\n| queued | numbered | message_id, text |\n| unqueued | numbered | message_id, reason? |\n| busy | numbered | busy |\n| assistant_turn | numbered | reasoning, text |\n| tool_call | numbered | call_id, tool, title, class, arguments, photos, by? |\n| approval_needed | numbered | call_id, reason, preview, decisions?, always?, expires? |\n| approval_resolved | numbered | call_id, outcome, by, arguments, note |\n| tool_running | numbered | call_id, arguments? |\n| tool_done | numbered | call_id, ok, text, set_id, count, warnings, images |\n| tool_skipped | numbered | call_id, reason |\n| change | numbered | change_id, tool, photos, undoes? |\n| job | numbered | job_id, kind, state, done, total |\n| usage | numbered | prompt_tokens, completion_tokens, cached_tokens, context_window |\n| warning | numbered | message |\n| error | numbered | code, message |\n| stopped | numbered | reason |\n"
    ),
]
