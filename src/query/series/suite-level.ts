import type { PointOrigin } from "../../core/measurements/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { median, moments } from "../../math/descriptive/index.ts";
import { type Line, multiplied } from "./line.ts";

/** Fewest series of a suite, fewest points of a series, and most series from which the common mode is estimated. */
const [fewestSeries, fewestPoints, mostSeries] = [5, 6, 80];

/** The common mode is removed if it explains this share of the deviation of at least this share of the series. */
const [leastExplained, leastSharing] = [0.2, 2 / 3];

/** Largest sensitivity of a series to the common mode. */
const mostSensitive = 2;

/** What most series of a suite have in common at the same commits: the machine, or code that all run. */
export interface CommonMode {
  /** The versions of the suite in order, and the relative level of the suite at each, 1 in the middle. */
  readonly origins: readonly PointOrigin[];
  readonly levels: Float64Array;
  /** The line without the common mode; the line itself if that makes it no steadier. */
  removedFrom(line: Line): Line;
}

/**
 * The common mode of series of one metric measured at the same commits: the median at each commit of the logarithms,
 * each relative to its own median. null: fewer than five series, too little in common, or numbers that repeat exactly,
 * which no machine affects.
 */
export function commonMode<T>(all: readonly T[], lineOf: (each: T) => Line): CommonMode | null {
  const longest = longestOf(all, lineOf);
  const positions = new Map<VersionId, number>();
  for (const { version } of longest.origins) if (version !== null) positions.set(version, positions.size);
  if (all.length < fewestSeries || positions.size < Math.max(fewestPoints, longest.values.length)) return null;
  const own = spread(all, mostSeries).flatMap((each) => alignedTo(positions, lineOf(each)) ?? []);
  if (own.length < fewestSeries || 2 * own.filter(isExact).length > own.length) return null;
  const levels = mediansAt(own, positions.size);
  if (levels === null) return null;
  const sharing = own.filter(
    ({ logs, at }) => deviation(logs, at, levels, 1) < (1 - leastExplained) * deviation(logs, at, levels, 0),
  );
  if (sharing.length < leastSharing * own.length) return null;
  return {
    origins: longest.origins,
    levels: levels.map(Math.exp),
    removedFrom: (line) => withoutCommonMode(line, alignedTo(positions, line), levels),
  };
}

/** The first of the longest lines, which are not kept. */
function longestOf<T>(all: readonly T[], lineOf: (each: T) => Line): Line {
  let longest = lineOf(all[0] as T);
  for (const each of all) {
    const line = lineOf(each);
    if (line.origins.length > longest.origins.length) longest = line;
  }
  return longest;
}

/**
 * The level of the machine by a benchmark that never changes, its canary, which the others were measured with. null: it
 * has too few points, or points without a version.
 */
export function levelOfCanary(canary: Line): CommonMode | null {
  const positions = new Map<VersionId, number>();
  for (const { version } of canary.origins) if (version !== null) positions.set(version, positions.size);
  const own = alignedTo(positions, canary);
  if (own === null || positions.size < canary.values.length) return null;
  return {
    origins: canary.origins,
    levels: own.logs.map(Math.exp),
    removedFrom: (line) => withoutCommonMode(line, alignedTo(positions, line), own.logs),
  };
}

/**
 * A line without the level of the canary that perfkeep measured next to each point; the line itself if a point has none
 * or that makes it no steadier.
 */
export function withoutOwnCanary(line: Line): Line {
  // Hardly any line has one: spare the logarithms of all others.
  if (line.origins.some(({ canary }) => canary === undefined)) return line;
  const levels = Float64Array.from(line.origins, ({ canary }) => Math.log(canary ?? Number.NaN));
  const logs = line.values.map(Math.log);
  if (logs.length < fewestPoints || !levels.every(Number.isFinite) || !logs.every(Number.isFinite)) return line;
  const [middle, usual] = [median(logs), median(levels)];
  const aligned = { logs: logs.map((log) => log - middle), at: Int32Array.from(logs, (_, at) => at) };
  return isExact(aligned)
    ? line
    : withoutCommonMode(
        line,
        aligned,
        levels.map((level) => level - usual),
      );
}

