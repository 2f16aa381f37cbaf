import type { Expression } from "../../../core/variables/index.ts";
import type { Unit } from "../../../core/values/index.ts";

/** 1-based position of a location in the description. */
export interface Origin {
  readonly line: number;
  readonly column: number;
  /** The column of the first use of each variable in an expression. */
  readonly columns?: ReadonlyMap<string, number>;
}

/** The position of an operand of a computed value. */
export function operandOrigin(origin: Origin, name: string): Origin {
  return { line: origin.line, column: origin.columns?.get(name) ?? origin.column };
}

/** A text anywhere in a line, or a pattern that matches in it. */
export type TextMark =
  | { readonly kind: "keyword"; readonly text: string }
  | { readonly kind: "pattern"; readonly source: string };

/** A row of the input: its 1-based number in the file (0 is before the first), or a text it contains. */
export type RowMark = { readonly kind: "number"; readonly number: number } | TextMark;

/**
 * An entry of a row: the n-th (1-based), one at an offset from the entry of the table's previous value, or the one
 * after a keyword.
 */
export type Position =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "relative"; readonly offset: number }
  | { readonly kind: "keyword"; readonly text: string };

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

/** A keyword anywhere in a line (perfbase's `match`); an alias matches only full words. */
export interface Match {
  readonly text: string;
  /** The value ends before this text. */
  readonly terminator?: string;
}

/** Selects a line if the line `skip` lines before it (negative: after it) has the mark. */
export interface Trigger {
  readonly mark: TextMark;
  readonly skip: number;
}

/** The first or last line of a block of text; `skip`: number of lines skipped after the beginning. */
export interface BlockMark {
  readonly mark: TextMark;
  readonly skip: number;
}

export interface NamedLocation extends Cut, Effects {
  readonly kind: "named";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly patterns: readonly string[];
  readonly matches?: readonly Match[];
  readonly triggers?: readonly Trigger[];
  /** The value is the text between a begin and an end mark. */
  readonly block?: { readonly begin: readonly BlockMark[]; readonly end: readonly BlockMark[] };
  /** The value is this many full lines; 0: up to the next empty line. */
  readonly lines?: number;
  /** The value precedes the mark. */
  readonly leads?: true;
  /** Absent: the value is assigned. `abort`: the input is refused. */
  readonly mode?: "count" | "boolean" | "accumulate" | "abort";
  readonly origin: Origin;
}

export interface ExplicitLocation extends Cut, Effects {
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

/** One column of a table. */
export interface TableValue extends Omit<Cut, "blanks"> {
  readonly name: string;
  readonly position: Position;
  readonly repetition: number;
  readonly typed: boolean;
  readonly update?: RowUpdate;
  readonly origin: Origin;
}

export interface TableLocation {
  readonly kind: "table";
  /** The table belongs to a row with any of these marks; if empty, it starts at any matching line. */
  readonly rows: readonly RowMark[];
  /** Offset of the first data line from that row: 1 is the next line, 0 the row itself. */
  readonly start: number;
  /** Entries per row; absent: as many as the first row. */
  readonly columns?: number;
  /** Maximum number of rows. */
  readonly most?: number;
  /** Further characters that count as blanks. */
  readonly blanks?: string;
  /** Separator text between entries. */
  readonly separator?: string;
  /** A new run begins with the row that the table belongs to. */
  readonly startsRun?: boolean;
  /** Empty lines do not end the table. */
  readonly skipsBlank?: true;
  /** Lines in which one of these patterns matches are no rows and do not end the table. */
  readonly skipPatterns?: readonly string[];
  /** Lines that repeat one above the first row are no rows and do not end the table. */
  readonly skipsHeads?: true;
  readonly values: readonly TableValue[];
  readonly origin: Origin;
}

export interface FixedLocation {
  readonly kind: "fixed";
  readonly name: string;
  readonly value: string;
  readonly origin: Origin;
}

/** A value in the path of the input, as the user typed it or `import --recursive` found it. */
export interface FilenameLocation extends Cut {
  readonly kind: "filename";
  readonly name: string;
  /** `fuzzy`: ignores case and underscores. */
  readonly matches: readonly (Match & { readonly fuzzy?: true })[];
  readonly patterns: readonly string[];
  /** The value is the text after `key=` in a folder's or the file's name. */
  readonly keys?: readonly string[];
  /** Searches only one name of the path: 0 is that of the file, n that of the n-th folder above it. */
  readonly folder?: number;
  /** The value is whether the name contains one of the marks. */
  readonly mode?: "boolean";
  readonly origin: Origin;
}

/** A value computed from other values of the row. */
export interface DerivedLocation extends Pick<Effects, "storesRow" | "update"> {
  readonly kind: "derived";
  readonly name: string;
  /** An expression of parameters, or a mapping of the values of one parameter. */
  readonly from: { readonly term: Expression } | { readonly parameter: string; readonly maps: readonly ValueMap[] };
  /** Absent is auto: recompute when all operands are new; `sticky`: for every stored row. */
  readonly retrigger?: boolean | "sticky";
  readonly origin: Origin;
}

/** A value that a split location stores at the end of a block. */
export interface SplitStore {
  readonly name: string;
  readonly store: "current" | "enter" | "leave" | "max" | "min" | "diff" | "sum";
}

/** Values at the beginning and end of nestable blocks, such as function calls in a trace. */
export interface SplitLocation extends Pick<Effects, "update"> {
  readonly kind: "split";
  readonly name: string;
  readonly enter: readonly InputLocation[];
  readonly leave: readonly InputLocation[];
  readonly stores: readonly SplitStore[];
  readonly origin: Origin;
}

/** Where one input set ends and the next begins. */
export interface Separation {
  readonly kind: "separation";
  readonly mark: TextMark | NamedLocation;
  /** A new run begins, not only a new input set. */
  readonly run: boolean;
  /**
   * Under the rules `stream`, the number of initial marks to ignore; under `sets`, the number of lines between the mark
   * and the set.
   */
  readonly skip?: number;
  readonly origin: Origin;
}

export type InputLocation =
  | NamedLocation
  | ExplicitLocation
  | TableLocation
  | FixedLocation
  | FilenameLocation
  | DerivedLocation
  | SplitLocation
  | Separation;

/** Locations of the values of an experiment in benchmark output. */
export interface InputDescription {
  /** The description's own file, for messages. */
  readonly file: string;
  /** The name of the description as an attachment of the experiment. */
  readonly id?: string;
  readonly experiment?: string;
  readonly synopsis?: string;
  readonly description?: string;
  /**
   * The database of the experiment; all parts are optional.
   */
  readonly database?: {
    readonly host?: string;
    readonly port?: number;
    readonly user?: string;
    readonly name?: string;
  };
  /** Warnings about outdated or ineffective parts, each with its position. */
  readonly notices?: readonly string[];
  /**
   * How values become rows (docs/input-descriptions.md). `sets` (the original design): a value applies to its full
   * input set at any position; values of another type are skipped. `stream` (perfbase): a value applies from its line
   * on; rows are stored where the description requests it; numbers are found within other text.
   */
  readonly rules: "sets" | "stream";
  readonly locations: readonly InputLocation[];
}
