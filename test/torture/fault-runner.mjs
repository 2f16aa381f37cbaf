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

/** A fault may hit this, too. */
function write(path, text, left = 5) {
  try {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch (error) {
    if (left === 0) throw error;
    write(path, text, left - 1);
  }
}

for (const folder of folders) {
  let result;
  try {
    result = await door.runCommand(JSON.parse(words), createPlace(root, folder));
  } catch (error) {
    // Of the files that hold what is printed, which are not those of the command.
    result = { status: null, signal: null, stdout: "", stderr: `the runner failed: ${error.message}` };
  }
  process.chdir(root);
  write(`${folder}.result`, JSON.stringify(result));
}
