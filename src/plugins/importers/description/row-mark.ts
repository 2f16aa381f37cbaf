import type { RowMark } from "../../../formats/input-description.ts";
import { compilePattern } from "../../../formats/pattern.ts";
import type { Line } from "./line.ts";
import { literalsOf, type Literal } from "./literal.ts";

/** What makes a line worth looking at. */
export interface Seeker {
  /** Any of these stands in such a line. */
  readonly literals: readonly Literal[];
  /** Nothing is known beforehand: every line has to be looked at. */
  readonly everyLine: boolean;
  /** A line of this number is one. */
  readonly row?: number;
}

/** A row of the input that a description names. */
export interface Marker extends Seeker {
  marks(line: Line): boolean;
}

export function markerOf(mark: RowMark): Marker {
  if (mark.kind === "number") return { literals: [], everyLine: false, row: mark.number, marks: (line) => line.number === mark.number };
  const literals = mark.kind === "keyword" ? literalsOf(mark.text, false) : [];
  if (mark.kind === "keyword") return { literals, everyLine: false, marks: (line) => stands(literals, line) };
  const pattern = compilePattern(mark.source);
  const needed = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals: needed,
    everyLine: needed.length === 0,
    marks: (line) => (needed.length === 0 || stands(needed, line)) && pattern.test(line.rest(line.start)),
  };
}

function stands(literals: readonly Literal[], line: Line): boolean {
  return literals.some((literal) => literal.next(line.block.text, line.start) < line.end);
}
