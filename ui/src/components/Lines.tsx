import type { Job, Notice } from "../state";
import { TEXT } from "../text";

export function ChangeLine({ photos, title }: { photos: number; title: string }) {
  return <p class="notice changed">{TEXT.changed(photos, title)}</p>;
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
