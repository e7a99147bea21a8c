import { describe, expect, it } from "vitest";
import { type Frame, FrameReader } from "../src/sse";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(...chunks: Uint8Array[]): Frame[] {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
}

const STREAM =
  ": hello\n\n" +
  'id: 1\ndata: {"text":"größer 😀 \u2028 \u2029 \u0085"}\n\n' +
  'id: 2\r\ndata: {"a":1}\r\n\r\n' +
  ": alive\r\n" +
  "event: resync\rdata: x\r\r" +
  "data:first\ndata: second\ndata\n\n" +
  "retry: 10\nnonsense\nid\ndata:  two spaces: kept\n\n" +
  "id: 9\n\n" +
  "data: unfinished";

const FRAMES: Frame[] = [
  { id: "1", event: "message", data: '{"text":"größer 😀 \u2028 \u2029 \u0085"}' },
  { id: "2", event: "message", data: '{"a":1}' },
  { id: null, event: "resync", data: "x" },
  { id: null, event: "message", data: "first\nsecond\n" },
  { id: "", event: "message", data: " two spaces: kept" },
];

describe("the reader of server-sent events", () => {
  it("reads frames, comments and line ends of every kind", () => {
    expect(read(bytes(STREAM))).toEqual(FRAMES);
  });

  it("does not depend on where the bytes are cut", () => {
    const whole = bytes(STREAM);
    for (let at = 0; at <= whole.length; at++) {
      expect(read(whole.subarray(0, at), whole.subarray(at))).toEqual(FRAMES);
    }
    expect(read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(FRAMES);
  });

  it("ignores a byte order mark and replaces what is no UTF-8", () => {
    expect(read(Uint8Array.of(0xef, 0xbb, 0xbf), bytes("data: a\n\n"))[0]?.data).toBe("a");
    expect(read(bytes("data: "), Uint8Array.of(0xff), bytes("\n\n"))[0]?.data).toBe("\ufffd");
  });
});
