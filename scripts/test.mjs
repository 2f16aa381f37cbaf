// `npm test`: the full test suite, one line per stage, fastest first, two at a time. `npm test -- unit src/core` runs
// one stage, `npm test -- list` lists them. Uses only Node's own modules before `prepare` has run.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { built, installed, root } from "./prepare.mjs";
import { installTestPrograms } from "./test-programs.mjs";

const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
const bin = (name) => join(root, "node_modules", name);
const node = (script, ...args) => [process.execPath, script, ...args];
const vitest = (...projects) =>
  node(bin("vitest/vitest.mjs"), "run", ...projects.flatMap((name) => ["--project", name]));

/** Commands of the stage `faults`: on the store, the database, the share, and a file elsewhere. */
const fewCommands = "add,import,first push,dump";

/**
 * Each stage: its name, what it proves and its command line. `built`: needs the bundle, which is updated first. `part`:
 * runs only by name, because `tests` includes it. `alone`: uses all processors. `usesServers`: starts PostgreSQL.
 */
const stages = [
  { name: "types", proves: "strict types", command: node(bin("typescript-native/bin/tsc"), "-p", ".") },
  {
    name: "web-types",
    proves: "strict types of pages",
    command: node(bin("typescript-native/bin/tsc"), "-p", "test/browser"),
  },
  { name: "lint", proves: "lint rules, with types, and the word list", command: node("scripts/lint.mjs") },
  { name: "layers", proves: "imports point down and go through faces", command: node("scripts/layers.mjs") },
  { name: "house", proves: "rooms, lone importers, columns, named paths", command: node("scripts/house.mjs") },
  { name: "format", proves: "formatting", command: node(bin("oxfmt/bin/oxfmt"), "--check", ".") },
  { name: "unused", proves: "no unused file, export or dependency", command: node(bin("knip/bin/knip.js")) },
  { name: "package", built: true, proves: "the package as published", command: node("scripts/package.mjs") },
  {
    name: "tests",
    built: true,
    alone: true,
    usesServers: true,
    proves: "unit, contract and end-to-end tests",
    command: vitest("!library"),
  },
  {
    name: "unit",
    usesServers: true,
    proves: "unit and contract tests",
    command: vitest("pure", "effects", "project"),
    part: true,
  },
  {
    name: "cli",
    built: true,
    usesServers: true,
    proves: "end-to-end runs of the built program",
    command: vitest("cli"),
    part: true,
  },
  { name: "browser", built: true, proves: "pages in Chromium", command: vitest("browser"), part: true },
  {
    name: "acceptance",
    built: true,
    proves: "the acceptance kits, if available",
    command: node("scripts/acceptance.mjs"),
  },
  { name: "torture", built: true, proves: "nothing stored is lost", command: node("test/torture/run.mjs") },
  {
    name: "ledger",
    built: true,
    usesServers: true,
    proves: "changes of experiments are atomic and durable",
    command: node("test/torture/ledger.mjs"),
  },
  {
    name: "share",
    built: true,
    proves: "push and pull recover from any kill",
    command: node("test/torture/share.mjs", "--kills", "25"),
  },
  {
    name: "packs",
    built: true,
    proves: "packing and unpacking lose nothing",
    command: node("test/torture/packs.mjs"),
  },
  {
    name: "worktrees",
    built: true,
    proves: "the user's working tree is never touched",
    command: node("test/torture/worktrees.mjs"),
  },
  {
    name: "power",
    built: true,
    proves: "a power cut loses nothing reported (five commands)",
    command: node("test/torture/power-cut.mjs", "--states", "1", "--only", "init,add,import,update,pack"),
  },
  {
    name: "faults",
    built: true,
    proves: "a fault in a command loses nothing (four commands)",
    command: node("test/torture/command-faults.mjs", "--points", "8", "--share", "0", "--only", fewCommands),
  },
  {
    name: "pages",
    built: true,
    proves: "damaged pages of a database are found and repaired",
    command: node("test/torture/pages.mjs", "--mutations", "40"),
  },
  {
    name: "fuzz",
    proves: "damaged files of all readers are read or refused",
    command: node("test/torture/fuzz.mjs", "--count", "200"),
  },
  {
    name: "trips",
    built: true,
    proves: "what is accepted survives every way out",
    command: node("test/torture/round-trips.mjs", "--sequences", "10"),
  },
  {
    name: "soak",
    built: true,
    usesServers: true,
    proves: "16 processes on both engines lose nothing (120 commands)",
    command: node("test/torture/soak.mjs", "--commands", "120"),
  },
];

