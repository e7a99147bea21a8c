import { describe, expect, it } from "vitest";
import { type Place, takeAddress } from "../src/address";

function place(hash: string, kept: Record<string, string> | null = {}): Place & { shown: string[] } {
  const shown: string[] = [];
  return {
    shown,
    location: { hash, pathname: "/v1/ui/chat", search: "" },
    history: { replaceState: (_data, _unused, url) => void shown.push(String(url)) },
    get sessionStorage() {
      if (!kept) throw new DOMException("denied", "SecurityError");
      return {
        getItem: (key: string) => kept[key] ?? null,
        setItem: (key: string, value: string) => {
          kept[key] = value;
        },
      };
    },
  };
}

const ADDRESS = { session: "s 1", token: "t+/=" };
const HASH = `#${new URLSearchParams(ADDRESS)}`;

describe("the address", () => {
  it("is taken out of the address bar and kept for the tab", () => {
    const kept = {};
    const first = place(HASH, kept);
    expect(takeAddress(first)).toEqual(ADDRESS);
    expect(first.shown).toEqual(["/v1/ui/chat"]);
    expect(takeAddress(place("", kept))).toEqual(ADDRESS);
  });

  it("of a newer fragment counts", () => {
    const kept = {};
    takeAddress(place(HASH, kept));
    expect(takeAddress(place("#session=s2&token=t2", kept))).toEqual({ session: "s2", token: "t2" });
    expect(takeAddress(place("", kept))).toEqual({ session: "s2", token: "t2" });
  });

  it("says what is shown, where that is the inbox, and nothing else", () => {
    const kept = {};
    const inbox = { ...ADDRESS, view: "inbox" };
    expect(takeAddress(place(`${HASH}&view=inbox`, kept))).toEqual(inbox);
    expect(takeAddress(place("", kept))).toEqual(inbox);
    expect(takeAddress(place(`${HASH}&view=other`, kept))).toEqual(ADDRESS);
    expect(takeAddress(place("", kept))).toEqual(ADDRESS);
  });

  it("works in memory where storage is blocked", () => {
    const blocked = place(HASH, null);
    expect(takeAddress(blocked)).toEqual(ADDRESS);
    expect(blocked.shown).toEqual(["/v1/ui/chat"]);
    expect(takeAddress(place("", null))).toBeNull();
  });

  it.each(["", "#", "#session=x", "#token=y", "#session=&token="])("%j is none, and goes all the same", (hash) => {
    const one = place(hash);
    expect(takeAddress(one)).toBeNull();
    expect(one.shown).toHaveLength(hash ? 1 : 0);
  });

  it.each(["{", "7", "null", '{"session":1,"token":"x"}'])("survives %s in the storage", (value) => {
    expect(takeAddress(place("", { "safelight.chat": value }))).toBeNull();
  });
});
