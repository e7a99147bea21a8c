import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { blocks, sanitise } from "../markdown";
import { memo } from "./memo";

/** A model's text. While it grows, only its last block is drawn again. */
export const Markdown = memo(({ text }: { text: string }) => {
  const parts = useMemo(() => blocks(text), [text]);
  return (
    <div class="markdown" dir="auto">
      {parts.map((html, at) => (
        <Block key={at} html={html} />
      ))}
    </div>
  );
});

const Block = memo(({ html }: { html: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(sanitise(html, location.origin)), [html]);
  return <div ref={place} />;
});
