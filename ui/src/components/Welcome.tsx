import { TEXT } from "../text";
import { writeMessage } from "./Composer";

/** What an empty chat shows. An example is put into the message, not sent. */
export function Welcome() {
  return (
    <section class="welcome" aria-labelledby="welcome">
      <h2 id="welcome">{TEXT.intro}</h2>
      <p>{TEXT.introHelp}</p>
      <ul class="examples">
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
