import type { RowMark } from "../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../formats/text/index.ts";
import type { Line } from "./line.ts";
import { literalsOf, type Literal } from "./finders/keyword-search.ts";

/** Selects the lines that have to be examined. */
export interface Seeker {
  /** Keywords of which such a line has at least one. */
  readonly literals: readonly Literal[];
  /** True: every line has to be examined. */
  readonly everyLine: boolean;
  /** True: the literals alone select lines, at all times. */
  readonly onlyLiterals?: boolean;
  /** The number of a line to examine. */
  readonly row?: number;
  /** The first line at or after `from` that is selected by its number alone; Infinity: none. */
  nextRow?(from: number): number;
}

/** The first line at or after `from` that the seeker selects by its number alone; Infinity: none. */
export function nextSelectedRow(seeker: Seeker, from: number): number {
  if (seeker.nextRow) return seeker.nextRow(from);
  return seeker.row !== undefined && seeker.row >= from ? seeker.row : Number.POSITIVE_INFINITY;
}

/** A row of the input that a description names. */
export interface Marker extends Seeker {
  marks(line: Line): boolean;
}

export function markerOf(mark: RowMark): Marker {
  if (mark.kind === "number")
    return { literals: [], everyLine: false, row: mark.number, marks: (line) => line.number === mark.number };
  const literals = mark.kind === "keyword" ? literalsOf(mark.text, false) : [];
  if (mark.kind === "keyword")
    return { literals, everyLine: false, onlyLiterals: true, marks: (line) => hasLiteral(literals, line) };
  const pattern = compilePattern(mark.source);
  const needed = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals: needed,
    everyLine: needed.length === 0,
    onlyLiterals: needed.length > 0,
    marks: (line) => (needed.length === 0 || hasLiteral(needed, line)) && pattern.test(line.rest(line.start)),
  };
}

/** Any of several marks; undefined when there are none. */
export function anyMarker(marks: readonly RowMark[]): Marker | undefined {
  const markers = marks.map(markerOf);
  if (markers.length < 2) return markers[0];
  const row = markers.some((marker) => marker.row === 0) ? { row: 0 } : {};
  return {
    ...row,
    literals: markers.flatMap((marker) => marker.literals),
    everyLine: markers.some((marker) => marker.everyLine),
    nextRow: (from) => Math.min(...markers.map((marker) => nextSelectedRow(marker, from))),
    marks: (line) => markers.some((marker) => marker.marks(line)),
  };
}

function hasLiteral(literals: readonly Literal[], line: Line): boolean {
  return literals.some((literal) => literal.next(line.block.text, line.start) < line.end);
}
