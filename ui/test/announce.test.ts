// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { announce } from "../src/announce";
import { type ChatEvent, EMPTY, foldAll } from "../src/state";
import { HISTORY } from "./events";

const hello = (head: number): ChatEvent => ({ type: "hello", head, time: "", keepalive_s: 15 });
const until = (seq: number) => foldAll(EMPTY, [hello(0), ...HISTORY.slice(0, seq)]);

describe("what a screen reader is told", () => {
  it("names what a question asks", () => {
    expect(announce(until(9), until(10)).urgent).toBe(
      "Safelight asks: May this be done: Rate photos? Changes photos. Photos: the photos selected in Lightroom (3). " +
        "Stars: ★★★★★ (5). You want to be asked before a step of this kind.",
    );
    expect(announce(until(10), until(10)).urgent).toBe("");
  });

  it("names the agent that asks in the inbox", () => {
    const asked = until(10);
    const items = asked.items.map((item) => (item.kind === "call" ? { ...item, by: "agent Claude" } : item));
    expect(announce(until(9), { ...asked, items }).urgent).toContain("Rate photos? Asked by agent Claude. Changes");
  });

  it("is nothing while old events come in, but for a question that still waits", () => {
    const replayed = foldAll(EMPTY, [hello(10), ...HISTORY.slice(0, 9)]);
    expect(announce(EMPTY, replayed)).toEqual({ urgent: "", calm: "" });
    const caughtUp = foldAll(replayed, HISTORY.slice(9, 10));
    expect(announce(replayed, caughtUp).urgent).toContain("Rate photos");
    expect(announce(EMPTY, foldAll(EMPTY, [hello(29), ...HISTORY]))).toEqual({ urgent: "", calm: "" });
  });

  it("is a whole turn, never its pieces", () => {
    const writing = foldAll(until(18), [{ type: "delta", kind: "text", text: "Do", offset: 0 }]);
    expect(announce(until(18), writing)).toEqual({ urgent: "", calm: "" });
    expect(announce(writing, until(19)).calm).toBe("Safelight: Done.");
  });

  it("tells how calls, warnings, errors and stops end", () => {
    expect(announce(until(13), until(14)).calm).toBe("Rate photos: Done");
    expect(announce(until(24), until(28)).calm).toBe(
      "Rate photos: Not done Please note: nearly full Something went wrong: no answer You stopped the model here.",
    );
  });
});
