import { defaultDirection } from "../../../core/measurements/default-direction.ts";
import type { Change, ChangeResult } from "../../../core/verdicts/change.ts";
import { isObject } from "../../../core/values/json.ts";
import { locationName } from "../../../core/profiles/location-points.ts";
import { parsedUnit } from "../../../core/profiles/profile-units.ts";
import { rowKinds } from "../../../core/profiles/row-kinds.ts";
import type { Run } from "../../../core/profiles/run.ts";
import type { Checker } from "../checker.ts";

/**
 * The check of models that finds changes as if less were better: their results are turned where more of the target's
 * amounts is, as of a throughput. Perun turns none.
 */
export function directedCheck(changesOf: Checker["check"]): Checker["check"] {
  return (baseline, target, values) => {
    const changes = changesOf(baseline, target, values);
    return values.get("compat") === "perun" ? changes : directed(target, changes);
  };
}

function directed(target: Run, changes: readonly Change[]): readonly Change[] {
  const places = placesOfRates(target);
  if (places.size === 0) return changes;
  return changes.map((change) => (places.has(change.location) ? turned(change) : change));
}

/** Locations, as models are called, of whose amounts more is better. */
function placesOfRates(run: Run): ReadonlySet<string> {
  const places = new Set<string>();
  if (!mayHaveRates(run)) return places;
  const lower = new Set<string>();
  const kindAt = rowKinds(run, []);
  for (let row = 0; row < run.data.length; row++) {
    const kind = kindAt(row);
    if (kind === null) continue;
    const { uid, facts, better } = kind;
    const subtype = facts.get("event") ?? facts.get("subtype");
    for (const name of [uid, locationName(subtype === undefined ? { uid } : { uid, subtype })])
      (better === "higher" ? places : lower).add(name);
  }
  return new Set([...places].filter((name) => !lower.has(name)));
}

/** Most profiles have none, and rows are many. */
function mayHaveRates({ data, extra }: Run): boolean {
  const header = extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const words = isObject(units) ? [...units.values()].filter((word) => typeof word === "string") : [];
  return (
    data.variables.some(({ name }) => name === "better") ||
    words.some((word) => defaultDirection(parsedUnit(word)) === "higher")
  );
}

function turned(change: Change): Change {
  const { intervals, result } = change;
  const parts = intervals?.map((part) => ({ ...part, result: opposite(part.result) }));
  return { ...change, result: opposite(result), ...(parts === undefined ? {} : { intervals: parts }) };
}

function opposite(result: ChangeResult): ChangeResult {
  if (result.endsWith("Degradation")) return result.replace("Degradation", "Optimization") as ChangeResult;
  return result.replace("Optimization", "Degradation") as ChangeResult;
}
