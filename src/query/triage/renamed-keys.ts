import { Failure } from "../../core/failures/failure.ts";
import type { TriageEntry } from "../../core/verdicts/triage.ts";

/**
 * The newest key of everything that was renamed, over any number of times. Fails with `circular-names` where a name
 * leads back to itself, or to two; `file` is where the entries stand.
 */
export function renamedKeys(entries: readonly TriageEntry[], file: string): Map<string, string> {
  const next = new Map<string, string>();
  for (const { key, to } of entries) {
    if (to === null) continue;
    if (next.has(key) && next.get(key) !== to) throw new Failure("circular-names", { file, key });
    next.set(key, to);
  }
  const newest = new Map<string, string>();
  for (const key of next.keys()) follow(key, next, newest, file);
  return newest;
}

/** Walks to the end of the names and notes it for each of them: every name is walked over once. */
function follow(from: string, next: ReadonlyMap<string, string>, newest: Map<string, string>, file: string): void {
  const way = new Set<string>();
  let key = from;
  for (let to = next.get(key); to !== undefined && !newest.has(key); to = next.get(key)) {
    way.add(key);
    if (way.has(to)) throw new Failure("circular-names", { file, key: from });
    key = to;
  }
  const end = newest.get(key) ?? key;
  for (const each of way) newest.set(each, end);
}
