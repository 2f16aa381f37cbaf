/**
 * Damaged pages of an experiment database, with checksums that fit the damage: words and bits of random blocks are
 * changed, and the checksums of the blocks are computed anew, so that the database itself notices nothing. In each
 * state, `fsck` finds damage of the rows or of the catalogue, a command that reads then answers right, or says that
 * something is wrong, or `fsck` has said so, and `rebuild experiments` gives the rows of before.
 *
 *   node test/torture/pages.mjs [--mutations N] [--seed S] [--keep-checksums]
 *
 * `--keep-checksums` leaves the old checksums, so that the database notices every damage, as a comparison.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Checker } from "./checker.mjs";
import { openCommands } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";

const headerSize = 4096;
const blockSize = 262_144;

/** The checksum of a block of DuckDB 1.5: `src/common/checksum.cpp`, without its remainder, which no block has. */
function checksumOf(bytes) {
  let sum = 5381n;
  for (let at = 0; at < bytes.length; at += 8)
    sum ^= BigInt.asUintN(64, bytes.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  return sum;
}

/** The blocks of a database file: three headers, then blocks of 256 KiB. */
function blocksOf(file) {
  const blocks = [0, 1, 2].map((header) => file.subarray(header * headerSize, (header + 1) * headerSize));
  for (let at = 3 * headerSize; at + blockSize <= file.length; at += blockSize)
    blocks.push(file.subarray(at, at + blockSize));
  return blocks;
}

/** Changes one to three words or bits of a block, in its part that is in use; returns what was changed. */
function damage(file, random, keepsChecksums) {
  const blocks = blocksOf(file);
  const number = random() < 0.1 ? Math.floor(random() * 3) : 3 + Math.floor(random() * (blocks.length - 3));
  const block = blocks[number];
  const used = Math.max(16, block.findLastIndex((byte) => byte !== 0) + 1);
  const changes = [];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    const at = 8 + Math.floor(random() * (used - 8));
    if (random() < 0.5) block[at] ^= 1 << Math.floor(random() * 8);
    else block[at] = Math.floor(random() * 256);
    changes.push(at);
  }
  if (!keepsChecksums) block.writeBigUInt64LE(checksumOf(block.subarray(8)));
  return `block ${number - 3} at ${changes.join(", ")}`;
}

const { values } = parseArgs({
  options: {
    mutations: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    "keep-checksums": { type: "boolean", default: false },
  },
});
const random = randomNumbers(Number(values.seed));
const scene = await openCommands(builtProgram());
let copies = 0;
const checkers = [0, 1].map(() => new Checker(scene.root, "pages-checker.mjs"));
const template = join(scene.root, "template");
const sound = readFileSync(join(template, ".perun/experiments.duckdb"));
if (blocksOf(sound).some((block) => block.readBigUInt64LE(0) !== checksumOf(block.subarray(8))))
  throw new Error("the checksums of this version of the database are others");
const { answer: right, isFound: isAlarm, said: alarm } = await checkers[0].check(copy());
if (isAlarm) throw new Error(`fsck finds damage in a sound database: ${alarm}`);
const counts = { same: 0, said: 0, known: 0, wrong: 0, crashed: 0, changed: 0, found: 0, rebuilt: 0 };
const complaints = [];

function copy() {
  const folder = join(scene.root, `pages-${copies++}`);
  cpSync(template, folder, { recursive: true });
  return folder;
}

async function lane(checker, isOver) {
  while (!isOver()) {
    const folder = copy();
    const file = Buffer.from(sound);
    const what = damage(file, random, values["keep-checksums"]);
    writeFileSync(join(folder, ".perun/experiments.duckdb"), file);
    const seen = await checker.check(folder);
    rmSync(folder, { recursive: true });
    judge(what, seen);
  }
}

function judge(what, { answer, rows, said, isSaid, isFound, isRebuilt, complaints: crash = [] }) {
  if (answer === undefined) {
    counts.crashed += 1;
    complaints.push(`${what}: ${crash.join()}`);
    return;
  }
  if (isSaid) counts.said += 1;
  else if (answer === right) counts.same += 1;
  else if (isFound) counts.known += 1;
  else counts.wrong += 1;
  if (isSaid || answer !== right) {
    counts.changed += 1;
    if (isFound) counts.found += 1;
    else complaints.push(`${what}: fsck finds nothing of ${isSaid ? "what is reported" : "a wrong answer"}: ${said}`);
  }
  if (isRebuilt && rows === right) counts.rebuilt += 1;
  else complaints.push(`${what}: rebuild does not give the rows of before: ${said}`);
}

const started = performance.now();
let begun = 0;
const isOver = () => ++begun > Number(values.mutations);
await Promise.all(checkers.map((checker) => lane(checker, isOver)));
for (const checker of checkers) checker.close();
for (const complaint of complaints.slice(0, 20)) process.stdout.write(`  ${complaint}\n`);
scene.close();
const facts = [
  `${values.mutations} damaged`,
  `${counts.same} without effect`,
  `${counts.said} reported`,
  `${counts.known} wrong after fsck had reported them`,
  `${counts.wrong} wrong without a word`,
  `${counts.crashed} crashes`,
  `fsck found ${counts.found} of ${counts.changed}`,
  `${counts.rebuilt} rebuilt`,
  `seed ${values.seed}`,
  `${complaints.length} problems`,
  `${((performance.now() - started) / 1000).toFixed(0)} s`,
];
process.stdout.write(`pages: ${facts.join(", ")}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
