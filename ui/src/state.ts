import type {
  ApprovalNeededEvent,
  ApprovalResolvedEvent,
  ChangeEvent,
  Event as ChatEvent,
  ErrorEvent,
  HelloEvent,
  JobEvent,
  StoppedEvent,
  ToolCallEvent,
  ToolDoneEvent,
  ToolSkippedEvent,
  UsageEvent,
} from "./contract.gen";

export type { ChatEvent };

/** What the person wrote. */
export interface UserMessage {
  readonly kind: "user";
  readonly seq: number;
  readonly text: string;
}

/** A whole turn of the model. */
export interface Turn {
  readonly kind: "turn";
  readonly seq: number;
  readonly reasoning: string;
  readonly text: string;
}

export type CallStatus = "announced" | "waiting" | "running" | "done" | "failed" | "skipped";

/** A tool call with all that became of it. */
export interface Call {
  readonly kind: "call";
  readonly seq: number;
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  /** In the inbox, the agent that calls. */
  readonly by: string | null;
  readonly class: ToolCallEvent["class"];
  readonly proposed: Readonly<Record<string, unknown>>;
  /** As they count now. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly photos: number | null;
  readonly status: CallStatus;
  /** The open question; null when none is open. */
  readonly question: ApprovalNeededEvent | null;
  /** What would change, as the last question told it. */
  readonly preview: ApprovalNeededEvent["preview"];
  readonly resolved: Resolved | null;
  readonly result: Pick<ToolDoneEvent, "ok" | "text" | "set_id" | "count" | "warnings" | "images"> | null;
  readonly skipped: ToolSkippedEvent["reason"] | null;
}

export interface Resolved {
  readonly outcome: ApprovalResolvedEvent["outcome"];
  readonly by: ApprovalResolvedEvent["by"];
  /** What the person said with a refusal, where the service tells it. */
  readonly note: string | null;
  /** Other arguments ran than those proposed. */
  readonly changed: boolean;
}

/** A line between turns that is neither the person's nor the model's. */
export type Notice =
  | { readonly kind: "warning"; readonly seq: number; readonly message: string }
  | { readonly kind: "error"; readonly seq: number; readonly code: string; readonly message: string }
  | { readonly kind: "stopped"; readonly seq: number; readonly reason: StoppedEvent["reason"] }
  | { readonly kind: "cleared"; readonly seq: number };

/** A change of the catalog. */
export interface Change {
  readonly kind: "change";
  readonly seq: number;
  readonly id: string;
  readonly tool: string;
  readonly photos: number;
  /** The change that this one took back. */
  readonly undoes: string | null;
  /** A later one took it back. */
  readonly undone: boolean;
}

/** A message that waited and was given back. */
export interface Returned {
  readonly kind: "returned";
  readonly seq: number;
  readonly id: string;
  readonly text: string;
}

/** Long work, drawn where it began and kept up to date there. */
export interface Job extends Pick<JobEvent, "state" | "done" | "total"> {
  readonly kind: "job";
  readonly seq: number;
  readonly id: string;
  readonly work: string;
}

export type Item = UserMessage | Turn | Call | Notice | Change | Returned | Job;

export interface Queued {
  readonly id: string;
  readonly text: string;
}

/** The turn that the model is writing now. */
export interface Running {
  readonly reasoning: string;
  readonly text: string;
  /** Characters (code points) of the turn so far. */
  readonly offset: number;
}

/** All that the page draws of a conversation. */
export interface State {
  readonly seq: number;
  readonly items: readonly Item[];
  readonly queue: readonly Queued[];
  readonly busy: boolean;
  readonly usage: Pick<UsageEvent, "prompt_tokens" | "completion_tokens" | "cached_tokens" | "context_window"> | null;
  /** Events of a type that this page does not know. */
  readonly unknown: number;
  readonly running: Running | null;
  /** How far the model has read, in tokens, until anything else comes. */
  readonly reading: { readonly done: number; readonly total: number } | null;
  /** Number of the newest event when the stream began; null before the first stream. */
  readonly head: number | null;
}

