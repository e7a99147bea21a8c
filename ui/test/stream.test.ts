import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChatEvent } from "../src/state";
import { type Connection, Stream, TIMING } from "../src/stream";

const hello = { type: "hello", head: 0, time: "", keepalive_s: 10 };
const warning = (seq: number) => ({ type: "warning", seq, message: `${seq}` });

/** A service whose answers a test scripts: one function for each connection, in turn. */
class Script {
  seen: number[] = [];
  aborted: AbortSignal[] = [];
  seq = 0;
  events: ChatEvent[] = [];
  connections: Connection[] = [];
  resets = 0;
  stream: Stream;

  constructor(private readonly answers: ((signal: AbortSignal) => Response | Promise<Response>)[]) {
    this.stream = new Stream(
      (after, signal) => {
        this.seen.push(after);
        this.aborted.push(signal);
        const answer = this.answers.shift();
        if (!answer) return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
        return Promise.resolve(answer(signal));
      },
      {
        after: () => this.seq,
        take: (events) => {
          this.events.push(...events);
          for (const event of events) if ("seq" in event && event.seq === this.seq + 1) this.seq = event.seq;
        },
        skip: (upTo) => {
          this.seq = upTo;
        },
        reset: () => {
          this.resets++;
          this.seq = 0;
        },
        connection: (now) => this.connections.push(now),
      },
      { ...TIMING, random: () => 1 },
    );
    void this.stream.run();
  }
}

const encode = (text: string) => new TextEncoder().encode(text);
const frames = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** A stream that says something and ends. */
const says =
  (...events: object[]) =>
  () =>
    new Response(frames(...events));

/** A stream that says something and stays open. */
function open(...events: object[]): { answer: (signal: AbortSignal) => Response; more: (text: string) => void } {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
      own.enqueue(encode(frames(...events)));
    },
  });
  const answer = (signal: AbortSignal) => {
    signal.addEventListener("abort", () => controller.error(signal.reason)); // as fetch does
    return new Response(body);
  };
  return { answer, more: (text) => controller.enqueue(encode(text)) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the stream", () => {
  it("connects again with the last number, soon", async () => {
    const script = new Script([says(hello, warning(1), warning(2)), says(hello, warning(3))]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.connections).toEqual(["connecting", "open", "waiting"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(script.seen).toEqual([0, 2]);
    expect(script.seq).toBe(3);
    script.stream.close();
  });

  it("waits longer and longer while nobody answers, up to ten seconds", async () => {
    const script = new Script(Array.from({ length: 20 }, () => () => Promise.reject(new TypeError("refused"))));
    const gaps: number[] = [];
    let last = 0;
    for (let ms = 0; ms < 60_000; ms += 100) {
      const before = script.seen.length;
      await vi.advanceTimersByTimeAsync(100);
      if (script.seen.length > before) {
        gaps.push(ms + 100 - last);
        last = ms + 100;
      }
    }
    expect(gaps.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 10000, 10000]);
    script.stream.close();
  });

  it("tries at once when it is woken", async () => {
    const script = new Script(Array.from({ length: 6 }, () => () => new Response("", { status: 503 })));
    await vi.advanceTimersByTimeAsync(4_000);
    const before = script.seen.length;
    script.stream.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(script.seen.length).toBe(before + 1);
    script.stream.close();
  });

  it("takes a long silence for a lost connection, and a comment for a sign of life", async () => {
    const one = open(hello);
    const script = new Script([one.answer, says(hello)]);
    for (let n = 0; n < 6; n++) {
      await vi.advanceTimersByTimeAsync(20_000);
      one.more(": alive\n\n");
    }
    await vi.advanceTimersByTimeAsync(24_000);
    expect(script.seen).toEqual([0]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(script.aborted[0]?.aborted).toBe(true);
    expect(script.seen).toEqual([0, 0]);
    script.stream.close();
  });

  it("ends for good when the chat has", async () => {
    const refused = new Script([() => new Response("{}", { status: 403 })]);
    const told = new Script([says(hello, { type: "resync", reason: "ended" })]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refused.connections).toEqual(["connecting", "ended"]);
    expect(told.connections.at(-1)).toBe("ended");
    expect([refused.seen, told.seen]).toEqual([[0], [0]]);
  });

  it("connects at once when it fell behind", async () => {
    const script = new Script([says(hello, warning(1), { type: "resync", reason: "behind" }), says(hello, warning(2))]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.seen).toEqual([0, 1]);
    expect(script.resets).toBe(0);
    script.stream.close();
  });

  it.each(["bad_after", "future_after"])("begins anew on %s", async (reason) => {
    const script = new Script([says(hello, warning(1)), says({ type: "resync", reason }), says(hello, warning(1))]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(script.seen.slice(0, 3)).toEqual([0, 1, 0]);
    expect(script.resets).toBe(1);
    script.stream.close();
  });

  it("does not spin when every answer is a resync", async () => {
    const again = says({ type: "resync", reason: "behind" });
    const script = new Script(Array.from({ length: 1000 }, () => again));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(script.seen.length).toBeLessThan(10);
    script.stream.close();
  });

  it("asks again for an event that is missing, and goes on when it stays missing", async () => {
    const gap = says(hello, warning(1), warning(3));
    const script = new Script([gap, says(hello, warning(3))]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.seq).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(script.seen.slice(0, 2)).toEqual([0, 1]);
    expect(script.seq).toBe(3);
    script.stream.close();
  });

  it("takes what is no longer kept for no gap", async () => {
    const script = new Script([says({ ...hello, first: 4 }, warning(4), warning(5))]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.events.map((event) => event.type)).toEqual(["hello", "warning", "warning"]);
    expect(script.seen).toEqual([0]);
    script.stream.close();
  });

  it("steps over frames that are no event", async () => {
    const script = new Script([() => new Response(`data: {\n\ndata: 7\n\ndata: {"a":1}\n\n${frames(warning(1))}`)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.events.map((event) => event.type)).toEqual(["warning"]);
    script.stream.close();
  });
});
