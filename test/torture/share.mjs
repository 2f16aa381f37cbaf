/**
 * Torture of push and pull: SIGKILL of the process, or of its whole group with every git in it, at random moments,
 * while two instances add, remove and rename profiles and import files into an experiment. After each kill the same
 * command is run again and has to end well without any manual step; what was registered is never lost, and in the end
 * both instances hold the same, byte by byte, and their stores are undamaged.
 *
 *   node test/torture/share.mjs [--kills N] [--seed N]
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
const random = randomNumbers(Number(values.seed));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "torture-share-")));
const program = join(builtProgram() ?? "dist", "cli.js");
const environment = {
  PATH: process.env.PATH,
  HOME: scratch,
  TZ: "UTC",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "t"],
      [`GIT_${who}_EMAIL`, "t@localhost"],
    ]),
  ),
};
const [central, ada, bob] = ["central.git", "ada", "bob"].map((name) => join(scratch, name));

/** Names that must be registered at the end. */
const expected = new Set();
let profiles = 0;
let imports = 0;

function run(file, args, cwd) {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} in ${cwd} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const perfkeep = (cwd, ...args) => run(process.execPath, [program, ...args], cwd);
const git = (cwd, ...args) => run("git", args, cwd);

function begin() {
  git(scratch, "init", "--quiet", "--bare", central);
  git(scratch, "init", "--quiet", "--initial-branch=main", ada);
  writeFileSync(join(ada, "code"), "x\n");
  git(ada, "add", ".");
  git(ada, "commit", "--quiet", "-m", "first");
  git(ada, "remote", "add", "origin", central);
  git(ada, "push", "--quiet", "origin", "main");
  git(scratch, "clone", "--quiet", "--branch", "main", central, bob);
  for (const folder of [ada, bob]) perfkeep(folder, "init");
  writeFileSync(join(scratch, "ping.exp"), "*experiment ping\n*parameter size integer\n*result time float\n");
  writeFileSync(join(scratch, "ping.inp"), "TABLE size pos=1\nTABLE time pos=2\n");
  perfkeep(ada, "experiment", "create", join(scratch, "ping.exp"));
  perfkeep(ada, "push");
  perfkeep(bob, "pull");
}

/** Adds new profiles, large enough that a transfer takes time; sometimes removes one. */
function change(folder) {
  const names = Array.from({ length: 3 }, () => `p${profiles++}.perf`);
  for (const name of names) {
    const uid = createHash("sha512").update(name).digest("base64").repeat(400);
    const profile = {
      collector_info: { name: "time", params: {} },
      global: { resources: [{ amount: profiles, type: "mixed", uid }], time: "1" },
      header: { args: "", cmd: "x", type: "time", units: { time: "s" }, workload: "" },
      origin: git(folder, "rev-parse", "HEAD").trim(),
      postprocessors: [],
    };
    writeFileSync(join(folder, name), JSON.stringify(profile));
    expected.add(name);
  }
  perfkeep(folder, "add", ...names);
  const gone = names[0];
  if (random() < 0.3) {
    perfkeep(folder, "rm", gone);
    expected.delete(gone);
  }
}

/** Imports a file of two rows into the shared experiment. */
function measure(folder) {
  const name = join(folder, `m${imports++}.txt`);
  writeFileSync(name, `1 ${imports}.5\n2 ${imports}.25\n`);
  perfkeep(folder, "import", "-e", "ping", "-d", join(scratch, "ping.inp"), name);
}

/**
 * Returns whether the command was killed before it ended. `longest`: its undisturbed duration in milliseconds.
 */
async function killed(folder, verb, longest, isGroup) {
  const child = spawn(process.execPath, [program, verb], {
    cwd: folder,
    env: environment,
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.on("close", (status) => resolve(status)));
  const timer = sleep(random() * longest).then(() => "time");
  const first = await Promise.race([ended, timer]);
  if (first !== "time") {
    if (first !== 0) throw new Error(`${verb} in ${folder} ended with ${first}`);
    return false;
  }
  try {
    process.kill(isGroup ? -Number(child.pid) : child.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
  return (await ended) === null;
}

function stateOf(folder) {
  const objects = join(folder, ".perun", "objects");
  const names = readdirSync(objects, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^..\/(?:.{38}|.{62})$/.test(name),
  );
  const files = names.map((name) => [name, readFileSync(join(objects, name))]);
  const indexes = files.filter(([, bytes]) => bytes.subarray(0, 4).toString() === "pidx");
  return JSON.stringify(
    indexes.map(([name, bytes]) => [name, createHash("sha1").update(bytes).digest("hex")]).toSorted(),
  );
}

const registered = (folder) =>
  JSON.parse(perfkeep(folder, "status", "--format", "json")).registered.map(({ name }) => name);

function timed(action) {
  const started = performance.now();
  action();
  return performance.now() - started;
}

const counts = { tried: 0, killed: 0, "of the group": 0, "of the process": 0 };
try {
  begin();
  change(ada);
  let longest = Math.max(
    timed(() => perfkeep(ada, "push")),
    timed(() => perfkeep(bob, "pull")),
  );
  while (counts.killed < Number(values.kills)) {
    for (const [folder, verb] of [
      [ada, "push"],
      [bob, "pull"],
      [bob, "push"],
      [ada, "pull"],
    ]) {
      if (verb === "push") change(folder);
      if (verb === "push" && random() < 0.5) measure(folder);
      const isGroup = random() < 0.5;
      counts.tried += 1;
      if (await killed(folder, verb, longest, isGroup)) {
        counts.killed += 1;
        counts[isGroup ? "of the group" : "of the process"] += 1;
      }
      // Sometimes the other side continues first.
      if (random() < 0.7) longest = 0.8 * longest + 0.2 * timed(() => perfkeep(folder, verb));
    }
  }
  for (const verb of ["push", "pull", "push", "pull"]) for (const folder of [ada, bob]) perfkeep(folder, verb);
  if (stateOf(ada) !== stateOf(bob)) throw new Error("the indexes differ");
  const [rows, others] = [ada, bob].map((folder) =>
    perfkeep(folder, "query", "ping", "time", "--by", "run,size", "--format", "csv"),
  );
  if (rows !== others) throw new Error("the experiments differ");
  if (rows.trim().split("\n").length - 1 !== 2 * imports)
    throw new Error(`after ${imports} imports the rows are ${rows}`);
  const names = registered(ada).toSorted();
  const missing = [...expected].filter((name) => !names.includes(name));
  const surplus = names.filter((name) => !expected.has(name));
  if (missing.length > 0) throw new Error(`lost: ${missing.join(", ")}`);
  if (surplus.length > 0) throw new Error(`came back: ${surplus.join(", ")}`);
  for (const folder of [ada, bob]) perfkeep(folder, "fsck");
  for (const folder of [ada, bob])
    if (existsSync(join(folder, ".perun/share/lock"))) throw new Error("a lock was left behind");
  git(ada, "diff", "--quiet", "HEAD");
  console.log(
    `${JSON.stringify(counts)}; ${names.length} profiles and ${imports} imports in both, none lost or restored`,
  );
} finally {
  if (process.exitCode === undefined || process.exitCode === 0)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
