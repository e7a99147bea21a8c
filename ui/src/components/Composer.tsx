import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Chat, View } from "../chat";
import { openQuestions, type Queued, type State } from "../state";
import * as TEXT from "../text";
import { Closed } from "./Closed";

const ID = "message";
const ID_KEYS = "message-keys";

/** The box in which messages are written. */
export function composer(): HTMLTextAreaElement | null {
  return document.getElementById(ID) as HTMLTextAreaElement | null;
}

/** What has the focus when nothing else needs it: the message, or in the inbox the page's main part. */
export function resting(): HTMLElement | null {
  return composer() ?? document.querySelector("main");
}

/** Adds a text to the message, for the person to change or send. */
export function writeMessage(text: string): void {
  const box = composer();
  if (!box) return;
  box.value = box.value.trim() ? `${box.value}\n\n${text}` : text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
}

/** The end of the page: what could not be done, and where messages are written; none are in the inbox. */
export function Bottom({ chat, view }: { chat: Chat; view: View }) {
  const { state, problem, connection } = view;
  const ended = connection === "ended";
  return (
    <footer class="bottom">
      <div class="column">
        {problem !== null && (
          <p class="problem" role="alert">
            <span>{problem}</span>
            <button type="button" class="quiet" onClick={() => chat.dismiss()}>
              {TEXT.dismiss}
            </button>
          </p>
        )}
        <Queue chat={chat} queue={state.queue} />
        {ended && (
          <Closed
            title={chat.api.inbox ? TEXT.inboxEnded : TEXT.endedTitle}
            help={TEXT.endedHelp}
            onTry={() => location.reload()}
          />
        )}
        {!chat.api.inbox && <Composer chat={chat} state={state} ended={ended} />}
      </div>
    </footer>
  );
}

function Composer({ chat, state, ended }: { chat: Chat; state: State; ended: boolean }) {
  const [text, setText] = useState("");
  const [sending, setSending] = useState(false);
  const underway = useRef(false); // known at once, so that two quick Enters send one message
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  useGrowing(box, text);

  const send = async () => {
    if (underway.current || ended || !text.trim()) return;
    underway.current = true;
    setSending(true);
    const sent = await chat.send(text);
    underway.current = false;
    setSending(false);
    // What was typed while it was on its way stays.
    if (sent) setText((now) => (now.startsWith(text) ? now.slice(text.length) : now));
  };
  const stop = async () => {
    const returned = (await chat.stop()).join("\n\n");
    if (returned) setText((now) => (now.trim() ? now : returned)); // a text that is being written stays
  };
  const keys = openQuestions(state).length > 0 ? TEXT.keysQuestion : state.busy ? TEXT.keysBusy : TEXT.keys;
  return (
    <>
      <form
        class="composer"
        hidden={ended && !text} // what was written stays there to be copied
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          id={ID}
          ref={box}
          rows={1}
          maxLength={100_000}
          aria-label={TEXT.message}
          aria-describedby={ID_KEYS}
          placeholder={TEXT.placeholder}
          readOnly={ended}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // While an input method composes, Enter ends a word, not the message.
            if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            void send();
          }}
        />
        {state.busy && !ended && (
          <button type="button" class="stop" onClick={() => void stop()}>
            <span class="square" aria-hidden="true" />
            {TEXT.stop}
          </button>
        )}
        <button type="submit" hidden={ended} class="primary" aria-disabled={sending || !text.trim()}>
          {state.busy ? TEXT.queue : TEXT.send}
        </button>
      </form>
      <p id={ID_KEYS} class="keys" hidden={ended}>
        {keys}
      </p>
    </>
  );
}

function Queue({ chat, queue }: { chat: Chat; queue: readonly Queued[] }) {
  if (queue.length === 0) return null;
  return (
    <section class="queue" aria-labelledby="queue">
      <h2 id="queue">{TEXT.queued}</h2>
      <ul>
        {queue.map(({ id, text }) => (
          <li key={id}>
            <span dir="auto">{text}</span>
            <button
              type="button"
              class="quiet"
              aria-label={TEXT.removeQueuedText(text.slice(0, 80))}
              onClick={() => {
                composer()?.focus(); // the button is about to go
                void chat.unqueue(id);
              }}
            >
              {TEXT.removeQueued}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The box is as high as its text, up to a limit that the style sheet sets. */
function useGrowing(box: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.height = "auto";
    box.current.style.height = `${box.current.scrollHeight + 2}px`;
  }, [box, text]);
}
