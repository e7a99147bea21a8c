import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Chat, View } from "../chat";
import { caughtUp, type Item, type State } from "../state";
import * as TEXT from "../text";
import { CallCard } from "./CallCard";
import { Guard } from "./Guard";
import { Receiver } from "./Header";
import { ChangeLine, JobLine, NoticeLine, ReturnedLine } from "./Lines";
import { memo } from "./memo";
import { RunningTurn, TurnText, UserText } from "./Turns";
import { Welcome } from "./Welcome";

/** Older entries are drawn when asked for; a long chat stays quick. */
const DRAWN = 150;
/** Pixels from the end within which the page follows what is new. */
const NEAR = 120;

export function Conversation({ chat, view }: { chat: Chat; view: View }) {
  const { state, notes, info } = view;
  const [drawn, setDrawn] = useState(DRAWN);
  const hidden = Math.max(0, state.items.length - drawn);
  const { away, toEnd } = useFollowing();
  const running = state.running && (state.running.text || state.running.reasoning) ? state.running : null;
  const waitsForFirst = state.busy && !running && !somethingRuns(state);
  const empty = state.items.length === 0 && !state.busy && state.queue.length === 0 && caughtUp(state);
  return (
    <main
      class="column"
      aria-label={chat.api.inbox ? TEXT.inbox : TEXT.conversation}
      tabIndex={chat.api.inbox ? -1 : undefined}
    >
      <div class="flow">
        <Receiver info={info} />
        {empty && <Welcome inbox={chat.api.inbox} />}
        {hidden > 0 && (
          <button type="button" class="quiet" onClick={() => setDrawn(drawn + DRAWN)}>
            {TEXT.earlier(hidden)}
          </button>
        )}
        {state.items.slice(hidden).map((item) => (
          <Guard key={item.seq}>
            <Entry
              chat={chat}
              item={item}
              note={item.kind === "call" ? (notes[item.id] ?? null) : null}
              titles={titleOf(state, item)}
            />
          </Guard>
        ))}
        {running && (
          <Guard key="running">
            <RunningTurn running={running} />
          </Guard>
        )}
        {waitsForFirst && <p class="working">{TEXT.working(state.reading)}</p>}
      </div>
      {away && (
        <button type="button" class="latest" onClick={toEnd}>
          {TEXT.latest} <span aria-hidden="true">↓</span>
        </button>
      )}
    </main>
  );
}

interface EntryProps {
  chat: Chat;
  item: Item;
  note: string | null;
  titles: string;
}

const Entry = memo(({ chat, item, note, titles }: EntryProps) => {
  switch (item.kind) {
    case "user":
      return <UserText text={item.text} />;
    case "turn":
      return <TurnText turn={item} />;
    case "call":
      return <CallCard chat={chat} call={item} note={note} />;
    case "change":
      return <ChangeLine chat={chat} change={item} title={titles} />;
    case "returned":
      return <ReturnedLine message={item} />;
    case "job":
      return <JobLine job={item} />;
    default:
      return <NoticeLine notice={item} />;
  }
});

/** What a tool is called, known from its last call. */
function titleOf(state: State, item: Item): string {
  if (item.kind !== "change") return "";
  const call = state.items.findLast((other) => other.kind === "call" && other.tool === item.tool);
  return call?.kind === "call" ? call.title : item.tool.replaceAll("_", " ");
}

function somethingRuns(state: State): boolean {
  const last = state.items.at(-1);
  return last?.kind === "call" && (last.status === "running" || last.status === "waiting");
}

/** Keeps the end in view while the reader is there, and leaves a reader who has scrolled up alone. */
function useFollowing() {
  const follows = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = () => {
    follows.current = true;
    scrollTo({ top: document.documentElement.scrollHeight });
  };
  useLayoutEffect(() => {
    const page = document.documentElement;
    let lastY = scrollY;
    const scrolled = () => {
      const near = page.scrollHeight - innerHeight - scrollY < NEAR;
      // Only moving up leaves the end. What grows moves the end away too, and that must not look like leaving.
      if (near) follows.current = true;
      else if (scrollY < lastY) follows.current = false;
      lastY = scrollY;
      setAway(!follows.current);
    };
    const grew = () => follows.current && toEnd();
    const observer = new ResizeObserver(grew);
    observer.observe(document.body); // the message's box below takes room too
    addEventListener("scroll", scrolled, { passive: true });
    addEventListener("resize", grew);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", scrolled);
      removeEventListener("resize", grew);
    };
  }, []);
  return { away, toEnd };
}
