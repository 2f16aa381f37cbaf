import { Failure } from "../../../core/failures/index.ts";
import type {
  Experiment,
  FilterGroup,
  ParameterElement,
  QueryDescription,
  RunSelection,
  SeriesElement,
  SourceElement,
  SourceResult,
} from "../../../core/experiments/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import {
  findVariable,
  isAlways,
  join,
  runRows,
  variablesIn,
  type LogicalPlan,
  type Predicate,
  type RowKind,
} from "../../plan/index.ts";
import { filterLabel, sourceFilterLabel } from "../filter-label.ts";
import { filterOf, sourceFilterOf, withFilters } from "./parameter-filter.ts";
import type { FilterLabel } from "../vector.ts";

/** A source with resolved names. */
export interface SourcePlan {
  readonly element: SourceElement;
  readonly columns: readonly PlannedColumn[];
  readonly series: readonly SeriesElement[];
  readonly selections: readonly RunSelection[];
  readonly labels: readonly PlannedLabel[];
  /** The number of the run, then the selected variables, of all runs; the runs are selected separately. */
  readonly rows: LogicalPlan;
}

export interface PlannedColumn {
  /** Index into the variables of the source. */
  readonly at: number;
  readonly variable: Variable;
  readonly display: string;
  /** See `VectorColumn`. */
  readonly positions?: ReadonlyMap<string, number>;
}

/** A known label, or the value of a column if all rows share it. */
export type PlannedLabel =
  | FilterLabel
  | { readonly parameter: ParameterElement; readonly at: number; readonly titleOnly: boolean };

/**
 * Resolves the names of a source. `chosen`: the filter of each swept parameter. Fails with `unknown-variable`,
 * `unknown-element`, and for invalid values.
 */
export function planSource(
  element: SourceElement,
  query: QueryDescription,
  experiment: Experiment,
  chosen: ReadonlyMap<string, FilterGroup>,
): SourcePlan {
  const named = inputsOf(element, query);
  const find = (name: string): Variable => findVariable(name, experiment);
  const parameters = named.parameters.map((parameter): NamedParameter => {
    return { parameter, variable: find(parameter.value), filters: withFilters(parameter, chosen.get(parameter.id)) };
  });
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
    rows: runRows(variables, {
      of: kindOf(element, [...variables, ...variablesIn(condition)]),
      where: join("and", conditionsOf(element, parameters, results, condition)),
      ...(element.chronology === undefined ? {} : { chronology: element.chronology }),
      ...keyOf(element, experiment, shown[0]?.variable),
    }),
  };
}

/** A variable of the rows of a source, which follow the number of the run. */
export function variableAt({ rows }: Pick<SourcePlan, "rows">, at: number): Variable {
  return rows.outputs[at + 1]?.variable as Variable;
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

/** Filters of runs, filters of rows, and the condition of the source; omits rows without some result. */
function conditionsOf(
  { boolean = "and", missing }: SourceElement,
  parameters: readonly NamedParameter[],
  results: readonly { readonly variable: Variable }[],
  more: Predicate,
): Predicate[] {
  const filters = parameters.map(({ parameter, filters: own, variable }) => filterOf(own, parameter.boolean, variable));
  const present: readonly Predicate[] =
    missing === "keep" ? [] : results.map(({ variable }) => ({ kind: "notnull", variable }));
  const among = (occurrence: Variable["occurrence"]): Predicate => {
    const own = (each: Predicate): boolean => variablesIn(each).some((variable) => variable.occurrence === occurrence);
    const conditions = [join(boolean, filters.filter(own)), ...present.filter(own)];
    return join(
      "and",
      conditions.filter((each) => !isAlways(each)),
    );
  };
  return [among("once"), among("multiple"), more].filter((each) => !isAlways(each));
}

function kindOf({ id, rows }: SourceElement, used: readonly Variable[]): RowKind {
  const multiple = used.find((variable) => variable.occurrence === "multiple");
  if (multiple === undefined || rows === "data") return rows ?? "runs";
  if (rows !== "runs") return "data";
  const problem = `a run has no single value of '${multiple.name}', which rows have`;
  throw new Failure("query-not-possible", { element: id, problem, advice: 'omit it, or write rows="data"' });
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

/** A run value does not order the rows of a run. */
function keyOf(
  { order = "ascending", key }: SourceElement,
  experiment: Experiment,
  first: Variable | undefined,
): Pick<Parameters<typeof runRows>[1], "key"> {
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
