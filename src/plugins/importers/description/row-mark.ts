import type { RowMark } from "../../../formats/descriptions/input/input-description.ts";
import { compilePattern } from "../../../formats/text/pattern.ts";
import type { Line } from "./line.ts";
import { literalsOf, type Literal } from "./keyword-search.ts";

/** What makes a line worth looking at. */
export interface Seeker {
  /** Any of these stands in such a line. */
  readonly literals: readonly Literal[];
  /** Nothing is known beforehand: every line has to be looked at. */
  readonly everyLine: boolean;
  /** It is, and always will be, by its literals alone that a line is worth looking at. */
  readonly onlyLiterals?: boolean;
  /** A line of this number is one. */
  readonly row?: number;
  /** The first line from that number on that is one by its number alone; Infinity when there is none. */
  nextRow?(from: number): number;
}

/** The first line from `from` on that the seeker wants by its number alone. */
export function wantedRow(seeker: Seeker, from: number): number {
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
    return { literals, everyLine: false, onlyLiterals: true, marks: (line) => stands(literals, line) };
  const pattern = compilePattern(mark.source);
  const needed = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals: needed,
    everyLine: needed.length === 0,
    onlyLiterals: needed.length > 0,
    marks: (line) => (needed.length === 0 || stands(needed, line)) && pattern.test(line.rest(line.start)),
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
    nextRow: (from) => Math.min(...markers.map((marker) => wantedRow(marker, from))),
    marks: (line) => markers.some((marker) => marker.marks(line)),
  };
}

function stands(literals: readonly Literal[], line: Line): boolean {
  return literals.some((literal) => literal.next(line.block.text, line.start) < line.end);
}
