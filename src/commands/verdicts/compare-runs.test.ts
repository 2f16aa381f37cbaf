import { expect, it } from "vitest";
import type { Run } from "../../core/profiles/index.ts";
import { decodeProfile } from "../../formats/profile/index.ts";
import { seededRandom } from "../../math/sampling/index.ts";
import { statistics } from "../../plugins/checkers/statistics.ts";
import { compareRuns } from "./compare-runs.ts";

/** Costs of functions that `main` calls through `parse`, or of `parse` and `main` themselves. */
type Costs = Readonly<Record<string, number>>;

const repetitions = 10;

/** A profile with repetitions of sampled stacks whose costs scatter by `noise`. */
function sampled(random: () => number, costs: Costs, noise: number): Run {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const orders = Array.from({ length: repetitions }, (_, at) => at + 1);
  const callers: Readonly<Record<string, readonly string[]>> = { main: ["main"], parse: ["parse", "main"] };
  const names = Object.keys(costs);
  const traceOf = (name: string): object[] =>
    (callers[name] ?? [name, "parse", "main"]).map((function_) => ({ function: function_ }));
  const document = {
    resources: Object.fromEntries(
      names.map((name) => [
        name,
        { amount: orders.map(() => (costs[name] ?? 0) * (1 + noise * normal())), order: orders },
      ]),
    ),
    resource_type_map: Object.fromEntries(
      names.map((name) => [name, { type: "time", subtype: "cpu", uid: { function: name }, trace: traceOf(name) }]),
    ),
    header: { type: "time", cmd: "./a", workload: "", units: { time: "ms" } },
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}

const methods = { for: () => [statistics], options: new Map(), isWanted: () => true };

function worseCount(trials: number, changed: (random: () => number, costs: Costs) => Costs): number {
  const random = seededRandom(11);
  const before = { main: 5, parse: 20, words: 40, numbers: 30, texts: 25, others: 60 };
  const worse = Array.from({ length: trials }, () => {
    const [base, target] = [before, changed(random, before)].map((costs) => sampled(random, costs, 0.01)) as [Run, Run];
    return compareRuns(methods, base, target, undefined).changes.some(({ result }) => result === "Degradation");
  });
  return worse.filter(Boolean).length;
}

it("calls cost that moved below an unchanged function no regression", () => {
  const moved = worseCount(100, (random, costs) => {
    const share = 0.4 + 0.4 * random();
    const amount = share * (costs["words"] ?? 0);
    return random() < 0.5
      ? { ...costs, words: (costs["words"] ?? 0) - amount, numbers: (costs["numbers"] ?? 0) + amount }
      : { ...costs, words: (costs["words"] ?? 0) - amount, letters: amount };
  });
  expect(moved).toBeLessThanOrEqual(2);
});

it("calls cost that grew below the same function a regression", () => {
  const grown = worseCount(100, (random, costs) => ({
    ...costs,
    words: (costs["words"] ?? 0) * (1.2 + 0.3 * random()),
  }));
  expect(grown).toBeGreaterThanOrEqual(95);
});

it("says where the cost moved", () => {
  const [base, target] = [
    { main: 5, parse: 20, words: 40, numbers: 30 },
    { main: 5, parse: 20, words: 10, numbers: 60 },
  ].map((costs) => sampled(seededRandom(1), costs, 0)) as [Run, Run];
  const { changes } = compareRuns(methods, base, target, undefined);
  expect(changes.map(({ location, result, note }) => [location, result, note])).toEqual([
    ["main", "Unknown", expect.stringContaining("inconclusive") as string],
    ["numbers", "NoChange", "+100 %: moved within parse, which costs as much as before"],
    ["parse", "Unknown", expect.stringContaining("inconclusive") as string],
    ["words", "NoChange", "-75 %: moved within parse, which costs as much as before"],
  ]);
});
