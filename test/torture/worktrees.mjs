/**
 * Torture of runs in worktrees: SIGKILL and SIGINT at random moments, of the process alone and of its whole group, while it visits the
 * versions of a repository whose user has staged, changed, untracked, ignored and stashed work. After each, nothing of the user's differs,
 * and the next start removes everything that was left.
 *
 *   node test/torture/worktrees.mjs [--kills N] [--seed N]
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { randomNumbers } from "./random.mjs";

const { values } = parseArgs({ options: { kills: { type: "string", default: "24" }, seed: { type: "string", default: "1" } } });
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "torture-worktrees-")));
const [repository, trees, driver] = ["repository", "trees", "driver.mjs"].map((name) => join(scratch, name));
const environment = { PATH: process.env.PATH, HOME: scratch, TZ: "UTC", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };

const ways = [
  { name: "SIGKILL of the group", signal: "SIGKILL", group: true },
  { name: "SIGKILL of the process", signal: "SIGKILL", group: false },
  { name: "SIGINT of the group", signal: "SIGINT", group: true },
  { name: "SIGTERM of the process", signal: "SIGTERM", group: false },
];

function git(...args) {
  const identity = ["-c", "user.name=Torture", "-c", "user.email=torture@localhost"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: repository, env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Three versions of some hundred files, so that git takes its time to fill a tree; then the user's unfinished work. */
function makeRepository() {
  mkdirSync(join(repository, ".perun"), { recursive: true });
  mkdirSync(trees);
  const write = (name, text) => writeFileSync(join(repository, name), text);
  git("init", "--quiet");
  write(".gitignore", "*.o\n.perun\n");
  write(".perun/local.yml", "vcs:\n  type: git\n");
  for (let version = 0; version < 3; version++) {
    for (let file = 0; file < 400; file++) write(`tracked-${file}`, `${version} ${file}\n`.repeat(50));
    git("add", "--all");
    git("commit", "--quiet", "-m", `version ${version}`);
  }
  write("tracked-1", "stashed");
  git("stash", "--quiet");
  write("tracked-2", "staged");
  git("add", "tracked-2");
  write("tracked-2", "staged, then changed");
  write("tracked-3", "changed");
  write("untracked", "untracked");
  write("ignored.o", "ignored");
}

/** Everything of the user's. */
function fingerprint() {
  const files = readdirSync(repository).filter((name) => !name.startsWith("."));
  const hash = createHash("sha1");
  for (const name of [...files, ".gitignore", ".git/index", ".git/HEAD", ".git/config"])
    hash.update(name).update(readFileSync(join(repository, name)));
  const status = git("--no-optional-locks", "status", "--porcelain=v2", "--branch", "--ignored", "--show-stash");
  return [hash.digest("hex"), status, git("stash", "list"), git("for-each-ref"), git("reflog")].join("\n");
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** What is left of runs, in words. */
function leftovers() {
  const folders = [trees, join(repository, ".git/worktrees"), join(repository, ".perun/run")];
  const locks = namesIn(join(repository, ".git")).filter((path) => path.endsWith(".lock"));
  return [...folders.flatMap(namesIn), ...locks, ...processesIn(trees).map((pid) => `process ${pid}`)];
}

function processesIn(folder) {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

function start(verb) {
  const child = spawn(process.execPath, [driver, verb, repository, trees], {
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (texts[name] += text));
  const ready = new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise((resolve) => child.on("exit", (status, signal) => resolve({ status, signal, ...texts })));
  return { child, ready: Promise.race([ready, ended]), ended };
}

const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function killOnce(way, delay) {
  const { child, ready, ended } = start("run");
  await ready;
  await later(delay);
  try {
    process.kill(way.group ? -child.pid : child.pid, way.signal);
  } catch {
    // It was faster than the delay.
  }
  return ended;
}

/** What went wrong, in words; none is right. */
async function torment(way, delay, before) {
  const complaints = [];
  const end = await killOnce(way, delay);
  // Between two versions there is nothing to tidy, and the signal ends the driver as it ends any program.
  if (way.signal !== "SIGKILL" && ![0, 130].includes(end.status) && end.signal !== way.signal)
    complaints.push(`ended with ${end.status ?? end.signal}: ${end.stderr}`);
  if (way.signal !== "SIGKILL" && leftovers().length > 0) complaints.push(`left ${leftovers().join(", ")}`);
  const dirt = leftovers().length > 0;
  if (fingerprint() !== before) complaints.push("changed the user's work");
  const recovery = await start("recover").ended;
  if (recovery.status !== 0) complaints.push(`recovery ended with ${recovery.status}: ${recovery.stderr}`);
  if (leftovers().length > 0) complaints.push(`recovery left ${leftovers().join(", ")}: ${recovery.stdout}`);
  if (fingerprint() !== before) complaints.push("recovery changed the user's work");
  return { complaints, dirt };
}

async function main() {
  await build({
    entryPoints: [join(import.meta.dirname, "worktree-driver.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: driver,
    logLevel: "error",
  });
  makeRepository();
  const before = fingerprint();
  const started = performance.now();
  const { status, stderr } = await start("run").ended;
  if (status !== 0) throw new Error(`the driver ended with ${status}: ${stderr}`);
  const whole = performance.now() - started;
  const random = randomNumbers(Number(values.seed));
  let [failures, dirty] = [0, 0];
  for (let kill = 0; kill < Number(values.kills); kill++) {
    const way = ways[kill % ways.length];
    const delay = Math.round(random() * whole);
    const { complaints, dirt } = await torment(way, delay, before);
    if (dirt) dirty++;
    if (complaints.length > 0) failures++;
    for (const complaint of complaints) process.stdout.write(`${way.name} after ${delay} ms: ${complaint}\n`);
  }
  process.stdout.write(
    `torture of worktrees: ${values.kills} kills, ${dirty} left something behind, ${failures} not fully recovered or noticed by the user\n`,
  );
  process.exitCode = failures > 0 || dirty === 0 ? 1 : 0;
}

if (existsSync("/proc/self/cwd")) {
  try {
    await main();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
} else process.stdout.write("torture of worktrees: skipped, this system has no /proc to find stray processes by\n");
