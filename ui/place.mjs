// Puts the page that was just built where the service takes it from; with --check, tells whether it is there already.

import { copyFileSync, existsSync, readFileSync } from "node:fs";

const built = new URL("dist/chat.html", import.meta.url);
const placed = new URL("chat.html", import.meta.url);

if (!process.argv.includes("--check")) {
  copyFileSync(built, placed);
} else if (!existsSync(placed) || !readFileSync(built).equals(readFileSync(placed))) {
  console.error("ui/chat.html is not what its source builds: run `npm run build` in ui/");
  process.exitCode = 1;
}
