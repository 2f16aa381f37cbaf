/**
 * Damaged pages of an experiment database, with checksums that fit the damage: words and bits of random blocks are
 * changed, and the checksums of the blocks are computed anew, so that the database itself notices nothing. `fsck` finds
 * damage of the rows or of the catalogue, a command that reads then answers right, or says that something is wrong, or
 * `fsck` has said so, and `rebuild experiments` gives the rows of before. Neither `fsck` nor `rebuild` crashes or
 * hangs; what reads damage that `fsck` has found may, within DuckDB.
 *
 * Each damaged database is asked what `fsck`, `export` and `rebuild` ask a sound one, in one resident instance of
 * DuckDB; a block of one table only what fails if the checksum of that block is wrong, as nothing else reads it. Equal
 * answers to all have no effect: commands see nothing but answers. Of the others, those of each new kind
 * (by the statements and errors), all that `fsck` would not find, and a share are read by the commands themselves.
 *
 *   node test/torture/pages.mjs [--mutations N] [--from N] [--minutes M] [--seed S] [--share P] [--keep-checksums]
 *                               [--deaf]
 *
 * Mutation n of seed s depends on s and n only. `--share`: the part of the mutations that the commands read in any
 * case. `--minutes` ends earlier and reports how many there were. `--keep-checksums` leaves the old checksums, so that
 * the database notices every damage, as a comparison. `--deaf` asks nothing that `fsck` asks and ignores what it finds,
 * as a control that must fail.
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

/** Mutations of each new kind of effect that the commands read. */
const ofEachKind = 2;

/** The checksum of a block of DuckDB 1.5: `src/common/checksum.cpp`, without its remainder, which no block has. */
function checksumOf(bytes) {
  let sum = 5381n;
  for (let at = 0; at < bytes.length; at += 8) {
    const word = bytes.readBigUInt64LE(at);
    if (word !== 0n) sum ^= BigInt.asUintN(64, word * 0xbf58476d1ce4e5b9n);
  }
  return sum;
}

/** The blocks of a database file: three headers, then blocks of 256 KiB. */
function blocksOf(file) {
  const blocks = [0, 1, 2].map((header) => file.subarray(header * headerSize, (header + 1) * headerSize));
  for (let at = 3 * headerSize; at + blockSize <= file.length; at += blockSize)
    blocks.push(file.subarray(at, at + blockSize));
  return blocks;
}

/** Changes one to three words or bits of a block, in its part that is in use. */
function damage(file, random, keepsChecksums) {
  const blocks = blocksOf(file);
  const number = random() < 0.1 ? Math.floor(random() * 3) : 3 + Math.floor(random() * (blocks.length - 3));
  const block = blocks[number];
  const used = Math.max(16, usedBytes[number]);
  const changes = [];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    const at = 8 + Math.floor(random() * (used - 8));
    if (random() < 0.5) block[at] ^= 1 << Math.floor(random() * 8);
    else block[at] = Math.floor(random() * 256);
    changes.push(at);
  }
  if (!keepsChecksums)
    block.writeBigUInt64LE(checksumOf(block.subarray(8, Math.max(8, Math.ceil((used + 1) / 8) * 8))));
  return { number, what: `block ${number - 3} at ${changes.join(", ")}` };
}

const { values } = parseArgs({
  options: {
    mutations: { type: "string", default: "1000" },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
    share: { type: "string", default: "0.002" },
    "keep-checksums": { type: "boolean", default: false },
    deaf: { type: "boolean", default: false },
  },
});
/** The share of those that end the reader, which the commands read. */
const shareOfEnds = 0.05;
const [seed, share] = [Number(values.seed), Number(values.share)];
const scene = await openCommands(builtProgram());
let copies = 0;
const lanes = [0, 1];
const checkers = lanes.map(() => new Checker(scene.root, "pages-checker.mjs", 60_000));
const readers = lanes.map(() => new Checker(scene.root, "pages-checker.mjs", 5_000));
const template = join(scene.root, "template");
const soundPath = join(template, ".perun/experiments.duckdb");
const sound = readFileSync(soundPath);
const usedBytes = blocksOf(sound).map((block) => block.findLastIndex((byte) => byte !== 0) + 1);
if (blocksOf(sound).some((block) => block.readBigUInt64LE(0) !== checksumOf(block.subarray(8))))
  throw new Error("the checksums of this version of the database are others");
