import type { Expression } from "../../../core/variables/index.ts";
import type {
  Cut,
  Effects,
  Origin,
  Position,
  RowLayout,
  RowMark,
  RowUpdate,
  TextMark,
  ValueMap,
} from "./location-parts.ts";
import type { MatrixLocation, PatternLocation, TransposedLocation } from "./row-locations.ts";

/** The position of an operand of a computed value. */
export function operandOrigin(origin: Origin, name: string): Origin {
  return { line: origin.line, column: origin.columns?.get(name) ?? origin.column };
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
  /** Rows, and the headings, may lack the entry: its value is missing. */
  readonly optional?: true;
  /** Entries that are missing values. */
  readonly missing?: readonly string[];
  /** The entry has as many words as the row has entries too many. */
  readonly label?: true;
  readonly origin: Origin;
}

export interface TableLocation extends RowLayout {
  readonly kind: "table";
  /** The table belongs to a row with any of these marks; if empty, it starts at any matching line. */
  readonly rows: readonly RowMark[];
  /** Offset of the first data line from that row: 1 is the next line, 0 the row itself. */
  readonly start: number;
  /** Entries per row; absent: as many as the first row. */
  readonly columns?: number;
  /** Maximum number of rows. */
  readonly most?: number;
  /**
   * Lines of the headings, which stand above the entries of the first row: from the marked row on, or, if negative, up
   * to it. Absent: the marked row alone, whose words correspond to the entries.
   */
  readonly header?: number;
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
  | PatternLocation
  | TransposedLocation
  | MatrixLocation
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

/** Whether rows of an input may update rows that are already stored. */
export function updatesRows({ locations }: Pick<InputDescription, "locations">): boolean {
  return locations.some(
    (location) =>
      ("update" in location && location.update !== undefined) ||
      (location.kind === "table" && location.values.some(({ update }) => update !== undefined)) ||
      (location.kind === "split" &&
        (updatesRows({ locations: location.enter }) || updatesRows({ locations: location.leave }))),
  );
}
