import { pointsByUid } from "../../core/points.ts";
import type { Run } from "../../core/run.ts";
import type { Growth } from "../../core/series.ts";
import { growthOf } from "../../math/growth.ts";

/** What costs of complexity and trace profiles are related to. */
const size = "structure-unit-size";

/** The metric of a location whose value is the exponent of its growth. */
export const growthMetric = "growth";

/** How the amounts of each location grow with the size of the structure; locations with too few sizes have none. */
export function locationGrowths(run: Run): { readonly location: string; readonly growth: Growth }[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  const isNumeric = run.data.columns[run.data.variables.findIndex(({ name }) => name === size)]?.kind === "number";
  if (run.data.length === 0 || !isNumeric || !["uid", "amount"].every(has)) return [];
  return pointsByUid(run.data, size, "amount").flatMap(({ uid, x, y }) => {
    const growth = growthOf(x, y);
    return growth === null ? [] : [{ location: uid, growth }];
  });
}
