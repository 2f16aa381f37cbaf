import { expect, it } from "vitest";
import type { Run } from "../../core/profiles/run.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { seededRandom } from "../../math/sampling/index.ts";
import { pooledDifference } from "./pooled-difference.ts";

type Costs = Readonly<Record<string, number>>;

function profile(costs: Costs): Run {
  const names = Object.keys(costs);
  const document = {
    resources: Object.fromEntries(names.map((name, at) => [`r#${at}`, { amount: [costs[name]] }])),
    resource_type_map: Object.fromEntries(
      names.map((name, at) => [`r#${at}`, { type: "time", subtype: "cpu", uid: name, trace: [{ function: name }] }]),
    ),
    header: { type: "time", cmd: "./a", workload: "", units: { time: "ms" } },
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}

/** Samples of 60 functions with costs of 1/rank, on a machine whose speed varies; `grown` costs 1.3 times as much. */
function sampled(random: () => number, grown: string | null, speed: number): Run {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const machine = speed * (1 + 0.05 * normal());
  const entries = Array.from({ length: 60 }, (_, at): [string, number] => {
    const name = `f${at}`;
    const mean = (4000 / (at + 1)) * machine * (name === grown ? 1.3 : 1);
    return [name, Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))];
  });
  return profile(Object.fromEntries(entries));
}

it("ranks the function that grew first, below the noise of the machine and of larger functions", () => {
  const random = seededRandom(5);
  const ranks = Array.from({ length: 20 }, (_, trial) => {
    const grown = `f${10 + 2 * trial}`;
    const before = Array.from({ length: 12 }, () => sampled(random, null, 1));
    const after = Array.from({ length: 12 }, () => sampled(random, grown, 1.04));
    const [difference] = pooledDifference(before, after);
    expect(difference?.pooled).toMatchObject({ before: 12, after: 12 });
    return difference?.rows.findIndex(({ name }) => name === grown);
  });
  expect(ranks.filter((rank) => rank === 0).length).toBeGreaterThan(17);
});

it("has the means of both sides, and infinite scores for counts that repeat exactly", () => {
  const before = [profile({ f: 10, g: 5 }), profile({ f: 10, g: 5 })];
  const [difference] = pooledDifference(before, [profile({ f: 10, g: 7 }), profile({ f: 10, g: 7 })]);
  expect(difference).toMatchObject({ before: 15, after: 17, omitted: 0, pooled: { before: 2, after: 2, common: 0 } });
  expect(difference?.rows).toMatchObject([{ name: "g", change: 2, share: 1, score: Infinity }]);
});

it("counts a function that a profile lacks as 0", () => {
  const after = [profile({ f: 10, h: 3 }), profile({ f: 11 }), profile({ f: 9, h: 1 })];
  const [difference] = pooledDifference([profile({ f: 10 }), profile({ f: 11 })], after);
  const row = difference?.rows.find(({ name }) => name === "h");
  expect(row).toMatchObject({ before: null, after: { self: 4 / 3 } });
});
