import type { VersionId } from "../../core/versions/digest.ts";
import type { Subject } from "../../core/measurements/series.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { pagedSeries } from "../../query/pages/paged-series.ts";
import type { Line } from "../../query/series/line.ts";
import { sparkHeights } from "../../math/plotting/sparkline.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { judgeSeries, type CheckSeriesOptions } from "./check-series.ts";

/** How a number went along history. */
export interface Trend {
  readonly subject: Subject;
  /**
   * The oldest first. Several values of a version are their median; those of other machines than the newest are left
   * out unless asked for.
   */
  readonly points: readonly TrendPoint[];
  /** What is said of it: its changes, the oldest first, or that there is none. */
  readonly verdicts: readonly Verdict[];
}

export interface TrendPoint {
  /** null: it is not known which version was measured. */
  readonly version: VersionId | null;
  readonly value: number;
}

export interface Trends {
  /**
   * What got worse first, then what got better; the greater change first. What did not change has the longest first.
   */
  readonly trends: readonly Trend[];
  readonly method: string;
  readonly notes: readonly string[];
  /** What is known of a version of the history. */
  versionOf(id: VersionId): MinorVersion | undefined;
}

/** How the numbers that were measured went, and where they changed. Fails like `checkSeries`. */
export async function trends(workspace: Workspace, asked: CheckSeriesOptions): Promise<Trends> {
  const { checked, series, axis } = await judgeSeries(workspace, asked);
  const { counting, history } = axis;
  const isIn = (version: VersionId | null): boolean => counting === null || version === null || counting.has(version);
  const places = new Map(axis.order.map((id, at) => [id, at]));
  const found = pagedSeries(series, checked.verdicts, places, asked.allMachines).map(
    ({ series: { subject }, verdicts, line }): Trend => {
      const points = pointsOf(line).filter(({ version }) => isIn(version));
      return { subject, points, verdicts: verdicts.toReversed() };
    },
  );
  found.sort(byWeight(checked.verdicts));
  return { trends: found, method: checked.method, notes: checked.notes, versionOf: (id) => history.graph.get(id) };
}

/** In the order of verdicts; of those that did not change the longest first, which tell most. */
function byWeight(verdicts: readonly Verdict[]): (a: Trend, b: Trend) => number {
  const ranks = new Map<string, number>();
  for (const [at, { subject, word }] of verdicts.entries()) {
    const isChange = word === "worse" || word === "better";
    if (!ranks.has(subject.key)) ranks.set(subject.key, isChange ? at : verdicts.length);
  }
  const rank = ({ subject }: Trend): number => ranks.get(subject.key) ?? verdicts.length;
  return (a, b) => rank(a) - rank(b) || b.points.length - a.points.length;
}

function pointsOf({ places, values }: Line): TrendPoint[] {
  return places.map(({ version }, at) => ({ version, value: values[at] as number }));
}

/** Values as a line of small bars, `columns` characters at most; `glyphs`: from the lowest to the highest. */
export function sparkline(values: ArrayLike<number>, columns: number, glyphs: readonly string[]): string {
  return Array.from(sparkHeights(values, columns, glyphs.length), (height) => glyphs[height] ?? " ").join("");
}
