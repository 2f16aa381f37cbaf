/** The writing commands of the program, an instance on which each is possible, and what data an instance holds. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleDoor } from "./bundle-door.mjs";
import { profileText } from "./scene.mjs";

const repository = resolve(import.meta.dirname, "../..");

const rows = (count, number) => Array.from({ length: count }, (_, row) => `${row} ${number}.${row}\n`).join("");

const files = {
  "ping.exp":
    "*experiment ping\nfirst\n*parameter size int Byte\n*parameter host string - none once\n*result time float us\n",
  "pong.exp": "*experiment pong\n*parameter a int\n*result b float\n",
  "ping.upd": "*update ping\nsecond\n*add parameter v int Byte 7\n",
  "ping.inp": "TABLE size pos=1\nTABLE time pos=2\n",
  "a.txt": rows(20, 1),
  "b.txt": rows(30, 2),
  "c.txt": rows(10, 3),
  "later.txt": rows(5, 9),
  "large.txt": rows(20_000, 4),
  "stat.json": '{"calls":3}',
  "more.json": '{"bytes":7}',
};

const importWords = (...names) => ["import", "-e", "ping", "-d", "ping.inp", ...names];
const dumped = ["experiment", "dump", "ping", "-o", "dump.tar.gz"];
const deletedRun = ["experiment", "delete", "ping", "--run", "1", "--force"];
const deletedAll = ["experiment", "delete", "pong", "--force"];
const addedAll = ["add", ...[0, 1, 2, 3].map((number) => `.perun/jobs/p${number}.perf`)];
const packedAll = ["gc", "--pack", "--all"];

/** By name: the words, and the commands before it on a copy of the template. */
export const operations = {
  init: { startsEmpty: true, words: ["init"] },
  config: { words: ["config", "set", "format.status", "%type%"] },
  add: { words: ["add", ".perun/jobs/p0.perf"] },
  "add several": { words: ["add", ...[0, 1, 2, 3].map((number) => `.perun/jobs/p${number}.perf`)] },
  rm: { before: [["add", ".perun/jobs/p0.perf", ".perun/jobs/p1.perf"]], words: ["rm", "p0.perf"] },
  "rm pending": { words: ["rm", ".perun/jobs/p3.perf"] },
  "stats put": { words: ["stats", "put", "coverage", "one", "stat.json"] },
  "stats merge": {
    before: [["stats", "put", "coverage", "one", "stat.json"]],
    words: ["stats", "put", "--merge", "coverage", "one", "more.json"],
  },
  "stats delete": {
    before: [["stats", "put", "coverage", "one", "stat.json"]],
    words: ["stats", "delete", "file", "coverage"],
  },
  create: { words: ["experiment", "create", "pong.exp"] },
  "first create": { startsEmpty: true, before: [["init"]], words: ["experiment", "create", "pong.exp"] },
  import: { words: importWords("b.txt") },
  "import several": { words: importWords("-f", "host=h", "b.txt", "c.txt") },
  "import large": { words: importWords("large.txt") },
  update: { words: ["experiment", "update", "ping.upd"] },
  "delete a run": { words: deletedRun },
  "undelete a run": { before: [deletedRun], words: ["experiment", "undelete", "ping", "--run", "1"] },
  "purge runs": { before: [deletedRun], words: ["experiment", "delete", "ping", "--deleted", "--force"] },
  delete: { before: [["experiment", "create", "pong.exp"]], words: deletedAll },
  undelete: { before: [["experiment", "create", "pong.exp"], deletedAll], words: ["experiment", "undelete", "pong"] },
  purge: { before: [["experiment", "create", "pong.exp"]], words: [...deletedAll, "--purge"] },
  attach: { words: ["attach", "put", "ping", "ping.inp", "--name", "one"] },
  detach: {
    before: [["attach", "put", "ping", "ping.inp", "--name", "one"]],
    words: ["attach", "delete", "ping", "one"],
  },
  grant: { words: ["experiment", "grant", "read", "bob", "-e", "ping"] },
  revoke: {
    before: [["experiment", "grant", "read", "bob", "-e", "ping"]],
    words: ["experiment", "revoke", "read", "bob", "-e", "ping"],
  },
  restore: { before: [dumped], words: ["experiment", "restore", "dump.tar.gz", "--as", "again"] },
  rebuild: { words: ["rebuild", "experiments"] },
  pack: { before: [addedAll], words: ["gc", "--pack", "--all"] },
  "pack again": { before: [packedAll, addedAll], words: ["gc", "--pack", "--all"] },
  unpack: { before: [addedAll, packedAll], words: ["gc", "--unpack"] },
  move: { words: ["move", "ping", "--to", "other.duckdb", "--keep"] },
  pull: { hasShare: true, words: ["pull", "share.git"] },
};

