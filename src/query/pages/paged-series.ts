import type { VersionId } from "../../core/versions/index.ts";
import type { Series } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import { type Line, lineOf, selectPoints, SameMachineFilter, scaledLine } from "../series/index.ts";

/** A series on pages. */
export interface PagedSeries {
  readonly series: Series;
  /** Worse and better ones first, of these the newest; at least one. */
  readonly verdicts: readonly Verdict[];
  /** The judged points: of one machine, unless all are compared. May be created at every access. */
  readonly line: Line;
}

/** A series all of whose points are judged. Its line is not kept: the values of all series would be in memory twice. */
class WholeSeries implements PagedSeries {
  readonly series: Series;
  readonly verdicts: readonly Verdict[];

  constructor(series: Series, verdicts: readonly Verdict[]) {
    [this.series, this.verdicts] = [series, verdicts];
  }

  get line(): Line {
    return lineOf(this.series);
  }
}

/**
 * Series with their verdicts, in the order of the series; omits series without any. `order`: positions of versions in
 * history.
 */
export function pagedSeries(
  all: readonly Series[],
  verdicts: readonly Verdict[],
  order: ReadonlyMap<VersionId, number>,
  allMachines: boolean,
): PagedSeries[] {
  const machines = new SameMachineFilter(allMachines);
  const bySubject = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const own = bySubject.get(verdict.subject.key);
    if (own === undefined) bySubject.set(verdict.subject.key, [verdict]);
    else own.push(verdict);
  }
  const positionOf = ({ since }: Verdict): number => (since === null ? -1 : (order.get(since.after) ?? -1));
  return all.flatMap((series) => {
    const own = bySubject.get(series.subject.key);
    if (own === undefined) return [];
    const every = lineOf(series);
    const ofNewest = selectPoints(every, machines.of(every.origins));
    const newest = ofNewest.origins.findLast(({ machine }) => machine !== null)?.machine ?? null;
    const verdictsHere = own.filter(({ machine }) => machine === undefined || machine === newest);
    const scaled = verdictsHere[0]?.scaled;
    const line = scaled === undefined ? ofNewest : scaledLine(every, newest, scaled);
    const sorted = verdictsHere.toSorted(
      (a, b) => Number(isSettled(b)) - Number(isSettled(a)) || positionOf(b) - positionOf(a),
    );
    return [
      line === every && every.points === undefined
        ? new WholeSeries(series, sorted)
        : { series, verdicts: sorted, line },
    ];
  });
}

/** A later doubt does not undo a change. */
function isSettled({ outcome }: Verdict): boolean {
  return outcome === "worse" || outcome === "better";
}
