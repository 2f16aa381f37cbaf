/**
 * Kills of `gc --pack` and `gc --unpack` at random moments, next to readers and writers: every profile that was ever
 * reported as stored is readable at every moment, and the next command needs no manual step.
 *
 *   node test/torture/packs.mjs [--rounds N] [--seed S]
 */
import { parseArgs } from "node:util";
import { randomNumbers } from "./random.mjs";
import { acknowledged, builtProgram, openScene, runAndKill } from "./scene.mjs";
import { checkManners } from "./verdict.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "8" }, seed: { type: "string", default: "5" } },
});
const random = randomNumbers(Number(values.seed));
const scene = await openScene(builtProgram());
const folder = scene.copy([]);
const digests = new Set();
const complaints = [];
const counts = { kills: 0, reads: 0 };

/** Adds profiles, some of them again. */
async function addSome(round) {
  const names = Array.from({ length: 20 }, (_, i) => `p${Math.floor(random() * (round + 1))}-${i}.perf`);
  for (const name of names) scene.pend(folder, name);
  const result = await scene.add(folder, names);
  for (const digest of acknowledged(result.stdout).values()) digests.add(digest);
  if (result.status !== 0) complaints.push(`round ${round}: add failed: ${result.stderr.slice(0, 300)}`);
}

/** Reads everything that is known, again and again, in this process and as often with a new view of the store. */
async function readUntil(isOver, round) {
  const old = scene.store(folder);
  while (!isOver()) {
    const fresh = scene.store(folder);
    for (const store of [old, fresh])
      for (const digest of digests)
        try {
          store.objects.get(digest);
          counts.reads += 1;
        } catch (error) {
          complaints.push(`round ${round}: ${error.message}`);
        }
    fresh.objects.packs.close();
    await new Promise((resolve) => setImmediate(resolve));
  }
  old.objects.packs.close();
}

async function oneRound(round) {
  const words = [...scene.words, "gc", ...(random() < 0.6 ? ["--pack", "--all"] : ["--unpack"])];
  // Twice as long as the command needs, so that kills hit all of its parts and some runs end.
  const limit = 150 + random() * (longest * 1.3);
  let isOver = false;
  const working = Promise.all([runAndKill(words, folder, limit), addSome(round)]).finally(() => (isOver = true));
  const [[result]] = await Promise.all([working, readUntil(() => isOver, round)]);
  if (result.signal === "SIGKILL") counts.kills += 1;
  else if (result.status !== 0) complaints.push(`round ${round}: gc: ${result.status} ${result.stderr.slice(0, 300)}`);
  complaints.push(...checkManners(result).map((each) => `round ${round}: ${each}`));
  const { problems } = await scene.store(folder).fsck();
  complaints.push(...problems.map(({ message }) => `round ${round}: fsck: ${message}`));
}

await addSome(0);
const { milliseconds: longest, status } = await runAndKill([...scene.words, "gc", "--pack", "--all"], folder, 60_000);
if (status !== 0) complaints.push("the first gc --pack failed");
for (let round = 1; round <= Number(values.rounds); round++) await oneRound(round);
for (const words of [["--pack", "--all"], ["--unpack"]]) {
  const last = await runAndKill([...scene.words, "gc", ...words], folder, 60_000);
  const { problems, notes } = await scene.store(folder).fsck();
  if (last.status !== 0 || problems.length > 0) complaints.push(`at the end, gc ${words.join(" ")}: ${last.stderr}`);
  complaints.push(...notes.filter(({ code }) => code === "leftover-file").map(({ message }) => message));
}
const lost = [...digests].filter((digest) => scene.store(folder).objects.looseFile(digest) === null);
if (lost.length > 0) complaints.push(`${lost.length} profiles are not loose after gc --unpack`);

for (const complaint of complaints.slice(0, 40)) process.stdout.write(`  ${complaint}\n`);
if (complaints.length === 0) scene.close();
const verdict = complaints.length === 0 ? "0 lost" : `${complaints.length} PROBLEMS, left in ${folder}`;
process.stdout.write(
  `packs: seed ${values.seed}, ${digests.size} profiles, ${counts.kills} kills, ${counts.reads} reads, ${verdict}\n`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;
