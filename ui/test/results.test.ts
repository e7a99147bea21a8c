import { describe, expect, it } from "vitest";
import { photosOf, shortfallOf } from "../src/results";

describe("a result", () => {
  it("names the photos that were found or changed", () => {
    const photos = [{ photo_id: "a", file_name: "a.jpg" }, { photo_id: "b" }, { file_name: "no id" }, null, 7];
    expect(photosOf({ content: { photos } })).toEqual([
      { id: "a", name: "a.jpg" },
      { id: "b", name: null },
    ]);
    const preview = { photos: [{ photo_id: "a", file_name: "a.jpg", before: {}, after: {} }], more: 0 };
    expect(photosOf({ content: { applied: ["a", "c", 7] } }, preview)).toEqual([
      { id: "a", name: "a.jpg" },
      { id: "c", name: null },
    ]);
  });

  it("tells what a change did not reach", () => {
    const failed = [
      { photo_id: "a", reason: "offline" },
      { photo_id: "b", reason: "offline" },
    ];
    expect(shortfallOf({ content: { applied: ["c"], failed, not_attempted: ["d"] } })).toEqual({
      failed: 2,
      reasons: ["offline"],
      notAttempted: 1,
    });
  });

  it.each([undefined, {}, { photos: "x", applied: {}, failed: 1, not_attempted: null }])(
    "of %j has none",
    (content) => {
      const result = content === undefined ? {} : { content };
      expect(photosOf(result)).toEqual([]);
      expect(shortfallOf(result)).toEqual({ failed: 0, reasons: [], notAttempted: 0 });
    },
  );
});
