import type { Growth, SeriesPoint } from "../../core/measurements/series.ts";
import { growthClasses } from "../../math/regression/growth-class.ts";
import { median } from "../../math/descriptive/quantile.ts";

/** The growth of both sides, where points have one; worse: the class after grows faster. */
export interface GrowthChange {
  readonly before: Growth;
  readonly after: Growth;
  readonly steps: number;
}

export function growthChange(before: readonly SeriesPoint[], after: readonly SeriesPoint[]): GrowthChange | undefined {
  if (before[0]?.growth === undefined) return undefined;
  const [from, to] = [growthIn(before), growthIn(after)];
  if (from === undefined || to === undefined) return undefined;
  return { before: from, after: to, steps: growthClasses.indexOf(to.name) - growthClasses.indexOf(from.name) };
}

/** The class that most models have, of equally many the slower one; the medians of their numbers. */
function growthIn(points: readonly SeriesPoint[]): Growth | undefined {
  const all = points.flatMap(({ growth = [] }) => growth);
  const count = (name: string): number => all.filter((each) => each.name === name).length;
  const name = growthClasses.reduce((best, each) => (count(each) > count(best) ? each : best), growthClasses[0] ?? "1");
  const own = all.filter((each) => each.name === name);
  if (own.length === 0) return undefined;
  const middle = (of: (growth: Growth) => number): number => median(Float64Array.from(own, of));
  return {
    name,
    exponent: middle(({ exponent }) => exponent),
    low: middle(({ low }) => low),
    high: middle(({ high }) => high),
    rSquared: middle(({ rSquared }) => rSquared),
  };
}
