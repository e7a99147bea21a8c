import { useState } from "preact/hooks";
import type { Chat } from "../chat";
import type { Change, Job, Notice, Returned } from "../state";
import * as TEXT from "../text";
import { resting, writeMessage } from "./Composer";

/** A change of the catalog, which can be taken back once. */
export function ChangeLine({ chat, change, title }: { chat: Chat; change: Change; title: string }) {
  const [underway, setUnderway] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const takesBack = change.undoes !== null;
  const undo = async () => {
    if (underway) return;
    setUnderway(true);
    const outcome = await chat.undo(change.id);
    setUnderway(false);
    setSaid(outcome);
    if (outcome !== null) resting()?.focus({ preventScroll: true }); // the button goes
  };
  const words = takesBack ? TEXT.putBack(change.photos) : TEXT.changed(change.photos, title);
  return (
    <div class="notice changed">
      <p>
        {words} {change.undone && (takesBack ? TEXT.redone : TEXT.undone)}
      </p>
      <p role="status">{said}</p>
      {!change.undone && said === null && (
        <button type="button" class="quiet" aria-disabled={underway} onClick={() => void undo()}>
          {takesBack ? TEXT.redo : TEXT.undo} <span class="hidden">{words}</span>
        </button>
      )}
    </div>
  );
}

/** A message that never reached the model. */
export function ReturnedLine({ message }: { message: Returned }) {
  return (
    <div class="notice">
      <p>{TEXT.notSentStopped}</p>
      <p dir="auto">{message.text}</p>
      <button type="button" class="quiet" onClick={() => writeMessage(message.text)}>
        {TEXT.writeAgain}
      </button>
    </div>
  );
}

export function JobLine({ job }: { job: Job }) {
  const words = TEXT.job(job.work.replaceAll("_", " "), job.state, job.done, job.total);
  return (
    <p class="notice">
      {words}
      {job.state === "running" && job.total > 0 && <progress value={job.done} max={job.total} aria-label={words} />}
    </p>
  );
}

export function NoticeLine({ notice }: { notice: Notice }) {
  switch (notice.kind) {
    case "warning":
      return <Marked kind="warning" label={TEXT.warning} text={notice.message} />;
    case "error":
      return <Marked kind="error" label={TEXT.error} text={notice.message} />;
    case "stopped":
      return <p class="notice">{TEXT.stopped(notice.reason)}</p>;
    case "cleared":
      return <p class="notice">{TEXT.cleared}</p>;
    default:
      return null;
  }
}

export function Marked({ kind, label, text }: { kind: "warning" | "error"; label: string; text: string }) {
  return (
    <p class={`notice ${kind}`} dir="auto">
      <strong>{label}:</strong> {text}
    </p>
  );
}
