import type { Api } from "./api";

/** At most so many pictures are asked for at once, so that the event stream and the answers are never stuck behind. */
const AT_ONCE = 3;
/** So many stay in memory. */
const KEPT = 400;

/** Fetches the pictures of photos; the key goes in a header, so an `img` cannot do it by itself. */
export class Pictures {
  private readonly urls = new Map<string, Promise<string | null>>();
  private readonly line: (() => void)[] = [];
  private busy = 0;

  constructor(private readonly api: Pick<Api, "picture">) {}

  /** An address for an `img`; null when there is no picture. */
  get(photoId: string, size: number): Promise<string | null> {
    const key = `${size} ${photoId}`;
    const kept = this.urls.get(key);
    if (kept) return kept;
    const url = this.fetch(photoId, size);
    this.urls.set(key, url);
    this.forgetOldest();
    return url;
  }

  private async fetch(photoId: string, size: number): Promise<string | null> {
    if (this.busy >= AT_ONCE) await new Promise<void>((go) => this.line.push(go));
    this.busy++;
    try {
      const blob = await this.api.picture(photoId, size);
      return blob.type.startsWith("image/") ? URL.createObjectURL(blob) : null;
    } catch {
      this.urls.delete(`${size} ${photoId}`); // the next one who wants it may have more luck
      return null;
    } finally {
      this.busy--;
      this.line.shift()?.();
    }
  }

  private forgetOldest(): void {
    if (this.urls.size <= KEPT) return;
    for (const [key, url] of this.urls) {
      this.urls.delete(key);
      void url.then((address) => address && URL.revokeObjectURL(address));
      return;
    }
  }
}
