/** Checks states of power-cut.mjs and command-faults.mjs, in a process that a crash of the database may end. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lookAt } from "./instance-facts.mjs";
import { createPlace } from "./operations.mjs";
import { lookAtShare } from "./share-facts.mjs";

const [root] = process.argv.slice(2);
const door = await import(pathToFileURL(join(root, "command-door.mjs")).href);

/** Runs each command in a process of its own, as users do. */
const processes = {
  async runCommand(words, { directory, environment }) {
    const program = join(root, "dist/cli.js");
    const options = { cwd: directory, env: environment, encoding: "utf8", maxBuffer: 1 << 28, timeout: 60_000 };
    return spawnSync(process.execPath, [program, ...words], options);
  },
};

/** `parts`: see `lookAt`; all but "experiments" skip another import and `fsck`. */
async function checkInstance(commands, place, parts) {
  const folder = place.directory;
  const { facts, complaints, isUnusual } = await lookAt(commands, place, parts);
  const attempt = async (...words) => {
    const { status, stdout, stderr } = await commands.runCommand(words, place);
    if (status !== 0) complaints.push(`then ${words.join(" ")}: ${stdout}${stderr}`);
  };
  const isWhole = parts.includes("experiments");
  if (!existsSync(join(folder, ".perun")) && parts.includes("files")) await attempt("init");
  if (isWhole && facts["experiment ping"] !== undefined)
    await attempt("import", "-e", "ping", "-d", "ping.inp", "later.txt");
  else if (parts.includes("files")) await attempt("config", "set", "format.log", "%type%");
  if (isWhole) await attempt("fsck");
  return { facts, complaints, isUnusual };
}

/** `parts`: "share", or those of an instance. `byProcesses`: nothing runs in here. */
async function check({ folder, parts = ["files", "experiments"], byProcesses = false }) {
  const place = createPlace(root, folder);
  const commands = byProcesses ? processes : door;
  const found = parts.includes("share") ? lookAtShare(commands, place) : checkInstance(commands, place, parts);
  const answer = await found;
  if (process.connected) process.send(answer);
}

process.on("message", (task) => void check(task));
