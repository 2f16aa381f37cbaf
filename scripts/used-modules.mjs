// Reports which modules of the program have been evaluated by the end of each group of commands: `node
// scripts/used-modules.mjs FOLDER ENTRY OUTPUT.json`.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { everyday } from "./everyday.mjs";

const [folder, entry, output] = [resolve(process.argv[2]), process.argv[3], resolve(process.argv[4])];
const require = createRequire(join(folder, entry));
globalThis.moduleUrl = pathToFileURL(join(folder, entry)).href;

const used = {};
await everyday(require(`./${entry}`).main, (kind) => {
  used[kind] = Object.keys(require.cache).map((path) => basename(path));
});
writeFileSync(output, JSON.stringify(used));
process.exit(0);
