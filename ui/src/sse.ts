/** One server-sent event as it came over the wire. */
export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events out of bytes that may be cut anywhere: inside a character, a line end or a field.
 *
 * Lines end with \n, \r\n or \r and with nothing else, so a U+2028 inside a text stays there.
 */
export class FrameReader {
  private readonly decoder = new TextDecoder("utf-8");
  private line = "";
  private afterCr = false;
  private id: string | null = null;
  private event = "";
  private data: string[] = [];

  /** Takes the next bytes and gives back the frames that they complete. */
  push(bytes: Uint8Array): Frame[] {
    const text = this.decoder.decode(bytes, { stream: true });
    const frames: Frame[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 10 && this.afterCr) {
        from = at + 1; // the second half of a \r\n
      } else if (code === 10 || code === 13) {
        const frame = this.take(this.line + text.slice(from, at));
        if (frame) frames.push(frame);
        this.line = "";
        from = at + 1;
      }
      this.afterCr = code === 13;
    }
    this.line += text.slice(from);
    return frames;
  }

  private take(line: string): Frame | null {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.data.push(value);
    else if (field === "event") this.event = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    return null;
  }

  private dispatch(): Frame | null {
    const frame =
      this.data.length > 0 ? { id: this.id, event: this.event || "message", data: this.data.join("\n") } : null;
    this.id = null;
    this.event = "";
    this.data = [];
    return frame;
  }
}
