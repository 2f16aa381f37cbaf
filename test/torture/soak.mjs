/**
 * Soak: many processes run all kinds of commands on one instance for a while, with the embedded database and with a
 * PostgreSQL server. Some are killed, some are stopped and continued, clocks differ, and the disk fills up and drains.
 * No process ends in an undocumented way or hangs; at the end, everything that was reported as stored is there, `fsck`
 * finds nothing, push and pull succeed, and the database can be built again with the same rows.
 *
 *   node test/torture/soak.mjs [--minutes N | --hours N | --commands N] [--width N] [--seed S] [--other COMMIT]
 *                              [--patience SECONDS] [--no-faults] [--forget]
 *
 * `--width`: processes at a time. `--patience`: seconds after which a command counts as hanging, more than it waits for
 * a lock; to be raised beside other work. `--other`: every second command runs the program of another commit of this
 * repository, which is built first. `--no-faults`: no kills, stops and full disks. `--forget` removes one stored
 * profile at the end, as a control that must fail. A kind of command that never succeeds is a failure as well. An
 * interrupt (Ctrl-C) ends the run with its report.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundleDoor } from "./bundle-door.mjs";
import { createPlace, openCommands } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram, runWithSignals } from "./scene.mjs";
import { KindCounts, sharePath, SoakCommands } from "./soak-commands.mjs";
import { checkManners, checkStatus } from "./verdict.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    hours: { type: "string" },
    commands: { type: "string" },
    width: { type: "string", default: "16" },
    seed: { type: "string", default: "1" },
    other: { type: "string" },
    patience: { type: "string", default: "120" },
    "no-faults": { type: "boolean", default: false },
    forget: { type: "boolean", default: false },
  },
});
const most = Number(values.commands ?? Infinity);
const short = values.commands === undefined ? 1 : Infinity;
const minutes = values.hours === undefined ? Number(values.minutes ?? short) : 60 * Number(values.hours);
let isInterrupted = false;
const isOver = (end) => isInterrupted || performance.now() >= end || counts.commands >= most;
const random = randomNumbers(Number(values.seed));
const pick = (list) => list[Math.floor(random() * list.length)];

const zones = ["UTC", "Asia/Kathmandu", "America/St_Johns"];
const clock = join(import.meta.dirname, "shifted-clock.cjs");
const year = 365 * 86_400_000;

/** Milliseconds: mostly none, an hour ahead, a day behind, in 1971, after 2038. */
const clockShifts = [0, 0, 0, 0, 0, 0, 3_600_000, -86_400_000, 1.5 * year - Date.now(), 20 * year];

/** The longest time of a command, milliseconds. */
const longest = 1000 * Number(values.patience);

const scene = await openCommands(builtProgram());
const folder = join(scene.root, "soak");
const programs = [scene.program, ...(values.other === undefined ? [] : [buildOther(values.other)])];
const { hasSmallDisk, unmount } = smallDisk(folder);
cpSync(join(scene.root, "template"), folder, { recursive: true });
const version = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).stdout.trim();

const server = await openServer();
const commands = new SoakCommands({ folder, version, database: server?.words, random });
const { stored } = commands;
const counts = { started: 0, commands: 0, refused: 0, kills: 0, stops: 0, fills: 0 };
const kinds = new KindCounts();
const complaints = [];

