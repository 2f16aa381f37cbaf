import { pointsByKind } from "../../core/profiles/location-points.ts";
import { type Facts, workloadsOf } from "../../core/profiles/row-kinds.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Growth } from "../../core/measurements/series.ts";
import { growthOf } from "../../math/regression/growth-class.ts";

/** What costs of complexity and trace profiles are related to. */
const size = "structure-unit-size";

/** The metric of a location whose value is the exponent of its growth. */
export const growthMetric = "growth";

export interface LocationGrowth {
  readonly location: string;
  /** What a generated workload has besides its size; empty: nothing. */
  readonly workload: Facts;
  readonly growth: Growth;
}

/**
 * How the amounts of each location grow with the size of the structure; locations with too few sizes have none.
 * Workloads of one profile that differ in numbers, or in their names alone, are one another's sizes; those that differ
 * in other words grow each by itself.
 */
export function locationGrowths(run: Run): LocationGrowth[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  const isNumeric = run.data.columns[run.data.variables.findIndex(({ name }) => name === size)]?.kind === "number";
  if (run.data.length === 0 || !isNumeric || !["uid", "amount"].every(has)) return [];
  const workloadAt = workloadsOf(run, ({ name, numeric }) => !numeric && name !== "workload");
  return pointsByKind(run.data, size, "amount", workloadAt).flatMap(({ kind: workload, points: { uid, x, y } }) => {
    const growth = growthOf(x, y);
    return growth === null ? [] : [{ location: uid, workload, growth }];
  });
}
