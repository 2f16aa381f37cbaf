import type { DataType } from "../../../core/values/index.ts";
import type { SummaryAggregate } from "../../../query/plan/index.ts";
import { aggregateSql } from "../aggregate-sql.ts";
import { double } from "../bind-value.ts";
import { overflowSafeVariance, isSafeForVariance } from "../overflow-safe-variance.ts";
import { interpolated, shardQuantiles, ranked, type ShardedQuantile } from "./sharded-quantiles.ts";

/** An aggregate over shards, computed from partial aggregates. Text columns of shards sort by code point. */
export interface PartialAggregate {
  /** The columns that each shard computes per group. */
  readonly partial: readonly string[];
  /** The mean of a complete group from the shard columns, if `combine` needs it. */
  readonly mean?: (columns: readonly string[], sum: (sql: string) => string) => string;
  /**
   * The aggregate of a complete group from the columns of all shards. `extra` is the column of the mean, of the second
   * pass, or of the run.
   */
  readonly combine: (columns: readonly string[], extra: string) => string;
  /** Aggregates that need a second pass over the shards. */
  readonly secondPass?: { readonly quantile: ShardedQuantile } | { readonly distinct: string };
  /** An expression on the catalogue's run r; the shards then also group by run. */
  readonly runExpression?: string;
}

/**
 * `hasOverflow`: some values make a variance overflow. Undefined if the aggregate cannot be computed from partial ones.
 */
export function partialAggregate(
  aggregate: SummaryAggregate,
  expression: string,
  type: DataType,
  hasOverflow: boolean,
): PartialAggregate | undefined {
  const value = type === "boolean" ? `cast(${expression} as integer)` : expression;
  const number = type === "float" || type === "duration" ? expression : `cast(${value} as ${double})`;
  switch (aggregate.kind) {
    case "count":
      return partialCount(expression);
    case "sum":
      return { partial: [`sum(${value})`], combine: ([sum]) => `sum(${sum})` };
    case "min":
    case "max":
      return extreme(aggregate.kind, value);
    case "rank":
      if (aggregate.fraction === 0) return extreme(aggregate.upper ? "max" : "min", value);
      return quantileOf(ranked(aggregate.fraction, aggregate.upper, value, type));
    case "avg":
      return {
        partial: [`sum(${number})`, `count(${number})`],
        combine: ([sum, count]) => meanOf(`sum(${sum})`, `sum(${count})`),
      };
    case "variance":
      return varianceOf(number, hasOverflow, (variance) => variance);
    case "stddev":
      return varianceOf(number, hasOverflow, (variance) => `sqrt(${variance})`);
    case "interpolated":
      return quantileOf(interpolated(aggregate.at, number));
    case "distinct":
      return { partial: [], secondPass: { distinct: value }, combine: (_, distinct) => `max(${distinct})` };
  }
}

/** Aggregates a column of the catalogue's run r; undefined if the number of rows per run matters. */
export function aggregateOfRun(
  aggregate: SummaryAggregate,
  expression: string,
  type: DataType,
): PartialAggregate | undefined {
  switch (aggregate.kind) {
    case "count":
      return {
        partial: ["count(*)"],
        runExpression: expression,
        combine: ([count], known) => `cast(coalesce(sum(${count}) filter (where ${known} is not null), 0) as bigint)`,
      };
    case "min":
    case "max":
    case "distinct":
      return { partial: [], runExpression: expression, combine: (_, known) => aggregateSql(aggregate, known, type) };
    default:
      return undefined;
  }
}

/** `expression` may be `*`. */
export function partialCount(expression: string): PartialAggregate {
  return { partial: [`count(${expression})`], combine: ([count]) => `cast(coalesce(sum(${count}), 0) as bigint)` };
}

function extreme(kind: "min" | "max", expression: string): PartialAggregate {
  return { partial: [`${kind}(${expression})`], combine: ([extremes]) => `${kind}(${extremes})` };
}

function quantileOf(quantile: ShardedQuantile): PartialAggregate {
  return {
    partial: shardQuantiles(quantile.expression),
    secondPass: { quantile },
    combine: (_, quantileColumn) => `max(${quantileColumn})`,
  };
}

function meanOf(sum: string, count: string): string {
  return `${sum} / cast(nullif(${count}, 0) as ${double})`;
}

/**
 * Combines the sums of squared deviations of the shards (Chan, Golub, LeVeque 1979), which is accurate for values far
 * from zero. Squares that underflow count as 0.
 */
function varianceOf(expression: string, hasOverflow: boolean, result: (variance: string) => string): PartialAggregate {
  const number = hasOverflow ? `case when ${isSafeForVariance(expression)} then ${expression} end` : expression;
  const variance = ([own, count, squares]: readonly string[], mean: string): string => {
    const distance = `(${own} - ${mean})`;
    const squared = `case when abs(${distance}) < 1e-150 then 0 else ${count} * ${distance} * ${distance} end`;
    const value = `((sum(${squares}) + sum(${squared})) / cast(sum(${count}) - 1 as ${double}))`;
    return `case when sum(${count}) > 1 then ${result(value)} end`;
  };
  return {
    // The variance needs the mean and the count anyway.
    partial: [
      `avg(${number})`,
      `count(${number})`,
      `var_pop(${number}) * count(${number})`,
      ...(hasOverflow ? [`count(${expression})`] : []),
    ],
    mean: ([own, count], sum) => meanOf(sum(`${own} * ${count}`), sum(count ?? "")),
    combine: (columns, mean) => {
      const [, safe = "", , all = ""] = columns;
      return hasOverflow
        ? overflowSafeVariance(`sum(${all})`, `sum(${safe})`, variance(columns, mean))
        : variance(columns, mean);
    },
  };
}
