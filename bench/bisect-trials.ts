// `npm run bench:bisect -- real`: `perfkeep bisect` in real repositories with a program that became slower, compared
// with plain binary search over the same commits on the same machine.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binarySearchCost } from "../src/query/bisect/next-move.ts";
import { buildCommand, git, plantRepository, type PlantedRepository } from "./planted-repository.ts";

const trials = 20;
const count = 64;

/**
 * A metric: by how much it gets worse, and how it is measured (rounds of the program, options of the command).
 */
interface Metric {
  readonly name: string;
  readonly effect: number;
  readonly rounds: number;
  readonly words: readonly string[];
  /** Milliseconds of one run, for plain search; absent for metrics without noise. */
  readonly plain?: (folder: string, rounds: number) => number;
}

const metrics: readonly Metric[] = [
  { name: "instructions", effect: 0.02, rounds: 300, words: ["-C", "counters"] },
  {
    name: "CPU time",
    effect: 0.15,
    rounds: 20_000,
    words: ["-p", "{warmup: 1, repeat: 3}", "--of", "amount:median:subtype=user"],
    plain: (folder, rounds) => Number(work(folder, rounds)) / 1000,
  },
  {
    name: "wall time",
    effect: 1,
    rounds: 20_000,
    words: ["-p", "{warmup: 1, repeat: 3}"],
    plain: (folder, rounds) => {
      const started = performance.now();
      work(folder, rounds);
      return performance.now() - started;
    },
  },
];

interface Outcome {
  readonly isRight: boolean;
  readonly probability: number;
  readonly measurements: number;
  /** Measurements that plain search needs for the same confidence, as reported by perfkeep. */
  readonly needed: number | null;
  /** Whether plain search was right, by repetitions. */
  readonly plain: ReadonlyMap<number, boolean>;
}

interface Answer {
  readonly outcome: string;
  readonly probability: number;
  readonly suspects: readonly { readonly version: string }[];
  readonly measurements: readonly unknown[];
  readonly plain: { readonly measurements: number } | null;
}

/** Prints a line for each trial and a summary for each metric; `names` selects metrics (default: all). */
export function bisectTrials(program: string, names: readonly string[]): void {
  for (const metric of metrics.filter(
    ({ name }) => names.length === 0 || names.some((word) => name.startsWith(word)),
  )) {
    console.log(`${metric.name}: ${trials} repositories of ${count} commits, one ${100 * metric.effect} % slower`);
    const outcomes = Array.from({ length: trials }, (_, at) =>
      inScratch((folder) => trial(program, metric, at + 1, folder)),
    );
    summary(metric, outcomes);
  }
}

function trial(program: string, metric: Metric, seed: number, scratch: string): Outcome {
  const folder = join(scratch, "repository");
  const planted = plantRepository(folder, seed, count, metric.effect);
  const answer = bisected(program, metric, planted, folder, scratch);
  const plain = new Map<number, boolean>();
  for (const repetitions of metric.plain === undefined ? [] : [1, 3])
    plain.set(repetitions, plainSearch(planted, folder, repetitions, metric) === planted.first);
  const isRight = answer.outcome === "found" && answer.suspects[0]?.version === planted.versions[planted.first];
  const outcome = {
    isRight,
    plain,
    probability: answer.probability,
    measurements: answer.measurements.length,
    needed:
      answer.plain?.measurements ??
      (metric.plain === undefined ? binarySearchCost(count, Infinity, 0.95).measurements : null),
  };
  const others = [...plain].map(([repetitions, ok]) => `${8 * repetitions}: ${ok ? "right" : "wrong"}`);
  const verdict = isRight ? "right" : answer.outcome === "found" ? "WRONG" : answer.outcome;
  const words = [
    `${seed}: ${verdict} (${(100 * answer.probability).toFixed(1)} %)`,
    `${outcome.measurements} measurements`,
    `${planted.broken.size} cannot be built`,
    `plain search ${[...others, `same confidence: ${outcome.needed ?? "-"}`].join(", ")}`,
  ];
  console.log(words.join(", "));
  return outcome;
}

function bisected(
  program: string,
  { rounds, words }: Metric,
  { versions }: PlantedRepository,
  folder: string,
  home: string,
): Answer {
  const env = {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_STATE_HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    NO_COLOR: "1",
  };
  const perfkeep = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0 && status !== 3) throw new Error(stderr);
    return stdout;
  };
  perfkeep("init", "-q");
  const job = [
    ...words,
    "--build",
    buildCommand,
    "--most-runs",
    "400",
    "--format",
    "json",
    "--",
    "./work",
    String(rounds),
  ];
  return JSON.parse(perfkeep("bisect", versions[0]!, versions.at(-1)!, ...job)) as Answer;
}

/** The result of plain binary search, which skips commits that cannot be built. */
function plainSearch(
  { versions, broken }: PlantedRepository,
  folder: string,
  repetitions: number,
  { plain, rounds }: Metric,
): number {
  const mean = (index: number): number => {
    git(folder, ["checkout", "-q", "--detach", versions[index]!]);
    const { status, stderr } = spawnSync("sh", ["-c", buildCommand], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    const values = Array.from({ length: repetitions }, () => medianOfThree(() => plain!(folder, rounds)));
    return values.reduce((sum, value) => sum + value, 0) / repetitions;
  };
  const middle = (mean(0) + mean(count)) / 2;
  let [good, bad] = [0, count];
  for (;;) {
    const inner = Array.from({ length: bad - good - 1 }, (_, at) => good + 1 + at).filter(
      (index) => !broken.has(index),
    );
    const index = inner[inner.length >> 1];
    if (index === undefined) return bad;
    if (mean(index) > middle) bad = index;
    else good = index;
  }
}

/** The median of three runs after a warm-up run, as in a measurement of perfkeep. */
function medianOfThree(run: () => number): number {
  run();
  return [run(), run(), run()].sort((a, b) => a - b)[1]!;
}

/** Runs the program and returns its standard error. */
function work(folder: string, rounds: number): string {
  const { status, stderr } = spawnSync("./work", [String(rounds)], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`work: ${status}`);
  return stderr;
}

function summary({ name }: Metric, outcomes: readonly Outcome[]): void {
  const share = (found: readonly boolean[]): string => `${found.filter(Boolean).length} of ${found.length} right`;
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
  const needed = outcomes.flatMap((one) => (one.needed === null ? [] : [one.needed]));
  console.log(
    `${name}: perfkeep ${share(outcomes.map(({ isRight }) => isRight))}, ` +
      `${mean(outcomes.map((one) => one.measurements))} measurements on average`,
  );
  for (const repetitions of outcomes[0]!.plain.keys())
    console.log(
      `  plain search, ${repetitions} of each: ${share(outcomes.map(({ plain }) => plain.get(repetitions)!))}, ` +
        `${8 * repetitions} measurements`,
    );
  console.log(`  plain search with known noise and step, same confidence: ${mean(needed)} measurements\n`);
}

function inScratch<T>(action: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-bisect-"));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