export const EMPTY: State = {
  seq: 0,
  items: [],
  queue: [],
  busy: false,
  usage: null,
  unknown: 0,
  running: null,
  reading: null,
  head: null,
};

/**
 * The state after one more event, as the service folds it (`chat_state.py`). A numbered event that was there already
 * changes nothing, and so does one that comes too early.
 */
export function fold(state: State, event: ChatEvent): State {
  return foldAll(state, [event]);
}

/** The state after several events; copies the conversation once, not once an event. */
export function foldAll(state: State, events: readonly ChatEvent[]): State {
  const draft: Draft = { ...state, items: state.items.slice(), queue: state.queue.slice() };
  let changed = false;
  for (const event of events) changed = apply(draft, event) || changed;
  return changed ? draft : state;
}

/** The number of a numbered event; null for a live one. */
export function numberOf(event: ChatEvent): number | null {
  const seq: unknown = "seq" in event ? event.seq : null;
  return typeof seq === "number" && Number.isSafeInteger(seq) ? seq : null;
}

/** The number of the last event that is no longer kept. */
export function erased(hello: HelloEvent): number {
  return (hello.first ?? 1) - 1;
}

/** Everything that happened before the stream began has been read. */
export function caughtUp(state: State): boolean {
  return state.head !== null && state.seq >= state.head;
}

export function openQuestions(state: State): Call[] {
  return state.items.filter((item) => item.kind === "call" && item.question !== null) as Call[];
}

type Draft = { -readonly [K in keyof State]: State[K] } & { items: Item[]; queue: Queued[] };

function apply(draft: Draft, event: ChatEvent): boolean {
  const seq = numberOf(event);
  if (seq === null) return applyLive(draft, event);
  if (seq !== draft.seq + 1) return false;
  draft.seq = seq;
  draft.reading = null;
  applyNumbered(draft, event, seq);
  return true;
}

function applyLive(draft: Draft, event: ChatEvent): boolean {
  switch (event.type) {
    case "hello":
      draft.head = event.head;
      draft.seq = Math.max(draft.seq, erased(event)); // nobody misses them
      draft.reading = null;
      draft.running = null; // a snapshot follows when a turn is running
      return true;
    case "snapshot":
      if (draft.running && event.offset <= draft.running.offset) return false;
      draft.reading = null;
      draft.running = { reasoning: event.reasoning, text: event.text, offset: event.offset };
      return true;
    case "delta": {
      const now = draft.running ?? { reasoning: "", text: "", offset: 0 };
      if (event.offset > now.offset) return false; // what stands before it is not there
      const fresh = [...event.text].slice(now.offset - event.offset);
      if (fresh.length === 0) return false;
      draft.reading = null;
      const text = now[event.kind] + fresh.join("");
      draft.running = { ...now, [event.kind]: text, offset: now.offset + fresh.length };
      return true;
    }
    case "prefill":
      draft.reading = { done: event.done, total: event.total };
      return true;
    case "resync":
      return false; // the stream's reader deals with it
    default:
      draft.unknown++;
      return true;
  }
}

