import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Puts the one script and the one style sheet into the page, so that it needs nothing from outside. */
function oneFile(): Plugin {
  return {
    name: "safelight-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["chat.html"];
      if (page?.type !== "asset") throw new Error("the build made no chat.html");
      const scripts: string[] = [];
      const styles: string[] = [];
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === "chunk") scripts.push(part.code);
        else if (name.endsWith(".css")) styles.push(String(part.source));
        else throw new Error(`${name} cannot be put into the page`);
        delete bundle[name];
      }
      const [script, ...moreScripts] = scripts;
      const [style, ...moreStyles] = styles;
      if (script === undefined || style === undefined || moreScripts.length + moreStyles.length > 0) {
        throw new Error("the page must have exactly one script and one style sheet");
      }
      // A closing tag or a comment inside the code would end the element early.
      const safeScript = script.replace(/<(?=\/script|!--|script)/gi, "\\x3c").trim();
      const safeStyle = style.trim();
      if (/<\/style/i.test(safeStyle)) throw new Error("the style sheet closes its own element");
      page.source = String(page.source)
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace("</head>", () => `<style>${safeStyle}</style>\n<script type="module">${safeScript}</script>\n</head>`)
        .replaceAll("\r\n", "\n");
    },
  };
}

export default defineConfig({
  root: here("src"),
  plugins: [oneFile()],
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: here("src/chat.html") },
  },
  test: { root: here("."), include: ["test/**/*.test.ts"], environment: "node" },
});
