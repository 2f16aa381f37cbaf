import { Failure } from "../../../core/failures/failure.ts";
import type { Experiment } from "../../../core/experiments/experiment.ts";
import type {
  chronologies,
  FilterGroup,
  ParameterElement,
  QueryDescription,
  RunSelection,
  SeriesElement,
  SourceElement,
  SourceResult,
} from "../../../core/experiments/query-description.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { findVariable } from "../../plan/query.ts";
import { filterLabel, sourceFilterLabel } from "../filter-label.ts";
import { filterOf, sourceFilterOf, withFilters } from "./parameter-filter.ts";
import { isAlways, join, variablesIn, type Predicate } from "../../plan/predicate.ts";
import type { Quotient, RowExpression } from "../../plan/row-expression.ts";
import type { RowLimit, RunSlice, Summary } from "../../plan/row-summary.ts";
import type { FilterLabel } from "../vector.ts";

/**
 * What a database needs to know to give the rows of a source. Variables are those of the experiment, or of all runs,
 * the same objects.
 */
export interface RowPlan {
  /** The columns asked for; the number of the run stands before them. */
  readonly variables: readonly Variable[];
  /** Conditions, both of which have to hold; those of parameters on contents of runs, and all others. */
  readonly once: Predicate;
  readonly multiple: Predicate;
  /** Only these runs; absent: all that are active. */
  readonly runs?: readonly number[];
  /**
   * Runs are in this order, ties by number; rows within a run by `key`, ties as they were imported, rows without a
   * content last.
   */
  readonly chronology: (typeof chronologies)[number];
  readonly key?: { readonly variable: Variable; readonly descending: boolean };
  /** Only rows of these of the runs that are left by the conditions and by `limits`. */
  readonly slice?: { readonly of: readonly RunSlice[]; readonly limits: readonly RowLimit[] };
  /**
   * The rows of other sources that belong to each row: those with the same contents. Each is in the order of its
   * source; the columns of such a table are those of this source, the number of the run first, then those of the
   * others.
   */
  readonly joins?: readonly RowJoin[];
  /** All of these have to hold besides the conditions. */
  readonly limits?: readonly RowLimit[];
  /** Rows are left out where everything of one of these lists is a division by zero. */
  readonly quotients?: readonly (readonly Quotient[])[];
  /** Only so many rows, in the order of these expressions where there are any; missing contents last. */
  readonly first?: {
    readonly count: number;
    readonly order: readonly { readonly of: RowExpression; readonly descending: boolean }[];
  };
  /** Groups are asked for in place of rows. */
  readonly summary?: Summary;
  /** What a row is: a data set, or a run where only contents of runs are asked for. */
  readonly of: "data" | "runs";
}

/** Another source beside rows, and the contents that have to be the same: of what stands before, and its own. */
export interface RowJoin {
  readonly rows: RowPlan;
  readonly on: readonly { readonly before: RowExpression; readonly own: RowExpression }[];
}

/** A source with its names looked up. */
export interface SourcePlan {
  readonly element: SourceElement;
  readonly columns: readonly PlannedColumn[];
  readonly series: readonly SeriesElement[];
  readonly selections: readonly RunSelection[];
  readonly labels: readonly PlannedLabel[];
  /** All but the runs, which are looked up in the list of runs. */
  readonly rows: RowPlan;
}

export interface PlannedColumn {
  /** Index into the variables of the row plan. */
  readonly at: number;
  readonly variable: Variable;
  readonly display: string;
  /** See `VectorColumn`. */
  readonly places?: ReadonlyMap<string, number>;
}

/** A label that is known, or the content of a column in case that all rows share it. */
export type PlannedLabel =
  | FilterLabel
  | { readonly parameter: ParameterElement; readonly at: number; readonly titleOnly: boolean };

/**
 * Looks up the names of a source. `chosen` has the filter of each swept parameter. Fails with `unknown-variable`,
 * `unknown-element`, and for contents that do not fit.
 */
export function planSource(
  element: SourceElement,
  query: QueryDescription,
  experiment: Experiment,
  chosen: ReadonlyMap<string, FilterGroup>,
): SourcePlan {
  const named = inputsOf(element, query);
  const find = (name: string): Variable => findVariable(name, experiment);
  const parameters = named.parameters.map((parameter) => ({
    parameter,
    variable: find(parameter.value),
    filters: withFilters(parameter, chosen.get(parameter.id)),
  }));
  const results = element.results.map((result) => ({ result, variable: find(result.name) }));
  const own = element.filters ?? [];
  const condition = sourceFilterOf(own, find);
  const shown = parameters.filter(({ parameter, variable }) => showsData(parameter, variable));
  const variables = [...new Set([...parameters, ...results].map((each) => each.variable))];
  const at = (variable: Variable): number => variables.indexOf(variable);
  return {
    element,
    columns: [
      ...shown.map(({ parameter, variable }) =>
        parameterColumn(parameter, element.axislabels?.get(parameter.id), variable, at(variable)),
      ),
      ...results.map(({ result, variable }) => resultColumn(result, variable, at(variable))),
    ],
    series: named.series,
    selections: named.runs,
    labels: [
      ...parameters.flatMap(({ parameter, filters, variable }) => labelsOf(parameter, filters, variable, at(variable))),
      ...(isAlways(condition) ? [] : [{ text: sourceFilterLabel(own, find), titleOnly: false }]),
    ],
    rows: {
      variables,
      ...conditionsOf(element, parameters, results, condition),
      chronology: element.chronology ?? "created",
      of: kindOf(element, [...variables, ...variablesIn(condition)]),
      ...keyOf(element, experiment, shown[0]?.variable),
    },
  };
}

