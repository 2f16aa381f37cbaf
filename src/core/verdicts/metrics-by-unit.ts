import type { Verdict } from "./verdict.ts";

/** The names of the metrics in each unit, by the text of the unit. */
export function metricsByUnit(
  rows: readonly { readonly verdict: Verdict; readonly unit: string }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { verdict, unit } of rows)
    found.set(unit, (found.get(unit) ?? new Set<string>()).add(verdict.subject.metric));
  return found;
}
