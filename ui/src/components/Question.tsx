import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Chat } from "../chat";
import type { ApprovalAnswer, Preview } from "../contract.gen";
import type { Call } from "../state";
import * as TEXT from "../text";
import { changesInWords, plain } from "../words";
import { composer, resting } from "./Composer";
import { Thumbnail } from "./Photos";

interface Props {
  chat: Chat;
  call: Call;
  question: NonNullable<Call["question"]>;
}

/** The question on a waiting card. Nothing but its three buttons allows: not Enter in the note, not Escape. */
export function Question({ chat, call, question }: Props) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const [note, setNote] = useState("");
  const [answering, setAnswering] = useState(false);
  const underway = useRef(false); // known at once, so that two quick presses give one answer
  const [closed, setClosed] = useState(false);
  useFocusOfQuestion(box);

  const answer = async (decision: ApprovalAnswer["decision"]) => {
    if (underway.current) return;
    underway.current = true;
    setAnswering(true);
    const said = decision === "deny" ? note.trim() : "";
    const became = await chat.answer(call.id, said ? { decision, note: said } : { decision });
    if (became === "closed") setClosed(true);
    if (became !== "failed") return; // an event takes the question away
    underway.current = false;
    setAnswering(false);
  };
  const allow = (decision: ApprovalAnswer["decision"], label: string, style: string) => (
    <button type="button" class={style} aria-disabled={answering} onClick={() => void answer(decision)}>
      {label}
    </button>
  );
  const may = (decision: ApprovalAnswer["decision"]) => question.decisions?.includes(decision) ?? decision !== "always";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot take the focus in every browser
    <section
      ref={box}
      class="question"
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-ask`}
      aria-describedby={`${id}-why`}
    >
      <h3 id={`${id}-ask`}>
        {TEXT.question} <span class="hidden">{call.title}</span>
      </h3>
      <p id={`${id}-why`}>{TEXT.reason(question.reason)}</p>
      {question.preview && <PreviewList chat={chat} preview={question.preview} />}
      {closed && <p role="status">{TEXT.answeredElsewhere}</p>}
      <div class="buttons" hidden={closed}>
        {may("once") && allow("once", TEXT.allowOnce, "primary")}
        {may("chat") && allow("chat", TEXT.allowChat, "")}
        {may("always") && allow("always", TEXT.allowAlways, "")}
      </div>
      <form
        class="deny"
        hidden={closed}
        onSubmit={(event) => {
          event.preventDefault();
          void answer("deny");
        }}
      >
        <input
          type="text"
          aria-label={TEXT.note}
          placeholder={TEXT.note}
          maxLength={2000}
          autoComplete="off"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
        <button type="submit" aria-disabled={answering}>
          {TEXT.deny}
        </button>
      </form>
      {may("always") && question.always && <p class="aside">{TEXT.alwaysMeans(question.always.text)}</p>}
      {question.expires && <p class="aside">{TEXT.expires(question.expires)}</p>}
      {answering && !closed && <p class="aside">{TEXT.answering}</p>}
    </section>
  );
}

/** A new question takes the focus when nothing is being written; an answered one hands it on. */
function useFocusOfQuestion(box: { current: HTMLElement | null }): void {
  useEffect(() => {
    const focused = document.activeElement;
    const idle = focused === null || focused === document.body || focused === resting();
    if (idle && !composer()?.value) box.current?.focus();
  }, [box]);
  useLayoutEffect(() => {
    const mine = box.current;
    return () => {
      if (!mine?.contains(document.activeElement)) return;
      const others = [...document.querySelectorAll<HTMLElement>(".question")].filter((other) => other !== mine);
      (others[0] ?? resting())?.focus();
    };
  }, [box]);
}

function PreviewList({ chat, preview }: { chat: Chat; preview: Preview }) {
  return (
    <details class="preview" open={preview.photos.length <= 6}>
      <summary>{TEXT.preview}</summary>
      <ul>
        {preview.photos.map((photo) => (
          <li key={photo.photo_id}>
            <Thumbnail pictures={chat.pictures} photo={{ id: photo.photo_id, name: photo.file_name }} />
            <div>
              <bdi class="file">{plain(photo.file_name)}</bdi>
              <Changes photo={photo} />
            </div>
          </li>
        ))}
      </ul>
      {preview.more > 0 && <p>{TEXT.previewMore(preview.more)}</p>}
    </details>
  );
}

function Changes({ photo }: { photo: Preview["photos"][number] }) {
  const changes = changesInWords(photo.before, photo.after);
  if (changes.length === 0) return <p class="before">{TEXT.unchanged}</p>;
  return (
    <>
      {changes.map(({ name, before, words }) => (
        <p key={name}>
          {name}: <bdi class="before">{before}</bdi> <span aria-hidden="true">→</span>{" "}
          <span class="hidden">{TEXT.after}</span> <bdi class="after">{words}</bdi>
        </p>
      ))}
    </>
  );
}
