/** The writing commands of the program, and instances on which they are possible; their data: instance-facts.mjs. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  "stacks.folded": "main;sort 30\nmain;read 12\nmain;read;copy 5\n",
};

const importWords = (...names) => ["import", "-e", "ping", "-d", "ping.inp", ...names];
const dumped = ["experiment", "dump", "ping", "-o", "dump.tar.gz"];
const deletedRun = ["experiment", "delete", "ping", "--run", "1", "--force"];
const deletedAll = ["experiment", "delete", "pong", "--force"];
const addedAll = ["add", ...[0, 1, 2, 3].map((number) => `.perun/jobs/p${number}.perf`)];
const packedAll = ["gc", "--pack", "--all"];
const dumpedOut = ["experiment", "dump", "ping", "-o", "out.tar.gz"];
const exportedOut = ["export", "ping", "--format", "csv", "-o", "out.csv"];

/** The share repository in the folder of an instance. */
export const sharePath = "share.git";

/** What makes the experiments on a server those of the template. */
const onServer = [["experiment", "create", "ping.exp"], importWords("a.txt")];

/** What the instance has and the share lacks. */
const unsent = [["add", ".perun/jobs/p2.perf", ".perun/jobs/p3.perf"], importWords("b.txt")];

/**
 * By name: the words, and the commands before it on a copy of the template. `remote`: the repository that the instance
 * gets a copy of as its share. `isOnServer`: the experiments are in a database of a PostgreSQL server. `isSent`: git
 * also writes into the share.
 */
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
  pull: { remote: "shared.git", words: ["pull", sharePath] },
  push: { remote: "shared.git", isSent: true, before: unsent, words: ["push", sharePath] },
  "first push": { remote: "empty.git", isSent: true, before: unsent, words: ["push", sharePath] },
  dump: { words: dumpedOut },
  "dump again": { before: [dumpedOut, importWords("b.txt")], words: dumpedOut },
  export: { words: exportedOut },
  "export again": { before: [exportedOut, importWords("large.txt")], words: exportedOut },
  "export parquet": { words: ["export", "ping", "--format", "parquet", "-o", "out.parquet"] },
  report: { before: [addedAll], words: ["report", "--title", "all", "-o", "out.html"] },
  "import on a server": { isOnServer: true, before: onServer, words: importWords("b.txt") },
  "update on a server": { isOnServer: true, before: onServer, words: ["experiment", "update", "ping.upd"] },
  "delete a run on a server": { isOnServer: true, before: onServer, words: deletedRun },
  "import a profile": { words: ["import-profile", "stacks.folded", "-m", "HEAD"] },
};

/** The files that operations write outside of the store. */
export const outputs = [...new Set(Object.values(operations).flatMap(outputsOf))];

function outputsOf({ before = [], words }) {
  return [...before, words].flatMap((each) => each.filter((_word, at) => each[at - 1] === "-o"));
}

/** What another instance changes before it pushes to the shared repository. */
const pushed = [
  ["add", ".perun/jobs/p0.perf", ".perun/jobs/p1.perf"],
  importWords("c.txt"),
  ["experiment", "create", "pong.exp"],
  ["stats", "put", "coverage", "one", "stat.json"],
  ["push", "../shared.git"],
];

/** Names a file of an instance with more variables of the environment of its commands. */
export const environmentPath = "environment.json";

/** Where a command runs in the instance `directory`. */
export function createPlace(root, directory) {
  const more = join(directory, environmentPath);
  const environment = {
    PATH: process.env.PATH,
    HOME: join(root, "home"),
    USER: "torture",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    ...(existsSync(more) ? JSON.parse(readFileSync(more, "utf8")) : {}),
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
  for (const name of ["shared.git", "empty.git"]) must("git", ["init", "-q", "--bare", "--template=", name], root);
  for (const words of pushed) must(process.execPath, [program, ...words], other);
}

/**
 * Creates `folder`, an instance on which an operation is possible: the template after the commands before it. `server`:
 * for operations that are on one.
 */
export async function prepare({ root, program, server }, name, folder) {
  cpSync(join(root, "template"), folder, { recursive: true });
  const { startsEmpty = false, remote, isOnServer = false, before = [] } = operations[name];
  if (remote !== undefined) cpSync(join(root, remote), join(folder, sharePath), { recursive: true });
  if (isOnServer) await server.create(folder);
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
