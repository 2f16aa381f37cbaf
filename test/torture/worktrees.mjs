/**
 * Torture test of runs in worktrees: SIGKILL and SIGINT at random times, of the process or of its process group, while
 * it visits the commits of a repository with staged, changed, untracked, ignored and stashed files. After each kill the
 * files of the user are unchanged, the next command removes all leftovers, and a resumed run measures each commit once.
 *
 *   node test/torture/worktrees.mjs [--kills N] [--driver-kills N] [--seed N]
 *
 * Kills the built program during `run matrix`, then the same steps without the launcher, which would stop its programs.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleDoor } from "./bundle-door.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "60" },
    "driver-kills": { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
  },
});
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "torture-worktrees-")));
const [repository, trees] = ["repository", "trees"].map((name) => join(scratch, name));
const program = join(builtProgram() ?? "dist", "cli.js");
const environment = {
  PATH: process.env.PATH,
  HOME: scratch,
  TMPDIR: trees,
  TZ: "UTC",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
};

const ways = [
  { name: "SIGKILL of the group", signal: "SIGKILL", group: true },
  { name: "SIGKILL of the process", signal: "SIGKILL", group: false },
  { name: "SIGINT of the group", signal: "SIGINT", group: true },
  { name: "SIGTERM of the process", signal: "SIGTERM", group: false },
];

const versions = 3;

const matrix = ["run", "matrix", "--minor", "HEAD", "--crawl-parents"];

/**
 * Commands after a kill; each must clean up. The second number: commits that then have a profile, if known.
 */
const nextCommands = [
  [["status"]],
  [["recover"]],
  [[...matrix, "--resume"], versions],
  [["log"]],
  [[...matrix, "--resume"], versions],
  [matrix],
];

