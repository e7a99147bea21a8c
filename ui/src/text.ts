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
  ended: "Chat ended",
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

export const TEXT = {
  name: "Safelight",
  intro: "What shall we do with your photos?",
  introHelp: "Ask in your own words. Safelight looks, shows and sorts, and changes photos only as you allow.",
  examples: [
    "Show me my five-star photos from this year",
    "Which of the selected photos have no title?",
    "Give the selected photos three stars",
  ],

  model: (model: string) => `Model: ${model}`,
  connection: (now: Connection) => CONNECTION[now],
  staysHere: "This conversation stays on this computer.",
  sendsTo: (who: string) => `This conversation, and photos the model looks at, are sent to ${who}.`,
  contextUsed: (percent: number) => `${percent} % of the model's memory used`,

  conversation: "Conversation",
  earlier: (n: number) => `Show ${count(n)} earlier entries`,
  latest: "Newest below",
  you: "You",
  assistant: "Safelight",
  thinking: "Thinking:",
  writing: "Safelight is writing",
  working: "Safelight is working…",

  class: (kind: ToolClass) => CLASS[kind],
  aimedAt: (n: number) => photos(n),
  status: (status: CallStatus) => STATUS[status],
  found: (n: number) => `${photos(n)} found`,
  skipped: (reason: ToolSkippedEvent["reason"]) => SKIPPED[reason] ?? "Not done.",
  answer: "Answer in full",
  argumentsChanged: "It ran with other details than the model had proposed; the ones above count.",

  question: "May this be done?",
  questionFor: (title: string) => `May this be done: ${title}?`,
  reason: (reason: ApprovalReason) => {
    if (reason.kind === "bulk") {
      const limit = reason.limit === undefined ? "" : `, more than your limit of ${count(reason.limit)}`;
      return reason.photos === undefined
        ? `It aims at many photos at once${limit}.`
        : `It aims at ${photos(reason.photos)} at once${limit}.`;
    }
    if (reason.kind === "rule") return "You want to be asked each time this tool is used.";
    return "You want to be asked before a step of this kind.";
  },
  allowOnce: "Allow once",
  allowChat: "Allow in this chat",
  allowAlways: "Always allow",
  alwaysMeans: (rule: string) => `“Always allow” means: ${rule}`,
  expires: (time: string) => `Without an answer until ${moment(time)} it is not done.`,
  deny: "Don't allow",
  note: "Tell the model why (optional)",
  answering: "Sending your answer…",
  answeredElsewhere: "This question is no longer open.",
  outcome: (outcome: ApprovalOutcome) => OUTCOME[outcome] ?? "Answered",
  outcomeNote: (outcome: string, note: string) => `${outcome}: ${note}`,
  byAgent: "answered outside this page",

  preview: "What would change",
  previewMore: (n: number) => `and ${photos(n)} more`,
  after: "after",
  empty: "empty",
  unchanged: "stays as it is",

  failed: (n: number) => `${photos(n)} not changed`,
  notAttempted: (n: number) => `${photos(n)} not tried.`,

  photosShown: "Photos",
  picture: (name: string) => `Show ${name} larger`,
  pictureOf: (name: string) => `Photo ${name}`,
  aPhoto: "a photo",
  noPicture: "No picture",
  noPictureOf: (name: string) => `No picture of ${name}`,
  more: (n: number) => `and ${count(n)} more`,
  close: "Close",
  previous: "Previous photo",
  next: "Next photo",
  loading: "Loading…",

  changed: (n: number, title: string) => `${photos(n)} changed in Lightroom by “${title}”.`,
  putBack: (n: number) => `${photos(n)} put back in Lightroom as before.`,
  undo: "Undo",
  redo: "Redo",
  undone: "Undone.",
  redone: "Redone.",
  notUndone: (n: number, reasons: string[]) => `${photos(n)} left as now. ${reasons.join(" ")}`,
  cleared: "The previous conversation was cleared. This one begins anew.",
  stopped: (reason: StoppedEvent["reason"]) => STOPPED[reason] ?? "Stopped here.",
  warning: "Please note",
  error: "Something went wrong",
  job: (work: string, state: JobEvent["state"], done: number, total: number) =>
    `${work}: ${JOB[state] ?? state}${total > 0 ? `, ${count(done)} of ${count(total)}` : ""}`,

  notSentStopped: "Not sent, because the model was stopped:",
  writeAgain: "Put back into your message",

  queued: "In the queue",
  removeQueued: "Remove",
  removeQueuedText: (text: string) => `Remove from the queue: ${text}`,
  message: "Your message",
  placeholder: "Ask about your photos",
  send: "Send",
  queue: "Add to queue",
  stop: "Stop",
  keys: "Enter sends, Shift + Enter begins a new line.",
  keysBusy: "The model is working; what you send now waits in the queue.",
  keysQuestion: "A question above waits for your answer; what you send now waits in the queue.",

  notSent: (why: string) => `Not sent. ${why}`,
  notAnswered: (why: string) => `Your answer did not arrive. ${why}`,
  notTakenBack: (why: string) => `It is not known whether this was done. ${why}`,
  notStopped: (why: string) => `Could not stop. ${why}`,
  unreachable: "Safelight does not answer. Is Lightroom running?",
  dismiss: "Dismiss",

  endedTitle: "This chat has ended or its key no longer works",
  endedHelp: "Open a new one in Lightroom: Library → Plug-in Extras → Chat with Your Catalog…",
  noAddressTitle: "Open the chat from Lightroom",
  noAddressHelp: "This page needs the key that Lightroom gives it: Library → Plug-in Extras → Chat with Your Catalog…",
  tryAgain: "Try again",
  brokenPart: "This part cannot be shown.",

  markdownPicture: (alt: string) => (alt ? `[picture: ${alt}]` : "[picture]"),
  opensSite: (host: string) => `opens ${host}`,

  announceQuestion: (parts: string[]) => `Safelight asks: ${parts.join(" ")}`,
  announceAnswer: (text: string) => `Safelight: ${text}`,
  announceStatus: (title: string, status: string) => `${title}: ${status}`,
  titleQuestion: "Question – Safelight",
  titleWorking: "Working – Safelight",

  // --- arguments in words -----------------------------------------------------------------------------------
  argument: {
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
  },
} as const;
