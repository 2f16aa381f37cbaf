import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import type { Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { pagedSeries } from "../../query/pages/index.ts";
import type { Line } from "../../query/series/index.ts";
import { sparkHeights } from "../../math/plotting/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { judgeSeries, type CheckSeriesOptions } from "./check-series.ts";

/** One subject over the commit history. */
export interface Trend {
  readonly subject: Subject;
  /**
   * Oldest first. Several values of a commit are reduced to the median; values of other machines than the newest are
   * omitted by default.
   */
  readonly points: readonly TrendPoint[];
  /** Changes, oldest first, or the verdict that there is none. */
  readonly verdicts: readonly Verdict[];
}

export interface TrendPoint {
  /** null: unknown commit. */
  readonly version: VersionId | null;
  readonly value: number;
}

export interface Trends {
  /** Worse first, then better, larger changes first; then unchanged subjects, longest first. */
  readonly trends: readonly Trend[];
  readonly method: string;
  readonly notes: readonly string[];
  /** Metadata of a commit of the history. */
  versionOf(id: VersionId): MinorVersion | undefined;
}

/** Trends of all measured subjects with their changes. Fails like `checkSeries`. */
export async function trends(workspace: Workspace, options: CheckSeriesOptions): Promise<Trends> {
  const { checked, series, axis } = await judgeSeries(workspace, options);
  const { counting, history } = axis;
  const isIn = (version: VersionId | null): boolean => counting === null || version === null || counting.has(version);
  const positions = new Map(axis.order.map((id, at) => [id, at]));
  const found = pagedSeries(series, checked.verdicts, positions, options.allMachines).map(
    ({ series: { subject }, verdicts, line }): Trend => {
      const points = pointsOf(line).filter(({ version }) => isIn(version));
      return { subject, points, verdicts: verdicts.toReversed() };
    },
  );
  found.sort(byWeight(checked.verdicts));
  return { trends: found, method: checked.method, notes: checked.notes, versionOf: (id) => history.graph.get(id) };
}

/** Order of verdicts; unchanged subjects with more points first. */
function byWeight(verdicts: readonly Verdict[]): (a: Trend, b: Trend) => number {
  const ranks = new Map<string, number>();
  for (const [at, { subject, outcome: word }] of verdicts.entries()) {
    const isChange = word === "worse" || word === "better";
    if (!ranks.has(subject.key)) ranks.set(subject.key, isChange ? at : verdicts.length);
  }
  const rank = ({ subject }: Trend): number => ranks.get(subject.key) ?? verdicts.length;
  return (a, b) => rank(a) - rank(b) || b.points.length - a.points.length;
}

function pointsOf({ origins, values }: Line): TrendPoint[] {
  return origins.map(({ version }, at) => ({ version, value: values[at] as number }));
}

/** Renders values as a line of at most `columns` characters. `glyphs`: from lowest to highest. */
export function sparkline(values: ArrayLike<number>, columns: number, glyphs: readonly string[]): string {
  return Array.from(sparkHeights(values, columns, glyphs.length), (height) => glyphs[height] ?? " ").join("");
}
