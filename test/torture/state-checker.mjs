/** Checks states of power-cut.mjs, in a process that a crash of the database may end. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPlace, lookAt } from "./operations.mjs";

const [root] = process.argv.slice(2);
const door = await import(pathToFileURL(join(root, "command-door.mjs")).href);

async function check({ folder, isQuick = false }) {
  const place = createPlace(root, folder);
  const { facts, complaints, isUnusual } = await lookAt(door, place, isQuick);
  const attempt = async (...words) => {
    const { status, stdout, stderr } = await door.runCommand(words, place);
    if (status !== 0) complaints.push(`then ${words.join(" ")}: ${stdout}${stderr}`);
  };
  if (!existsSync(join(folder, ".perun"))) await attempt("init");
  if (!isQuick && facts["experiment ping"] !== undefined)
    await attempt("import", "-e", "ping", "-d", "ping.inp", "later.txt");
  else await attempt("config", "set", "format.log", "%type%");
  if (!isQuick) await attempt("fsck");
  if (process.connected) process.send({ facts, complaints, isUnusual });
}

process.on("message", (task) => void check(task));