/** What another instance changes before it pushes to the shared repository. */
const pushed = [
  ["add", ".perun/jobs/p0.perf", ".perun/jobs/p1.perf"],
  importWords("c.txt"),
  ["experiment", "create", "pong.exp"],
  ["stats", "put", "coverage", "one", "stat.json"],
  ["push", "../share.git"],
];

export function createPlace(root, directory) {
  const environment = {
    PATH: process.env.PATH,
    HOME: join(root, "home"),
    USER: "torture",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return { directory, environment, scratch: root, now: 1_700_000_000_000 };
}

/** A folder with the program, the template of an instance, and the bundle that runs commands within a process. */
export async function openCommands(dist) {
  const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "torture-commands-"));
  cpSync(dist, join(root, "dist"), { recursive: true });
  for (const name of ["node_modules", "package.json", "assets", "schemas"])
    symlinkSync(join(repository, name), join(root, name));
  mkdirSync(join(root, "home"));
  await bundleDoor(root, "command-door");
  const program = join(root, "dist/cli.js");
  makeTemplate(root, program);
  return { root, program, close: () => rmSync(root, { recursive: true, force: true }) };
}

function makeTemplate(root, program) {
  const folder = join(root, "template");
  const must = (file, words, cwd = folder) => {
    // Commands within a process have that clock, and refuse what comes from the future.
    const clock = { NODE_OPTIONS: `--require ${join(import.meta.dirname, "steady-clock.cjs")}` };
    const env = { ...createPlace(root, cwd).environment, ...clock };
    const result = spawnSync(file, words, { cwd, env, encoding: "utf8" });
    if (result.status !== 0) throw new Error(`${words.join(" ")}: ${result.stderr}`);
    return result.stdout;
  };
  mkdirSync(folder);
  const identity = ["-c", "user.name=Torture", "-c", "user.email=torture@localhost"];
  must("git", ["init", "-q", "-b", "main"]);
  must("git", [...identity, "commit", "-q", "--allow-empty", "-m", "first"]);
  const version = must("git", ["rev-parse", "HEAD"]).trim();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  must(process.execPath, [program, "init"]);
  for (let number = 0; number < 5; number++)
    writeFileSync(join(folder, ".perun/jobs", `p${number}.perf`), profileText(`p${number}.perf`, version));
  must(process.execPath, [program, "add", ".perun/jobs/p4.perf"]);
  must(process.execPath, [program, "experiment", "create", "ping.exp"]);
  must(process.execPath, [program, ...importWords("a.txt")]);
  const other = join(root, "other-instance");
  cpSync(folder, other, { recursive: true });
  must("git", ["init", "-q", "--bare", "--template=", "share.git"], root);
  for (const words of pushed) must(process.execPath, [program, ...words], other);
}

/** Creates `folder`, an instance on which an operation is possible: the template after the commands before it. */
export function prepare({ root, program }, name, folder) {
  cpSync(join(root, "template"), folder, { recursive: true });
  const { startsEmpty = false, hasShare = false, before = [] } = operations[name];
  if (hasShare) cpSync(join(root, "share.git"), join(folder, "share.git"), { recursive: true });
  if (startsEmpty) rmSync(join(folder, ".perun"), { recursive: true });
  for (const words of before) {
    const { environment } = createPlace(root, folder);
    const result = spawnSync(process.execPath, [program, ...words], {
      cwd: folder,
      env: environment,
      encoding: "utf8",
    });
    if (result.status !== 0) throw new Error(`${words.join(" ")} failed: ${result.stderr}`);
  }
}

