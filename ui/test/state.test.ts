import { describe, expect, it } from "vitest";
import { type Call, type ChatEvent, EMPTY, fold, foldAll, openQuestions, type State } from "../src/state";
import { HISTORY } from "./events";

const WHOLE = foldAll(EMPTY, HISTORY);
const hello = (head: number): ChatEvent => ({ type: "hello", head, time: "2026-11-30T12:00:00Z", keepalive_s: 15 });
const delta = (text: string, offset: number, kind: "text" | "reasoning" = "text"): ChatEvent => ({
  type: "delta",
  kind,
  text,
  offset,
});
const call = (state: State, id: string): Call => state.items.find((i) => i.kind === "call" && i.id === id) as Call;
/** What the numbered events make; `head` belongs to the connection. */
const conversation = ({ head: _, ...rest }: State): Omit<State, "head"> => rest;

describe("the fold", () => {
  it("gives the same one by one and all at once", () => {
    expect(HISTORY.reduce(fold, EMPTY)).toEqual(WHOLE);
  });

  it("gives the same for every point at which a replay goes over into live events", () => {
    for (let cut = 0; cut <= HISTORY.length; cut++) {
      const replayed = foldAll(EMPTY, [hello(cut), ...HISTORY.slice(0, cut)]);
      const live = HISTORY.slice(cut).flatMap((event) => [delta("something", 0), event]);
      expect(conversation(foldAll(replayed, live)), `cut after ${cut}`).toEqual(
        conversation({ ...WHOLE, running: null }),
      );
    }
  });

  it("is not changed by events that it has", () => {
    for (let cut = 0; cut <= HISTORY.length; cut++) {
      for (let back = 0; back <= cut; back++) {
        const state = foldAll(EMPTY, HISTORY.slice(0, cut));
        expect(foldAll(state, HISTORY.slice(back, cut))).toBe(state);
      }
    }
    expect(foldAll(WHOLE, HISTORY)).toBe(WHOLE);
  });

  it("never changes a state that it was given", () => {
    const freeze = (state: State): State => {
      for (const item of state.items) Object.freeze(item);
      Object.freeze(state.items);
      Object.freeze(state.queue);
      return Object.freeze(state);
    };
    expect(HISTORY.reduce((state, event) => freeze(fold(state, event)), freeze({ ...EMPTY }))).toEqual(WHOLE);
  });

  it("knows what became of each call", () => {
    const first = call(WHOLE, "c1");
    expect(first.status).toBe("done");
    expect(first.resolved).toEqual({ outcome: "once", by: "page", note: null, changed: false });
    expect(first.result?.warnings).toEqual(["one is offline"]);
    const second = call(WHOLE, "c2");
    expect([second.status, second.skipped, second.resolved?.outcome]).toEqual(["skipped", "not_allowed", "deny"]);
    expect(openQuestions(WHOLE)).toEqual([]);
    expect(openQuestions(foldAll(EMPTY, HISTORY.slice(0, 10))).map((open) => open.id)).toEqual(["c1"]);
  });

  it("tells when other arguments ran than those proposed", () => {
    const resolved: ChatEvent = {
      type: "approval_resolved",
      seq: 11,
      call_id: "c1",
      outcome: "once",
      by: "page",
      arguments: { set: "selection", rating: 3 },
      note: null,
    };
    const state = fold(foldAll(EMPTY, HISTORY.slice(0, 10)), resolved);
    expect(call(state, "c1").resolved?.changed).toBe(true);
    expect(call(state, "c1").arguments).toEqual({ set: "selection", rating: 3 });
  });

  it("keeps the queue in order, with changed texts", () => {
    expect(foldAll(EMPTY, HISTORY.slice(0, 7)).queue).toEqual([{ id: "m2", text: "and then the others" }]);
    expect(WHOLE.queue).toEqual([]);
  });

  it("refuses an event that comes too early", () => {
    const state = foldAll(EMPTY, HISTORY.slice(0, 3));
    expect(fold(state, HISTORY[4] as ChatEvent)).toBe(state);
  });

  it("counts events that it does not know, and goes on behind them", () => {
    expect(WHOLE.unknown).toBe(1);
    expect(fold(WHOLE, { type: "new_live_thing" } as unknown as ChatEvent).unknown).toBe(2);
  });

  it("survives events about calls that it never saw", () => {
    expect(fold(EMPTY, { type: "tool_running", seq: 1, call_id: "lost" }).items).toEqual([]);
  });
});

describe("a running turn", () => {
  it("grows by its pieces, counted in characters and not in halves of them", () => {
    const state = foldAll(EMPTY, [delta("😀 hm", 0, "reasoning"), delta("Good ", 4), delta("evening", 9)]);
    expect(state.running).toEqual({ reasoning: "😀 hm", text: "Good evening", offset: 16 });
  });

  it("drops the pieces that a snapshot holds", () => {
    const snapshot: ChatEvent = { type: "snapshot", reasoning: "hm", text: "Good eve", offset: 10 };
    const state = foldAll(EMPTY, [hello(0), snapshot, delta("Good ", 2), delta("eve", 7), delta("ning", 10)]);
    expect(state.running?.text).toBe("Good evening");
  });

  it("takes of a piece what is new, and nothing of one that does not join on", () => {
    const state = foldAll(EMPTY, [delta("Good ev", 0), delta("evening", 5)]);
    expect(state.running?.text).toBe("Good evening");
    expect(fold(state, delta("there", 20))).toBe(state);
  });

  it("takes a piece once", () => {
    const once = foldAll(EMPTY, [delta("ab", 0)]);
    expect(foldAll(once, [delta("ab", 0)])).toBe(once);
  });

  it("begins anew with the connection and ends with the turn, a stop, an error or the run", () => {
    const running = foldAll(EMPTY, [delta("half a sen", 0)]);
    for (const end of [
      hello(0),
      { type: "assistant_turn", seq: 1, reasoning: "", text: "x" },
      { type: "stopped", seq: 1, reason: "user" },
      { type: "error", seq: 1, code: "x", message: "x" },
      { type: "busy", seq: 1, busy: false },
    ] as ChatEvent[]) {
      expect(fold(running, end).running).toBeNull();
    }
  });
});
