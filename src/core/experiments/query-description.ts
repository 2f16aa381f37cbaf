/**
 * A query description: a graph of elements that refer to each other by id. Values are texts as written, with unresolved
 * macros; omitted parts are absent. Element ids are unique within a query and case-sensitive.
 */
export interface QueryDescription {
  readonly id?: string;
  readonly experiment?: string;
  readonly synopsis?: string;
  readonly description?: string;
  readonly fixed: readonly FixedValue[];
  readonly runs: readonly RunSelection[];
  readonly parameters: readonly ParameterElement[];
  readonly series: readonly SeriesElement[];
  readonly sources: readonly SourceElement[];
  readonly operators: readonly OperatorElement[];
  readonly combiners: readonly CombinerElement[];
  readonly outputs: readonly OutputElement[];
}

/** A macro: its value replaces values equal to the id, and `(id)` within texts. */
export interface FixedValue {
  readonly id: string;
  readonly value: string;
}

export type Junction = "and" | "or";

/** A selection of runs; a source unites its selections. */
export interface RunSelection {
  readonly id: string;
  readonly mask?: "include" | "exclude";
  readonly boolean?: Junction;
  /** `3`, `3-7`, `3...`, `...7`, joined by commas. */
  readonly index?: readonly string[];
  readonly created?: TimeRange;
  readonly performed?: TimeRange;
  /** The exact label of the run. */
  readonly label?: string;
  /** Revisions of the measured commit, or ranges of them (`a..b`): any of these. */
  readonly commit?: readonly string[];
  /** A branch (or any revision) that contains the measured commit, optionally by first parents only. */
  readonly branch?: string;
  readonly firstParent?: boolean;
  /** Days or times as written: the commit date is not before, or not after. */
  readonly since?: string;
  readonly until?: string;
  /** Regular expressions, unanchored. */
  readonly synopsis?: string;
  readonly description?: string;
}

export interface TimeRange {
  readonly from?: PointInTime;
  readonly to?: PointInTime;
}

/** Texts as written: the month may be a name, the year may have two digits; no time means the complete day. */
export interface PointInTime {
  readonly date?: { readonly day: string; readonly month: string; readonly year: string };
  readonly time?: string;
}

export const shows = ["auto", "data", "filter", "title", "all", "nothing"] as const;
export const labelStyles = [
  "full",
  "content",
  "plain",
  "reverse",
  "value",
  "true_false",
  "on_off",
  "yes_no",
  "with_without",
  "enabled_disabled",
  "toggle",
] as const;

export interface ParameterElement {
  readonly id: string;
  /** The parameter or result of the experiment. */
  readonly value: string;
  readonly alias?: string;
  readonly show?: (typeof shows)[number];
  readonly style?: (typeof labelStyles)[number];
  /** Whether labels carry the unit (default: yes). */
  readonly unit?: boolean;
  readonly boolean?: Junction;
  readonly filters: readonly FilterGroup[];
  /** Clones all elements that depend on the parameter; without filters one clone per distinct value. */
  readonly sweep?: { readonly filters: readonly FilterGroup[] };
}

/** The comparisons of filters, with their spelling in text. */
export const comparisonWords = {
  all: "all",
  null: "null",
  notnull: "notnull",
  lesser: "<",
  lessequal: "<=",
  greater: ">",
  greaterequal: ">=",
  equal: "=",
  notequal: "!=",
  bool: "is",
  contain: "contains",
  notcontain: "lacks",
  match: "like",
  regexp: "~",
  notregexp: "!~",
} as const;

export type FilterComparison = keyof typeof comparisonWords;

export const comparisons = Object.keys(comparisonWords) as FilterComparison[];

/** The comparison with a spelling. */
export function comparisonOf(word: string): FilterComparison | undefined {
  return comparisons.find((each) => comparisonWords[each] === word);
}

export interface FilterGroup {
  readonly kind: "filter";
  readonly boolean?: Junction;
  readonly members: readonly FilterMember[];
}

export type FilterMember = FilterGroup | FilterCondition;

export interface FilterCondition {
  readonly kind: FilterComparison;
  /** The variable of the condition, in filters of sources; filters of parameters apply to the parameter. */
  readonly of?: string;
  /** Empty for `all`, `null` and `notnull`. */
  readonly value: string;
}

