import { sparkline, trends, type Trend } from "../../../commands/verdicts/trends.ts";
import type { CheckSeriesOptions } from "../../../commands/verdicts/check-series.ts";
import type { LogEntry } from "../../../commands/history/log.ts";
import { isFailure } from "../../../core/failures/failure.ts";
import { cutMiddle } from "../../../core/text/terminal-text.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { Medium } from "../medium.ts";
import { changeText, sparkGlyphs, valueText } from "../verdicts/trends.ts";

/** Points before a version that its sparkline shows, itself among them. */
const sparkPoints = 16;
/** Series that are told below a version: those that changed there, then those that changed most anywhere. */
const mostTold = 3;
/** Columns of the name of a series in the head of the table. */
const nameColumns = 40;

/** How a series stood at a version. */
interface Place {
  readonly trend: Trend;
  /** Index of its point there. */
  readonly at: number;
  /** What changed there. */
  readonly change: Verdict | undefined;
}

/** How what was measured moved up to each version. */
export class LogTrends {
  readonly notes: readonly string[];
  readonly #places: ReadonlyMap<string, readonly Place[]>;
  readonly #leading: Trend | undefined;

  constructor(found: readonly Trend[], notes: readonly string[] = []) {
    [this.#leading] = found;
    this.#places = placesOf(found);
    this.notes = notes;
  }

  /** The series of the column of the short form. */
  nameOf({ shown, ellipsis }: Medium): string {
    if (this.#leading === undefined) return "trend";
    const { benchmark, metric } = this.#leading.subject;
    return cutMiddle(shown(`${benchmark} ${metric}`), nameColumns, ellipsis);
  }

  /** The cell of the leading series; empty at a version where it was not measured. */
  cell({ version }: LogEntry, medium: Medium): string {
    const place = this.#places.get(version.id)?.find(({ trend }) => trend === this.#leading);
    return place === undefined ? "" : words(place, medium).join(" ");
  }

  /** Lines below the message of a version. */
  lines({ version }: LogEntry, medium: Medium): string[] {
    const places = this.#places.get(version.id) ?? [];
    const changed = places.filter(({ change }) => change !== undefined);
    const told = [...changed, ...places.filter(({ change }) => change === undefined)].slice(0, mostTold);
    const hidden = changed.length - mostTold;
    const more = hidden > 0 ? [`    ${hidden} more series changed here`] : [];
    return told.length === 0 ? [] : ["", ...told.map((place) => line(place, medium)), ...more];
  }
}

/** How all series of `of` went up to `revision`; nothing where nothing was measured. */
export async function logTrends(
  workspace: Workspace,
  of: CheckSeriesOptions["of"],
  revision: string | undefined,
  program: string,
): Promise<LogTrends> {
  const usual = {
    method: "ensemble",
    options: new Map(),
    thresholds: true,
    falseDiscoveryRate: 0.05,
    allMachines: false,
    program,
  };
  try {
    const tip = revision === undefined ? {} : { tip: revision };
    const { trends: found, notes } = await trends(workspace, { ...usual, of, allParents: false, ...tip });
    return new LogTrends(found, notes);
  } catch (error) {
    if (isFailure(error, "no-series")) return new LogTrends([], [error.message]);
    throw error;
  }
}

function placesOf(found: readonly Trend[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const trend of found) {
    const changes = new Map(trend.verdicts.map((verdict) => [verdict.since?.after, verdict]));
    for (const [at, { version }] of trend.points.entries()) {
      if (version === null) continue;
      const own = places.get(version) ?? [];
      places.set(version, own);
      own.push({ trend, at, change: changes.get(version) });
    }
  }
  return places;
}

function line(place: Place, medium: Medium): string {
  const { benchmark, metric } = place.trend.subject;
  const told = words(place, medium).join(" ");
  const room = medium.width - told.length - 5;
  const name = medium.shown(`${benchmark} ${metric}`);
  return `    ${painted(place, told, medium)} ${Number.isFinite(room) ? cutMiddle(name, Math.max(8, room), medium.ellipsis) : name}`;
}

/** Sparkline, value, and what changed. */
function words({ trend, at, change }: Place, { unicode }: Medium): string[] {
  const { subject, points } = trend;
  const values = points.slice(Math.max(0, at + 1 - sparkPoints), at + 1).map(({ value }) => value);
  const spark = sparkline(values, sparkPoints, sparkGlyphs(unicode)).padStart(sparkPoints);
  const value = valueText(values.at(-1), subject.unit);
  return [spark, value, ...(change === undefined ? [] : [changeText(change.delta), change.word])].filter(
    (word) => word !== "",
  );
}

function painted({ change }: Place, text: string, { paint }: Medium): string {
  return change?.word === "worse" ? paint.bad(text) : change?.word === "better" ? paint.good(text) : text;
}
