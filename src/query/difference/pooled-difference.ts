import type { CostChange, ProfileDifference, Run } from "../../core/profiles/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { locationKey } from "./call-frames.ts";
import { convertCosts, costsOf, type Costs, type FunctionCost } from "./costs.ts";
import { differenceOf } from "./profile-difference.ts";

/** Functions with a smaller share of the cost say little about what all functions have in common. */
const substantialShare = 0.001;

/** Fewest substantial functions from which a common change is estimated. */
const fewestFunctions = 8;

/** Degrees of freedom of the variance that is expected of a function by its cost. */
const expectedFreedom = 4;

/** Most rows of a quantity. */
const mostRows = 20;

/**
 * The differences of the mean costs of functions between two groups of profiles of one configuration, by quantity, the
 * greatest score first. The score of a function is the change of its self cost in standard errors. Its variance is the
 * one that was found, moderated (Smyth 2004) by the one expected of its cost, since samples are counts: proportional to
 * the mean. Factors that all functions of a profile share are removed before, and so is the change that all functions
 * share: the machine, or the whole program. A function that a profile lacks costs 0 there. `most`: rows of a quantity.
 */
export function pooledDifference(before: readonly Run[], after: readonly Run[], most = mostRows): ProfileDifference[] {
  const [olds, news] = [before, after].map((runs) => runs.map(({ data }) => costsOf(data)));
  const metrics = [...(olds?.at(-1)?.keys() ?? [])];
  return metrics.flatMap((metric) => {
    const unit = olds?.at(-1)?.get(metric)?.unit;
    const [old, fresh] = [olds, news].map((all) =>
      (all ?? []).flatMap((costs) => {
        const own = costs.get(metric);
        return (own === undefined ? null : convertCosts(own, unit)) ?? [];
      }),
    ) as [Costs[], Costs[]];
    return old.length === 0 || fresh.length === 0 ? [] : [scored(metric, old, fresh, most)];
  });
}

function scored(metric: string, olds: readonly Costs[], news: readonly Costs[], most: number): ProfileDifference {
  const [before, after] = [meanOf(olds), meanOf(news)];
  const difference = differenceOf(metric, before, after, {
    by: "function",
    isNormalised: false,
    minShare: 0,
    limit: Infinity,
  });
  const common = ratioOf(after, before);
  const [oldFactors, newFactors] = [factorsOf(olds, before), factorsOf(news, after)];
  const samples = difference.rows.map((row) => {
    const [oldKey, newKey] = [locationKey(row.renamedFrom ?? row), locationKey(row)];
    return {
      row,
      old: olds.map(({ functions }, at) => (functions.get(oldKey)?.self ?? 0) / (oldFactors[at] ?? 1)),
      fresh: news.map(({ functions }, at) => (functions.get(newKey)?.self ?? 0) / (newFactors[at] ?? 1) / common),
    };
  });
  const scores = scoresOf(samples);
  const rows = samples
    .map(({ row }, at): CostChange => ({ ...row, score: scores[at] ?? 0 }))
    .sort((a, b) => byScore(a, b) || Math.abs(b.change) - Math.abs(a.change));
  return {
    ...difference,
    rows: rows.slice(0, most),
    omitted: Math.max(0, rows.length - most),
    pooled: { before: olds.length, after: news.length, common: common - 1 },
  };
}

function byScore({ score: one = 0 }: CostChange, { score: other = 0 }: CostChange): number {
  return one === other ? 0 : Math.abs(other) - Math.abs(one) || 0;
}

/** The mean costs of profiles. */
function meanOf(all: readonly Costs[]): Costs {
  const functions = new Map<string, FunctionCost>();
  for (const costs of all)
    for (const [key, each] of costs.functions) {
      const sum = functions.get(key) ?? { ...each, self: 0, inclusive: 0, callers: new Set(), callees: new Set() };
      functions.set(key, sum);
      sum.self += each.self / all.length;
      sum.inclusive += each.inclusive / all.length;
      for (const caller of each.callers) sum.callers.add(caller);
      for (const callee of each.callees) sum.callees.add(callee);
    }
  const total = all.reduce((sum, costs) => sum + costs.total, 0) / all.length;
  return { unit: all[0]?.unit, total, functions, stacks: new Map() };
}

/** The median ratio of the self costs of substantial functions of `base`; 1 if there are few. */
function ratioOf(costs: Costs, base: Costs): number {
  const least = substantialShare * base.total;
  const ratios = [...base.functions].flatMap(([key, { self }]) => {
    const own = costs.functions.get(key);
    return self > least && own !== undefined ? [own.self / self] : [];
  });
  const ratio = ratios.length < fewestFunctions ? 1 : median(Float64Array.from(ratios));
  return ratio > 0 ? ratio : 1;
}

function factorsOf(all: readonly Costs[], mean: Costs): number[] {
  return all.map((costs) => ratioOf(costs, mean));
}

interface Sampled {
  readonly old: readonly number[];
  readonly fresh: readonly number[];
}

/** Moderated t of each function. Infinite for changes of functions that repeat exactly. */
function scoresOf(all: readonly Sampled[]): number[] {
  const found = all.map(({ old, fresh }) => {
    const [before, after] = [sumsOf(old), sumsOf(fresh)];
    const freedom = old.length + fresh.length - 2;
    const variance = freedom > 0 ? (before.squares + after.squares) / freedom : 0;
    const cost = (before.mean * old.length + after.mean * fresh.length) / (old.length + fresh.length);
    return { change: after.mean - before.mean, variance, cost, freedom, count: 1 / old.length + 1 / fresh.length };
  });
  const dispersions = found.flatMap(({ variance, cost, freedom }) =>
    freedom > 0 && cost > 0 ? [variance / cost] : [],
  );
  const dispersion = dispersions.length === 0 ? 0 : median(Float64Array.from(dispersions));
  return found.map(({ change, variance, cost, freedom, count }) => {
    const expected = dispersion * Math.max(0, cost);
    const moderated = (expectedFreedom * expected + freedom * variance) / (expectedFreedom + freedom);
    return change === 0 ? 0 : change / Math.sqrt(moderated * count);
  });
}

function sumsOf(values: readonly number[]): { readonly mean: number; readonly squares: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, squares: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) };
}
