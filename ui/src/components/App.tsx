import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../announce";
import type { Chat, View } from "../chat";
import { caughtUp, openQuestions, type State } from "../state";
import * as TEXT from "../text";
import { Closed } from "./Closed";
import { Bottom } from "./Composer";
import { Conversation } from "./Conversation";
import { Guard } from "./Guard";
import { Header } from "./Header";

export function App({ chat }: { chat: Chat }) {
  const [view, setView] = useState<View>(chat.view);
  useEffect(() => chat.watch(setView), [chat]);
  const title = chat.api.inbox ? TEXT.inbox : TEXT.name;
  useEffect(() => setTitle(title, view.state), [title, view.state]);
  return (
    <>
      <Header title={title} view={view} />
      <Guard>
        <Conversation chat={chat} view={view} />
      </Guard>
      <Bottom chat={chat} view={view} />
      <LiveRegions state={view.state} />
    </>
  );
}

/** The page without a chat. */
export function NoAddress() {
  return (
    <>
      <header class="top">
        <div class="column bar">
          <h1>
            <span class="lamp" aria-hidden="true" />
            {TEXT.name}
          </h1>
        </div>
      </header>
      <main class="column">
        <Closed title={TEXT.noAddressTitle} help={TEXT.noAddressHelp} />
      </main>
    </>
  );
}

const SILENCE = { urgent: "", calm: "" };

/** What a screen reader is told; never seen. */
function LiveRegions({ state }: { state: State }) {
  const before = useRef(state);
  const [said, setSaid] = useState(SILENCE);
  useEffect(() => {
    const now = announce(before.current, state);
    before.current = state;
    if (now.urgent || now.calm) setSaid((last) => ({ urgent: now.urgent || last.urgent, calm: now.calm || last.calm }));
  }, [state]);
  // What has been said goes, so that the same words are said again, and nobody finds them at the end of the page.
  useEffect(() => {
    const timer = setTimeout(() => setSaid(SILENCE), 10_000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div class="hidden">
      <p aria-live="polite">{said.calm}</p>
      <p aria-live="assertive">{said.urgent}</p>
    </div>
  );
}

function setTitle(title: string, state: State): void {
  const asks = caughtUp(state) && openQuestions(state).length > 0;
  document.title = asks ? TEXT.titleQuestion : state.busy ? TEXT.titleWorking : title;
}
