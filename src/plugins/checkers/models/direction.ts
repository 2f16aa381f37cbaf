import { defaultDirection, metricDirection } from "../../../core/measurements/index.ts";
import type { Change, ChangeResult } from "../../../core/verdicts/index.ts";
import { isObject } from "../../../core/values/index.ts";
import { locationName, parsedUnit, rowKinds, type Run, subtypesOf } from "../../../core/profiles/index.ts";
import type { Checker } from "../checker.ts";

/**
 * Wraps a check of models that assumes lower is better: inverts results of locations where higher is better, such as
 * throughput. Perun never inverts.
 */
export function directedCheck(changesOf: Checker["check"]): Checker["check"] {
  return (baseline, target, values) => {
    const changes = changesOf(baseline, target, values);
    return values.get("compat") === "perun" ? changes : directed(target, changes);
  };
}

function directed(target: Run, changes: readonly Change[]): readonly Change[] {
  const locations = higherIsBetterLocations(target);
  if (locations.size === 0) return changes;
  return changes.map((change) => (locations.has(change.location) ? inverted(change) : change));
}

/** Model locations where higher amounts are better. */
function higherIsBetterLocations(run: Run): ReadonlySet<string> {
  const locations = new Set<string>();
  if (!mayHaveRates(run)) return locations;
  const lower = new Set<string>();
  const kindAt = rowKinds(run, []);
  for (let row = 0; row < run.data.length; row++) {
    const kind = kindAt(row);
    if (kind === null) continue;
    const { uid, facts, better } = kind;
    const subtype = facts.get("event") ?? facts.get("subtype");
    for (const name of [uid, locationName(subtype === undefined ? { uid } : { uid, subtype })])
      (better === "higher" ? locations : lower).add(name);
  }
  return new Set([...locations].filter((name) => !lower.has(name)));
}

/** Quick check, since most profiles have no rates and many rows. */
function mayHaveRates({ data, extra }: Run): boolean {
  const header = extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const unitTexts = isObject(units) ? [...units.values()].filter((unitText) => typeof unitText === "string") : [];
  return (
    data.variables.some(({ name }) => name === "better") ||
    subtypesOf(data).some((name) => metricDirection(name, undefined).better === "higher") ||
    unitTexts.some((unitText) => defaultDirection(parsedUnit(unitText)) === "higher")
  );
}

function inverted(change: Change): Change {
  const { intervals, result } = change;
  const parts = intervals?.map((part) => ({ ...part, result: opposite(part.result) }));
  return { ...change, result: opposite(result), ...(parts === undefined ? {} : { intervals: parts }) };
}

function opposite(result: ChangeResult): ChangeResult {
  if (result.endsWith("Degradation")) return result.replace("Degradation", "Optimization") as ChangeResult;
  return result.replace("Optimization", "Degradation") as ChangeResult;
}
