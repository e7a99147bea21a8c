import type { Address } from "./address";
import { Api, Refused } from "./api";
import type { ApprovalAnswer, CallResult, Chat as ChatInfo } from "./contract.gen";
import { Pictures } from "./pictures";
import { type Call, type ChatEvent, EMPTY, foldAll, type State } from "./state";
import { type Connection, Stream } from "./stream";
import * as TEXT from "./text";

/** All that the page draws. */
export interface View {
  readonly state: State;
  readonly connection: Connection;
  /** What the chat is; null until the service has said so. */
  readonly info: ChatInfo | null;
  /** What this page said with its refusals, by call. */
  readonly notes: Readonly<Record<string, string>>;
  /** What the person tried and could not do; one at a time. */
  readonly problem: string | null;
}

/** What became of an answer; `closed` when the question had ended before. */
export type Answered = "arrived" | "closed" | "failed";

export type ToolResult = Pick<CallResult, "content" | "images">;

/** Events come in handfuls; the page is drawn once for each. */
const DRAW_EVERY_MS = 24;

/** One chat, or the inbox: follows its events, sends what the person does, and tells whoever draws it. */
export class Chat {
  readonly api: Api;
  readonly pictures: Pictures;
  view: View = { state: EMPTY, connection: "connecting", info: null, notes: {}, problem: null };
  private readonly watchers = new Set<(view: View) => void>();
  private readonly stream: Stream;
  private drawing = false;
  /** The message that was sent last, and its key, until it has arrived. */
  private sent: { text: string; key: string } | null = null;

  constructor(address: Address) {
    this.api = new Api(address);
    this.pictures = new Pictures(this.api);
    this.stream = new Stream((after, signal) => this.api.events(after, signal), {
      after: () => this.view.state.seq,
      take: (events: ChatEvent[]) => this.update({ state: foldAll(this.view.state, events) }),
      skip: (seq: number) => this.update({ state: { ...this.view.state, seq } }),
      reset: () => this.update({ state: EMPTY }),
      connection: (connection) => this.connected(connection),
    });
  }

  start(): void {
    void this.stream.run();
  }

  wake(): void {
    this.stream.wake();
  }

  close(): void {
    this.stream.close();
  }

  watch(watcher: (view: View) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** True when the message arrived; otherwise the problem is shown and the text must not be lost. */
  async send(text: string): Promise<boolean> {
    if (this.sent?.text !== text) this.sent = { text, key: crypto.randomUUID() };
    const { key } = this.sent;
    const arrived = await this.attempt(TEXT.notSent, () => this.api.send({ text }, key));
    if (arrived) this.sent = null;
    return arrived !== null;
  }

  async answer(callId: string, answer: ApprovalAnswer): Promise<Answered> {
    if (answer.note) this.update({ notes: { ...this.view.notes, [callId]: answer.note } });
    try {
      await this.api.answer(callId, answer);
      this.dismiss();
      return "arrived";
    } catch (error) {
      if (error instanceof Refused && (error.status === 404 || error.status === 409)) return "closed";
      this.update({ problem: TEXT.notAnswered(sentence(error)) });
      return "failed";
    }
  }

  /** The texts of the messages that waited, which are given back. */
  async stop(): Promise<string[]> {
    const stopping = await this.attempt(TEXT.notStopped, () => this.api.stop());
    return stopping?.returned.map((message) => message.text) ?? [];
  }

  /** What became of taking a change back, in words for the person; null when that is not known. */
  async undo(changeId: string): Promise<string | null> {
    try {
      const { applied, failed, not_attempted, warnings = [] } = await this.api.undo(changeId);
      this.dismiss();
      const reasons = [...new Set(failed.map((one) => one.reason))];
      const lines = failed.length > 0 ? [TEXT.notUndone(failed.length, reasons)] : [];
      if (not_attempted.length > 0) lines.push(TEXT.notAttempted(not_attempted.length));
      return [...lines, ...warnings].join(" ") || (applied.length > 0 ? "" : TEXT.undone);
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return error.message;
      this.update({ problem: TEXT.notTakenBack(sentence(error)) });
      return null;
    }
  }

  /** What a call came to. The inbox keeps no more of it than its event says. */
  async result(call: Call): Promise<ToolResult> {
    if (this.api.inbox) return { content: JSON.parse(call.result?.text ?? "null"), images: [] };
    return this.api.result(call.id);
  }

  async unqueue(messageId: string): Promise<void> {
    try {
      await this.api.unqueue(messageId);
    } catch (error) {
      // Not found: it has left the line meanwhile, and an event says so.
      if (!(error instanceof Refused && error.status === 404)) this.update({ problem: sentence(error) });
    }
  }

  dismiss(): void {
    if (this.view.problem !== null) this.update({ problem: null });
  }

  /** What came of it; null when it failed, which is shown. */
  private async attempt<T>(say: (why: string) => string, act: () => Promise<T>): Promise<T | null> {
    try {
      const done = await act();
      this.dismiss();
      return done;
    } catch (error) {
      this.update({ problem: say(sentence(error)) });
      return null;
    }
  }

  private connected(connection: Connection): void {
    this.update({ connection });
    if (connection === "open" && !this.api.inbox) void this.learn();
  }

  private async learn(): Promise<void> {
    try {
      this.update({ info: await this.api.chat() });
    } catch {
      // The stream notices an ended chat; everything else shows itself with the next connection.
    }
  }

  private update(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    if (this.drawing) return;
    this.drawing = true;
    setTimeout(() => {
      this.drawing = false;
      for (const watcher of this.watchers) watcher(this.view);
    }, DRAW_EVERY_MS);
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
