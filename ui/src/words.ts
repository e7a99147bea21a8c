import * as TEXT from "./text";

/** One detail of a call, as a person reads it. */
export interface Detail {
  readonly name: string;
  readonly words: string;
}

type Values = Readonly<Record<string, unknown>>;

const words = TEXT.argument;

/** The arguments of a call in words; `photos` is how many photos it aims at, where that is known. */
export function argumentsInWords(values: Values, photos: number | null = null): Detail[] {
  return Object.entries(values).map(([key, value]) => ({ name: nameOf(key), words: valueInWords(key, value, photos) }));
}

/** What changes on a photo: each field with its value before and after. */
export function changesInWords(before: Values, after: Values): (Detail & { readonly before: string })[] {
  return Object.keys({ ...before, ...after })
    .filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null))
    .map((key) => ({
      name: nameOf(key),
      before: stateInWords(key, before[key]),
      words: stateInWords(key, after[key]),
    }));
}

/** Text without the characters that would turn the words around them (a file name can hold them). */
export function plain(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g, "").replace(/\0/g, "�");
}

/** The single photos that a call names. */
export function photoIds(values: Values): string[] {
  const ids = values.photo_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

function nameOf(key: string): string {
  if (key === "set" || key === "photo_ids") return words.photos;
  const known: unknown = (words as Values)[key];
  if (typeof known === "string") return known;
  const spaced = plain(key).replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function valueInWords(key: string, value: unknown, photos: number | null): string {
  if ((key === "set" || key === "within") && typeof value === "string") {
    const which = value === "selection" ? words.selection : value === "view" ? words.view : words.earlierResult;
    return photos === null ? which : words.which(photos, which);
  }
  if (key === "photo_ids" && Array.isArray(value)) return words.chosen(value.length);
  if (isStars(value)) {
    if (key === "rating") return words.stars(value);
    if (key === "rating_min" || key === "rating_max") return words.starsBound(value);
  }
  if (typeof value === "number") {
    if (key === "limit") return words.limitValue(value);
    if (key === "offset") return words.offsetValue(value);
    if (key === "long_edge") return words.pixels(value);
  }
  if (typeof value === "string") {
    if (key === "flag") return words.flags[value] ?? plain(value);
    if (key === "label") return words.labels[value] ?? plain(value);
    if (key === "sort") return words.sorts[value] ?? plain(value);
    if (key === "captured_from" || key === "captured_to") return dayInWords(value);
    if (key === "when") return plain(value).replaceAll("_", " ");
    if (value === "") return words.takenAway;
    return words.quoted(plain(value));
  }
  if (key === "settings" && typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([name, amount]) => `${nameOf(name)} ${otherInWords(amount)}`)
      .join(", ");
  }
  return otherInWords(value);
}

/** A value that a photo has, not one that it is to get: empty is empty, not taken away. */
function stateInWords(key: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return TEXT.empty;
  return valueInWords(key, value, null);
}

function otherInWords(value: unknown): string {
  if (value === null) return words.nothing;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number")) {
    return value.length === 0 ? words.nothing : value.map((one) => plain(String(one))).join(", ");
  }
  return plain(JSON.stringify(value));
}

function isStars(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 5;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

function dayInWords(text: string): string {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text);
  if (!parts?.[2]) return plain(text);
  const date = new Date(`${parts[1]}-${parts[2]}-${parts[3] ?? "01"}T00:00:00Z`);
  const real = !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(parts[2]); // no 31 February
  if (!real) return plain(text);
  return (parts[3] ? day : month).format(date);
}
