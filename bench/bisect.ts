// `npm run bench:bisect`: how many measurements finding a planted step takes, and how often it is the right version, beside binary search that measures each
// version equally often. Pure simulation: the numbers are the same on every machine.
import { seededRandom } from "../src/math/random.ts";
import { plainSearchCost } from "../src/query/bisect/plain-search.ts";
import { bisectPlanted, type PlantedStep } from "../test/series/planted-step.ts";
import { noises, type Noise } from "../test/series/planted.ts";

const trials = 100;
const last = 64;
const confidence = 0.95;

interface Row {
  readonly noise: Noise;
  readonly deviation: number;
  readonly effect: number;
}

const rows: readonly Row[] = [
  ...(["gauss", "spiky", "lognormal", "bimodal", "autocorrelated"] as const).map((noise) => ({ noise, deviation: 0.02, effect: 0.05 })),
  { noise: "gauss", deviation: 0.02, effect: 0.1 },
  { noise: "gauss", deviation: 0.02, effect: 0.03 },
  { noise: "gauss", deviation: 0, effect: 0.05 },
];

/** Whether binary search with fixed repetitions, comparing means to the middle of the ends, ends at the planted place. */
function plainIsRight({ noise, deviation, effect, seed }: PlantedStep, repetitions: number): boolean {
  const random = seededRandom(seed);
  const first = 1 + Math.floor(random() * last);
  const values = noises[noise](20 * repetitions, random);
  let used = 0;
  const mean = (place: number): number => {
    let sum = 0;
    for (let run = 0; run < repetitions; run++) sum += (place >= first ? 1 + effect : 1) * (1 + deviation * values[used++]!);
    return sum / repetitions;
  };
  const middle = (mean(0) + mean(last)) / 2;
  let [good, bad] = [0, last];
  while (bad - good > 1) {
    const place = (good + bad) >> 1;
    if (mean(place) > middle) bad = place;
    else good = place;
  }
  return bad === first;
}

function percent(count: number): string {
  return `${Math.round((100 * count) / trials)} %`.padStart(6);
}

console.log(`${trials} seeded trials among ${last} versions, wanted certainty ${100 * confidence} %`);
console.log("noise           sd   step  right  measurements (mean, most)  plain binary search: right, measurements (of each version)");
for (const row of rows) {
  const planted = Array.from({ length: trials }, (_, seed): PlantedStep => ({ ...row, last, seed: seed + 1 }));
  const done = planted.map((each) => bisectPlanted(each));
  const counts = done.map(({ measurements }) => measurements.length);
  const right = done.filter(({ first, found }) => found?.from === first && found.to === first).length;
  const { repetitions, measurements } = plainSearchCost(last, row.effect / row.deviation, confidence);
  const plain = planted.filter((each) => plainIsRight(each, repetitions)).length;
  const mean = counts.reduce((sum, count) => sum + count, 0) / trials;
  const words = [
    row.noise.padEnd(14),
    `${100 * row.deviation} %`.padStart(4),
    `${100 * row.effect} %`.padStart(5),
    percent(right),
    `${mean.toFixed(1).padStart(10)} ${String(Math.max(...counts)).padStart(4)}`,
    `${percent(plain).padStart(28)} ${String(measurements).padStart(5)} (${repetitions})`,
  ];
  console.log(words.join(" "));
}