/** An artificial column that counts the rows of each run. */
export interface SeriesElement {
  readonly id: string;
  readonly name: string;
  readonly inc?: "linear" | "exponential";
  readonly base?: string;
  readonly increment?: string;
}

/** `number`: the order of import. */
export const chronologies = ["created", "performed", "number"] as const;
export const missingRows = ["drop", "keep"] as const;
export const rowKinds = ["data", "runs"] as const;

export interface SourceElement {
  readonly id: string;
  /** Joins the filters of parameters; filters of runs and of rows are always joined by and. */
  readonly boolean?: Junction;
  readonly order?: "ascending" | "descending" | "keep";
  /** The value to order by; absent: the first parameter. */
  readonly key?: string;
  readonly chronology?: (typeof chronologies)[number];
  /** Additional conditions on variables and facts of runs, joined by and. */
  readonly filters?: readonly FilterGroup[];
  /** Whether a row may lack one of the results (default: no). */
  readonly missing?: (typeof missingRows)[number];
  /** What a row is (default: a row of the experiment if a column has a value for each, else a run). */
  readonly rows?: (typeof rowKinds)[number];
  readonly results: readonly SourceResult[];
  /** Ids of parameters, runs and series. */
  readonly inputs: readonly string[];
  /** Axis labels of inputs, by id. */
  readonly axislabels?: ReadonlyMap<string, string>;
}

export interface SourceResult {
  readonly name: string;
  readonly alias?: string;
  readonly axislabel?: string;
}

/** Optional attributes of an edge. */
export const inputAttributes = [
  "label",
  "labelprefix",
  "axislabel",
  "sweep",
  "sweep_resolve",
  "sweep_combine",
  "style",
  "errors",
  "type",
  "title",
] as const;

/** An edge of the graph. */
export interface ElementInput {
  readonly id: string;
  readonly attributes: ReadonlyMap<(typeof inputAttributes)[number], string>;
}

export interface OperatorElement {
  readonly id: string;
  readonly type?: string;
  readonly value?: string;
  readonly option?: string;
  readonly variant?: string;
  readonly scope?: "run" | "global";
  readonly match?: "parameter" | "index" | "modulo";
  readonly sweep?: string;
  readonly sweepCombine?: "match" | "alltoall";
  readonly inputs: readonly ElementInput[];
  readonly terms: readonly TermElement[];
}

export interface TermElement {
  readonly id?: string;
  readonly unit?: string;
  readonly term: Term;
}

export const termOperators = [
  "sum",
  "product",
  "difference",
  "fraction",
  "modulo",
  "power",
  "negative",
  "function",
] as const;

/** Arithmetic over the results of inputs. Constants are texts, which may be macros. */
export type Term =
  | { readonly kind: "constant"; readonly value: string }
  | { readonly kind: "variable"; readonly name: string; readonly input: string; readonly type?: string }
  | {
      readonly kind: (typeof termOperators)[number];
      /** Of a function. */ readonly name?: string;
      readonly of: readonly Term[];
    };

export interface CombinerElement {
  readonly id: string;
  readonly datasets?: "merge" | "append";
  readonly parameters?: "all" | "unique" | "none";
  readonly mkparam?: boolean;
  readonly sweepGroup?: string;
  readonly sweepCombine?: "match" | "alltoall";
  readonly inputs: readonly ElementInput[];
  /** Omitted columns, by name; of one input or of all. */
  readonly omit: readonly { readonly input?: string; readonly name: string }[];
}

export const outputAttributes = [
  "target",
  "title",
  "format",
  "type",
  "style",
  "dimensions",
  "errors",
  "fontsize",
  "elements",
  "color",
  "ntics",
  "filterstring",
] as const;

export interface OutputElement {
  readonly id?: string;
  readonly attributes: ReadonlyMap<(typeof outputAttributes)[number], string>;
  readonly inputs: readonly ElementInput[];
  readonly filename?: { readonly name: string; readonly unify?: "no" | "filter" | "sweep" | "fixed" };
  readonly options: readonly string[];
  readonly tics: readonly { readonly axis?: string; readonly value: string }[];
}