/**
 * Why PostgreSQL cannot start here, undefined if it can: it refuses to run as root, and the user that the tests run it
 * as cannot enter a closed folder, which each server would find out after minutes only.
 */
function closedFolder() {
  if (process.getuid?.() !== 0) return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0)
      return `other users cannot enter ${folder}, so root cannot start PostgreSQL: chmod o+x it, or switch users`;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Runs one stage and collects its output, which is printed only on failure. */
function run({ command }, words) {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], [...command.slice(1), ...words], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pieces = [];
    child.stdout.on("data", (piece) => pieces.push(piece));
    child.stderr.on("data", (piece) => pieces.push(piece));
    child.on("error", reject);
    child.on("close", (status) => resolve({ passed: status === 0, output: Buffer.concat(pieces).toString() }));
  });
}

async function runStage(stage, words) {
  const started = performance.now();
  const { passed, output } = await run(stage, words);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${passed ? "ok  " : "FAIL"} ${stage.name.padEnd(10)} ${seconds.padStart(6)} s  ${stage.proves}${skipNote(output)}`,
  );
  if (!passed) console.log(output);
  return { passed, output };
}

/** The lines in which a stage reports what it skipped. */
function skipNote(output) {
  const notes = output.split("\n").filter((line) => line.startsWith("skipped: "));
  return notes.map((line) => `\n       ${line}`).join("");
}

/** The summary of the test runner. */
function summary(output) {
  const lines = output.split("\n");
  const from = lines.findIndex((line) => /^\s*Test Files /.test(line));
  return from < 0 ? [] : lines.slice(from).filter((line) => line.trim() !== "");
}

function counts(lines) {
  const line = lines.find((candidate) => /^\s*Tests /.test(candidate)) ?? "";
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return `${count("passed")} passed, ${count("failed")} failed`;
}

/** Stages at a time. */
const lanes = 2;

/** Runs stages in order, those that are not `alone` next to one another. Starts none after a failure. */
async function inLanes(chosen, runOne) {
  const running = new Map();
  let isFine = true;
  const room = (most) => running.size < most || Promise.race(running.values()).then(() => room(most));
  for (const stage of chosen) {
    // A stage that is alone waits for all others, and they for it.
    await room([stage, ...running.keys()].some(({ alone }) => alone) ? 1 : lanes);
    if (!isFine) break;
    if (stage.built) built();
    const end = runOne(stage).then((passed) => {
      running.delete(stage);
      isFine &&= passed;
    });
    running.set(stage, end);
  }
  await Promise.all(running.values());
}

async function main([name, ...words]) {
  if (name === "list") return stages.forEach((stage) => console.log(`${stage.name.padEnd(10)} ${stage.proves}`));
  const chosen = stages.filter((stage) => (name === undefined ? !stage.part : stage.name === name));
  if (chosen.length === 0) throw new Error(`no stage '${name}'; npm test -- list names them`);
  // Chosen parts may need no server.
  const closed = words.length === 0 && chosen.some(({ usesServers }) => usesServers) ? closedFolder() : undefined;
  if (closed !== undefined) {
    console.error(closed);
    process.exitCode = 1;
    return;
  }
  installed();
  if (name === undefined) installTestPrograms();
  let results = [];
  await inLanes(chosen, async (stage) => {
    const { passed, output } = await runStage(stage, words);
    if (stage.command.includes(bin("vitest/vitest.mjs"))) results = summary(output);
    if (!passed) process.exitCode = 1;
    return passed;
  });
  if (results.length > 0) console.log(`\n${counts(results)}\n\n${results.join("\n")}`);
}

await main(process.argv.slice(2));
