import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import type { Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { type PagedSeries, pagedSeries } from "../../query/pages/index.ts";
import type { Line } from "../../query/series/index.ts";
import { sparkHeights } from "../../math/plotting/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { judgeSeries, type CheckSeriesOptions } from "./check-series.ts";

/** One subject over the commit history. */
export interface Trend {
  readonly subject: Subject;
  /**
   * Oldest first; may be created at every access. Several values of a commit are reduced to the median; values of other
   * machines than the newest are omitted by default.
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
    (paged) => new JudgedTrend(paged, isIn),
  );
  const inOrder = byWeight(found, checked.verdicts);
  return { trends: inOrder, method: checked.method, notes: checked.notes, versionOf: (id) => history.graph.get(id) };
}

/** A trend whose points are created at every access: those of all series would not fit into memory. */
class JudgedTrend implements Trend {
  readonly subject: Subject;
  readonly verdicts: readonly Verdict[];
  readonly #paged: PagedSeries;
  readonly #isIn: (version: VersionId | null) => boolean;

  constructor(paged: PagedSeries, isIn: (version: VersionId | null) => boolean) {
    this.subject = paged.series.subject;
    this.verdicts = paged.verdicts.toReversed();
    [this.#paged, this.#isIn] = [paged, isIn];
  }

  get points(): readonly TrendPoint[] {
    return pointsOf(this.#paged.line).filter(({ version }) => this.#isIn(version));
  }

  /** The number of points. */
  get count(): number {
    return this.#paged.line.origins.filter(({ version }) => this.#isIn(version)).length;
  }
}

/** Order of verdicts; unchanged subjects with more points first. */
function byWeight(trends: readonly JudgedTrend[], verdicts: readonly Verdict[]): Trend[] {
  const ranks = new Map<string, number>();
  for (const [at, { subject, outcome: word }] of verdicts.entries()) {
    const isChange = word === "worse" || word === "better";
    if (!ranks.has(subject.key)) ranks.set(subject.key, isChange ? at : verdicts.length);
  }
  const ranked = trends.map((trend) => {
    return { trend, rank: ranks.get(trend.subject.key) ?? verdicts.length, count: trend.count };
  });
  return ranked.sort((a, b) => a.rank - b.rank || b.count - a.count).map(({ trend }) => trend);
}

function pointsOf({ origins, values }: Line): TrendPoint[] {
  return origins.map(({ version }, at) => ({ version, value: values[at] as number }));
}

/** Renders values as a line of at most `columns` characters. `glyphs`: from lowest to highest. */
export function sparkline(values: ArrayLike<number>, columns: number, glyphs: readonly string[]): string {
  return Array.from(sparkHeights(values, columns, glyphs.length), (height) => glyphs[height] ?? " ").join("");
}
