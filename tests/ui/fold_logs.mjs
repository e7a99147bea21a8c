// Folds every log of a JSON lines file with the page's own code; gives each state as one line of JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [ui, logs, states] = process.argv.slice(2);
const { build } = await import(pathToFileURL(createRequire(join(ui, "package.json")).resolve("vite")).href);
const entry = join(ui, "src", "state.ts");
const [{ output }] = await build({
  configFile: false,
  logLevel: "error",
  build: { write: false, minify: false, lib: { entry, formats: ["es"] } },
});
const code = Buffer.from(output[0].code).toString("base64");
const { EMPTY, foldAll } = await import(`data:text/javascript;base64,${code}`);

const lines = readFileSync(logs, "utf8").split("\n").filter(Boolean);
const folded = lines.map((line) => JSON.stringify(foldAll(EMPTY, JSON.parse(line))));
writeFileSync(states, folded.join("\n"));
