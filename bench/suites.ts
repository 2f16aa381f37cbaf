// Error rates of comparisons of whole suites and of pairs that stop as soon as they decide, on simulated values. The
// seeds are fixed and printed.
import type { Subject } from "../src/core/measurements/index.ts";
import type { Measured, Measurements, Verdict } from "../src/core/verdicts/index.ts";
import { seededRandom } from "../src/math/sampling/index.ts";
import { compareAll, isSettled, judgeDefaults } from "../src/query/verdict/index.ts";

const [suites, benchmarks, values] = [100, 200, 20];

/** Standard deviation of a value, as a share. */
const variation = 0.01;

function normalOf(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function subjectOf(name: string): Subject {
  return { source: "file", key: name, benchmark: name, metric: "time", unit: undefined, better: "lower" };
}

function measured(name: string, samples: readonly number[], more: Partial<Measured> = {}): Measured {
  return { subject: subjectOf(name), unitText: "", groups: [Float64Array.from(samples)], ...more };
}

function side(all: readonly Measured[]): Measurements {
  return { name: "side", measured: all, machines: [], version: null };
}

/** A suite measured twice; the first `planted` benchmarks are slower by `change`. */
function suite(seed: number, planted: number, change: number): readonly Verdict[] {
  const normal = normalOf(seededRandom(seed));
  const sample = (at: number, factor: number): Measured => {
    const level = 100 * (1 + at);
    const numbers = Array.from({ length: values }, () => level * factor * Math.exp(variation * normal()));
    return measured(`benchmark ${at}`, numbers);
  };
  const all = Array.from({ length: benchmarks }, (_, at) => at);
  const old = side(all.map((at) => sample(at, 1)));
  const now = side(all.map((at) => sample(at, at < planted ? 1 + change : 1)));
  return compareAll(old, [now], judgeDefaults)[0]!.rows.map(({ verdict }) => verdict);
}

export function suiteTrials(): void {
  const isChange = ({ outcome }: Verdict): boolean => outcome === "worse" || outcome === "better";
  let [worse, changed, byP, found, planted, falseAlarms] = [0, 0, 0, 0, 0, 0];
  for (let seed = 1; seed <= suites; seed++) {
    const equal = suite(seed, 0, 0);
    if (equal.some(({ outcome }) => outcome === "worse")) worse += 1;
    if (equal.some(isChange)) changed += 1;
    if (equal.some(({ p }) => p! <= judgeDefaults.alpha)) byP += 1;
    const slower = suite(seed + 1000, 5, 0.03);
    planted += 5;
    found += slower.slice(0, 5).filter(({ outcome }) => outcome === "worse").length;
    falseAlarms += slower.slice(5).filter(isChange).length;
  }
  const share = (count: number, of: number): string => `${count} of ${of}`;
  console.log(`${suites} A/A suites of ${benchmarks} benchmarks, ${values} values, CV 1 %, seeds 1 to ${suites}`);
  console.log(`  fail (something is worse): ${share(worse, suites)}; report any change: ${share(changed, suites)}`);
  console.log(`  would report any change by p alone: ${share(byP, suites)}`);
  console.log(`  +3 % planted in 5 of them, seeds 1001 to ${1000 + suites}: found ${share(found, planted)}`);
  console.log(`  other benchmarks reported: ${share(falseAlarms, suites * (benchmarks - 5))}`);
}

interface PairResult {
  readonly outcome: Verdict["outcome"];
  readonly pairs: number;
}

const mostPairs = 40;

/** Pairs on a machine whose level drifts and jumps, with rare outliers, until they are settled. */
function pairsUntilSettled(seed: number, noise: number, change: number): PairResult {
  const random = seededRandom(seed);
  const normal = normalOf(random);
  const [before, after]: [number[], number[]] = [[], []];
  let level = 100;
  for (let pair = 1; ; pair++) {
    level *= Math.exp(0.01 * normal() + (random() < 0.05 ? 0.2 * normal() : 0));
    const value = (factor: number): number =>
      level * factor * Math.exp(noise * normal() + (random() < 0.03 ? random() : 0));
    before.push(value(1));
    after.push(value(1 + change));
    const pairing = { pairing: "trial", sequential: true } as const;
    const sides = [before, after].map((samples) => side([measured("pair", samples, pairing)]));
    const { verdict } = compareAll(sides[0]!, [sides[1]!], judgeDefaults)[0]!.rows[0]!;
    if (pair === mostPairs || isSettled(verdict, judgeDefaults)) return { outcome: verdict.outcome, pairs: pair };
  }
}

export function pairTrials(): void {
  const print = (label: string, results: readonly PairResult[]): void => {
    const count = (outcome: string): number => results.filter((each) => each.outcome === outcome).length;
    const pairs = results.reduce((sum, each) => sum + each.pairs, 0) / results.length;
    const counts = ["worse", "better", "same", "inconclusive"].map((outcome) => `${outcome} ${count(outcome)}`);
    console.log(`  ${label}: ${counts.join(", ")}; ${pairs.toFixed(1)} pairs on average`);
  };
  console.log(`pairs looked at after each, at most ${mostPairs} (fixed number before: 20), seeds from 1`);
  for (const noise of [0.01, 0.02, 0.04]) {
    const trials = (count: number, change: number): PairResult[] =>
      Array.from({ length: count }, (_, at) => pairsUntilSettled(at + 1, noise, change));
    print(`A/A, CV ${noise * 100} %, 1000 trials`, trials(1000, 0));
    for (const change of [0.02, 0.05])
      print(`+${change * 100} %, CV ${noise * 100} %, 300 trials`, trials(300, change));
  }
}
