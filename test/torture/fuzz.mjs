/**
 * Damaged files for all readers: importers of benchmark output and readers of profiles, each with the samples of its
 * format. Text, words and fields of messages are changed. Every damaged file is read, or refused with a message that
 * names it; nothing hangs or needs more than 512 MiB.
 *
 *   npm run fuzz -- [--count N] [--from N] [--seed N] [--only NAME,…] [--believe-refusals]
 *
 * `--count`: mutations for each reader. Mutation n of seed s depends on s, n and the reader only: pieces of a long run
 * continue with `--from`. `--believe-refusals` takes every refusal for a problem, as a control that must fail.
 */
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";

const repository = resolve(import.meta.dirname, "../..");

/** Larger samples make mutations slow, and smaller ones of the same format exist. */
const maxSampleBytes = 200_000;

/** Mutations at a time for one thread, and milliseconds for one mutation. */
const [pieceSize, limit] = [250, 20_000];

class Thread {
  #current = new SharedArrayBuffer(4);
  #worker;

  constructor(door) {
    this.door = door;
  }

  /** Runs a task; `failed`: what ended the thread, at mutation `number`. */
  run(task) {
    this.#worker ??= new Worker(join(import.meta.dirname, "fuzz-worker.mjs"), {
      workerData: { door: this.door, current: this.#current },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const worker = this.#worker;
    return new Promise((done) => {
      let [seen, since] = [-1, performance.now()];
      const end = (answer) => {
        clearInterval(timer);
        for (const event of ["message", "error"]) worker.removeAllListeners(event);
        if (answer.failed !== undefined) {
          this.#worker = undefined;
          void worker.terminate();
        }
        done(answer);
      };
      const number = () => Atomics.load(new Int32Array(this.#current), 0);
      const timer = setInterval(() => {
        if (number() !== seen) [seen, since] = [number(), performance.now()];
        else if (performance.now() - since > limit) end({ failed: `no end after ${limit / 1000} s`, number: number() });
      }, 1000);
      worker.once("message", (answer) => end({ answer }));
      worker.once("error", (error) =>
        end({ failed: `${error.code ?? error.name}: ${error.message}`, number: number() }),
      );
      worker.postMessage(task, []);
    });
  }

  close() {
    return this.#worker?.terminate();
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("README"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => statSync(path).size > 0 && statSync(path).size <= maxSampleBytes)
    .sort();
}

/** Runs one piece; after a hang, goes on with the next mutation. */
async function runPiece(thread, row, task) {
  const end = task.from + task.count;
  for (let from = task.from; from < end;) {
    const { answer, failed, number } = await thread.run({ ...task, from, count: end - from });
    if (failed !== undefined) {
      // The mutations before it in this piece are not counted.
      row.problems.push({ number, problem: failed });
      row.lost += number - from;
      from = number + 1;
      continue;
    }
    row.read += answer.read;
    row.refused += answer.refused;
    row.problems.push(...answer.problems);
    return;
  }
}

function print(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name, ...cells) =>
    process.stdout.write(`${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(11)).join("")}\n`);
  line("reader", "samples", "mutations", "refused", "read", "problems");
  const cells = ({ samples, read, refused, problems }) => [
    samples.length,
    read + refused + problems.length,
    refused,
    read,
    problems.length,
  ];
  for (const row of rows) line(row.name, ...cells(row));
  const sums = rows.map(cells).reduce((one, other) => one.map((each, at) => each + other[at]));
  line("all", ...sums);
  for (const { name, problems } of rows)
    for (const { number, problem } of problems.slice(0, 5))
      process.stdout.write(`  ${name} ${number}: ${problem.slice(0, 400)}\n`);
  return { mutations: sums[1], problems: sums[4] };
}

async function main() {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "1000" },
      from: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
      "believe-refusals": { type: "boolean", default: false },
    },
  });
  const root = mkdtempSync(join(tmpdir(), "fuzz-"));
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  const door = join(root, "fuzz-door.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "fuzz-door.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: door,
    external: ["@duckdb/node-bindings", "@resvg/resvg-js"],
    banner: { js: 'import { createRequire as make } from "node:module"; const require = make(import.meta.url);' },
    logLevel: "error",
  });
  const threads = Array.from({ length: Math.min(4, availableParallelism()) }, () => new Thread(door));
  const { answer: found, failed } = await threads[0].run({ paths: filesBelow(join(repository, "test/samples")) });
  if (failed !== undefined) throw new Error(failed);
  const names = values.only?.split(",");
  const rows = found
    .filter(({ name, samples }) => samples.length > 0 && (names?.some((each) => name.endsWith(` ${each}`)) ?? true))
    .map((row) => ({ ...row, read: 0, refused: 0, lost: 0, problems: [] }));
  if (rows.length === 0) throw new Error("no reader has that name");
  const [from, count, seed] = [Number(values.from), Number(values.count), Number(values.seed)];
  const pieces = rows.flatMap((row) =>
    Array.from({ length: Math.ceil(count / pieceSize) }, (_, at) => ({
      row,
      from: from + at * pieceSize,
      count: Math.min(pieceSize, count - at * pieceSize),
    })),
  );
  const started = performance.now();
  const lane = async (thread) => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const { row, ...range } = piece;
      const { name, samples } = row;
      await runPiece(thread, row, { name, samples, seed, takesRefusals: values["believe-refusals"], ...range });
    }
  };
  await Promise.all(threads.map(lane));
  await Promise.all(threads.map((thread) => thread.close()));
  rmSync(root, { recursive: true });
  const { mutations, problems } = print(rows);
  const seconds = (performance.now() - started) / 1000;
  const range = `${from} to ${from + count - 1}`;
  process.stdout.write(
    `fuzz: ${mutations} mutations (${range} of ${rows.length} readers), seed ${seed}, ${problems} problems, ` +
      `${seconds.toFixed(0)} s, ${(mutations / seconds).toFixed(0)} mutations/s\n`,
  );
  process.exitCode = problems === 0 ? 0 : 1;
}

await main();
