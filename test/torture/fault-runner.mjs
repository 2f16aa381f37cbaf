/**
 * Runs a command on one instance after the other, within this process, for fault-run.mjs. Writes what each printed to
 * a file next to its instance.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPlace } from "./operations.mjs";

const [root, words, ...folders] = process.argv.slice(2);
const door = await import(pathToFileURL(join(root, "command-door.mjs")).href);

/** A fault may hit what is not part of the command, too. */
function repeated(work, left = 5) {
  try {
    return work();
  } catch (error) {
    if (left === 0) throw error;
    return repeated(work, left - 1);
  }
}

function write(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

for (const folder of folders) {
  let result;
  try {
    const place = repeated(() => createPlace(root, folder));
    result = await door.runCommand(JSON.parse(words), place);
  } catch (error) {
    // Of the files that hold what is printed, which are not those of the command.
    result = { status: null, signal: null, stdout: "", stderr: `the runner failed: ${error.message}` };
  }
  process.chdir(root);
  repeated(() => write(`${folder}.result`, JSON.stringify(result)));
}
