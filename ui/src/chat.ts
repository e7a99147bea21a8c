import type { Address } from "./address";
import { Api, Refused } from "./api";
import type { ApprovalAnswer, Chat as ChatInfo } from "./contract.gen";
import { Pictures } from "./pictures";
import { type ChatEvent, EMPTY, foldAll, type State } from "./state";
import { type Connection, Stream } from "./stream";
import { TEXT } from "./text";

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

/** Events come in handfuls; the page is drawn once for each. */
const DRAW_EVERY_MS = 24;

/** One chat: follows its events, sends what the person does, and tells whoever draws it. */
export class Chat {
  readonly api: Api;
  readonly pictures: Pictures;
  view: View = { state: EMPTY, connection: "connecting", info: null, notes: {}, problem: null };
  private readonly watchers = new Set<(view: View) => void>();
  private readonly stream: Stream;
  private drawing = false;

  constructor(address: Address) {
    this.api = new Api(address);
    this.pictures = new Pictures(this.api);
    this.stream = new Stream((after, signal) => this.api.events(after, signal), {
      after: () => this.view.state.seq,
      take: (events: ChatEvent[]) => this.update({ state: foldAll(this.view.state, events) }),
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
    return this.attempt(TEXT.notSent, () => this.api.send({ text }));
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

  async stop(): Promise<boolean> {
    return this.attempt(TEXT.notStopped, () => this.api.stop());
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

  private async attempt(say: (why: string) => string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.dismiss();
      return true;
    } catch (error) {
      this.update({ problem: say(sentence(error)) });
      return false;
    }
  }

  private connected(connection: Connection): void {
    this.update({ connection });
    if (connection === "open") void this.learn();
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
