import { byKey } from "../../core/tables/group-by.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { placeOf, type TriageEntry, type TriagedVerdict, type TriageMark } from "../../core/verdicts/triage.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { renamedKeys } from "./renamed-keys.ts";

/**
 * An entry with the places of its versions in history: behind `from`, up to and with `to`; null where one is not in it.
 */
interface PlacedEntry extends TriageEntry {
  readonly from: number | null;
  readonly until: number | null;
}

/** An entry's word on a verdict; of several the one of the least rank counts. */
interface Opinion {
  readonly rank: number;
  readonly mark: TriageMark;
}

/**
 * The verdicts in the light of what was decided. Only what is worse is looked at: accepted and expected changes do not
 * make the check fail, nor do those of before something was fixed or went away; what is worse again after a fix fails.
 * `order` has the versions of history, the oldest first; an entry whose versions it does not have says nothing. The
 * order of the entries does not matter. Fails with `circular-names`; `file` is named then.
 */
export function triaged(
  verdicts: readonly Verdict[],
  entries: readonly TriageEntry[],
  order: readonly VersionId[],
  file: string,
): TriagedVerdict[] {
  const newest = renamedKeys(entries, file);
  const nameOf = (key: string): string => newest.get(key) ?? key;
  const decisions = entries.filter(({ state }) => state !== "renamed").map((entry) => placed(entry, order));
  const entriesOf = byKey(decisions, ({ key }) => nameOf(key));
  const places = new Map(order.map((id, at) => [id, at]));
  return verdicts.map((verdict) => judged(verdict, entriesOf.get(nameOf(verdict.subject.key)) ?? [], places));
}

function placed(entry: TriageEntry, order: readonly VersionId[]): PlacedEntry {
  const { scope } = entry;
  if (scope.kind === "any") return { ...entry, from: null, until: null };
  if (scope.kind === "version") return { ...entry, from: null, until: boundOf(order, scope.version, -1) };
  return { ...entry, from: boundOf(order, scope.after, -1), until: boundOf(order, scope.until, order.length) };
}

function boundOf(order: readonly VersionId[], beginning: string | null, otherwise: number): number | null {
  if (beginning === null) return otherwise;
  const at = placeOf(order, beginning);
  return at < 0 ? null : at;
}

function judged(
  verdict: Verdict,
  entries: readonly PlacedEntry[],
  places: ReadonlyMap<VersionId, number>,
): TriagedVerdict {
  if (verdict.word !== "worse") return { verdict, triage: null, fails: false };
  const [first] = entries.flatMap((entry) => opinionOf(entry, verdict, places)).toSorted(byRank);
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
function opinionOf(entry: PlacedEntry, { since }: Verdict, places: ReadonlyMap<VersionId, number>): Opinion[] {
  const { state, scope, note } = entry;
  const at = since === null ? undefined : places.get(since.after);
  if (state === "accepted" || state === "expected") {
    const suspects = since === null ? [] : [...since.suspects, since.after];
    return covers(entry, suspects, at) ? [{ rank: scope.kind === "any" ? 3 : 0, mark: { state, note } }] : [];
  }
  const isOver = isAfterFix(entry, at, places.size);
  if (state === "renamed" || isOver === null || (isOver && state === "went-away")) return [];
  return [isOver ? { rank: 1, mark: { state: "came-back", note } } : { rank: 2, mark: { state, note } }];
}

function covers({ scope, from, until }: PlacedEntry, suspects: readonly VersionId[], at: number | undefined): boolean {
  if (scope.kind === "any") return true;
  if (scope.kind === "version") return suspects.some((id) => id.startsWith(scope.version));
  return at !== undefined && from !== null && until !== null && at > from && at <= until;
}

/**
 * Whether a change was first seen behind the version of a fix (the last one of its range); null where that cannot be
 * told.
 */
function isAfterFix({ scope, from, until }: PlacedEntry, at: number | undefined, versions: number): boolean | null {
  if (scope.kind === "any") return true;
  const fixed = until === versions ? from : until;
  return fixed === null || at === undefined ? null : at > fixed;
}
