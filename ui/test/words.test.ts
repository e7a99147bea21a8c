import { describe, expect, it } from "vitest";
import { argumentsInWords, changesInWords, plain } from "../src/words";

const say = (values: Record<string, unknown>, photos: number | null = null): string =>
  argumentsInWords(values, photos)
    .map(({ name, words }) => `${name}: ${words}`)
    .join("; ");

describe("arguments in words", () => {
  it.each([
    [{ set: "selection" }, "Photos: the photos selected in Lightroom"],
    [{ set: "view" }, "Photos: all photos that Lightroom shows now"],
    [{ set: "set17" }, "Photos: the photos found earlier in this chat"],
    [{ photo_ids: ["a"] }, "Photos: 1 single photo"],
    [{ photo_ids: ["a", "b"] }, "Photos: 2 single photos"],
    [{ rating: 3 }, "Stars: ★★★ (3)"],
    [{ rating: 0 }, "Stars: none"],
    [{ rating: 17 }, "Stars: 17"],
    [{ rating_min: 4, rating_max: 1 }, "At least: 4 stars; At most: 1 star"],
    [{ text: "dog on a beach" }, "With the words: “dog on a beach”"],
    [{ flag: "pick", label: "red", sort: "newest" }, "Flag: picked; Colour label: red; Order: newest first"],
    [{ captured_from: "2026-11-29" }, "Taken from: November 29, 2026"],
    [{ captured_from: "2026-11", captured_to: "2026" }, "Taken from: November 2026; Taken until: 2026"],
    [{ captured_to: "2026-02-31" }, "Taken until: 2026-02-31"],
    [{ limit: 20, offset: 1000 }, "List: at most 20 photos; Leave out: the first 1,000"],
    [
      { collection: "Best of", title: "", caption: "Pier" },
      "Collection: “Best of”; Title: taken away; Caption: “Pier”",
    ],
    [{ keywords: ["sea", "gull"], crop_to: { w: 1 } }, 'Keywords: sea, gull; Crop to: {"w":1}'],
    [{ keep: true, none: null, list: [] }, "Keep: yes; None: nothing; List: nothing"],
    [{ within: "selection", when: "last_week" }, "Only among: the photos selected in Lightroom; Taken: last week"],
    [
      { settings: { exposure: 0.5, contrast: -10 }, relative: true },
      "Settings: Exposure 0.5, Contrast -10; By these amounts: yes",
    ],
    [{ destination: "/tmp", long_edge: 2048 }, "Into the folder: “/tmp”; Longer side: 2,048 pixels"],
    [{}, ""],
  ])("%j", (values, words) => {
    expect(say(values)).toBe(words);
  });

  it("says how many photos a set holds, where that is known", () => {
    expect(say({ set: "selection" }, 1200)).toBe("Photos: the photos selected in Lightroom (1,200)");
  });

  it("does not let a text turn round the words beside it", () => {
    expect(plain("a\u202egpj.exe\u2066")).toBe("agpj.exe");
    expect(say({ title: "\u202eevil" })).toBe("Title: “evil”");
  });
});

describe("changes in words", () => {
  it("names what differs, and nothing else", () => {
    expect(changesInWords({ rating: 0, title: "Pier", flag: "none" }, { rating: 5, title: "", flag: "none" })).toEqual([
      { name: "Stars", before: "none", words: "★★★★★ (5)" },
      { name: "Title", before: "“Pier”", words: "empty" },
    ]);
  });
});
