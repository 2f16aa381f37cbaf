import type { Trigger } from "../../../formats/descriptions/input-description.ts";
import type { Line } from "./line.ts";
import type { Finder, Found } from "./finder.ts";
import { markerOf, wantedRow } from "./row-mark.ts";

/** Lines that a trigger named and that have not come yet: a line of nothing but triggers must not cost memory for ever. */
const mostDue = 1024;

/** Finds what `inner` does, but only in lines so many behind one that has the mark of a trigger. */
export function triggeredFinder(triggers: readonly Trigger[], inner: Finder): Finder {
  const marks = triggers.map(({ mark, skip }) => ({ marker: markerOf(mark), skip }));
  const due = new Set<number>();
  let looked = { number: -1, taken: false };
  const isTaken = (line: Line): boolean => {
    if (looked.number === line.number) return looked.taken;
    for (const { marker, skip } of marks) if (due.size < mostDue && marker.marks(line)) due.add(line.number + skip);
    looked = { number: line.number, taken: due.delete(line.number) };
    return looked.taken;
  };
  return {
    reader: inner.reader,
    literals: marks.flatMap(({ marker }) => marker.literals),
    everyLine: marks.some(({ marker }) => marker.everyLine),
    nextRow: (from) =>
      Math.min(...[...due].filter((number) => number >= from), ...marks.map(({ marker }) => wantedRow(marker, from))),
    find: (line): Found => (isTaken(line) ? inner.find(line) : undefined),
    count: (line) => (isTaken(line) ? (inner.count?.(line) ?? 0) : 0),
  };
}
