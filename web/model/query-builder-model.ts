import type { FilterComparison, FilterGroup, QueryDescription } from "../../src/core/experiments/query-description.ts";
import { statisticNames } from "../../src/core/variables/statistic-names.ts";
import { printQueryText } from "../../src/formats/descriptions/query-text-print.ts";

export const offeredStatistics = [...statisticNames, "q95"] as const;

/** What answers are shown as; all but tables are charts. */
export const shapes = ["table", "lines", "points", "bars"] as const;

export type Shape = (typeof shapes)[number];

export interface ClickedFilter {
  readonly of: string;
  readonly comparison: FilterComparison;
  readonly content: string;
}

/** A query as it is put together by clicking. */
export interface ClickedQuery {
  readonly experiment: string;
  readonly results: readonly string[];
  /** Empty: each row as it is. */
  readonly statistics: readonly string[];
  readonly by: readonly string[];
  readonly filters: readonly ClickedFilter[];
  readonly shape: Shape;
}

/** By the signs that the text form writes. */
export const comparisonTitles: readonly (readonly [comparison: FilterComparison, title: string])[] = [
  ["equal", "="],
  ["notequal", "≠"],
  ["lesser", "<"],
  ["lessequal", "≤"],
  ["greater", ">"],
  ["greaterequal", "≥"],
  ["contain", "contains"],
  ["notcontain", "lacks"],
  ["null", "is missing"],
  ["notnull", "is there"],
];

export function needsContent(comparison: FilterComparison): boolean {
  return comparison !== "null" && comparison !== "notnull";
}

/** The query in its text form (docs/queries.md). */
export function clickedQueryText(query: ClickedQuery): string {
  return printQueryText(describedQuery(query));
}

function describedQuery({ experiment, results, statistics, by, filters, shape }: ClickedQuery): QueryDescription {
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
        ...(filters.length === 0 ? {} : { filters: filters.map(described) }),
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

function described({ of, comparison, content }: ClickedFilter): FilterGroup {
  return { kind: "filter", members: [{ kind: comparison, of, value: needsContent(comparison) ? content : "" }] };
}

function outputOf(shape: Shape): QueryDescription["outputs"][number]["attributes"] {
  if (shape === "table") return new Map([["target", "markdown"]]);
  const type = { lines: "graphs", points: "points", bars: "bars" }[shape];
  return new Map([
    ["target", "svg"],
    ["type", type],
  ]);
}
