import { byKey } from "../../core/by-key.ts";
import type { VersionId } from "../../core/digest.ts";
import { placeOf, type TriageEntry, type TriagedVerdict, type TriageMark, type TriageScope } from "../../core/triage.ts";
import type { Since, Verdict } from "../../core/verdict.ts";
import { renamedKeys } from "./renamed-keys.ts";

/** An entry's word on a verdict; of several the one of the least rank counts. */
interface Opinion {
  readonly rank: number;
  readonly mark: TriageMark;
}

/**
 * The verdicts in the light of what was decided. Only what is worse is looked at: accepted and expected changes do not make the check fail,
 * nor do those of before something was fixed or went away; what is worse again after a fix fails. `order` has the versions of history, the
 * oldest first; an entry whose versions it does not have says nothing. The order of the entries does not matter.
 * Fails with `circular-names`; `file` is named then.
 */
export function triaged(
  verdicts: readonly Verdict[],
  entries: readonly TriageEntry[],
  order: readonly VersionId[],
  file: string,
): TriagedVerdict[] {
  const newest = renamedKeys(entries, file);
  const nameOf = (key: string): string => newest.get(key) ?? key;
  const entriesOf = byKey(entries, ({ key }) => nameOf(key));
  return verdicts.map((verdict) => judged(verdict, entriesOf.get(nameOf(verdict.subject.key)) ?? [], order));
}

function judged(verdict: Verdict, entries: readonly TriageEntry[], order: readonly VersionId[]): TriagedVerdict {
  if (verdict.word !== "worse") return { verdict, triage: null, fails: false };
  const [first] = entries.flatMap((entry) => opinionOf(entry, verdict.since, order)).toSorted(byRank);
  const triage = first?.mark ?? null;
  return { verdict, triage, fails: triage === null || triage.state === "came-back" };
}

function byRank(a: Opinion, b: Opinion): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ mark }: Opinion): string {
  return `${mark.state} ${mark.note}`;
}

/** What names versions outranks what came back, so that a second coming can be accepted; a general pardon does not. */
function opinionOf({ state, scope, note }: TriageEntry, since: Since | null, order: readonly VersionId[]): Opinion[] {
  if (state === "renamed") return [];
  if (state === "accepted" || state === "expected") {
    if (!covers(scope, since, order)) return [];
    return [{ rank: scope.kind === "any" ? 3 : 0, mark: { state, note } }];
  }
  const isOver = isAfter(scope, since, order);
  if (isOver === null || (isOver && state === "went-away")) return [];
  return [isOver ? { rank: 1, mark: { state: "came-back", note } } : { rank: 2, mark: { state, note } }];
}

function covers(scope: TriageScope, since: Since | null, order: readonly VersionId[]): boolean {
  if (scope.kind === "any") return true;
  if (since === null) return false;
  if (scope.kind === "version") return [...since.suspects, since.after].some((id) => id.startsWith(scope.version));
  const at = order.indexOf(since.after);
  const [from, to] = [boundOf(order, scope.after, -1), boundOf(order, scope.until, order.length)];
  return at >= 0 && from !== null && to !== null && at > from && at <= to;
}

/** null: it is not in this history. */
function boundOf(order: readonly VersionId[], beginning: string | null, otherwise: number): number | null {
  if (beginning === null) return otherwise;
  const at = placeOf(order, beginning);
  return at < 0 ? null : at;
}

/** Whether a change was first seen behind the version of a fix (the last one of its range); null where that cannot be told. */
function isAfter(scope: TriageScope, since: Since | null, order: readonly VersionId[]): boolean | null {
  if (scope.kind === "any") return true;
  const version = scope.kind === "version" ? scope.version : (scope.until ?? scope.after ?? "");
  const [fixed, seen] = [placeOf(order, version), since === null ? -1 : order.indexOf(since.after)];
  return fixed < 0 || seen < 0 ? null : seen > fixed;
}