/** Files of the databases, among the paths relative to an instance. */
export const isOfDatabase = (path) => /^(?:\.perun\/experiments|other)\.duckdb/.test(path);

/** Runs commands that read; those that fail are `complaints`. */
function asker(runCommand, place, complaints) {
  return async (...words) => {
    const result = await runCommand(words, place);
    // An experiment without runs has nothing to export.
    if (result.status !== 0 && !result.stderr.includes("[nothing-selected]"))
      complaints.push(`${words.join(" ")}: ${result.stderr.trim()}`);
    return result.status === 0 ? result.stdout : "{}";
  };
}

/**
 * What data an instance holds, by name, as commands read it. `complaints`: those that failed. `parts`: "files" for the
 * configuration, profiles and statistics, "experiments", and "database", which of the experiments only reads a list,
 * which opens the database and lets the program recover it, and a fingerprint of the whole database; `isUnusual` if the
 * list reports something.
 */
export async function lookAt({ runCommand, runAndFingerprint }, place, parts = ["files", "experiments"]) {
  const complaints = [];
  const facts = {};
  if (!existsSync(join(place.directory, ".perun"))) return { facts, complaints };
  const ask = asker(runCommand, place, complaints);
  if (parts.includes("files")) await lookAtFiles(facts, ask);
  const hasOther = existsSync(join(place.directory, "other.duckdb"));
  if (parts.includes("experiments"))
    for (const where of [[], ...(hasOther ? [["--db", "other.duckdb"]] : [])])
      await lookAtExperiments(facts, ask, join(place.scratch, `dump-${process.pid}`), where);
  if (!parts.includes("database")) return { facts, complaints };
  let isUnusual = false;
  for (const [path, ...where] of [[".perun/experiments.duckdb"], ["other.duckdb", "--db", "other.duckdb"]]) {
    const database = join(place.directory, path);
    if (where.length > 0 && !existsSync(database)) continue;
    const words = ["experiment", "list", "--format", "json", ...where];
    const { status, stderr, fingerprint } = await runAndFingerprint(words, place);
    isUnusual ||= status !== 0 || stderr !== "";
    if (existsSync(database)) facts[`the database ${path}`] = fingerprint;
  }
  return { facts, complaints, isUnusual };
}

async function lookAtFiles(facts, ask) {
  facts["the configuration"] = await ask("config", "get", "format.status");
  const { registered = [], pending = [] } = JSON.parse(await ask("status", "--format", "json"));
  for (const { name } of pending) facts[`profile ${name}`] = "pending";
  for (const { name, object } of registered) {
    facts[`profile ${name}`] = object;
    await ask("cat-object", object);
  }
  const { commits = [] } = JSON.parse(await ask("stats", "list-files", "--format", "json"));
  for (const { name, size } of commits.flatMap((commit) => commit.files)) facts[`statistics ${name}`] = String(size);
}

async function lookAtExperiments(facts, ask, scratch, where) {
  const { experiments = [] } = JSON.parse(await ask("experiment", "list", "--format", "json", ...where));
  for (const { name } of experiments) {
    const dump = await ask("experiment", "dump", name, "--format", "json", "-o", scratch, ...where);
    facts[["experiment", name, ...where].join(" ")] = JSON.parse(dump).rowsDigest;
    facts[["rows of", name, ...where].join(" ")] = await ask("export", name, "--format", "csv", ...where);
  }
}

/** Without the digests of experiments, which depend on the time of the import. */
export function withoutTimes(facts) {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, name.startsWith("experiment ") ? "there" : value]),
  );
}

/** Names whose values in `facts` are in none of `allowed`, with the values. */
export function differences(facts, ...allowed) {
  const names = new Set([facts, ...allowed].flatMap((each) => Object.keys(each)));
  return [...names]
    .filter((name) => !allowed.some((each) => each[name] === facts[name]))
    .map((name) => `${name} is ${facts[name]} instead of ${allowed.map((each) => each[name]).join(" or ")}`);
}