function git(...args) {
  const identity = ["-c", "user.name=Torture", "-c", "user.email=torture@localhost"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: repository,
    env: environment,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Three commits of 100 files, so that a checkout takes time; then uncommitted work of the user. */
function makeRepository() {
  mkdirSync(join(repository, ".perun"), { recursive: true });
  mkdirSync(trees);
  const write = (name, text) => writeFileSync(join(repository, name), text);
  git("init", "--quiet");
  write(".gitignore", "*.o\n.perun\n");
  // Leaves a process behind that outlives its group leader, as some benchmarks do.
  write("bench.sh", "echo built > out.o; echo changed > tracked-0; (sleep 30; true) & sleep 0.03\n");
  const collectors = "[{name: time, params: {warmup: 0, repeat: 1}}]";
  write(".perun/local.yml", `vcs: {type: git, url: ..}\ncmds: [sh bench.sh]\ncollectors: ${collectors}\n`);
  for (let version = 0; version < versions; version++) {
    for (let file = 0; file < 100; file++) write(`tracked-${file}`, `${version} ${file}\n`.repeat(50));
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

/** A digest of everything that belongs to the user. */
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

/** Descriptions of the leftovers of runs. */
function leftovers() {
  const folders = [trees, join(repository, ".git/worktrees"), join(repository, ".perun/run")];
  const locks = namesIn(join(repository, ".git")).filter((path) => path.endsWith(".lock"));
  // The progress of a killed run remains, so that it can be resumed.
  const names = folders.flatMap(namesIn).filter((path) => !path.endsWith(".perun/run/batches"));
  return [...names, ...locks, ...processesIn(trees).map((pid) => `process ${pid}`)];
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

/** Starts Node with a script. */
function start(words) {
  const child = spawn(process.execPath, words, {
    cwd: repository,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (texts[name] += text));
  const ended = new Promise((resolve) => child.on("exit", (status, signal) => resolve({ status, signal, ...texts })));
  return { child, ended };
}

const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function killOnce(words, way, delay) {
  const { child, ended } = start(words);
  await later(delay);
  try {
    process.kill(way.group ? -Number(child.pid) : child.pid, way.signal);
  } catch {
    // It ended before the delay.
  }
  return ended;
}

/** Problems after a kill. `next`: the following command and the expected number of profiles. */
async function torment({ run, next, count }, way, delay, before) {
  const complaints = [];
  for (const name of ["jobs", "run/batches"])
    rmSync(join(repository, ".perun", name), { recursive: true, force: true });
  const end = await killOnce(run, way, delay);
  // Between two commits there is nothing to clean up, and the signal ends the program directly.
  if (way.signal !== "SIGKILL" && ![0, 130].includes(end.status) && end.signal !== way.signal)
    complaints.push(`ended with ${end.status ?? end.signal}: ${end.stderr}`);
  if (way.signal !== "SIGKILL" && leftovers().length > 0) complaints.push(`left behind ${leftovers().join(", ")}`);
  const dirt = leftovers().length > 0;
  if (fingerprint() !== before) complaints.push("changed the user's work");
  // A completed run cannot be resumed, or was killed while it removed its progress: the next one measures all commits
  // again.
  const batches = join(repository, ".perun/run/batches");
  const isLeft = namesIn(batches).some((path) => existsSync(join(path, "owner.json")));
  const ended = isLeft ? 0 : namesIn(join(repository, ".perun/jobs")).length;
  const after = await start(next).ended;
  const command = next.slice(1).join(" ");
  if (after.status !== 0) complaints.push(`${command} ended with ${after.status}: ${after.stderr}`);
  if (leftovers().length > 0) complaints.push(`${command} left ${leftovers().join(", ")}: ${after.stdout}`);
  if (fingerprint() !== before) complaints.push(`${command} changed the user's work`);
  const profiles = namesIn(join(repository, ".perun/jobs")).length;
  if (count !== undefined && profiles !== count + ended)
    complaints.push(
      `${profiles} profiles of ${count} versions after ${command}, ${ended} of them from a run that had ended`,
    );
  return { complaints, dirt };
}

/** Kills `kills` times; `turn` returns the n-th command and the one after it. */
async function stage(name, kills, chosen, turn, before) {
  const started = performance.now();
  const { status, stderr } = await start(turn(0).run).ended;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  const whole = performance.now() - started;
  const random = randomNumbers(Number(values.seed));
  let [failures, dirty] = [0, 0];
  for (let kill = 0; kill < kills; kill++) {
    const way = chosen[kill % chosen.length];
    const delay = Math.round(random() * whole);
    const { complaints, dirt } = await torment(turn(kill), way, delay, before);
    if (dirt) dirty++;
    if (complaints.length > 0) failures++;
    for (const complaint of complaints) process.stdout.write(`${name}, ${way.name} after ${delay} ms: ${complaint}\n`);
  }
  process.stdout.write(
    `torture of worktrees, ${name}: ${kills} kills, ${dirty} with leftovers, ${failures} not fully recovered\n`,
  );
  // Kills without any leftovers prove nothing. A run that is interrupted cleans up itself.
  const isProof = dirty > 0 || kills === 0 || !chosen.some(({ signal }) => signal === "SIGKILL");
  return failures === 0 && isProof;
}

/** Half of the runs use a worktree for each commit at the same time. */
function turnOfProgram(kill) {
  const [words, count] = nextCommands[kill % nextCommands.length];
  const order = kill % 2 === 0 ? [] : ["--order", "interleaved"];
  return {
    run: [program, ...matrix, ...order],
    next: [program, ...words, ...(words.includes("run") ? order : [])],
    count,
  };
}

/** `driver`: the path of its bundle. */
function turnOfDriver(driver) {
  return { run: [driver, "run", repository, trees], next: [driver, "recover", repository, trees] };
}

async function main() {
  const driver = await bundleDoor(scratch, "worktree-driver");
  makeRepository();
  await start([program, "trust"]).ended;
  const before = fingerprint();
  const kills = ways.filter(({ signal }) => signal === "SIGKILL");
  const results = [
    await stage("run matrix", Number(values.kills), kills, turnOfProgram, before),
    await stage(
      "run matrix, asked to stop",
      Math.ceil(Number(values.kills) / 10),
      ways.slice(2),
      turnOfProgram,
      before,
    ),
    await stage("the driver", Number(values["driver-kills"]), ways, () => turnOfDriver(driver), before),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

if (existsSync("/proc/self/cwd")) {
  try {
    await main();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
} else process.stdout.write("torture of worktrees: skipped, this system has no /proc to find orphan processes\n");
