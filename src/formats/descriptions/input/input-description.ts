import type { Expression } from "../../../core/variables/expression.ts";
import type { Unit } from "../../../core/values/unit.ts";

/** Where in the description a location was written; 1-based. */
export interface Origin {
  readonly line: number;
  readonly column: number;
  /** Of the variables of an expression that stands there, where each of them stands first. */
  readonly columns?: ReadonlyMap<string, number>;
}

/** Where a variable stands that something is computed from. */
export function operandOrigin(origin: Origin, name: string): Origin {
  return { line: origin.line, column: origin.columns?.get(name) ?? origin.column };
}

/** A text that stands anywhere in a line, or a pattern that finds something in it. */
export type TextMark =
  | { readonly kind: "keyword"; readonly text: string }
  | { readonly kind: "pattern"; readonly source: string };

/** A row of the input: its number in the file (1-based; 0 stands before the first), or what it contains. */
export type RowMark = { readonly kind: "number"; readonly number: number } | TextMark;

/**
 * An entry of a row: the n-th (1-based), so many behind (before) the entry of the table's previous value, or the one
 * behind a keyword.
 */
export type Position =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "relative"; readonly offset: number }
  | { readonly kind: "keyword"; readonly text: string };

/** What matches is taken out of the content; what groups of the pattern hold stays. */
export interface ValueFilter {
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** A content that stands for another: the whole text, or the pattern it matches. */
export interface ValueMap {
  readonly from: TextMark;
  readonly to: string;
}

/** How a text becomes content. */
export interface Cut {
  /**
   * Characters to take for texts: 0 up to the end of the line; absent: one word (for `text` under the rules `sets` the
   * rest of the line).
   */
  readonly length?: number;
  /** Characters that count as blanks, besides blanks. */
  readonly blanks?: string;
  /** The unit of the numbers in the input, or "text": it stands behind each number. Absent: that of the variable. */
  readonly unit?: Unit | "text";
  /** Numbers are multiplied by this. */
  readonly scale?: number;
  /** In the text `\n` is a line end and so on (core/escaped-text.ts); before the filters. */
  readonly escapes?: true;
  /** Applied in order, before the maps. */
  readonly filters?: readonly ValueFilter[];
  readonly maps?: readonly ValueMap[];
}

/**
 * Whether rows that agree in this content are changed instead of added: `yes` changes only, `auto` adds where none
 * agrees.
 */
export type RowUpdate = "yes" | "auto";

/** What a content found does besides being stored. */
export interface Effects {
  /** A new run begins with this content (perfbase's `is_separator`). */
  readonly startsRun?: boolean;
  /** The data set is complete with this content. */
  readonly storesRow?: boolean;
  readonly update?: RowUpdate;
  /** Absent: the content holds for all data sets that follow; false: for one. */
  readonly sticky?: false;
  /** Whether later hits count: absent is auto, the first only for `once` values and every one for others. */
  readonly retrigger?: boolean;
}

/** A keyword found anywhere in a line (perfbase's `match`), not only as a whole word as an alias. */
export interface Match {
  readonly text: string;
  /** The content ends before this text. */
  readonly terminator?: string;
}

/** A line is taken when the line so many before it (or, negative, behind it) has the mark. */
export interface Trigger {
  readonly mark: TextMark;
  readonly skip: number;
}

/** The first or last line of a block of text; `skip`: so many more lines behind the beginning are left out. */
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
  /** The content is the text between a begin and an end. */
  readonly block?: { readonly begin: readonly BlockMark[]; readonly end: readonly BlockMark[] };
  /** The content is so many whole lines; 0: up to the next empty line. */
  readonly lines?: number;
  /** The content stands before what is looked for. */
  readonly leads?: true;
  /** Absent: the content is assigned. `abort`: the input is refused. */
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
  /** Any of these is the row that the table belongs to; none: it starts at any line that fits. */
  readonly rows: readonly RowMark[];
  /** The first line that may be data, counted from that row: 1 is the one below it, 0 the row itself. */
  readonly start: number;
  /** Entries that every row has; absent: as many as the first. */
  readonly columns?: number;
  /** The table ends after so many rows. */
  readonly most?: number;
  /** Characters that count as blanks, besides blanks. */
  readonly blanks?: string;
  /** Entries are divided by exactly this text. */
  readonly separator?: string;
  /** A new run begins with the row that the table belongs to. */
  readonly startsRun?: boolean;
  readonly values: readonly TableValue[];
  readonly origin: Origin;
}

export interface FixedLocation {
  readonly kind: "fixed";
  readonly name: string;
  readonly value: string;
  readonly origin: Origin;
}

/** Content in the name of the file, as the user typed it. */
export interface FilenameLocation extends Cut {
  readonly kind: "filename";
  readonly name: string;
  /** `fuzzy`: upper and lower case, and underscores, make no difference. */
  readonly matches: readonly (Match & { readonly fuzzy?: true })[];
  readonly patterns: readonly string[];
  /** The content is whether the name has one of the marks. */
  readonly mode?: "boolean";
  readonly origin: Origin;
}

/** Content computed from other contents of the data set. */
export interface DerivedLocation extends Pick<Effects, "storesRow" | "update"> {
  readonly kind: "derived";
  readonly name: string;
  /** An expression of parameters, or a map of the content of one. */
  readonly from: { readonly term: Expression } | { readonly parameter: string; readonly maps: readonly ValueMap[] };
  /** Absent is auto: when all that it is computed from is new; `sticky`: for every data set that is stored. */
  readonly retrigger?: boolean | "sticky";
  readonly origin: Origin;
}

/** One value of a split location: what is stored when the block is left. */
export interface SplitStore {
  readonly name: string;
  readonly store: "current" | "enter" | "leave" | "max" | "min" | "diff" | "sum";
}

/** Contents at the beginning and the end of blocks that may be nested, such as calls of functions in a trace. */
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
   * Under the rules `stream` the first so many marks of the input begin nothing; under `sets` the set begins so many
   * lines behind the mark.
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

/** Where the values of an experiment stand in the output of a benchmark. */
export interface InputDescription {
  /** The description's own file, for messages. */
  readonly file: string;
  /** The name under which it can be attached to the experiment. */
  readonly id?: string;
  readonly experiment?: string;
  readonly synopsis?: string;
  readonly description?: string;
  /**
   * Where the description asks for the experiment to live; as an experiment's own, but any part of it may be absent.
   */
  readonly database?: {
    readonly host?: string;
    readonly port?: number;
    readonly user?: string;
    readonly name?: string;
  };
  /** What in the description is out of date or without effect, with its place. */
  readonly notices?: readonly string[];
  /**
   * How contents become data sets (docs/input-descriptions.md). `sets`, the seed's: a content holds for its whole input
   * set, wherever it stands; contents that do not fit their type are passed over. `stream`, perfbase's: a content holds
   * from its line on; a data set is stored where the description says so; numbers are found in what stands around them.
   */
  readonly rules: "sets" | "stream";
  readonly locations: readonly InputLocation[];
}
