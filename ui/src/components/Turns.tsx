import type { Running, Turn } from "../state";
import * as TEXT from "../text";
import { Markdown } from "./Markdown";

export function UserText({ text }: { text: string }) {
  return (
    <article class="user" aria-label={TEXT.you}>
      <p dir="auto">{text}</p>
    </article>
  );
}

export function TurnText({ turn }: { turn: Turn }) {
  if (!turn.text && !turn.reasoning) return null;
  return (
    <article class="turn" aria-label={TEXT.assistant}>
      <Reasoning text={turn.reasoning} open={false} />
      {turn.text && <Markdown text={turn.text} />}
    </article>
  );
}

/** The turn that is being written. It is read out when it is whole, not piece by piece. */
export function RunningTurn({ running }: { running: Running }) {
  return (
    <article class="turn running" aria-label={TEXT.writing} aria-busy="true">
      <Reasoning text={running.reasoning} open={!running.text} />
      {running.text && <Markdown text={running.text} />}
    </article>
  );
}

function Reasoning({ text, open }: { text: string; open: boolean }) {
  if (!text) return null;
  return (
    <details class="reasoning" open={open}>
      <summary>{TEXT.thinking}</summary>
      <p dir="auto">{text}</p>
    </details>
  );
}