/** Up to `most` of all, spread by the golden ratio: even, and without a period that series might share. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const golden = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length: most }, (_, at) => all[Math.floor(((at * golden) % 1) * all.length)] as T);
}

/** The logarithms of a line relative to their median, and the position of each. */
interface AlignedLogs {
  readonly logs: Float64Array;
  readonly at: Int32Array;
}

/** null: too few points, one that is not positive, or one at another version. */
function alignedTo(positions: ReadonlyMap<VersionId, number>, { origins, values }: Line): AlignedLogs | null {
  if (values.length < fewestPoints) return null;
  const logs = values.map(Math.log);
  const middle = median(logs);
  const at = Int32Array.from(origins, ({ version }) => (version === null ? -1 : (positions.get(version) ?? -1)));
  if (!Number.isFinite(middle) || !logs.every(Number.isFinite) || at.includes(-1)) return null;
  return { logs: logs.map((log) => log - middle), at };
}

/** Whether most values are equal to the one before. */
function isExact({ logs }: AlignedLogs): boolean {
  return 2 * logs.filter((log, i) => i > 0 && log === logs[i - 1]).length > logs.length;
}

/** null: a position has fewer than five values. */
function mediansAt(all: readonly AlignedLogs[], count: number): Float64Array | null {
  const found = Array.from({ length: count }, (): number[] => []);
  for (const { logs, at } of all) for (const [i, log] of logs.entries()) found[at[i] as number]?.push(log);
  if (found.some(({ length }) => length < fewestSeries)) return null;
  const levels = Float64Array.from(found, (each) => median(Float64Array.from(each)));
  const middle = median(levels);
  return levels.map((level) => level - middle);
}

/** The standard deviation without `share` times the common mode. */
function deviation(logs: Float64Array, at: Int32Array, levels: Float64Array, share: number): number {
  return Math.sqrt(moments(logs.map((log, i) => log - share * (levels[at[i] as number] as number))).variance);
}

function withoutCommonMode(line: Line, aligned: AlignedLogs | null, levels: Float64Array): Line {
  if (aligned === null) return line;
  const { logs, at } = aligned;
  const share = sensitivity(logs, at, levels);
  if (!(deviation(logs, at, levels, share) < (1 - leastExplained) * deviation(logs, at, levels, 0))) return line;
  return multiplied(
    line,
    Float64Array.from(at, (position) => Math.exp(-share * (levels[position] as number))),
  );
}

/** Standard errors by which a sensitivity has to differ from 1. */
const significant = 2;

/**
 * How strongly a series follows the common mode: the slope of its changes from point to point on those of the common
 * mode, in which a lasting change of the series has little weight. 1 unless significantly different.
 */
function sensitivity(logs: Float64Array, at: Int32Array, levels: Float64Array): number {
  const change = (values: Float64Array, to: number, from: number): number =>
    (values[to] as number) - (values[from] as number);
  const steps = Array.from({ length: logs.length - 1 }, (_, i) => ({
    own: change(logs, i + 1, i),
    common: change(levels, at[i + 1] as number, at[i] as number),
  }));
  const squares = steps.reduce((sum, { common }) => sum + common * common, 0);
  const slope = steps.reduce((sum, { own, common }) => sum + own * common, 0) / squares;
  const rest = steps.reduce((sum, { own, common }) => sum + (own - slope * common) ** 2, 0);
  const error = Math.sqrt(rest / Math.max(1, steps.length - 1) / squares);
  return Math.abs(slope - 1) > significant * error ? Math.max(0, Math.min(mostSensitive, slope)) : 1;
}
