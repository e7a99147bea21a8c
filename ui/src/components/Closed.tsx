import * as TEXT from "../text";

/** Says that there is no chat here, and what to do. */
export function Closed({ title, help, onTry }: { title: string; help: string; onTry?: () => void }) {
  return (
    <section class="closed" role={onTry ? "alert" : undefined}>
      <h2>{title}</h2>
      <p>{help}</p>
      {onTry && (
        <button type="button" onClick={onTry}>
          {TEXT.tryAgain}
        </button>
      )}
    </section>
  );
}
