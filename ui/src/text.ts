/** Every text of the page, in one place. Plain words: the reader is a photographer. */

import type {
  ApprovalOutcome,
  ApprovalReason,
  JobEvent,
  StoppedEvent,
  ToolClass,
  ToolSkippedEvent,
} from "./contract.gen";
import type { CallStatus } from "./state";
import type { Connection } from "./stream";

const number = new Intl.NumberFormat("en");

export function count(n: number): string {
  return number.format(n);
}

function moment(time: string): string {
  return new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

export function photos(n: number): string {
  return n === 1 ? "1 photo" : `${count(n)} photos`;
}

const CONNECTION: Record<Connection, string> = {
  connecting: "Connecting…",
  open: "Connected",
  waiting: "Connection lost – trying again",
  ended: "Ended",
};

const CLASS: Record<ToolClass, string> = {
  read: "Only looks",
  change: "Arranges, changes no photo",
  destructive: "Changes photos",
};

const STATUS: Record<CallStatus, string> = {
  announced: "Getting ready",
  waiting: "Waits for you",
  running: "Working…",
  done: "Done",
  failed: "Did not work",
  skipped: "Not done",
};

const OUTCOME: Record<ApprovalOutcome, string> = {
  once: "Allowed once",
  chat: "Allowed in this chat",
  always: "Always allowed",
  deny: "Not allowed",
  expired: "Nobody answered in time, so it was not done",
  stopped: "Stopped before it was answered, so it was not done",
  restarted: "Safelight was restarted before it was answered, so it was not done",
  model_changed: "Another model was chosen before it was answered, so it was not done",
};

const SKIPPED: Record<ToolSkippedEvent["reason"], string> = {
  not_allowed: "Not done: it is not allowed.",
  stopped: "Not done: stopped.",
  repeated_call: "Not done: the model had already tried exactly this.",
  turned_off: "Not done: this tool is turned off.",
  read_only: "Not done: Safelight may only look just now. You can change that in Lightroom.",
  agents_off: "Not done: AI agents are turned off in Lightroom.",
  last_step: "Not done: the model had no step left. Ask again to let it go on.",
  interrupted: "Cut off by a restart. It is not known whether it was done.",
  incomplete: "Not done: the model did not finish writing it.",
};

const STOPPED: Record<StoppedEvent["reason"], string> = {
  user: "You stopped the model here.",
  service: "Safelight was ended here. Ask again if something is missing.",
  restart: "Safelight was restarted here. Ask again if something is missing.",
};

const JOB: Record<JobEvent["state"], string> = {
  running: "working",
  paused: "waiting",
  done: "finished",
  failed: "failed",
  cancelled: "cancelled",
};

export const name = "Safelight";
export const intro = "What shall we do with your photos?";
export const introHelp =
  "Ask in your own words. Safelight looks, shows and sorts, and changes photos only as you allow.";
export const examples = [
  "Show me my five-star photos from this year",
  "Which of the selected photos have no title?",
  "Give the selected photos three stars",
];

export const inbox = "Questions from other agents";
export const inboxIntro = "No agent has asked anything yet";
export const inboxHelp =
  "Other programs that work with your photos through Safelight ask here before they change something. While no such page is open, they are refused.";
export const inboxEnded = "The key of this page no longer works";
export const askedBy = (who: string) => `Asked by ${who}`;

export const model = (model: string) => `Model: ${model}`;
export const connection = (now: Connection) => CONNECTION[now];
export const staysHere = "This conversation stays on this computer.";
export const sendsTo = (who: string) => `This conversation, and photos the model looks at, are sent to ${who}.`;
export const contextUsed = (percent: number) => `${percent} % of the model's memory used`;

export const conversation = "Conversation";
export const earlier = (n: number) => `Show ${count(n)} earlier entries`;
export const latest = "Newest below";
export const you = "You";
export const assistant = "Safelight";
export const thinking = "Thinking:";
export const writing = "Safelight is writing";
/** The model has not begun to answer; on this computer it may read for a while first. */
export function working(reading: { done: number; total: number } | null): string {
  return reading
    ? `Reading the conversation: ${Math.floor((100 * reading.done) / (reading.total || 1))} %`
    : "Safelight is working…";
}

export const kindOfTool = (kind: ToolClass) => CLASS[kind];
export const aimedAt = (n: number) => photos(n);
export const status = (status: CallStatus) => STATUS[status];
export const found = (n: number) => `${photos(n)} found`;
export const skipped = (reason: ToolSkippedEvent["reason"]) => SKIPPED[reason] ?? "Not done.";
export const answer = "Answer in full";
export const argumentsChanged = "It ran with other details than proposed; the ones above count.";

export const question = "May this be done?";
export const questionFor = (title: string) => `May this be done: ${title}?`;
export const reason = (reason: ApprovalReason) => {
  if (reason.kind === "bulk") {
    const limit = reason.limit === undefined ? "" : `, more than your limit of ${count(reason.limit)}`;
    return reason.photos === undefined
      ? `It aims at many photos at once${limit}.`
      : `It aims at ${photos(reason.photos)} at once${limit}.`;
  }
  if (reason.kind === "rule") return "You want to be asked each time this tool is used.";
  return "You want to be asked before a step of this kind.";
};
export const allowOnce = "Allow once";
export const allowChat = "Allow in this chat";
export const allowAlways = "Always allow";
export const alwaysMeans = (rule: string) => `“Always allow” means: ${rule}`;
export const expires = (time: string) => `Without an answer until ${moment(time)} it is not done.`;
export const deny = "Don't allow";
export const note = "Say why (optional)";
export const answering = "Sending your answer…";
export const answeredElsewhere = "This question is no longer open.";
export const outcome = (outcome: ApprovalOutcome) => OUTCOME[outcome] ?? "Answered";
export const outcomeNote = (outcome: string, note: string) => `${outcome}: ${note}`;
export const byOther = "answered outside this page";

export const preview = "What would change";
export const previewMore = (n: number) => `and ${photos(n)} more`;
export const after = "after";
export const empty = "empty";
export const unchanged = "stays as it is";

export const failed = (n: number) => `${photos(n)} not changed`;
export const notAttempted = (n: number) => `${photos(n)} not tried.`;

export const photosShown = "Photos";
export const picture = (name: string) => `Show ${name} larger`;
export const pictureOf = (name: string) => `Photo ${name}`;
export const aPhoto = "a photo";
export const noPicture = "No picture";
export const noPictureOf = (name: string) => `No picture of ${name}`;
export const more = (n: number) => `and ${count(n)} more`;
export const close = "Close";
export const previous = "Previous photo";
export const next = "Next photo";
export const loading = "Loading…";

export const changed = (n: number, title: string) => `${photos(n)} changed in Lightroom by “${title}”.`;
export const putBack = (n: number) => `${photos(n)} put back in Lightroom as before.`;
export const undo = "Undo";
export const redo = "Redo";
export const undone = "Undone.";
export const redone = "Redone.";
export const notUndone = (n: number, reasons: string[]) => `${photos(n)} left as now. ${reasons.join(" ")}`;
export const cleared = "The previous conversation was cleared. This one begins anew.";
export const stopped = (reason: StoppedEvent["reason"]) => STOPPED[reason] ?? "Stopped here.";
export const warning = "Please note";
export const error = "Something went wrong";
export const job = (work: string, state: JobEvent["state"], done: number, total: number) =>
  `${work}: ${JOB[state] ?? state}${total > 0 ? `, ${count(done)} of ${count(total)}` : ""}`;

export const notSentStopped = "Not sent, because the model was stopped:";
export const writeAgain = "Put back into your message";

export const queued = "In the queue";
export const removeQueued = "Remove";
export const removeQueuedText = (text: string) => `Remove from the queue: ${text}`;
export const message = "Your message";
export const placeholder = "Ask about your photos";
export const send = "Send";
export const queue = "Add to queue";
export const stop = "Stop";
export const keys = "Enter sends, Shift + Enter begins a new line.";
export const keysBusy = "The model is working; what you send now waits in the queue.";
export const keysQuestion = "A question above waits for your answer; what you send now waits in the queue.";

export const notSent = (why: string) => `Not sent. ${why}`;
export const notAnswered = (why: string) => `Your answer did not arrive. ${why}`;
export const notTakenBack = (why: string) => `It is not known whether this was done. ${why}`;
export const notStopped = (why: string) => `Could not stop. ${why}`;
export const unreachable = "Safelight does not answer. Is Lightroom running?";
export const dismiss = "Dismiss";

export const endedTitle = "This chat has ended or its key no longer works";
export const endedHelp = "Open a new one in Lightroom, under Library → Plug-in Extras.";
export const noAddressTitle = "Open the chat from Lightroom";
export const noAddressHelp =
  "This page needs the key that Lightroom gives it: Library → Plug-in Extras → Chat with Your Catalog…";
export const tryAgain = "Try again";
export const brokenPart = "This part cannot be shown.";

export const markdownPicture = (alt: string) => (alt ? `[picture: ${alt}]` : "[picture]");
export const opensSite = (host: string) => `opens ${host}`;

export const announceQuestion = (parts: string[]) => `Safelight asks: ${parts.join(" ")}`;
export const announceAnswer = (text: string) => `Safelight: ${text}`;
export const announceStatus = (title: string, status: string) => `${title}: ${status}`;
export const titleQuestion = "Question – Safelight";
export const titleWorking = "Working – Safelight";

// --- arguments in words -----------------------------------------------------------------------------------
export const argument = {
  photos: "Photos",
  selection: "the photos selected in Lightroom",
  view: "all photos that Lightroom shows now",
  earlierResult: "the photos found earlier in this chat",
  chosen: (n: number) => (n === 1 ? "1 single photo" : `${count(n)} single photos`),
  which: (n: number, words: string) => `${words} (${count(n)})`,
  rating: "Stars",
  stars: (n: number) => (n === 0 ? "none" : `${"★".repeat(n)} (${n})`),
  rating_min: "At least",
  rating_max: "At most",
  starsBound: (n: number) => (n === 0 ? "no stars" : n === 1 ? "1 star" : `${n} stars`),
  text: "With the words",
  flag: "Flag",
  flags: { pick: "picked", none: "no flag", reject: "rejected" } as Record<string, string>,
  label: "Colour label",
  labels: { none: "no label" } as Record<string, string>,
  captured_from: "Taken from",
  captured_to: "Taken until",
  sort: "Order",
  sorts: {
    best: "best first",
    newest: "newest first",
    oldest: "oldest first",
    rating: "most stars first",
    file_name: "by file name",
  } as Record<string, string>,
  when: "Taken",
  keyword: "Keyword",
  shows: "Picture shows",
  filter: "Conditions",
  missing: "Without",
  adjusted: "Developed",
  within: "Only among",
  facets: "Counts by year, stars and more",
  add: "Add",
  remove: "Take away",
  replace: "Only these",
  clear_gps: "Take the GPS place away",
  settings: "Settings",
  relative: "By these amounts",
  destination: "Into the folder",
  long_edge: "Longer side",
  pixels: (n: number) => `${count(n)} pixels`,
  change_id: "Change",
  photo_id: "Photo",
  limit: "List",
  limitValue: (n: number) => `at most ${photos(n)}`,
  offset: "Leave out",
  offsetValue: (n: number) => `the first ${count(n)}`,
  collection: "Collection",
  title: "Title",
  caption: "Caption",
  keywords: "Keywords",
  file_name: "File name",
  takenAway: "taken away",
  quoted: (words: string) => `“${words}”`,
  yes: "yes",
  no: "no",
  nothing: "nothing",
};
