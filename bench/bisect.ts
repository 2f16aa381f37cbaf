// `npm run bench:bisect -- simulated`: number of measurements and accuracy of finding a planted step, compared with
// binary search with fixed repetitions. Pure simulation, so the numbers are the same on every machine.
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { bisectPlanted, searchNoises, type SearchNoise } from "../test/series/planted-step.ts";

export { bisectTrials } from "./bisect-trials.ts";

const trials = 100;
const last = 64;
const confidence = 0.95;
const deviation = 0.02;

/** Trials of binary search for each number of repetitions. */
const plainTrials = 400;

const noises: readonly SearchNoise[] = [
  "gauss",
  "spiky",
  "student",
  "lognormal",
  "negative",
  "bimodal",
  "autocorrelated",
  "lasting",
  "warming",
  "drifting",
];
const rows: readonly (readonly [SearchNoise, number])[] = [
  ...noises.map((noise) => [noise, 0.05] as const),
  ...(["gauss", "lognormal", "bimodal", "drifting"] as const).flatMap((noise) =>
    [0.02, 0.1, 1].map((effect) => [noise, effect] as const),
  ),
];

/**
 * The share of binary searches with fixed repetitions that find the planted step. They compare means with the midpoint
 * of both ends.
 */
function plainShare(noise: SearchNoise, effect: number, repetitions: number): number {
  const right = Array.from({ length: plainTrials }, (_, seed) => plainIsRight(noise, effect, repetitions, seed + 1));
  return right.filter(Boolean).length / plainTrials;
}

function plainIsRight(noise: SearchNoise, effect: number, repetitions: number, seed: number): boolean {
  const random = seededRandom(seed);
  const first = 1 + Math.floor(random() * last);
  const values = searchNoises[noise](8 * repetitions, random);
  let used = 0;
  const mean = (index: number): number => {
    let sum = 0;
    for (let run = 0; run < repetitions; run++)
      sum += (index >= first ? 1 + effect : 1) * (1 + deviation * values[used++]!);
    return sum / repetitions;
  };
  const middle = (mean(0) + mean(last)) / 2;
  let [good, bad] = [0, last];
  while (bad - good > 1) {
    const index = (good + bad) >> 1;
    if (mean(index) > middle === effect > 0) bad = index;
    else good = index;
  }
  return bad === first;
}

/**
 * The minimum number of measurements with which binary search reaches the required accuracy for a known noise; null:
 * more than 1000.
 */
function plainNeeds(noise: SearchNoise, effect: number): number | null {
  for (let repetitions = 1; repetitions <= 125; repetitions += Math.max(1, Math.floor(repetitions / 8)))
    if (plainShare(noise, effect, repetitions) >= confidence) return 8 * repetitions;
  return null;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`.padStart(6);
}

/** Prints a table. */
export function simulatedTrials(): void {
  console.log(
    `${trials} seeded trials over ${last} commits, noise ${100 * deviation} %, confidence ${100 * confidence} %`,
  );
  console.log(
    "noise            step  right  claimed  measurements (mean, max)   " +
      "binary search once: right, three times: right; required",
  );
  for (const [noise, effect] of rows) {
    const done = Array.from({ length: trials }, (_, seed) =>
      bisectPlanted({ noise, effect, deviation, last, seed: seed + 1 }, { confidence, maxEndMeasurements: 150 }),
    );
    const right = done.filter(({ first, found }) => found?.from === first && found.to === first).length;
    const claims = done.flatMap(({ found }) => (found === null ? [] : [found.probability]));
    const counts = done.map(({ measurements }) => measurements.length);
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const words = [
      noise.padEnd(14),
      `${100 * effect} %`.padStart(6),
      percent(right / trials),
      percent(mean(claims)),
      `${mean(counts).toFixed(1).padStart(12)} ${String(Math.max(...counts)).padStart(4)}`,
      ...[1, 3].map((repetitions) => percent(plainShare(noise, effect, repetitions)).padStart(16)),
      String(plainNeeds(noise, effect) ?? "> 1000").padStart(12),
    ];
    console.log(words.join(" "));
  }
}