const { right, alarm } = await lookAtSound(copy());
if (alarm !== "") throw new Error(`fsck finds damage in a sound database: ${alarm}`);
const questions = await learn();
for (const [at, answer] of (await ask(readers[0], soundPath, questions)).entries()) questions[at].right = answer;
const counts = { same: 0, said: 0, known: 0, wrong: 0, ended: 0, changed: 0, found: 0, read: 0, rebuilt: 0 };
const kinds = new Map();
const complaints = [];

function copy() {
  const folder = join(scene.root, `pages-${copies++}`);
  cpSync(template, folder, { recursive: true });
  return folder;
}

async function lookAtSound(folder) {
  const { status, stdout, stderr } = await checkers[0].check({ name: "fsck", folder });
  const { stdout: answer } = await checkers[0].check({ name: "answer", folder });
  return { right: answer, alarm: status === 0 ? "" : `${stdout}${stderr}` };
}

/** What the commands ask, each with the commands that ask it. */
async function learn() {
  const { questions: found, complaints: crash } = await checkers[0].check({ learn: copy() });
  if (found === undefined) throw new Error(`the commands cannot be recorded: ${crash.join()}`);
  if (values.deaf) found.fsck = [];
  const all = new Map();
  for (const [name, list] of Object.entries(found)) {
    if (list.length === 0 && !values.deaf) throw new Error(`${name} asks nothing`);
    for (const question of list) {
      const text = JSON.stringify(question);
      all.set(text, { question, names: new Set([...(all.get(text)?.names ?? []), name]) });
    }
  }
  return [...all.values()];
}

/** The answers of a database to `asked`: a list, or a string if it cannot be opened or asked. */
async function ask(reader, path, asked) {
  const known = asked.map(({ question }) => question);
  const { answers, complaints: crash } = await reader.check({ path, known });
  return answers ?? crash.join();
}

/** The questions whose answers need a block, by its number. */
const readersOfBlocks = new Map();

function questionsOn(lane, number) {
  if (!readersOfBlocks.has(number)) readersOfBlocks.set(number, learnReaders(lane, number));
  return readersOfBlocks.get(number);
}

async function learnReaders(lane, number) {
  const file = Buffer.from(sound);
  blocksOf(file)[number][0] ^= 1;
  const path = join(scene.root, `learned-${lane}.duckdb`);
  writeFileSync(path, file);
  const needed = [];
  for (const question of questions) {
    const answers = await ask(readers[lane], path, [question]);
    // What cannot even be opened is needed by all, and so is a header: the other one takes its place.
    if (typeof answers === "string" || number < 3) return questions;
    if (answers[0] !== question.right) needed.push(question);
  }
  return needed;
}

/** Which commands get other answers, and a text that is the same for damage of the same kind. */
function effectOf(answers, asked) {
  if (typeof answers === "string")
    return {
      names: new Set(["fsck", "answer", "rebuild"]),
      isError: true,
      isEnd: answers.startsWith("the process of the check ended"),
      kind: plain(answers),
    };
  const other = asked.filter(({ right: wanted }, at) => answers[at] !== wanted);
  const errors = answers.filter((text) => text.startsWith("error"));
  return {
    names: new Set(other.flatMap(({ names }) => [...names])),
    isError: errors.length > 0,
    kind:
      errors.length > 0 ? plain(errors[0]) : `other answers to ${other.map((each) => questions.indexOf(each)).join()}`,
  };
}

const plain = (text) =>
  text
    .replace(/\d+/g, "N")
    .replace(/"[^"]*"|'[^']*'/g, "'X'")
    .slice(0, 120);

