import type { VersionId } from "../../core/versions/digest.ts";
import type { RunPlace } from "./finding.ts";

/** What is known of a run before its values are. */
export interface DatedRun {
  readonly number: number;
  readonly version?: VersionId;
  /** Microseconds since 1970. */
  readonly performed: number;
}

/** By the time of the measurement; by number where that is one. */
export function inTime(runs: readonly DatedRun[]): DatedRun[] {
  return runs.toSorted((a, b) => a.performed - b.performed || a.number - b.number);
}

/**
 * By the place of the version in the history (oldest first), then by time. Runs whose version it does not have are left
 * out.
 */
export function inHistory(runs: readonly DatedRun[], history: readonly VersionId[]): DatedRun[] {
  const places = new Map(history.map((id, place) => [id, place]));
  const placeOf = ({ version }: DatedRun): number => (version === undefined ? undefined : places.get(version)) ?? -1;
  return inTime(runs.filter((run) => placeOf(run) >= 0)).sort((a, b) => placeOf(a) - placeOf(b));
}

export function placeOf({ number, version }: DatedRun): RunPlace {
  return { number, ...(version === undefined ? {} : { commit: version }) };
}
