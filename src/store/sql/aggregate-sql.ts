import type { DataType } from "../../core/values/index.ts";
import type { SummaryAggregate } from "../../query/plan/index.ts";
import { collated, double, isText } from "./bind-value.ts";

/** The SQL of an aggregate of `expression`, which has that type. */
export function aggregateSql(aggregate: SummaryAggregate, expression: string, type: DataType): string {
  const boolean = type === "boolean" ? `cast(${expression} as integer)` : expression;
  const ordered = isText({ type }) ? collated(expression) : boolean;
  const number = numberSql(expression, type);
  switch (aggregate.kind) {
    case "avg":
      return `avg(${number})`;
    case "stddev":
      return `stddev_samp(${number})`;
    case "variance":
      return `var_samp(${number})`;
    case "count":
      return `count(${expression})`;
    case "distinct":
      return `count(distinct ${expression})`;
    case "min":
    case "max":
      return `${aggregate.kind}(${ordered})`;
    case "sum":
      return `sum(${boolean})`;
    case "rank":
      // DuckDB returns the least value for 0, regardless of the order.
      if (aggregate.fraction === 0) return `${aggregate.upper ? "max" : "min"}(${ordered})`;
      const direction = aggregate.upper ? "desc" : "asc";
      return `percentile_disc(${aggregate.fraction}) within group (order by ${ordered} ${direction})`;
    case "interpolated":
      return `percentile_cont(${aggregate.at}) within group (order by ${number})`;
  }
}

/** Interpolated quantiles at these levels, as an SQL array. */
export function quantilesSql(levels: readonly number[], expression: string, type: DataType): string {
  const list = `cast(array[${levels.join(", ")}] as ${double}[])`;
  return `percentile_cont(${list}) within group (order by ${numberSql(expression, type)})`;
}

function numberSql(expression: string, type: DataType): string {
  if (type === "float" || type === "duration") return expression;
  return `cast(${type === "boolean" ? `cast(${expression} as integer)` : expression} as ${double})`;
}
