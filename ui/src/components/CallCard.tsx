import { useState } from "preact/hooks";
import type { Chat } from "../chat";
import type { Call } from "../state";
import * as TEXT from "../text";
import { argumentsInWords, type Detail, photoIds, plain } from "../words";
import { Marked } from "./Lines";
import { ResultPhotos, Thumbnails } from "./Photos";
import { Question } from "./Question";

/** A tool call: what it is, what it aims at, what became of it, and the question while one is open. */
export function CallCard({ chat, call, note }: { chat: Chat; call: Call; note: string | null }) {
  const heading = `call-${call.seq}`;
  const chosen = photoIds(call.arguments);
  return (
    <article class="card" data-class={call.class} data-status={call.status} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{call.title}</h2>
        <p class="class">{TEXT.kindOfTool(call.class)}</p>
        <Status call={call} />
      </header>
      {call.by && <p class="aside">{TEXT.askedBy(plain(call.by))}</p>}
      <Details details={argumentsInWords(call.arguments, call.photos)} aimedAt={aimedAt(call)} />
      {call.resolved?.changed && <p class="aside">{TEXT.argumentsChanged}</p>}
      {chosen.length > 0 && !call.question?.preview && !call.result && (
        <Thumbnails pictures={chat.pictures} photos={chosen.map((id) => ({ id, name: null }))} total={chosen.length} />
      )}
      {call.question && <Question key="question" chat={chat} call={call} question={call.question} />}
      <Outcome call={call} note={note} />
      {call.result && !call.result.ok && <p class="outcome failure">{plain(shortened(call.result.text))}</p>}
      {call.result?.warnings.map((warning) => (
        <Marked key={warning} kind="warning" label={TEXT.warning} text={warning} />
      ))}
      {mayHavePhotos(call) && <ResultPhotos chat={chat} call={call} />}
      {!chat.api.inbox && call.result?.text && (call.result.ok || call.result.text.length > 300) && (
        <Answer chat={chat} call={call} text={call.result.text} />
      )}
    </article>
  );
}

function Status({ call }: { call: Call }) {
  const found = call.result?.ok && call.class === "read" ? call.result.count : null;
  return <p class="status">{found === null || found === undefined ? TEXT.status(call.status) : TEXT.found(found)}</p>;
}

function Details({ details, aimedAt }: { details: Detail[]; aimedAt: number | null }) {
  if (details.length === 0 && aimedAt === null) return null;
  return (
    <dl class="details">
      {details.map(({ name, words }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{words}</bdi>
          </dd>
        </div>
      ))}
      {aimedAt !== null && (
        <div>
          <dt>{TEXT.argument.photos}</dt>
          <dd>{TEXT.aimedAt(aimedAt)}</dd>
        </div>
      )}
    </dl>
  );
}

/** The number of photos, where no argument says it already. */
function aimedAt(call: Call): number | null {
  return "set" in call.arguments || "photo_ids" in call.arguments ? null : call.photos;
}

function Outcome({ call, note }: { call: Call; note: string | null }) {
  const { resolved, skipped } = call;
  const said = resolved && (resolved.note ?? (resolved.outcome === "deny" ? note : null));
  const lines: string[] = [];
  if (resolved) {
    const outcome = TEXT.outcome(resolved.outcome);
    const by = resolved.by === "agent" || resolved.by === "client" ? ` (${TEXT.byOther})` : "";
    lines.push((said ? TEXT.outcomeNote(outcome, said) : outcome) + by);
  }
  const told = resolved && !["once", "chat", "always"].includes(resolved.outcome);
  if (skipped && !told) lines.push(TEXT.skipped(skipped));
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="outcome" dir="auto">
          {line}
        </p>
      ))}
    </>
  );
}

/** Why something did not work is said at once, if not in full. */
function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** Worth asking the service for the photos of the result. */
function mayHavePhotos({ result, class: kind, photos }: Call): boolean {
  if (!result?.ok) return false;
  return result.set_id !== null || (result.count ?? 0) > 0 || result.images > 0 || (kind !== "read" && photos !== 0);
}

/** The tool's answer, folded away. The event may hold it shortened; unfolding it fetches the whole. */
function Answer({ chat, call, text }: { chat: Chat; call: Call; text: string }) {
  const [whole, setWhole] = useState<string | null>(null);
  const unfold = async (open: boolean) => {
    if (!open || whole !== null) return;
    setWhole(text);
    const result = await chat.api.result(call.id).catch(() => null);
    if (result) setWhole(result.text);
  };
  return (
    <details class="answer" onToggle={(event) => void unfold(event.currentTarget.open)}>
      <summary>{TEXT.answer}</summary>
      {whole !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section class="scroll" tabIndex={0} aria-label={TEXT.answer}>
          <pre dir="auto">{readable(whole)}</pre>
        </section>
      )}
    </details>
  );
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
