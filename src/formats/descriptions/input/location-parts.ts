import type { Unit } from "../../../core/values/index.ts";

/** 1-based position of a location in the description. */
export interface Origin {
  readonly line: number;
  readonly column: number;
  /** The column of the first use of each variable in an expression. */
  readonly columns?: ReadonlyMap<string, number>;
}

/** A text anywhere in a line, or a pattern that matches in it. */
export type TextMark =
  | { readonly kind: "keyword"; readonly text: string }
  | { readonly kind: "pattern"; readonly source: string };

/** A row of the input: its 1-based number in the file (0 is before the first), or a text it contains. */
export type RowMark = { readonly kind: "number"; readonly number: number } | TextMark;

/**
 * An entry of a row: the n-th (1-based), one at an offset from the entry of the table's previous value, the one after a
 * keyword, or the characters from `first` to `last` (1-based; absent: the end of the line).
 */
export type Position =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "relative"; readonly offset: number }
  | { readonly kind: "keyword"; readonly text: string }
  | { readonly kind: "characters"; readonly first: number; readonly last?: number };

/** How a line is divided into entries: at blanks, or by one of `separator`, `gap` and `grid`. */
export interface RowLayout {
  /** Further characters that count as blanks. */
  readonly blanks?: string;
  /** Separator text between entries. */
  readonly separator?: string;
  /** Minimum number of blanks between entries; a tab always separates. */
  readonly gap?: number;
  /** The entries are cells between bars: `|`, or those of box drawings. */
  readonly grid?: true;
}

/** Removes each match from the text but keeps the groups of the pattern. */
export interface ValueFilter {
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** Replaces a value that equals the text or matches the pattern. */
export interface ValueMap {
  readonly from: TextMark;
  readonly to: string;
}

/** How a text is converted to a value. */
export interface Cut {
  /**
   * Number of characters of a text; 0: up to the end of the line; absent: one word (for `text` under the rules `sets`
   * the rest of the line).
   */
  readonly length?: number;
  /** Further characters that count as blanks. */
  readonly blanks?: string;
  /** The unit of the numbers in the input, or "text" if it follows each number. Absent: that of the variable. */
  readonly unit?: Unit | "text";
  /** Factor for numbers. */
  readonly scale?: number;
  /** The decimal sign of numbers; absent: a point (and under the rules `stream` a single comma). */
  readonly decimal?: "." | ",";
  /** Separator between groups of three digits. */
  readonly thousands?: string;
  /** Whether `k`, `M`, `G` directly after numbers of bytes or without a unit are powers of 1000 or of 1024. */
  readonly prefixes?: "decimal" | "binary";
  /** The format of dates and times, with strptime's directives. Absent: any unambiguous one. */
  readonly format?: string;
  /** The zone of timestamps without one. Absent: UTC. */
  readonly zone?: string;
  /** Resolve escapes such as `\n` (core/escaped-text.ts) before the filters. */
  readonly escapes?: true;
  /** Applied in order, before the maps. */
  readonly filters?: readonly ValueFilter[];
  readonly maps?: readonly ValueMap[];
}

/**
 * Whether rows with an equal value are updated instead of added: `yes` only updates, `auto` adds a row if none is
 * equal.
 */
export type RowUpdate = "yes" | "auto";

/** Effects of a matched value in addition to storing it. */
export interface Effects {
  /** A new run begins with this value (perfbase's `is_separator`). */
  readonly startsRun?: boolean;
  /** The row is complete with this value (perfbase's `store_set`). */
  readonly storesRow?: boolean;
  readonly update?: RowUpdate;
  /** Absent: the value applies to all following rows; false: to one row. */
  readonly sticky?: false;
  /** Whether later matches count; absent is auto: only the first for `once` values, every one for others. */
  readonly retrigger?: boolean;
}
