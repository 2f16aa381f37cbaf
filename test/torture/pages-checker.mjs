/** Reads instances and databases of pages.mjs, in a process that a crash of the database may end. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPlace } from "./operations.mjs";

const [root] = process.argv.slice(2);
const door = await import(pathToFileURL(join(root, "command-door.mjs")).href);
const resident = join(root, `resident-${process.pid}`);
const reader = new door.PageReader(resident);

const commands = {
  fsck: ["fsck"],
  answer: ["export", "ping", "--format", "csv"],
  rebuild: ["rebuild", "experiments"],
};

/** What each command asks a sound database, in an instance that it may change. */
async function questions(folder) {
  await door.recordStatements(resident);
  const place = createPlace(root, folder);
  const found = {};
  for (const [name, words] of Object.entries(commands))
    found[name] = await door.questionsOf(() => door.runCommand(words, place));
  return found;
}

/** All commands on an instance. */
async function check(folder) {
  const place = createPlace(root, folder);
  const run = (words) => door.runCommand(words, place);
  const found = await run(commands.fsck);
  const read = await run(commands.answer);
  const rebuilt = await run(commands.rebuild);
  const again = await run(commands.answer);
  return {
    answer: read.stdout,
    isSaid: read.status !== 0 || read.stderr !== "",
    isFound: found.status !== 0 || `${found.stdout}${found.stderr}`.includes("rebuilt"),
    isRebuilt: rebuilt.status === 0 && again.status === 0,
    rows: again.stdout,
    said: [found.stdout, found.stderr, read.stderr, rebuilt.stderr, again.stderr]
      .filter((text) => text !== "")
      .join("; "),
  };
}

let known = [];

async function perform({ learn, folder, path }) {
  if (learn !== undefined) return { questions: await questions(learn) };
  if (folder !== undefined) return check(folder);
  return { answers: await reader.read(path, known) };
}

process.on("message", async (task) => {
  if (task.known !== undefined) known = task.known;
  const answer = await perform(task);
  if (process.connected) process.send(answer);
});
