/**
 * The storing part of `perfkeep add`, without version control and command line: `node add-driver.mjs add -m COMMIT
 * FILE...` for files in `.perun/jobs` of the current folder. Prints the same lines as the program.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { VersionId } from "../../src/core/versions/digest.ts";
import { Failure } from "../../src/core/failures/failure.ts";
import { normaliseProfile } from "../../src/formats/profile/profile.ts";
import { openStore } from "../../src/store/store.ts";

const [, , , , version = "", ...files] = process.argv;

const store = openStore(".perun", { command: "add" });

function add(file: string): void {
  const name = basename(file);
  const { type, cmd, workload, collector, postprocessors, body } = normaliseProfile(store.pending.read(name), name);
  const { digest } = store.objects.put("profile", type, body);
  const time = Math.round(statSync(file).mtimeMs / 1000);
  const [state] = store.versions.add(version as VersionId, [
    { name, time, digest, type, cmd, workload, collector, postprocessors },
  ]);
  store.pending.remove(name);
  process.stdout.write(
    `${name} ${state === "present" ? "was already registered" : "registered"} at ${version.slice(0, 8)} as ${digest}\n`,
  );
}

for (const file of files) {
  try {
    add(file);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.exitCode = error.exit;
    process.stderr.write(`perfkeep: ${error.message}; ${error.remedy}\n`);
  }
}
