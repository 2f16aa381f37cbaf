import {
  comparisonOf,
  type FilterGroup,
  type FilterMember,
  type QueryDescription,
  type RunSelection,
  type Experiment,
} from "../../core/experiments/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  isTextMatch,
  readComparison,
  splitCondition,
  type ConditionText,
  findVariable,
  plan,
  selectedStatistics,
  sourceOf,
  type LogicalPlan,
  type QuerySpec,
} from "../plan/index.ts";
import { parseStatistic, statisticName } from "../statistics/index.ts";

/**
 * Converts a query to a query description that selects the same rows. `versions`: its choice of commits and branches.
 * Fails like `plan`.
 */
export function describeQuery(
  spec: QuerySpec,
  experiment: Experiment,
  versions: Omit<RunSelection, "id" | "index"> = {},
): QueryDescription {
  const query = plan(spec, experiment);
  const keys = query.grouped ? query.outputs.filter(({ aggregate }) => aggregate === undefined) : [];
  const filters = (spec.where ?? []).map((text) => filterOf(splitCondition(text), experiment));
  const runs = runsOf(spec, versions);
  const results = resultsOf(query).map((variable) => ({ name: nameIn(experiment, variable) }));
  const parameters = keys.map(({ variable }, at) => ({
    id: `p${at + 1}`,
    value: nameIn(experiment, variable),
    show: "data" as const,
    filters: [],
  }));
  const operators = operatorsOf(spec, query);
  return {
    experiment: experiment.name,
    fixed: [],
    runs,
    parameters,
    series: [],
    sources: [
      {
        id: "rows",
        order: "keep",
        chronology: "number",
        missing: "keep",
        rows: query.of === "runs" ? "runs" : "data",
        ...(filters.length === 0 ? {} : { filters }),
        results,
        inputs: [...parameters, ...runs].map(({ id }) => id),
      },
    ],
    operators,
    combiners: [],
    outputs: [{ attributes: new Map(), inputs: [edge(operators.at(-1)?.id ?? "rows")], options: [], tics: [] }],
  };
}

/** `@run` where the experiment has a variable of that name. */
function nameIn(experiment: Experiment, variable: Variable): string {
  return findVariable(variable.name, experiment) === variable ? variable.name : `@${variable.name}`;
}

function resultsOf({ outputs, grouped }: LogicalPlan): Variable[] {
  const sources = outputs.flatMap((output) => {
    const source = sourceOf(output);
    return source === undefined || (grouped && output.aggregate === undefined) ? [] : [source];
  });
  return [...new Set(sources)];
}

function runsOf({ runs }: QuerySpec, versions: Omit<RunSelection, "id" | "index">): RunSelection[] {
  const index = runs === undefined ? {} : { index: [runs.join(",")] };
  return runs === undefined && Object.keys(versions).length === 0 ? [] : [{ id: "runs", ...index, ...versions }];
}

function operatorsOf(spec: QuerySpec, query: LogicalPlan): QueryDescription["operators"] {
  const { limit } = spec;
  const sort = query.sort.map(
    ({ output, descending }) => `${descending ? "-" : ""}${query.outputs[output]?.variable.name}`,
  );
  const steps = [
    ...(query.grouped ? [{ id: "statistics", type: "statistics", value: wordsOf(spec).join(",") }] : []),
    ...(sort.length === 0 ? [] : [{ id: "ordered", type: "order", value: sort.join(",") }]),
    ...(limit === undefined ? [] : [{ id: "first", type: "first", value: String(limit) }]),
  ];
  return steps.map((step, at) => ({ ...step, inputs: [edge(steps[at - 1]?.id ?? "rows")], terms: [] }));
}

/** Names of statistics; each applies to every result. */
function wordsOf({ statistics = [], results = [] }: QuerySpec): string[] {
  const hasResults = results.length > 0;
  const words = selectedStatistics(statistics.map(parseStatistic), hasResults).map((statistic) =>
    statistic.kind === "count" && !hasResults ? "rows" : statisticName(statistic),
  );
  return [...new Set(words)];
}

function edge(id: string) {
  return { id, attributes: new Map() };
}

function filterOf(text: ConditionText, experiment: Experiment): FilterGroup {
  const member = memberOf(text, experiment);
  return member.kind === "filter" ? member : { kind: "filter", members: [member] };
}

function memberOf(text: ConditionText, experiment: Experiment): FilterMember {
  if (typeof text !== "string")
    return { kind: "filter", boolean: text.junction, members: text.of.map((each) => memberOf(each, experiment)) };
  const { name, comparison, values } = readComparison(text);
  const variable = findVariable(name, experiment);
  const of = nameIn(experiment, variable);
  const kind = comparisonOf(comparison);
  const conditions = values.map((value) => ({
    kind: kind ?? (comparison === "not in" ? "notequal" : "equal"),
    of,
    value: kind !== undefined && isTextMatch(comparison) ? value : written(value, variable),
  }));
  const never: FilterMember[] = [
    { kind: "null", of, value: "" },
    { kind: "notnull", of, value: "" },
  ];
  if (comparison === "in" && conditions.length === 0) return { kind: "filter", boolean: "and", members: never };
  if (comparison === "in") return { kind: "filter", boolean: "or", members: conditions };
  if (comparison === "not in" && conditions.length > 0) return { kind: "filter", boolean: "and", members: conditions };
  return conditions[0] ?? { kind: kind ?? "null", of, value: "" };
}

/** Adds quotes to a quoted value, since a filter removes one pair. */
function written(value: string, { type }: Variable): string {
  return type !== "integer" && type !== "float" && /^'.*'$/s.test(value) ? `'${value}'` : value;
}
