import type { Unit } from "../core/unit.ts";

/** Where in the description a location was written; 1-based. */
export interface Origin {
  readonly line: number;
  readonly column: number;
}

/** A row of the input: its number in the file (1-based; 0 stands before the first), or what it contains. */
export type RowMark =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "keyword"; readonly text: string }
  | { readonly kind: "pattern"; readonly source: string };

/** An entry of a row: the n-th (1-based), or the one behind a keyword. */
export type Position = { readonly kind: "number"; readonly number: number } | { readonly kind: "keyword"; readonly text: string };

/** How a text becomes content. */
export interface Cut {
  /** Characters to take for texts: 0 up to the end of the line; absent: one word (for `text` the rest of the line). */
  readonly length?: number;
  /** Characters that count as blanks, besides blanks. */
  readonly blanks?: string;
  /** The unit of the numbers in the input, or "text": it stands behind each number. Absent: that of the variable. */
  readonly unit?: Unit | "text";
}

export interface NamedLocation extends Cut {
  readonly kind: "named";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly patterns: readonly string[];
  readonly origin: Origin;
}

export interface ExplicitLocation extends Cut {
  readonly kind: "explicit";
  readonly name: string;
  readonly row: RowMark;
  readonly position: Position;
  /** Which occurrence of the keyword of `position`; 1-based. */
  readonly repetition: number;
  /** Count only entries of the variable's type. */
  readonly typed: boolean;
  readonly origin: Origin;
}

/** One column of a table. Columns with the same row, skip and blanks belong to one table. */
export interface TableLocation extends Cut {
  readonly kind: "table";
  readonly name: string;
  /** The row below which the table starts; absent: at any line that fits. */
  readonly row?: RowMark;
  /** Lines to pass over below that row. */
  readonly skip: number;
  readonly position: Position;
  readonly repetition: number;
  readonly typed: boolean;
  readonly origin: Origin;
}

export interface FixedLocation {
  readonly kind: "fixed";
  readonly name: string;
  readonly content: string;
  readonly origin: Origin;
}

/** Where one input set ends and the next begins. */
export interface Separation {
  readonly kind: "separation";
  readonly mark: Exclude<RowMark, { kind: "number" }> | NamedLocation;
  /** A new run begins, not only a new input set. */
  readonly run: boolean;
  readonly origin: Origin;
}

export type InputLocation = NamedLocation | ExplicitLocation | TableLocation | FixedLocation | Separation;

/** Where the values of an experiment stand in the output of a benchmark. */
export interface InputDescription {
  /** The description's own name, for messages. */
  readonly file: string;
  readonly locations: readonly InputLocation[];
}
