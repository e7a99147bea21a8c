import * as TEXT from "../text";
import { writeMessage } from "./Composer";

/** What an empty chat shows, or an empty inbox. An example is put into the message, not sent. */
export function Welcome({ inbox }: { inbox: boolean }) {
  return (
    <section class="welcome" aria-labelledby="welcome">
      <h2 id="welcome">{inbox ? TEXT.inboxIntro : TEXT.intro}</h2>
      <p>{inbox ? TEXT.inboxHelp : TEXT.introHelp}</p>
      <ul class="examples" hidden={inbox}>
        {TEXT.examples.map((example) => (
          <li key={example}>
            <button type="button" onClick={() => writeMessage(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
