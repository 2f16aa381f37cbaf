import type { Run } from "../src/core/profiles/run.ts";
import { decodeProfile } from "../src/formats/profile/profile.ts";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { pooledDifference } from "../src/query/difference/pooled-difference.ts";
import type { Trial } from "./series-trials.ts";

/* The causes that `--why` finds in simulated sampled profiles, with seeds. */

/** Functions, samples of a profile, and profiles of each level. */
const [functions, samples, profiles] = [200, 20_000, 20];

/** Growth of the planted function, as a share of the total. */
const planted = 0.002;

/** The planted function is among the first three of 200 whose costs fall as 1/rank. */
export function whyTrials(trials: number): Trial[] {
  const random = seededRandom(17);
  const weights = Array.from({ length: functions }, (_, at) => 1 / (at + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => weight / whole);
  let first = 0;
  let three = 0;
  for (let trial = 0; trial < trials; trial++) {
    const grown = Math.floor(random() * functions);
    const level = (growth: number): Run[] =>
      Array.from({ length: profiles }, () => {
        const machine = 1 + 0.02 * normal(random);
        return profileOf(shares.map((share, at) => count(random, (share + (at === grown ? growth : 0)) * machine)));
      });
    const [difference] = pooledDifference(level(0), level(planted));
    const rank = difference?.rows.findIndex(({ name }) => name === `f${grown}`) ?? -1;
    first += rank === 0 ? 1 : 0;
    three += rank >= 0 && rank < 3 ? 1 : 0;
  }
  return [
    {
      what: `+0.2 % of the total in one of ${functions} functions: among the first three of --why (first: ${first})`,
      found: `${three} of ${trials}`,
      wanted: "90 %",
    },
  ];
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A Poisson number, by the normal distribution where it is close enough. */
function count(random: () => number, share: number): number {
  const mean = samples * share;
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let [left, found] = [Math.exp(-mean), 0];
  for (let at = random(); at > left; found++) at *= random();
  return found;
}

function profileOf(counts: readonly number[]): Run {
  const seen = counts.flatMap((amount, at) => (amount > 0 ? [{ amount, name: `f${at}` }] : []));
  const document = {
    resources: Object.fromEntries(seen.map(({ name, amount }) => [name, { amount: [amount] }])),
    resource_type_map: Object.fromEntries(
      seen.map(({ name }) => [name, { type: "time", subtype: "samples", uid: name, trace: [{ function: name }] }]),
    ),
    header: { type: "time", cmd: "./a", workload: "", units: {} },
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}
