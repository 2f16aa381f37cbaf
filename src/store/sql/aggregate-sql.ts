import type { DataType } from "../../core/values/value.ts";
import type { SummaryAggregate } from "../../query/plan/row-summary.ts";
import { collated, double, isText } from "./bind-value.ts";

/** The SQL of an aggregate of `content`, which is of that type. */
export function aggregateSql(aggregate: SummaryAggregate, content: string, type: DataType): string {
  const boolean = type === "boolean" ? `cast(${content} as integer)` : content;
  const ordered = isText({ type }) ? collated(content) : boolean;
  const number = numberSql(content, type);
  switch (aggregate.kind) {
    case "avg":
      return `avg(${number})`;
    case "stddev":
      return `stddev_samp(${number})`;
    case "variance":
      return `var_samp(${number})`;
    case "count":
      return `count(${content})`;
    case "distinct":
      return `count(distinct ${content})`;
    case "min":
    case "max":
      return `${aggregate.kind}(${ordered})`;
    case "sum":
      return `sum(${boolean})`;
    case "rank":
      // DuckDB takes the least content for 0, whatever the order.
      if (aggregate.fraction === 0) return `${aggregate.upper ? "max" : "min"}(${ordered})`;
      return `percentile_disc(${aggregate.fraction}) within group (order by ${ordered} ${aggregate.upper ? "desc" : "asc"})`;
    case "interpolated":
      return `percentile_cont(${aggregate.at}) within group (order by ${number})`;
  }
}

/** Interpolated quantiles of all these levels, as a list of the engine. */
export function quantilesSql(levels: readonly number[], content: string, type: DataType): string {
  return `percentile_cont(cast(array[${levels.join(", ")}] as ${double}[])) within group (order by ${numberSql(content, type)})`;
}

function numberSql(content: string, type: DataType): string {
  if (type === "float" || type === "duration") return content;
  return `cast(${type === "boolean" ? `cast(${content} as integer)` : content} as ${double})`;
}
