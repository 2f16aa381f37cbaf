import { Failure } from "../../core/failures/index.ts";
import type { Series, SeriesPoint } from "../../core/measurements/index.ts";
import { convertFactor, groupBy, sameDimension } from "../../core/values/index.ts";
import {
  type TriageEntry,
  positionOf,
  type TriagedVerdict,
  type TriageMark,
  type Verdict,
} from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";

/**
 * The newest key of each renamed key, over any number of renames. Fails with `circular-names` for cycles and for two
 * new names of one key; `file` is the path of the entries.
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

/** Follows the renames to the newest name and stores it for each name on the way; visits each name once. */
function follow(from: string, next: ReadonlyMap<string, string>, newest: Map<string, string>, file: string): void {
  const path = new Set<string>();
  let key = from;
  for (let to = next.get(key); to !== undefined && !newest.has(key); to = next.get(key)) {
    path.add(key);
    if (path.has(to)) throw new Failure("circular-names", { file, key: from });
    key = to;
  }
  const end = newest.get(key) ?? key;
  for (const each of path) newest.set(each, end);
}

/**
 * Merges renamed series under their newest key: points in the order of history (`order`, the oldest first); where both
 * names were measured at a version, those of the newer name. Series with units of different dimensions stay separate.
 */
export function mergeRenamedSeries(
  series: readonly Series[],
  newest: ReadonlyMap<string, string>,
  order: readonly VersionId[],
): Series[] {
  if (newest.size === 0) return [...series];
  const positions = new Map(order.map((id, at) => [id, at]));
  const groups = groupBy(series, ({ subject }) => newest.get(subject.key) ?? subject.key);
  return [...groups].flatMap(([key, parts]) => mergeParts(key, parts, positions));
}

function mergeParts(key: string, parts: readonly Series[], positions: ReadonlyMap<VersionId, number>): Series[] {
  const target = parts.find(({ subject }) => subject.key === key) ?? parts.at(-1);
  if (target === undefined) return [];
  if (parts.length === 1 && target.subject.key === key) return [...parts];
  const others = parts.filter((part) => part !== target);
  const fits = others.filter(({ subject }) => sameDimension(subject.unit, target.subject.unit));
  const points = fits.flatMap((part) =>
    part.points.map(scaledBy(convertFactor(part.subject.unit, target.subject.unit))),
  );
  const whole = { subject: { ...target.subject, key }, points: inOrder(points, target.points, positions) };
  return [whole, ...others.filter((part) => !fits.includes(part))];
}

function scaledBy(factor: number): (point: SeriesPoint) => SeriesPoint {
  return (point) => (factor === 1 ? point : { ...point, sample: point.sample.map((value) => value * factor) });
}

/** Points outside of history keep their order; those of older names come first. */
function inOrder(
  old: readonly SeriesPoint[],
  present: readonly SeriesPoint[],
  positions: ReadonlyMap<VersionId, number>,
): SeriesPoint[] {
  const measured = new Set(present.map(({ version }) => version));
  const positionIn = ({ version }: SeriesPoint): number | undefined =>
    version === null ? undefined : positions.get(version);
  const all = [...old.filter(({ version }) => version === null || !measured.has(version)), ...present];
  if (all.some((point) => positionIn(point) === undefined)) return all;
  return all.toSorted((a, b) => (positionIn(a) ?? 0) - (positionIn(b) ?? 0));
}

/**
 * An entry with the positions of its versions in history: after `from`, up to and including `to`; null for a version
 * that is not in it.
 */
interface LocatedEntry extends TriageEntry {
  readonly from: number | null;
  readonly until: number | null;
}

/** An entry's decision on a verdict; the lowest rank wins. */
interface Opinion {
  readonly rank: number;
  readonly mark: TriageMark;
}

/**
 * Applies triage entries to the verdicts. Only `worse` is affected: accepted and expected changes do not fail the
 * check, nor do changes before a fix; a change for the worse after a fix fails. `order`: the versions of history, the
 * oldest first; entries with other versions are ignored. The order of the entries does not matter. Fails with
 * `circular-names`, which names `file`.
 */
export function applyTriage(
  verdicts: readonly Verdict[],
  entries: readonly TriageEntry[],
  order: readonly VersionId[],
  file: string,
): TriagedVerdict[] {
  const newest = renamedKeys(entries, file);
  const nameOf = (key: string): string => newest.get(key) ?? key;
  const decisions = entries.filter(({ state }) => state !== "renamed").map((entry) => locateEntry(entry, order));
  const entriesOf = groupBy(decisions, ({ key }) => nameOf(key));
  const positions = new Map(order.map((id, at) => [id, at]));
  return verdicts.map((verdict) => applyEntries(verdict, entriesOf.get(nameOf(verdict.subject.key)) ?? [], positions));
}

function locateEntry(entry: TriageEntry, order: readonly VersionId[]): LocatedEntry {
  const { scope } = entry;
  if (scope.kind === "any") return { ...entry, from: null, until: null };
  if (scope.kind === "version") return { ...entry, from: null, until: boundOf(order, scope.version, -1) };
  return { ...entry, from: boundOf(order, scope.after, -1), until: boundOf(order, scope.until, order.length) };
}

function boundOf(order: readonly VersionId[], beginning: string | null, otherwise: number): number | null {
  if (beginning === null) return otherwise;
  const at = positionOf(order, beginning);
  return at < 0 ? null : at;
}

function applyEntries(
  verdict: Verdict,
  entries: readonly LocatedEntry[],
  positions: ReadonlyMap<VersionId, number>,
): TriagedVerdict {
  if (verdict.outcome !== "worse") return { verdict, triage: null, fails: false };
  const [first] = entries.flatMap((entry) => opinionOf(entry, verdict, positions)).toSorted(byRank);
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

/**
 * Entries with versions outrank `came-back`, so that a second regression can be accepted; entries for any version do
 * not.
 */
function opinionOf(entry: LocatedEntry, { since }: Verdict, positions: ReadonlyMap<VersionId, number>): Opinion[] {
  const { state, scope, note } = entry;
  const at = since === null ? undefined : positions.get(since.after);
  if (state === "accepted" || state === "expected") {
    const suspects = since === null ? [] : [...since.suspects, since.after];
    return covers(entry, suspects, at) ? [{ rank: scope.kind === "any" ? 3 : 0, mark: { state, note } }] : [];
  }
  const isOver = isAfterFix(entry, at, positions.size);
  if (state === "renamed" || isOver === null || (isOver && state === "went-away")) return [];
  return [isOver ? { rank: 1, mark: { state: "came-back", note } } : { rank: 2, mark: { state, note } }];
}

function covers({ scope, from, until }: LocatedEntry, suspects: readonly VersionId[], at: number | undefined): boolean {
  if (scope.kind === "any") return true;
  if (scope.kind === "version") return suspects.some((id) => id.startsWith(scope.version));
  return at !== undefined && from !== null && until !== null && at > from && at <= until;
}

/** Whether a change was first seen after the version of a fix (the last one of its range); null if unknown. */
function isAfterFix({ scope, from, until }: LocatedEntry, at: number | undefined, versions: number): boolean | null {
  if (scope.kind === "any") return true;
  const fixed = until === versions ? from : until;
  return fixed === null || at === undefined ? null : at > fixed;
}
