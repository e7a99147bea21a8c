/** Where the chat is: its id, and the key that opens it; and what of it is shown, where that is not the conversation. */
export interface Address {
  readonly session: string;
  readonly token: string;
  /** The questions of agents from outside. */
  readonly view?: "inbox";
}

const KEY = "safelight.chat";

/** The parts of a window that an address is read from. */
export interface Place {
  readonly location: Pick<Location, "hash" | "pathname" | "search">;
  readonly history: Pick<History, "replaceState">;
  readonly sessionStorage: Pick<Storage, "getItem" | "setItem">;
}

/**
 * Takes the address out of the URL's fragment, so that it stays neither in the address bar nor in the history, and
 * keeps it for this tab. Without a fragment the kept one counts. With storage blocked it lives as long as the page.
 */
export function takeAddress(place: Place): Address | null {
  const found = readFragment(place.location.hash);
  if (place.location.hash !== "") {
    place.history.replaceState(null, "", place.location.pathname + place.location.search);
  }
  if (found) {
    keep(place, found);
    return found;
  }
  return kept(place);
}

export function readFragment(hash: string): Address | null {
  return asAddress(Object.fromEntries(new URLSearchParams(hash.slice(1))));
}

function asAddress(value: unknown): Address | null {
  if (typeof value !== "object" || value === null) return null;
  const { session, token, view } = value as Partial<Record<keyof Address, unknown>>;
  if (typeof session !== "string" || typeof token !== "string" || !session || !token) return null;
  return view === "inbox" ? { session, token, view } : { session, token };
}

// Reading the property `sessionStorage` already throws where the browser blocks storage.
function keep(place: Place, address: Address): void {
  try {
    place.sessionStorage.setItem(KEY, JSON.stringify(address));
  } catch {
    // in memory only
  }
}

function kept(place: Place): Address | null {
  try {
    return asAddress(JSON.parse(place.sessionStorage.getItem(KEY) ?? "null"));
  } catch {
    return null;
  }
}
