import type { FilterComparison, FilterGroup, QueryDescription } from "../../src/core/experiments/index.ts";
import { statisticNames } from "../../src/core/variables/index.ts";
import { printQueryText } from "../../src/formats/descriptions/index.ts";

export const offeredStatistics = [...statisticNames, "q95"] as const;

/** Output types of a query; all except `table` are charts. */
export const shapes = ["table", "lines", "points", "bars"] as const;

export type Shape = (typeof shapes)[number];

export interface BuilderFilter {
  readonly of: string;
  readonly comparison: FilterComparison;
  readonly value: string;
}

/** The state of the query form. */
export interface BuilderQuery {
  readonly experiment: string;
  readonly results: readonly string[];
  /** Empty: individual rows. */
  readonly statistics: readonly string[];
  readonly by: readonly string[];
  readonly filters: readonly BuilderFilter[];
  readonly shape: Shape;
}

/** Titles of the comparisons; symbols where the text form has them. */
export const comparisonTitles: readonly (readonly [comparison: FilterComparison, title: string])[] = [
  ["equal", "="],
  ["notequal", "≠"],
  ["lesser", "<"],
  ["lessequal", "≤"],
  ["greater", ">"],
  ["greaterequal", "≥"],
  ["contain", "contains"],
  ["notcontain", "does not contain"],
  ["null", "is missing"],
  ["notnull", "is present"],
];

export function needsValue(comparison: FilterComparison): boolean {
  return comparison !== "null" && comparison !== "notnull";
}

/** The query in its text form (docs/queries.md). */
export function builderQueryText(query: BuilderQuery): string {
  return printQueryText(queryDescription(query));
}

function queryDescription({ experiment, results, statistics, by, filters, shape }: BuilderQuery): QueryDescription {
  const parameters = by.map((value, at) => ({ id: `p${at + 1}`, value, show: "data" as const, filters: [] }));
  const isGrouped = statistics.length > 0;
  const last = isGrouped ? "statistics" : "rows";
  const edge = (id: string) => ({ id, attributes: new Map() });
  return {
    experiment,
    fixed: [],
    runs: [],
    parameters,
    series: [],
    sources: [
      {
        id: "rows",
        order: "keep",
        chronology: "number",
        ...(filters.length === 0 ? {} : { filters: filters.map(filterGroup) }),
        results: results.map((name) => ({ name })),
        inputs: parameters.map(({ id }) => id),
      },
    ],
    operators: isGrouped
      ? [{ id: "statistics", type: "statistics", value: statistics.join(","), inputs: [edge("rows")], terms: [] }]
      : [],
    combiners: [],
    outputs: [{ attributes: outputOf(shape), inputs: [edge(last)], options: [], tics: [] }],
  };
}

function filterGroup({ of, comparison, value }: BuilderFilter): FilterGroup {
  return { kind: "filter", members: [{ kind: comparison, of, value: needsValue(comparison) ? value : "" }] };
}

function outputOf(shape: Shape): QueryDescription["outputs"][number]["attributes"] {
  if (shape === "table") return new Map([["target", "markdown"]]);
  const type = { lines: "graphs", points: "points", bars: "bars" }[shape];
  return new Map([
    ["target", "svg"],
    ["type", type],
  ]);
}
