import DOMPurify from "dompurify";
import { Marked, type Token } from "marked";
import * as TEXT from "./text";
import { plain } from "./words";

/** Longer texts are shown as they are: a model that writes so much writes no Markdown, and parsing takes too long. */
const LONGEST = 60_000;

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // HTML in an answer is text that talks about HTML.
    html: ({ text }) => inert(text),
    // No picture loads by itself: its address would tell somebody what was read here.
    image: ({ text }) => inert(TEXT.markdownPicture(text)),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // The page's own headings stand above those of an answer.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
  },
});

// biome-ignore format: one group a line
const TAGS = [
  "p", "br", "hr", "blockquote", "h3", "h4", "h5", "h6",
  "strong", "em", "del", "code", "pre", "a",
  "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td",
];

/** A text cut into blocks (a paragraph, a list...), each as HTML that only `sanitise` may turn into nodes. */
export function blocks(text: string): string[] {
  const clean = plain(text);
  if (clean.length > LONGEST) return [`<pre><code>${inert(clean)}</code></pre>`];
  try {
    const tokens = marked.lexer(clean);
    return tokens.filter((token: Token) => token.type !== "space").map((token: Token) => marked.parser([token]));
  } catch {
    return [`<pre><code>${inert(clean)}</code></pre>`]; // nested too deeply
  }
}

/** The nodes of a block: no tag, attribute or address but those that an answer needs. */
export function sanitise(html: string, origin: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ADD_URI_SAFE_ATTR: ["start", "align"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) leave(link, origin);
  return fragment;
}

/** Makes a link open elsewhere and say where; one that leads nowhere outside becomes its text. */
function leave(link: HTMLAnchorElement, origin: string): void {
  const target = outside(link.getAttribute("href"), origin);
  if (!target) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.href = target.href;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  const host = document.createElement("span");
  host.className = "leaves";
  // The text of a link may name another address than the one it leads to.
  host.textContent = ` ↗ ${target.host}`;
  host.title = TEXT.opensSite(target.host);
  link.append(host);
}

function outside(href: string | null, origin: string): URL | null {
  if (!href || !URL.canParse(href)) return null;
  const url = new URL(href);
  return /^https?:$/.test(url.protocol) && url.origin !== origin ? url : null;
}

/** A text without its Markdown, to be read out. */
export function spoken(text: string, longest = 400): string {
  const bare = plain(text)
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[\s>#*+-]+|[*_`~|]/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return bare.length > longest ? `${bare.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : bare;
}

function inert(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
