// `npm run bench:bisect -- simulated`: how many measurements finding a planted step takes, and how often it is the
// right version, beside binary search that measures each version equally often. Pure simulation: the numbers are the
// same on every machine.
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { bisectPlanted, searchNoises, type SearchNoise } from "../test/series/planted-step.ts";

export { bisectTrials } from "./bisect-trials.ts";

const trials = 100;
const last = 64;
const confidence = 0.95;
const deviation = 0.02;

/** Tries of binary search for each number of repetitions. */
const tries = 400;

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
 * How often binary search with fixed repetitions, comparing means to the middle of the ends, ends at the planted place.
 */
function plainShare(noise: SearchNoise, effect: number, repetitions: number): number {
  const right = Array.from({ length: tries }, (_, seed) => plainIsRight(noise, effect, repetitions, seed + 1));
  return right.filter(Boolean).length / tries;
}

function plainIsRight(noise: SearchNoise, effect: number, repetitions: number, seed: number): boolean {
  const random = seededRandom(seed);
  const first = 1 + Math.floor(random() * last);
  const values = searchNoises[noise](8 * repetitions, random);
  let used = 0;
  const mean = (place: number): number => {
    let sum = 0;
    for (let run = 0; run < repetitions; run++)
      sum += (place >= first ? 1 + effect : 1) * (1 + deviation * values[used++]!);
    return sum / repetitions;
  };
  const middle = (mean(0) + mean(last)) / 2;
  let [good, bad] = [0, last];
  while (bad - good > 1) {
    const place = (good + bad) >> 1;
    if (mean(place) > middle === effect > 0) bad = place;
    else good = place;
  }
  return bad === first;
}

/**
 * The fewest measurements with which binary search is right as often as wanted in this noise, which it is told; null:
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
    `${trials} seeded trials among ${last} versions, noise of ${100 * deviation} %, wanted certainty ${100 * confidence} %`,
  );
  console.log(
    "noise            step  right  claimed  measurements (mean, most)  binary search of each once: right, thrice: right; needs",
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
