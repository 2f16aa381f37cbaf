/** Reads damaged files for fuzz.mjs, in a thread that is ended if it hangs or lacks memory. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { gunzipSync } from "node:zlib";

const { fuzzedReaders, mutated, outcomeOf } = await import(pathToFileURL(workerData.door).href);
const { all, detecting } = await fuzzedReaders();
const readers = new Map(all.map((reader) => [reader.name, reader]));
/** The number of the mutation that is being read, for the parent. */
const current = new Int32Array(workerData.current);
const files = new Map();

function bytesOf(path) {
  if (!files.has(path)) {
    const bytes = readFileSync(path);
    files.set(path, new Uint8Array(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes));
  }
  return files.get(path);
}

/** A seed for each mutation: it depends on the seed of the run, the reader, and the number of the mutation only. */
function seedOf(seed, name, number) {
  let mixed = seed;
  for (const character of `${name} ${number}`) mixed = (Math.imul(mixed, 31) + character.codePointAt(0)) >>> 0;
  return mixed;
}

async function fuzz({ name, samples, seed, from, count, takesRefusals }) {
  const counts = { read: 0, refused: 0, problems: [] };
  for (let number = from; number < from + count; number++) {
    Atomics.store(current, 0, number);
    const sample = samples[number % samples.length];
    const outcome = await outcomeOf(readers.get(name), mutated(bytesOf(sample), seedOf(seed, name, number)));
    if (outcome === "refused" && takesRefusals) counts.problems.push({ number, problem: "it was refused" });
    else if (typeof outcome === "string") counts[outcome] += 1;
    else counts.problems.push({ number, problem: outcome.problem });
  }
  return counts;
}

/** The readers, each with those of `paths` that it detects. */
function samplesOf(paths) {
  const samples = new Map(all.map((reader) => [reader, []]));
  for (const path of paths)
    for (const reader of detecting(bytesOf(path).subarray(0, 65_536))) samples.get(reader).push(path);
  return all.map((reader) => ({ name: reader.name, samples: samples.get(reader) }));
}

async function answer(task) {
  parentPort.postMessage(task.paths === undefined ? await fuzz(task) : samplesOf(task.paths), []);
}

// A rejection ends the thread, which the parent notices.
parentPort.on("message", (task) => void answer(task));
