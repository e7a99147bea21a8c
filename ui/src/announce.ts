import { spoken } from "./markdown";
import { type Call, caughtUp, openQuestions, type State } from "./state";
import * as TEXT from "./text";
import { argumentsInWords } from "./words";

/** What a screen reader is told: questions at once, the rest when it has time. */
export interface Announcement {
  readonly urgent: string;
  readonly calm: string;
}

/**
 * What is new for somebody who cannot see the page. Streamed pieces are not: a turn is read when it is whole. What
 * was there before the page opened is not either, but for questions that still wait.
 */
export function announce(before: State, now: State): Announcement {
  if (!caughtUp(now)) return { urgent: "", calm: "" };
  const wasOpen = new Set(caughtUp(before) ? openQuestions(before).map((call) => call.id) : []);
  const urgent = openQuestions(now)
    .filter((call) => !wasOpen.has(call.id))
    .map(question);
  return { urgent: urgent.join(" "), calm: caughtUp(before) ? news(before, now).join(" ") : "" };
}

function question(call: Call): string {
  const who = call.by ? [`${TEXT.askedBy(call.by)}.`] : [];
  const details = argumentsInWords(call.arguments, call.photos).map(({ name, words }) => `${name}: ${words}.`);
  const reason = call.question ? TEXT.reason(call.question.reason) : "";
  const kind = `${TEXT.kindOfTool(call.class)}.`;
  return TEXT.announceQuestion([TEXT.questionFor(call.title), ...who, kind, ...details, reason]);
}

function news(before: State, now: State): string[] {
  const old = new Map(before.items.map((item) => [item.seq, item]));
  const lines: string[] = [];
  for (const item of now.items) {
    const was = old.get(item.seq);
    if (item.kind === "call") lines.push(...endOf(item, was?.kind === "call" ? was : null));
    else if (was) continue;
    else if (item.kind === "turn" && item.text) lines.push(TEXT.announceAnswer(spoken(item.text)));
    else if (item.kind === "warning") lines.push(`${TEXT.warning}: ${item.message}`);
    else if (item.kind === "error") lines.push(`${TEXT.error}: ${item.message}`);
    else if (item.kind === "stopped") lines.push(TEXT.stopped(item.reason));
  }
  return lines;
}

function endOf(call: Call, before: Call | null): string[] {
  const ended = call.status === "done" || call.status === "failed" || call.status === "skipped";
  return ended && before?.status !== call.status ? [TEXT.announceStatus(call.title, TEXT.status(call.status))] : [];
}
