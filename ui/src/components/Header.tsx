import type { View } from "../chat";
import type { Chat } from "../contract.gen";
import type { State } from "../state";
import type { Connection } from "../stream";
import * as TEXT from "../text";

export function Header({ title, view }: { title: string; view: View }) {
  const { info, connection, state } = view;
  return (
    <header class="top">
      <div class="column bar">
        <h1>
          <span class="lamp" aria-hidden="true" />
          {title}
        </h1>
        <p class="facts">
          {info && <span class="model">{TEXT.model(info.model)}</span>}
          <ContextUse usage={state.usage} />
        </p>
        <ConnectionWords connection={connection} />
      </div>
    </header>
  );
}

function ContextUse({ usage }: { usage: State["usage"] }) {
  if (!usage || usage.context_window <= 0) return null;
  const used = Math.round(((usage.prompt_tokens + usage.completion_tokens) / usage.context_window) * 100);
  return <span>{TEXT.contextUsed(Math.min(100, used))}</span>;
}

function ConnectionWords({ connection }: { connection: Connection }) {
  return (
    <p class="connection" data-state={connection} role="status">
      <span class="dot" aria-hidden="true" />
      {TEXT.connection(connection)}
    </p>
  );
}

/** Who receives the conversation; stands above it. */
export function Receiver({ info }: { info: Chat | null }) {
  if (!info) return null;
  return (
    <p class={info.sends_to ? "receiver away" : "receiver"}>
      {info.sends_to ? TEXT.sendsTo(info.sends_to) : TEXT.staysHere}
    </p>
  );
}
