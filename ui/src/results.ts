import type { CallResult, Preview } from "./contract.gen";

export interface PhotoRef {
  readonly id: string;
  readonly name: string | null;
}

/** Of the photos that a change was to reach, those that it did not. */
export interface Shortfall {
  readonly failed: number;
  /** Why, each reason once. */
  readonly reasons: string[];
  readonly notAttempted: number;
}

type Content = Pick<CallResult, "content">;

/** Photos that a tool found (`photos`), or those that it changed (`applied`); names also from the preview. */
export function photosOf({ content }: Content, preview: Preview | null = null): PhotoRef[] {
  const names = new Map(preview?.photos.map((photo) => [photo.photo_id, photo.file_name]));
  const found = new Map<string, PhotoRef>();
  for (const photo of list(content?.photos)) {
    const { photo_id: id, file_name: name } = fields(photo);
    if (typeof id === "string") found.set(id, { id, name: typeof name === "string" ? name : null });
  }
  for (const id of list(content?.applied)) {
    if (typeof id === "string" && !found.has(id)) found.set(id, { id, name: names.get(id) ?? null });
  }
  return [...found.values()];
}

export function shortfallOf({ content }: Content): Shortfall {
  const failed = list(content?.failed);
  const reasons = failed.map((one) => fields(one).reason).filter((reason) => typeof reason === "string");
  return { failed: failed.length, reasons: [...new Set(reasons)], notAttempted: list(content?.not_attempted).length };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