function applyNumbered(draft: Draft, event: ChatEvent, seq: number): void {
  switch (event.type) {
    case "user_message":
      draft.queue = draft.queue.filter((queued) => queued.id !== event.message_id);
      draft.items.push({ kind: "user", seq, text: event.text });
      break;
    case "queued": {
      const queued = { id: event.message_id, text: event.text };
      const at = draft.queue.findIndex((other) => other.id === queued.id);
      if (at < 0) draft.queue.push(queued);
      else draft.queue[at] = queued;
      break;
    }
    case "unqueued": {
      const waited = draft.queue.find((queued) => queued.id === event.message_id);
      draft.queue = draft.queue.filter((queued) => queued !== waited);
      if (event.reason === "returned" && waited) draft.items.push({ kind: "returned", seq, ...waited });
      break;
    }
    case "busy":
      draft.busy = event.busy;
      draft.running = null;
      break;
    case "assistant_turn":
      draft.running = null;
      draft.items.push({ kind: "turn", seq, reasoning: event.reasoning, text: event.text });
      break;
    case "tool_call":
      draft.items.push(newCall(event, seq));
      break;
    case "approval_needed":
      change(draft, event.call_id, () => ({
        status: "waiting",
        question: event,
        preview: event.preview,
      }));
      break;
    case "approval_resolved":
      change(draft, event.call_id, (call) => resolve(call, event));
      break;
    case "tool_running":
      change(draft, event.call_id, () => ({ status: "running", question: null }));
      break;
    case "tool_done": {
      const { ok, text, set_id, count, warnings, images } = event;
      change(draft, event.call_id, () => ({
        status: ok ? "done" : "failed",
        question: null,
        result: { ok, text, set_id, count, warnings, images },
      }));
      break;
    }
    case "tool_skipped":
      change(draft, event.call_id, () => ({ status: "skipped", question: null, skipped: event.reason }));
      break;
    case "change":
      applyChange(draft, event, seq);
      break;
    case "job":
      applyJob(draft, event, seq);
      break;
    case "usage": {
      const { prompt_tokens, completion_tokens, cached_tokens, context_window } = event;
      draft.usage = { prompt_tokens, completion_tokens, cached_tokens, context_window };
      break;
    }
    case "warning":
      draft.items.push({ kind: "warning", seq, message: event.message });
      break;
    case "error":
      draft.running = null;
      draft.items.push(newError(event, seq));
      break;
    case "stopped":
      draft.running = null;
      draft.items.push({ kind: "stopped", seq, reason: event.reason });
      break;
    case "cleared":
      Object.assign(draft, { ...EMPTY, seq, head: draft.head, items: [{ kind: "cleared", seq }], queue: [] });
      break;
    default:
      draft.unknown++;
  }
}

function newCall(event: ToolCallEvent, seq: number): Call {
  return {
    kind: "call",
    seq,
    id: event.call_id,
    tool: event.tool,
    title: event.title,
    by: event.by ?? null,
    class: event.class,
    proposed: event.arguments,
    arguments: event.arguments,
    photos: event.photos,
    status: "announced",
    question: null,
    preview: null,
    resolved: null,
    result: null,
    skipped: null,
  };
}

function newError(event: ErrorEvent, seq: number): Notice {
  return { kind: "error", seq, code: event.code, message: event.message };
}

function resolve(call: Call, event: ApprovalResolvedEvent): Partial<Call> {
  const changed = event.arguments !== null && canonical(event.arguments) !== canonical(call.proposed);
  return {
    status: call.status === "waiting" ? "announced" : call.status,
    question: null,
    arguments: event.arguments ?? call.proposed,
    resolved: { outcome: event.outcome, by: event.by, note: event.note || null, changed },
  };
}

/** A change that takes another back marks it as undone; taking that one back in turn brings the first to life. */
function applyChange(draft: Draft, event: ChangeEvent, seq: number): void {
  const { change_id: id, tool, photos, undoes = null } = event;
  let takenBack = undoes;
  let undone = true;
  for (let at = draft.items.length - 1; takenBack !== null && at >= 0; at--) {
    const before = draft.items[at];
    if (before?.kind !== "change" || before.id !== takenBack) continue;
    draft.items[at] = { ...before, undone };
    undone = !undone;
    takenBack = before.undoes;
  }
  draft.items.push({ kind: "change", seq, id, tool, photos, undoes, undone: false });
}

function applyJob(draft: Draft, event: JobEvent, seq: number): void {
  const at = draft.items.findLastIndex((item) => item.kind === "job" && item.id === event.job_id);
  const { job_id: id, kind: work, state, done, total } = event;
  if (at < 0) draft.items.push({ kind: "job", seq, id, work, state, done, total });
  else draft.items[at] = { ...(draft.items[at] as Job), work, state, done, total };
}

function change(draft: Draft, callId: string, by: (call: Call) => Partial<Call>): void {
  const at = draft.items.findLastIndex((item) => item.kind === "call" && item.id === callId);
  const call = draft.items[at];
  if (call?.kind === "call") draft.items[at] = { ...call, ...by(call) };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
