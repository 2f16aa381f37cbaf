/** Reads instances of pages.mjs, in a process that a crash of the database may end. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPlace } from "./operations.mjs";

const [root] = process.argv.slice(2);
const door = await import(pathToFileURL(join(root, "command-door.mjs")).href);

async function check(folder) {
  const place = createPlace(root, folder);
  const run = (...words) => door.runCommand(words, place);
  const found = await run("fsck");
  const read = await run("export", "ping", "--format", "csv");
  const rebuilt = await run("rebuild", "experiments");
  const again = await run("export", "ping", "--format", "csv");
  if (!process.connected) return;
  process.send({
    answer: read.stdout,
    isSaid: read.status !== 0 || read.stderr !== "",
    isFound: found.status !== 0 || `${found.stdout}${found.stderr}`.includes("rebuilt"),
    isRebuilt: rebuilt.status === 0 && again.status === 0,
    rows: again.stdout,
    said: [found.stdout, found.stderr, read.stderr, rebuilt.stderr, again.stderr]
      .filter((text) => text !== "")
      .join("; "),
  });
}

process.on("message", (folder) => void check(folder));
