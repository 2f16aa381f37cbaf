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

/** One of the commands on an instance. */
function run(name, folder) {
  return door.runCommand(commands[name], createPlace(root, folder));
}

let known = [];

async function perform({ learn, name, folder, path }) {
  if (learn !== undefined) return { questions: await questions(learn) };
  if (name !== undefined) return run(name, folder);
  return { answers: await reader.read(path, known) };
}

async function answer(task) {
  if (task.known !== undefined) known = task.known;
  const found = await perform(task);
  if (process.connected) process.send(found);
}

process.on("message", (task) => void answer(task));
