import type { Address } from "./address";
import type {
  ApprovalAnswer,
  ApprovalAnswered,
  CallResult,
  Chat,
  MessageAccepted,
  NewMessage,
  Problem,
  Stopping,
  UndoReport,
} from "./contract.gen";
import * as TEXT from "./text";

/** The service refused, or could not be reached (status 0). Its message is a sentence for the person at the page. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const PATIENCE_MS = 30_000;
const INBOX = "/v1/inbox";

/** The routes of one chat, or of the inbox, which the key of any chat opens. */
export class Api {
  private readonly base: string;
  /** What follows are the events of the inbox. */
  readonly inbox: boolean;

  constructor(
    private readonly address: Address,
    private readonly ask: typeof fetch = (input, init) => fetch(input, init),
  ) {
    this.inbox = address.view === "inbox";
    this.base = `/v1/chat/sessions/${encodeURIComponent(address.session)}`;
  }

  chat(): Promise<Chat> {
    return this.json("GET", "");
  }

  events(after: number, signal: AbortSignal): Promise<Response> {
    const path = `${this.inbox ? INBOX : ""}/events`;
    return this.fetch("GET", after > 0 ? `${path}?after=${after}` : path, { signal });
  }

  /** The same key again sends nothing twice. */
  send(message: NewMessage, key: string): Promise<MessageAccepted> {
    return this.json("POST", "/messages", message, { "idempotency-key": key });
  }

  unqueue(messageId: string): Promise<null> {
    return this.json("DELETE", `/queue/${encodeURIComponent(messageId)}`);
  }

  answer(callId: string, answer: ApprovalAnswer): Promise<ApprovalAnswered> {
    return this.json("POST", `${this.inbox ? INBOX : "/approvals"}/${encodeURIComponent(callId)}`, answer);
  }

  stop(): Promise<Stopping> {
    return this.json("POST", "/stop");
  }

  undo(changeId: string): Promise<UndoReport> {
    return this.json("POST", `/v1/changes/${encodeURIComponent(changeId)}/undo`);
  }

  result(callId: string): Promise<CallResult> {
    return this.json("GET", `/results/${encodeURIComponent(callId)}`);
  }

  async picture(photoId: string, size: number): Promise<Blob> {
    const response = await this.checked("GET", `/photos/${encodeURIComponent(photoId)}?size=${size}`);
    return response.blob();
  }

  private async json<T>(method: string, path: string, body?: object, headers = {}): Promise<T> {
    const response = await this.checked(method, path, body, headers);
    return (response.status === 204 ? null : await response.json()) as T;
  }

  private async checked(method: string, path: string, body?: object, headers = {}): Promise<Response> {
    const init: RequestInit = { signal: AbortSignal.timeout(PATIENCE_MS), headers };
    if (body) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = await this.fetch(method, path, init);
    } catch {
      throw new Refused(0, "unreachable", TEXT.unreachable);
    }
    if (!response.ok) throw await refusal(response);
    return response;
  }

  private fetch(method: string, path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${this.address.token}`);
    if (init.body) headers.set("content-type", "application/json");
    return this.ask(path.startsWith("/v1/") ? path : this.base + path, {
      ...init,
      method,
      headers,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  }
}

async function refusal(response: Response): Promise<Refused> {
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  const text =
    response.status === 403 ? `${TEXT.endedTitle}.` : (problem?.detail ?? problem?.title ?? TEXT.unreachable);
  return new Refused(response.status, problem?.code ?? "", text);
}
