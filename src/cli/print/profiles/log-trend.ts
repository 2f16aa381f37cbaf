import { sparkline, trends, type Trend, type CheckSeriesOptions } from "../../../commands/verdicts/index.ts";
import type { LogEntry } from "../../../commands/history/index.ts";
import { isFailure } from "../../../core/failures/index.ts";
import { cutMiddle } from "../../../core/text/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { Medium } from "../medium.ts";
import { changeText, sparkGlyphs, valueText } from "../verdicts/trend-text.ts";

/** Points of a sparkline, up to and including the commit. */
const sparkPoints = 16;
/** Series printed per commit: those that changed there, then those with the largest changes. */
const maxSeries = 3;
/** Columns of the name of a series in the head of the table. */
const nameColumns = 40;

/** A series at a commit. */
interface SeriesPoint {
  readonly trend: Trend;
  /** Index of the point. */
  readonly at: number;
  /** The change at the commit, if any. */
  readonly change: Verdict | undefined;
}

/** Trends up to each commit. */
export class LogTrends {
  readonly notes: readonly string[];
  readonly #points: ReadonlyMap<string, readonly SeriesPoint[]>;
  readonly #leading: Trend | undefined;

  constructor(trends: readonly Trend[], notes: readonly string[] = []) {
    [this.#leading] = trends;
    this.#points = pointsOf(trends);
    this.notes = notes;
  }

  /** The name of the leading series, the head of the column. */
  nameOf({ shown, ellipsis }: Medium): string {
    if (this.#leading === undefined) return "trend";
    const { benchmark, metric } = this.#leading.subject;
    return cutMiddle(shown(`${benchmark} ${metric}`), nameColumns, ellipsis);
  }

  /** The cell of the leading series; empty if it was not measured at the commit. */
  cell({ version }: LogEntry, medium: Medium): string {
    const point = this.#points.get(version.id)?.find(({ trend }) => trend === this.#leading);
    return point === undefined ? "" : words(point, medium).join(" ");
  }

  /** Lines below the message of a commit. */
  lines({ version }: LogEntry, medium: Medium): string[] {
    const points = this.#points.get(version.id) ?? [];
    const changed = points.filter(({ change }) => change !== undefined);
    const shown = [...changed, ...points.filter(({ change }) => change === undefined)].slice(0, maxSeries);
    const hidden = changed.length - maxSeries;
    const more = hidden > 0 ? [`    ${hidden} more series changed here`] : [];
    return shown.length === 0 ? [] : ["", ...shown.map((point) => line(point, medium)), ...more];
  }
}

/** Trends of all series of `of` up to `revision`; empty if nothing was measured. */
export async function logTrends(
  workspace: Workspace,
  of: CheckSeriesOptions["of"],
  revision: string | undefined,
  program: string,
): Promise<LogTrends> {
  const defaults = {
    method: "ensemble",
    options: new Map(),
    thresholds: true,
    falseDiscoveryRate: 0.05,
    allMachines: false,
    program,
  };
  try {
    const tip = revision === undefined ? {} : { tip: revision };
    const { trends: found, notes } = await trends(workspace, { ...defaults, of, allParents: false, ...tip });
    return new LogTrends(found, notes);
  } catch (error) {
    if (isFailure(error, "no-series")) return new LogTrends([], [error.message]);
    throw error;
  }
}

function pointsOf(trends: readonly Trend[]): Map<string, SeriesPoint[]> {
  const points = new Map<string, SeriesPoint[]>();
  for (const trend of trends) {
    const changes = new Map(trend.verdicts.map((verdict) => [verdict.since?.after, verdict]));
    for (const [at, { version }] of trend.points.entries()) {
      if (version === null) continue;
      const own = points.get(version) ?? [];
      points.set(version, own);
      own.push({ trend, at, change: changes.get(version) });
    }
  }
  return points;
}

function line(point: SeriesPoint, medium: Medium): string {
  const { benchmark, metric } = point.trend.subject;
  const text = words(point, medium).join(" ");
  const room = medium.width - text.length - 5;
  const name = medium.shown(`${benchmark} ${metric}`);
  const shown = Number.isFinite(room) ? cutMiddle(name, Math.max(8, room), medium.ellipsis) : name;
  return `    ${painted(point, text, medium)} ${shown}`;
}

/** Sparkline, value and change. */
function words({ trend, at, change }: SeriesPoint, { unicode }: Medium): string[] {
  const { subject, points } = trend;
  const values = points.slice(Math.max(0, at + 1 - sparkPoints), at + 1).map(({ value }) => value);
  const spark = sparkline(values, sparkPoints, sparkGlyphs(unicode)).padStart(sparkPoints);
  const value = valueText(values.at(-1), subject.unit);
  return [spark, value, ...(change === undefined ? [] : [changeText(change.delta), change.outcome])].filter(
    (word) => word !== "",
  );
}

function painted({ change }: SeriesPoint, text: string, { paint }: Medium): string {
  return change?.outcome === "worse" ? paint.bad(text) : change?.outcome === "better" ? paint.good(text) : text;
}