interface NamedParameter {
  readonly parameter: ParameterElement;
  readonly variable: Variable;
  readonly filters: readonly FilterGroup[];
}

function parameterColumn(
  { alias }: ParameterElement,
  axislabel: string | undefined,
  variable: Variable,
  at: number,
): PlannedColumn {
  const synopsis = axislabel === undefined ? {} : { synopsis: axislabel };
  return { at, variable: { ...variable, role: "parameter", ...synopsis }, display: alias ?? variable.name };
}

function resultColumn({ alias, axislabel }: SourceResult, variable: Variable, at: number): PlannedColumn {
  const synopsis = axislabel === undefined ? {} : { synopsis: axislabel };
  return { at, variable: { ...variable, role: "result", ...synopsis }, display: alias ?? variable.name };
}

/** Filters of runs choose runs, those of data sets choose data sets; a row without one of the results is none. */
function conditionsOf(
  { boolean = "and", missing }: SourceElement,
  parameters: readonly NamedParameter[],
  results: readonly { readonly variable: Variable }[],
  more: Predicate,
): Pick<RowPlan, "once" | "multiple"> {
  const filters = parameters.map(({ parameter, filters: own, variable }) => filterOf(own, parameter.boolean, variable));
  const present: readonly Predicate[] =
    missing === "keep" ? [] : results.map(({ variable }) => ({ kind: "notnull", variable }));
  const among = (occurrence: Variable["occurrence"]): Predicate => {
    const own = (each: Predicate): boolean => variablesIn(each).some((variable) => variable.occurrence === occurrence);
    return join("and", [join(boolean, filters.filter(own)), ...present.filter(own)]);
  };
  const parts = [among("multiple"), more].filter((each) => !isAlways(each));
  return { once: among("once"), multiple: join("and", parts) };
}

function kindOf({ id, rows }: SourceElement, used: readonly Variable[]): RowPlan["of"] {
  const multiple = used.find((variable) => variable.occurrence === "multiple");
  if (multiple === undefined || rows === "data") return rows ?? "runs";
  if (rows !== "runs") return "data";
  const problem = `a run has no single content of '${multiple.name}', which data sets have`;
  throw new Failure("query-not-possible", { element: id, problem, advice: 'leave it out, or write rows="data"' });
}

function showsData({ show = "auto" }: ParameterElement, { occurrence }: Variable): boolean {
  return show === "data" || show === "all" || (show === "auto" && occurrence === "multiple");
}

function labelsOf(
  parameter: ParameterElement,
  filters: readonly FilterGroup[],
  variable: Variable,
  at: number,
): PlannedLabel[] {
  const { show = "auto" } = parameter;
  const isLabel =
    show === "filter" || show === "title" || show === "all" || (show === "auto" && variable.occurrence === "once");
  if (!isLabel) return [];
  const text = filterLabel(parameter, filters, variable);
  const titleOnly = show === "title";
  if (text !== "") return [{ text, titleOnly }];
  return variable.occurrence === "once" ? [{ parameter, at, titleOnly }] : [];
}

/** A content of runs does not order the rows within a run. */
function keyOf(
  { order = "ascending", key }: SourceElement,
  experiment: Experiment,
  first: Variable | undefined,
): Pick<RowPlan, "key"> {
  const variable = key === undefined ? first : findVariable(key, experiment);
  if (order === "keep" || variable?.occurrence !== "multiple") return {};
  return { key: { variable, descending: order === "descending" } };
}

interface NamedInputs {
  readonly parameters: readonly ParameterElement[];
  readonly runs: readonly RunSelection[];
  readonly series: readonly SeriesElement[];
}

function inputsOf(element: SourceElement, query: QueryDescription): NamedInputs {
  const among = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
    element.inputs.flatMap((id) => list.filter((each) => each.id === id));
  const found = { parameters: among(query.parameters), runs: among(query.runs), series: among(query.series) };
  const known = new Set([...found.parameters, ...found.runs, ...found.series].map((each) => each.id));
  const missing = element.inputs.find((id) => !known.has(id));
  if (missing !== undefined)
    throw new Failure("unknown-element", { kind: "parameter, run or series", id: missing, by: element.id });
  return found;
}