async function mutate(lane, number) {
  const random = randomNumbers(Math.imul(seed, 1_000_003) + number);
  const file = Buffer.from(sound);
  const { number: block, what } = damage(file, random, values["keep-checksums"]);
  const path = join(scene.root, `damaged-${lane}.duckdb`);
  writeFileSync(path, file);
  const asked = await questionsOn(lane, block);
  const { names, isError, isEnd = false, kind } = effectOf(await ask(readers[lane], path, asked), asked);
  const isChosen = random() < (isEnd ? shareOfEnds : share);
  if (names.size === 0 && !isChosen) {
    counts.same += 1;
    return;
  }
  const before = kinds.get(kind) ?? 0;
  if (names.size > 0) kinds.set(kind, before + 1);
  const isKnown = names.has("fsck") && before >= ofEachKind;
  if (!isChosen && isKnown) {
    counts.changed += 1;
    counts.found += 1;
    if (isEnd) counts.ended += 1;
    else counts[isError ? "said" : "known"] += 1;
    return;
  }
  counts.read += 1;
  const folder = copy();
  writeFileSync(join(folder, ".perun/experiments.duckdb"), file);
  await judge(`mutation ${number}, ${what}`, checkers[lane], folder);
  rmSync(folder, { recursive: true });
}

/** Lets the commands read a damaged database, each after the other. */
async function judge(what, checker, folder) {
  const run = (name) => checker.check({ name, folder });
  const complain = (text) => complaints.push(`${what}: ${text}`);
  const found = await run("fsck");
  if (found.status === undefined) complain(`fsck: ${found.complaints.join()}`);
  const isFound = !values.deaf && (found.status !== 0 || `${found.stdout}${found.stderr}`.includes("rebuilt"));
  const read = await run("answer");
  const isEnd = read.status === undefined;
  const isSaid = isEnd || read.status !== 0 || read.stderr !== "";
  if (isEnd) counts.ended += 1;
  else if (isSaid) counts.said += 1;
  else if (read.stdout === right) counts.same += 1;
  else if (isFound) counts.known += 1;
  else counts.wrong += 1;
  if (isSaid || read.stdout !== right) {
    counts.changed += 1;
    if (isFound) counts.found += 1;
    else complain(`fsck finds nothing of ${isSaid ? "what is reported" : "a wrong answer"}: ${read.stderr}`);
  }
  const rebuilt = await run("rebuild");
  const again = await run("answer");
  if (rebuilt.status === 0 && again.stdout === right) counts.rebuilt += 1;
  else complain(`rebuild does not give the rows of before: ${rebuilt.complaints ?? rebuilt.stderr}${again.stderr}`);
}

const started = performance.now();
const first = Number(values.from);
let next = first;
const limit = started + 60_000 * Number(values.minutes);
const end = first + Number(values.mutations);
await Promise.all(
  lanes.map(async (lane) => {
    while (next < end && performance.now() < limit) {
      const number = next++;
      await mutate(lane, number);
      if (number % 1000 === 999)
        process.stdout.write(`  ${number + 1} mutations, ${counts.read} by commands, ${complaints.length} problems\n`);
    }
  }),
);
for (const checker of [...checkers, ...readers]) checker.close();
for (const complaint of complaints.slice(0, 20)) process.stdout.write(`  ${complaint}\n`);
scene.close();
const facts = [
  `${next - first} damaged`,
  `${counts.same} without effect`,
  `${counts.said} reported`,
  `${counts.known} wrong after fsck had reported them`,
  `${counts.wrong} wrong without a word`,
  `${counts.ended} crashed or stopped a reader after fsck had reported them`,
  `fsck found ${counts.found} of ${counts.changed}`,
  `${counts.rebuilt} of ${counts.read} read by commands rebuilt (${kinds.size} kinds of effects)`,
  `seed ${values.seed}`,
  `${complaints.length} problems`,
  `${((performance.now() - started) / 1000).toFixed(0)} s`,
];
process.stdout.write(`pages: ${facts.join(", ")}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