/** The program of another commit, built in a folder of its own. */
function buildOther(commit) {
  const repository = resolve(import.meta.dirname, "../..");
  const other = join(scene.root, "other");
  mkdirSync(other);
  const must = (file, words, cwd) => {
    const { status, stderr, error } = spawnSync(file, words, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
    if (status !== 0) throw new Error(`${words.join(" ")}: ${stderr ?? error}`);
  };
  const archive = join(scene.root, "other.tar");
  must("git", ["archive", "-o", archive, commit], repository);
  must("tar", ["-xf", archive, "-C", other], repository);
  rmSync(archive);
  symlinkSync(join(repository, "node_modules"), join(other, "node_modules"));
  must(process.execPath, ["scripts/build.mjs"], other);
  return join(other, "dist/cli.js");
}

/** Runs a command; kills or stops it, if that is its fate. */
async function perform(words, fate) {
  const { environment } = createPlace(scene.root, folder);
  const more = { TZ: pick(zones), CLOCK_SHIFT: String(pick(clockShifts)), ...server?.environment };
  const signals = [...fate, [longest, "SIGKILL"]];
  const program = programs[counts.started++ % programs.length];
  const command = [process.execPath, "--require", clock, program, ...words];
  const result = await runWithSignals(command, folder, signals, { ...environment, ...more });
  return { ...result, isStuck: result.signal === "SIGKILL" && result.milliseconds >= longest };
}

/** Signals with their times, milliseconds. */
function drawFate() {
  const chance = values["no-faults"] ? 1 : random();
  const start = 30 + random() * 900;
  if (chance < 0.15) {
    counts.kills += 1;
    return [[start, "SIGKILL"]];
  }
  if (chance < 0.25) {
    counts.stops += 1;
    return [
      [start, "SIGSTOP"],
      [start + random() * 3000, "SIGCONT"],
    ];
  }
  return [];
}

/** A server with the experiment of the template; undefined where none can be started. */
async function openServer() {
  const door = await import(pathToFileURL(await bundleDoor(scene.root, "ledger-door")).href);
  if (door.noServer !== undefined) return undefined;
  const { makeDatabase, environment, stop } = await door.startServer();
  const words = ["--db", await makeDatabase()];
  const { PGPASSWORD } = environment;
  const env = { ...createPlace(scene.root, folder).environment, PGPASSWORD };
  const create = [scene.program, "experiment", "create", "ping.exp", ...words];
  const { status, stderr } = spawnSync(process.execPath, create, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`experiment create on the server: ${stderr}`);
  return { words, environment: { PGPASSWORD }, stop };
}

/** A command with its files, undefined while the disk is full. */
async function prepared() {
  try {
    return commands.draw();
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return undefined;
  }
}

async function worker(end) {
  while (!isOver(end) && complaints.length < 40) {
    const command = await prepared();
    if (command === undefined) continue;
    const { words, keep } = command;
    const result = await perform(words, drawFate());
    counts.commands += 1;
    kinds.take(command, result);
    if (result.status === 0) keep?.(result.stdout);
    else if (result.signal === null) counts.refused += 1;
    const found = [...checkManners(result), ...checkStatus(result)];
    complaints.push(...found.map((each) => `${words.join(" ")}: ${each} ${result.stderr.slice(0, 200)}`));
  }
}

/** A file system of 300 MB for the instance, if this user may mount one. */
function smallDisk(path) {
  mkdirSync(path);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300m", "tmpfs", path]);
  return { hasSmallDisk: status === 0, unmount: () => status === 0 && spawnSync("umount", [path]) };
}

/** Makes room for what is checked at the end: a rebuilt database and the one that it replaces. */
function enlarge(path) {
  if (hasSmallDisk) spawnSync("mount", ["-o", "remount,size=4g", path]);
}

/** Fills the disk for a second, again and again. */
async function fill(end) {
  const path = join(folder, "filling");
  if (!hasSmallDisk || values["no-faults"]) return;
  while (!isOver(end - 3000)) {
    await new Promise((resolve) => setTimeout(resolve, 5000 + random() * 10_000));
    counts.fills += 1;
    spawnSync("sh", ["-c", `cat /dev/zero > ${path} 2>/dev/null`]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    rmSync(path, { force: true });
  }
}

async function requireFiles(must, files, database) {
  const { runs = [] } = JSON.parse(await must("find", "ping", "--format", "json", ...database));
  const imported = new Set(runs.flatMap(({ cells }) => cells.flatMap(({ values: each }) => each.flat())));
  for (const name of files) if (!imported.has(name)) complaints.push(`${name} was reported as imported but is not`);
}

/** Everything that was reported as stored is there, and nothing is damaged. */
async function judge() {
  const must = async (...words) => {
    const result = await perform(words, []);
    if (result.status !== 0) complaints.push(`at the end, ${words.join(" ")}: ${result.status} ${result.stderr}`);
    return result.stdout;
  };
  if (values.forget) await must("rm", `${[...stored.profiles.keys()][0]}`);
  const { registered = [] } = JSON.parse(await must("status", "--format", "json"));
  const listed = new Map(registered.map(({ name, object }) => [name, object]));
  for (const [name, digest] of stored.profiles)
    if (listed.get(name) !== digest) complaints.push(`${name} was reported as stored but is not`);
  await must("fsck");
  await must("push", sharePath);
  await must("pull", sharePath);
  const rows = await must("export", "ping", "--format", "csv");
  await requireFiles(must, stored.files.embedded, []);
  if (server !== undefined) await requireFiles(must, stored.files.server, server.words);
  const { commits = [] } = JSON.parse(await must("stats", "list-files", "--format", "json"));
  const kept = new Set(commits.flatMap(({ files }) => files.map(({ name }) => name)));
  for (const name of stored.statistics)
    if (!kept.has(name)) complaints.push(`the statistics ${name} were reported as stored but are not`);
  await must("rebuild", "experiments");
  if ((await must("export", "ping", "--format", "csv")) !== rows) complaints.push("a rebuild changes the rows");
  const left = readdirSync(join(folder, ".perun")).filter((name) => /\.(?:tmp|lock)$/.test(name));
  if (left.length > 0) complaints.push(`left behind: ${left.join(", ")}`);
}

// The server's package ends the process at these signals.
for (const signal of ["SIGINT", "SIGTERM"])
  process.removeAllListeners(signal).once(signal, () => (isInterrupted = true));
const started = performance.now();
const end = started + minutes * 60_000;
await Promise.all([fill(end), ...Array.from({ length: Number(values.width) }, () => worker(end))]);
enlarge(folder);
await judge();
await server?.stop();
complaints.push(...kinds.complaints());
for (const complaint of complaints.slice(0, 40)) process.stdout.write(`  ${complaint}\n`);
const facts = [
  `${counts.commands} commands of ${values.width} processes (${kinds.size} kinds, ${counts.refused} refused)`,
  `${counts.kills} kills`,
  `${counts.stops} stops`,
  hasSmallDisk ? `${counts.fills} full disks` : "no small disk",
  server === undefined ? "no server" : "both engines",
  stored.counts,
  ...(values.other === undefined ? [] : [`every second command by ${values.other}`]),
  `seed ${values.seed}`,
  complaints.length === 0 ? "0 lost" : `${complaints.length} PROBLEMS, left in ${folder}`,
  `${((performance.now() - started) / 1000).toFixed(0)} s`,
];
process.stdout.write(`soak: ${facts.join(", ")}\n`);
if (complaints.length === 0) {
  unmount();
  scene.close();
}
process.exitCode = complaints.length === 0 ? 0 : 1;
