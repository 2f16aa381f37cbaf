/**
 * The environment of run.mjs: a scratch folder with the program, a template of a store and copies of it.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleDoor } from "./bundle-door.mjs";

const environment = { PATH: process.env.PATH, HOME: tmpdir(), TZ: "UTC", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };

const identity = ["-c", "user.name=Torture", "-c", "user.email=torture@localhost"];

/**
 * Creates the scene. `program`: folder of the built program, or null for the bundled driver of the store. It is copied,
 * so that a concurrent build does not interfere.
 */
export async function openScene(program) {
  const root = mkdtempSync(join(tmpdir(), "torture-"));
  await Promise.all(["add-driver", "lock-driver", "store-door"].map((name) => bundleDoor(root, name)));
  const door = await import(pathToFileURL(join(root, "store-door.mjs")).href);
  if (program !== null) cpSync(program, join(root, "program"), { recursive: true });
  const words = [process.execPath, join(root, program === null ? "add-driver.mjs" : "program/cli.js")];
  return new Scene(root, words, door, program !== null);
}

class Scene {
  constructor(root, words, door, isCli) {
    this.root = root;
    this.words = words;
    this.door = door;
    this.template = join(root, "template");
    this.count = 0;
    this.#makeTemplate(isCli);
  }

  close() {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** A folder with a copy of the template, and with `names` pending. */
  copy(names) {
    const folder = join(this.root, `copy-${this.count++}`);
    cpSync(this.template, folder, { recursive: true });
    for (const name of names) this.pend(folder, name);
    return folder;
  }

  /** Makes a profile pending in a copy. */
  pend(folder, name) {
    writeFileSync(join(folder, ".perun", "jobs", name), profileText(name, this.version));
  }

  store(folder) {
    return this.door.openStore(join(folder, ".perun"), { command: "torture" });
  }

  /** The arguments of `add` for pending profiles, relative to a copy. */
  addWords(names) {
    return [...this.words, "add", "-m", this.version, ...names.map((name) => join(".perun", "jobs", name))];
  }

  add(folder, names) {
    return run(this.addWords(names), folder);
  }

  #makeTemplate(isCli) {
    mkdirSync(this.template);
    git(this.template, ["init", "-q", "-b", "main"]);
    git(this.template, [...identity, "commit", "-q", "--allow-empty", "-m", "only"]);
    this.version = git(this.template, ["rev-parse", "HEAD"]).trim();
    if (isCli) {
      const made = spawnSync(this.words[0], [...this.words.slice(1), "init"], {
        cwd: this.template,
        env: environment,
        encoding: "utf8",
      });
      if (made.status !== 0) throw new Error(`init failed: ${made.stderr}`);
    } else {
      this.door.createStore(join(this.template, ".perun"));
    }
  }
}

/** A small profile whose data depends on its name. */
export function profileText(name, origin) {
  const resources = [...name].map((letter, i) => ({
    type: "time",
    subtype: "real",
    uid: letter,
    amount: letter.codePointAt(0) + i / 8,
  }));
  const header = { type: "time", cmd: "torture", workload: name, units: { time: "s" } };
  const collector = { name: "time", params: { repeat: 1 } };
  return JSON.stringify({
    origin,
    header,
    collector_info: collector,
    postprocessors: [],
    global: { timestamp: 0.5, resources },
  });
}

/** Longer than any command takes, and shorter than the lock timeout, so that a lost lock is noticed. */
const limit = 30_000;

/** Runs a program to its end; `isStuck` if it timed out. Never rejects. `more`: additional environment variables. */
export async function run(words, cwd, more = {}) {
  const result = await runAndKill(words, cwd, limit, more);
  return { ...result, isStuck: result.signal === "SIGKILL" && result.milliseconds >= limit };
}

/** Starts a program and kills its process group after some milliseconds if it still runs. */
export function runAndKill(words, cwd, milliseconds, more = {}) {
  return runWithSignals(words, cwd, [[milliseconds, "SIGKILL"]], more);
}

/** Starts a program and sends signals to its process group after their milliseconds, if it still runs. */
export function runWithSignals(words, cwd, signals, more = {}) {
  return new Promise((done) => {
    const started = performance.now();
    const child = spawn(words[0], words.slice(1), {
      cwd,
      env: { ...environment, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].on("data", (data) => (output[name] += data));
    const timers = signals.map(([milliseconds, name]) => setTimeout(() => sendToGroup(child.pid, name), milliseconds));
    child.on("close", (status, signal) => {
      timers.forEach(clearTimeout);
      done({ status, signal, ...output, milliseconds: performance.now() - started });
    });
  });
}

function sendToGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // It has already ended.
  }
}

/** The names that a run of `add` reported as stored, with their objects. */
export function acknowledged(stdout) {
  const line = /^(\S+) (?:registered|was already registered) at [0-9a-f]+ as ([0-9a-f]{40})$/gm;
  return new Map([...stdout.matchAll(line)].map(([, name, digest]) => [name, digest]));
}

/** Runs `jobs` (functions returning promises), `width` at a time. */
export async function inParallel(jobs, width) {
  const queue = [...jobs];
  const lane = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** The folder of the built program; null if there is none. */
export function builtProgram() {
  const folder = resolve(import.meta.dirname, "../../dist");
  return existsSync(join(folder, "cli.js")) ? folder : null;
}

export function pendingTexts(folder) {
  const jobs = join(folder, ".perun", "jobs");
  return new Map(
    readdirSync(jobs)
      .filter((name) => name.endsWith("perf"))
      .map((name) => [name, readFileSync(join(jobs, name), "utf8")]),
  );
}

function git(cwd, words) {
  const result = spawnSync("git", words, { cwd, env: environment, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`git ${words.join(" ")}: ${result.stderr ?? result.error}`);
  return result.stdout;
}
