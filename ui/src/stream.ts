import { FrameReader } from "./sse";
import { type ChatEvent, erased, numberOf } from "./state";

/** How the page stands with the service. */
export type Connection = "connecting" | "open" | "waiting" | "ended";

/** What a stream feeds. */
export interface Reader {
  /** Number of the last event that the reader has. */
  after(): number;
  take(events: ChatEvent[]): void;
  /** The events up to a number cannot be had. */
  skip(upTo: number): void;
  /** What was read before does not belong to this chat; begin anew. */
  reset(): void;
  connection(now: Connection): void;
}

/** Asks the service for the events after a number. */
export type Open = (after: number, signal: AbortSignal) => Promise<Response>;

export interface Timing {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A stream that lived this long was a good one; waiting starts short again. */
  readonly settledMs: number;
  /** Before the service has said how often it sends a sign of life. */
  readonly keepaliveS: number;
  readonly random: () => number;
}

export const TIMING: Timing = {
  firstWaitMs: 500,
  longestWaitMs: 10_000,
  settledMs: 2_000,
  keepaliveS: 15,
  random: Math.random,
};

/** How one connection came to its end. */
type End = "lost" | "again" | "ended";

/** Follows a chat's events for as long as the page lives, over as many connections as that takes. */
export class Stream {
  private closed = false;
  private attempt: AbortController | null = null;
  private endWait: (() => void) | null = null;
  private failures = 0;
  private keepaliveS: number;
  private acceptedGap = 0;

  constructor(
    private readonly open: Open,
    private readonly reader: Reader,
    private readonly timing: Timing = TIMING,
  ) {
    this.keepaliveS = timing.keepaliveS;
  }

  async run(): Promise<void> {
    while (!this.closed) {
      this.reader.connection("connecting");
      const from = this.reader.after();
      const began = performance.now();
      const end = await this.follow(from);
      if (this.closed) return;
      if (end === "ended") {
        this.reader.connection("ended");
        return;
      }
      const good = this.reader.after() > from || performance.now() - began >= this.timing.settledMs;
      this.failures = good ? 1 : this.failures + 1;
      if (end === "again" && this.failures <= 2) continue;
      this.reader.connection("waiting");
      await this.wait();
    }
  }

  /** Tries again at once when it is waiting: the computer woke up, or the network came back. */
  wake(): void {
    this.endWait?.();
  }

  close(): void {
    this.closed = true;
    this.attempt?.abort();
    this.endWait?.();
  }

  private wait(): Promise<void> {
    const { firstWaitMs, longestWaitMs, random } = this.timing;
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** (this.failures - 1));
    return new Promise((done) => {
      const timer = setTimeout(() => this.endWait?.(), longest * (0.5 + random() / 2));
      this.endWait = () => {
        clearTimeout(timer);
        this.endWait = null;
        done();
      };
    });
  }

  private async follow(after: number): Promise<End> {
    const attempt = new AbortController();
    this.attempt = attempt;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => attempt.abort(), this.keepaliveS * 2_500);
    };
    try {
      alive();
      const response = await this.open(after, attempt.signal);
      if (response.status === 403) return "ended";
      if (!response.ok || !response.body) return "lost";
      const frames = new FrameReader();
      const body = response.body.getReader();
      for (;;) {
        const { done, value } = await body.read();
        if (done) return "lost";
        alive(); // comments count: they are what a quiet service sends
        const end = this.hand(frames.push(value).map((frame) => frame.data));
        if (end) return end;
      }
    } catch {
      return "lost";
    } finally {
      clearTimeout(silence);
      attempt.abort();
    }
  }

  /** Hands a chunk's events on; says when they end the connection. */
  private hand(texts: string[]): End | null {
    let events: ChatEvent[] = [];
    let last = this.reader.after();
    let end: End | null = null;
    let reset = false;
    for (const text of texts) {
      const event = readEvent(text);
      if (event?.type === "resync") {
        end = event.reason === "ended" ? "ended" : "again";
        reset = event.reason === "bad_after" || event.reason === "future_after";
        break;
      }
      if (!event) continue; // broken; if it had a number, the next one shows a gap
      const seq = numberOf(event);
      if (seq !== null && seq > last + 1) {
        // An event is missing: ask once more from the last good one. If it is still missing then, going on is better
        // than standing still.
        if (this.acceptedGap !== seq) {
          this.acceptedGap = seq;
          end = "lost";
          break;
        }
        this.reader.take(events);
        this.reader.skip(seq - 1);
        events = [];
      }
      if (seq !== null) last = Math.max(last, seq);
      if (event.type === "hello") {
        last = Math.max(last, erased(event));
        if (event.keepalive_s > 0) this.keepaliveS = event.keepalive_s;
        this.reader.connection("open");
      }
      events.push(event);
    }
    if (events.length > 0) this.reader.take(events);
    if (reset) this.reader.reset();
    return end;
  }
}

function readEvent(text: string): ChatEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    const known = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return known ? (value as ChatEvent) : null;
  } catch {
    return null;
  }
}
