/**
 * Torture test of the store: kills, errors, concurrency, damage and a full disk. After each of them everything reported
 * as stored is there, everything else is still pending, and the next run completes without manual steps.
 *
 *   node test/torture/run.mjs [--driver] [--only kills,errors,crowd,heirs,random,damage,disk] [--width N] [--all]
 *
 * Tests `add` of the built program, or, with --driver or without a build, the same steps on the store alone. With
 * --all: more processes at once, then every other torture test, each with its counts and its seed.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { errorPoints, killPoints } from "./faults.mjs";
import { builtProgram, openScene } from "./scene.mjs";
import { damage, diskFull, lockHeirs, parallelAdds, randomKills } from "./stages.mjs";
import { whyNoStrace } from "./strace.mjs";

const { values } = parseArgs({
  options: {
    driver: { type: "boolean" },
    only: { type: "string" },
    width: { type: "string", default: "2" },
    all: { type: "boolean" },
  },
});
const width = Number(values.width);
const selected = values.only?.split(",");

const complaints = [];
const summary = [];
const tool = whyNoStrace();

async function stage(name, action, words) {
  if (selected && !selected.includes(name)) return;
  const started = performance.now();
  const result = await action();
  if (result === null) return;
  const text = words(result);
  summary.push(text);
  complaints.push(...result.complaints);
  process.stdout.write(
    `${name}: ${text}, ${result.complaints.length} problems, ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
}

async function withStrace(name, action, words) {
  if (tool === null) await stage(name, action, words);
  else process.stdout.write(`${name}: skipped, ${tool}\n`);
}

const program = values.driver ? null : builtProgram();
const scene = await openScene(program);
process.stdout.write(`torture of ${program ? "the built program" : "the store through its driver"}\n`);

await withStrace(
  "kills",
  () => killPoints(scene, width),
  ({ points }) => `${points} kill points`,
);
await withStrace(
  "errors",
  () => errorPoints(scene, width),
  ({ points }) => `${points} injected errors`,
);
await stage(
  "crowd",
  () => (values.all ? parallelAdds(scene, 64, 50, 120) : parallelAdds(scene, 16, 20)),
  ({ points, seconds }) => `${points} parallel adds in ${seconds.toFixed(0)} s`,
);
await stage(
  "heirs",
  () => lockHeirs(scene, 10, 6),
  ({ points }) => `${points} deaths holding the lock`,
);
await stage(
  "random",
  () => randomKills(scene, 8, 20),
  ({ points }) => `${points} random kills`,
);
await stage(
  "damage",
  () => damage(scene),
  ({ points }) => `${points} damaged files`,
);
await stage(
  "disk",
  async () => {
    const result = await diskFull(scene);
    if (result === null) process.stdout.write("disk: skipped, this user cannot mount a small file system\n");
    return result;
  },
  ({ points, stored }) => `full disk (${stored} stored, ${points} pending)`,
);

for (const complaint of complaints.slice(0, 40)) process.stdout.write(`  ${complaint}\n`);
if (complaints.length === 0) scene.close();
process.stdout.write(
  `torture: ${summary.join(", ")}, ${complaints.length === 0 ? "0 lost" : `${complaints.length} PROBLEMS`}\n`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;

/** The other tests, with their arguments for a long run: the counts of docs/reliability.md. */
const others = [
  ["ledger.mjs", "--kills", "60"],
  ["share.mjs", "--kills", "100"],
  ["packs.mjs", "--rounds", "200"],
  ["worktrees.mjs"],
  ["soak.mjs", "--minutes", "1", "--width", "32"],
  ["soak.mjs", "--minutes", "1", "--other", "HEAD~60"],
  ["power-cut.mjs", "--states", "120", "--share", "0.02"],
  ["command-faults.mjs", "--points", "600", "--share", "0.02"],
  ["pages.mjs", "--mutations", "100000"],
  ["fuzz.mjs", "--count", "84300"],
  ["round-trips.mjs", "--sequences", "10000"],
  ["soak.mjs", "--commands", "100000"],
];

for (const [name, ...words] of values.all && selected === undefined ? others : []) {
  process.stdout.write(`\n${name} ${words.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name), ...words], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
