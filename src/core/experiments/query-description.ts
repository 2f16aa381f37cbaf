/**
 * A query as people write it: a graph of elements that name each other by id. Contents are texts as written, macros
 * unresolved; what is left out is absent. Element ids are unique within one query and compared exactly.
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

/** A macro: its id stands for the content wherever a content equals the id, and as `(id)` within texts. */
export interface FixedValue {
  readonly id: string;
  readonly value: string;
}

export type Junction = "and" | "or";

/** Which runs take part; several selections of one source are united. */
export interface RunSelection {
  readonly id: string;
  readonly mask?: "include" | "exclude";
  readonly boolean?: Junction;
  /** `3`, `3-7`, `3...`, `...7`, joined by commas. */
  readonly index?: readonly string[];
  readonly created?: TimeRange;
  readonly performed?: TimeRange;
  /** The label of the run, exactly. */
  readonly label?: string;
  /** Revisions of the measured version, or ranges of them (`a..b`): any of these. */
  readonly commit?: readonly string[];
  /** A branch (or any revision) that has the measured version; only its first parents where that is said. */
  readonly branch?: string;
  readonly firstParent?: boolean;
  /** Days or times as written: the version was committed then or later, then or earlier. */
  readonly since?: string;
  readonly until?: string;
  /** Regular expressions that have to match somewhere. */
  readonly synopsis?: string;
  readonly description?: string;
}

export interface TimeRange {
  readonly from?: PointInTime;
  readonly to?: PointInTime;
}

/** Texts as written: the month may be a name, the year have two digits; without a time the whole day is meant. */
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
  /** Clones everything that depends on the parameter; without filters one clone per distinct content. */
  readonly sweep?: { readonly filters: readonly FilterGroup[] };
}

export const comparisons = [
  "all",
  "null",
  "notnull",
  "lesser",
  "lessequal",
  "greater",
  "greaterequal",
  "equal",
  "notequal",
  "bool",
  "contain",
  "notcontain",
  "match",
  "regexp",
] as const;

export type FilterComparison = (typeof comparisons)[number];

export interface FilterGroup {
  readonly kind: "filter";
  readonly boolean?: Junction;
  readonly members: readonly FilterMember[];
}

export type FilterMember = FilterGroup | FilterCondition;

export interface FilterCondition {
  readonly kind: FilterComparison;
  /** What it is a condition on, in filters of sources; those of parameters are all on their one content. */
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

/** `number`: the order in which they were imported. */
export const chronologies = ["created", "performed", "number"] as const;
export const missingRows = ["drop", "keep"] as const;
export const rowKinds = ["data", "runs"] as const;

export interface SourceElement {
  readonly id: string;
  /** Joins the filters of parameters; those of runs and those of data sets are always both needed. */
  readonly boolean?: Junction;
  readonly order?: "ascending" | "descending" | "keep";
  /** The value to order by; absent: the first parameter. */
  readonly key?: string;
  readonly chronology?: (typeof chronologies)[number];
  /**
   * What has to hold besides the filters of parameters, each of them; conditions on whatever the experiment or a run
   * has.
   */
  readonly filters?: readonly FilterGroup[];
  /** Whether a row without one of the results is one nevertheless (default: no). */
  readonly missing?: (typeof missingRows)[number];
  /** What a row is (default: a data set where a column has a content for each, else a run). */
  readonly rows?: (typeof rowKinds)[number];
  readonly results: readonly SourceResult[];
  /** Ids of parameters, runs and series. */
  readonly inputs: readonly string[];
  /** What axes along the contents of inputs are called, by their id. */
  readonly axislabels?: ReadonlyMap<string, string>;
}

export interface SourceResult {
  readonly name: string;
  readonly alias?: string;
  readonly axislabel?: string;
}

/** Attributes of an edge that most edges lack. */
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

/** Arithmetic over the results of inputs. Constants are texts: they may be macros. */
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
  /** Columns left out, by name; of one input or of all. */
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
