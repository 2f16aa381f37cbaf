import type { VersionId } from "../core/digest.ts";
import type { Subject } from "../core/series.ts";
import type { Verdict } from "../core/verdict.ts";
import type { MinorVersion } from "../core/version.ts";
import { lineOf, partOf, type Line } from "../query/series/line.ts";
import { sparkHeights } from "../math/sparkline.ts";
import { OneMachine } from "../query/series/one-machine.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { judgeSeries, type CheckSeriesOptions } from "./check-series.ts";

/** How a number went along history. */
export interface Trend {
  readonly subject: Subject;
  /** The oldest first. Several values of a version are their median; those of other machines than the newest are left out unless asked for. */
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
  /** What got worse first, then what got better; the greater change first. */
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
  const verdicts = new Map<string, Verdict[]>();
  for (const verdict of checked.verdicts) verdicts.set(verdict.subject.key, [...(verdicts.get(verdict.subject.key) ?? []), verdict]);
  const lines = new Map(series.map((each) => [each.subject.key, each]));
  const machines = new OneMachine(asked.allMachines);
  const isIn = (version: VersionId | null): boolean => counting === null || version === null || counting.has(version);
  const places = new Map(axis.order.map((id, at) => [id, at]));
  const placeOf = ({ since }: Verdict): number => (since === null ? -1 : (places.get(since.after) ?? -1));
  const found = [...verdicts].flatMap(([key, own]): Trend[] => {
    const of = lines.get(key);
    if (of === undefined) return [];
    const every = lineOf(of);
    const points = pointsOf(partOf(every, machines.of(every.places))).filter(({ version }) => isIn(version));
    return [{ subject: of.subject, points, verdicts: own.toSorted((a, b) => placeOf(a) - placeOf(b)) }];
  });
  return { trends: found, method: checked.method, notes: checked.notes, versionOf: (id) => history.graph.get(id) };
}

function pointsOf({ places, values }: Line): TrendPoint[] {
  return places.map(({ version }, at) => ({ version, value: values[at] as number }));
}

/** Values as a line of small bars, `columns` characters at most; `glyphs`: from the lowest to the highest. */
export function sparkline(values: ArrayLike<number>, columns: number, glyphs: readonly string[]): string {
  return Array.from(sparkHeights(values, columns, glyphs.length), (height) => glyphs[height] ?? " ").join("");
}
