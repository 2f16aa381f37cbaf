import type { Cut, Effects, Origin, RowLayout, RowMark, TextMark } from "./location-parts.ts";

/** A named group of a pattern, and how its text is converted. */
export interface PatternGroup extends Cut {
  readonly name: string;
  readonly origin: Origin;
}

/** A pattern whose named groups fill variables. */
export interface PatternLocation extends Effects {
  readonly kind: "pattern";
  readonly source: string;
  /** Every match is a row; absent: a match gives single values. */
  readonly rows?: true;
  /** All named groups, in the order of the pattern. */
  readonly groups: readonly PatternGroup[];
  readonly origin: Origin;
}

/** The values of a variable in one line, after a mark. */
export interface TransposedValue extends Omit<Cut, "blanks"> {
  readonly name: string;
  readonly row: TextMark;
  /** Entries that are missing values. */
  readonly missing?: readonly string[];
  readonly origin: Origin;
}

/** A table with a line per variable: the n-th entries of all lines are a row. */
export interface TransposedLocation extends RowLayout {
  readonly kind: "transposed";
  readonly values: readonly TransposedValue[];
  readonly origin: Origin;
}

/** A variable of a matrix: its cells, its headings or the labels of its rows. */
export interface MatrixValue extends Omit<Cut, "blanks"> {
  readonly name: string;
  readonly origin: Origin;
}

/** A matrix: each cell is a row of three values, the heading above it, the label before it and its own. */
export interface MatrixLocation extends RowLayout {
  readonly kind: "matrix";
  /** The line with the headings. */
  readonly rows: readonly RowMark[];
  /** Offset of the first line of cells from the headings; at least 1. */
  readonly start: number;
  /** Maximum number of lines of cells. */
  readonly most?: number;
  readonly cell: MatrixValue;
  readonly across: MatrixValue;
  readonly down: MatrixValue;
  /** Labels of lines may have several words. */
  readonly label?: true;
  /** Lines may have fewer cells than headings. */
  readonly optional?: true;
  /** Cells without a value. */
  readonly missing?: readonly string[];
  readonly origin: Origin;
}
