// Makes V8's code cache for the program in a folder, for the Node that runs this: `node scripts/code-cache.mjs dist program-x.js`.
// The everyday commands run once in a scratch repository, so that what they need is in it; that they succeed is not its business.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Script } from "node:vm";

const [folder, name] = [resolve(process.argv[2]), process.argv[3]];
const file = join(folder, name);
const scratch = mkdtempSync(join(tmpdir(), "perfkeep-build-"));

/** Exactly the text that src/cli/start.ts compiles: a cache fits no other. */
const script = new Script(`(function (module, require, __filename) {${readFileSync(file, "latin1")}\n})`, { filename: file });
const module = { exports: {} };
script.runInThisContext()(module, createRequire(file), file);

function program(words) {
  return module.exports.main(["node", "perfkeep", ...words.split(" ")]);
}

function profileAt(origin) {
  const header = { type: "time", cmd: "x", workload: "", units: { time: "s" } };
  const resources = [1, 2].map((order) => ({ amount: 1.5, uid: "x", type: "time", subtype: "real", order }));
  return { origin, header, collector_info: { name: "time", params: {} }, postprocessors: [], resources };
}

try {
  Object.assign(process.env, { HOME: scratch, XDG_CACHE_HOME: scratch, XDG_STATE_HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" });
  process.chdir(scratch);
  const identity = ["-c", "user.name=build", "-c", "user.email=build@example.org"];
  execFileSync("git", ["init", "--quiet"]);
  await program("init");
  for (const name of ["one", "two"]) {
    execFileSync("git", [...identity, "commit", "--quiet", "--allow-empty", "--message", name]);
    const origin = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    writeFileSync("a.perf", JSON.stringify(profileAt(origin)));
    await program("add a.perf");
  }
  for (const words of ["status", "log", "log --short", "check head", "show 0@i", "fsck", "--help"]) await program(words);
} finally {
  process.chdir(folder);
  rmSync(scratch, { recursive: true, force: true });
}
const content = script.createCachedData();
const digest = createHash("sha256").update(content).digest();
writeFileSync(join(folder, `${name}-${process.versions.v8}-${process.arch}.cache`), Buffer.concat([digest, content]));
process.exit(0);
