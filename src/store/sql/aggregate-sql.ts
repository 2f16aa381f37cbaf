import type { DataType } from "../../core/values/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import type { SummaryAggregate } from "../../query/plan/index.ts";
import { collated, double, isText } from "./bind-value.ts";
import { interpolated, shardQuantiles, ranked, type ShardedQuantile } from "./sharded/sharded-quantiles.ts";

/** What is aggregated. */
export interface Operand {
  readonly expression: string;
  readonly type: DataType;
  readonly dialect: Dialect;
  /** Some values make a variance overflow. */
  readonly hasOverflow?: boolean;
}

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

/** The SQL of one kind of aggregate. */
interface AggregateSql {
  /** Of the rows of a group. */
  sql(operand: Operand): string;
  /** From partial aggregates of shards; absent: the rows of all shards are needed. */
  partial?(operand: Operand): PartialAggregate;
  /** Of a column of the catalogue's run; absent: the number of rows per run matters. */
  ofRun?(operand: Operand): PartialAggregate;
}

type Records = {
  readonly [K in SummaryAggregate["kind"]]: (
    aggregate: Extract<SummaryAggregate, { readonly kind: K }>,
  ) => AggregateSql;
};

const records: Records = {
  rows: () => ({ sql: () => "count(*)", partial: () => partialCount("*"), ofRun: () => partialCount("*") }),
  count: () => ({
    sql: ({ expression }) => `count(${expression})`,
    partial: ({ expression }) => partialCount(expression),
    ofRun: ({ expression }) => ({
      partial: ["count(*)"],
      runExpression: expression,
      combine: ([count], known) => `cast(coalesce(sum(${count}) filter (where ${known} is not null), 0) as bigint)`,
    }),
  }),
  distinct: () => {
    const sql = ({ expression }: Operand): string => `count(distinct ${expression})`;
    return {
      sql,
      partial: (operand) => ({
        partial: [],
        secondPass: { distinct: valueSql(operand) },
        combine: (_, distinct) => `max(${distinct})`,
      }),
      ofRun: (operand) => overRuns(sql, operand),
    };
  },
  min: () => extreme("min"),
  max: () => extreme("max"),
  sum: () => ({
    sql: (operand) => `sum(${valueSql(operand)})`,
    partial: (operand) => ({ partial: [`sum(${valueSql(operand)})`], combine: ([sum]) => `sum(${sum})` }),
  }),
  avg: () => ({
    sql: (operand) => `avg(${numberSql(operand)})`,
    partial(operand) {
      const number = numberSql(operand);
      return {
        partial: [`sum(${number})`, `count(${number})`],
        combine: ([sum, count]) => meanOf(`sum(${sum})`, `sum(${count})`),
      };
    },
  }),
  geomean: () => ({
    sql(operand) {
      const number = numberSql(operand);
      return ifPositive(`min(${number})`, `avg(${logarithm(number)})`);
    },
    partial(operand) {
      const number = numberSql(operand);
      return {
        partial: [`sum(${logarithm(number)})`, `count(${number})`, `min(${number})`],
        combine: ([sum, count, least]) => ifPositive(`min(${least})`, meanOf(`sum(${sum})`, `sum(${count})`)),
      };
    },
  }),
  variance: () => spread("var_samp", (variance) => variance),
  stddev: () => spread("stddev_samp", (variance) => `sqrt(${variance})`),
  mode: () => ({
    sql(operand) {
      if (operand.type === "float") return operand.dialect.floatMode(operand.expression);
      return `mode() within group (order by ${orderedSql(operand)})`;
    },
  }),
  mad: () => ({ sql: (operand) => operand.dialect.medianDeviation(numberSql(operand)) }),
  trimmed: ({ at }) => ({ sql: (operand) => operand.dialect.trimmedMean(numberSql(operand), at) }),
  rank({ fraction, upper }) {
    // DuckDB returns the least value for 0, regardless of the order.
    if (fraction === 0) return extreme(upper ? "max" : "min");
    const direction = upper ? "desc" : "asc";
    return {
      sql: (operand) => `percentile_disc(${fraction}) within group (order by ${orderedSql(operand)} ${direction})`,
      partial: (operand) => quantileOf(ranked(fraction, upper, valueSql(operand), operand.type)),
    };
  },
  interpolated: ({ at }) => ({
    sql: (operand) => `percentile_cont(${at}) within group (order by ${numberSql(operand)})`,
    partial: (operand) => quantileOf(interpolated(at, numberSql(operand))),
  }),
};

function recordOf(aggregate: SummaryAggregate): AggregateSql {
  return (records[aggregate.kind] as (of: SummaryAggregate) => AggregateSql)(aggregate);
}

/** The SQL of an aggregate of the rows of a group. */
export function aggregateSql(aggregate: SummaryAggregate, operand: Operand): string {
  return recordOf(aggregate).sql(operand);
}

/** The aggregate over shards; undefined if it cannot be computed from partial ones. */
export function partialAggregate(aggregate: SummaryAggregate, operand: Operand): PartialAggregate | undefined {
  return recordOf(aggregate).partial?.(operand);
}

/** Aggregates a column of the catalogue's run r; undefined if the number of rows per run matters. */
export function aggregateOfRun(aggregate: SummaryAggregate, operand: Operand): PartialAggregate | undefined {
  return recordOf(aggregate).ofRun?.(operand);
}

/** Interpolated quantiles at these levels, as an SQL array. */
export function quantilesSql(levels: readonly number[], operand: Operand): string {
  const list = `cast(array[${levels.join(", ")}] as ${double}[])`;
  return `percentile_cont(${list}) within group (order by ${numberSql(operand)})`;
}

/** `expression` may be `*`. */
function partialCount(expression: string): PartialAggregate {
  return { partial: [`count(${expression})`], combine: ([count]) => `cast(coalesce(sum(${count}), 0) as bigint)` };
}

function valueSql({ expression, type }: Operand): string {
  return type === "boolean" ? `cast(${expression} as integer)` : expression;
}

function orderedSql(operand: Operand): string {
  return isText(operand) ? collated(operand.expression) : valueSql(operand);
}

function numberSql(operand: Operand): string {
  const { expression, type } = operand;
  return type === "float" || type === "duration" ? expression : `cast(${valueSql(operand)} as ${double})`;
}

/** Text columns of shards sort by code point. */
function extreme(kind: "min" | "max"): AggregateSql {
  const sql = (operand: Operand): string => `${kind}(${orderedSql(operand)})`;
  return {
    sql,
    partial: (operand) => ({
      partial: [`${kind}(${valueSql(operand)})`],
      combine: ([extremes]) => `${kind}(${extremes})`,
    }),
    ofRun: (operand) => overRuns(sql, operand),
  };
}

/** Aggregates the runs' own values. */
function overRuns(sql: AggregateSql["sql"], operand: Operand): PartialAggregate {
  return {
    partial: [],
    runExpression: operand.expression,
    combine: (_, known) => sql({ ...operand, expression: known }),
  };
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

function logarithm(number: string): string {
  return `case when ${number} > 0 then ln(${number}) end`;
}

function ifPositive(least: string, meanOfLogarithms: string): string {
  return `case when ${least} > 0 then exp(${meanOfLogarithms}) end`;
}

function spread(name: "var_samp" | "stddev_samp", result: (variance: string) => string): AggregateSql {
  return {
    sql(operand) {
      const number = numberSql(operand);
      if (operand.hasOverflow !== true) return `${name}(${number})`;
      const safe = `case when ${isSafeForVariance(number)} then ${number} end`;
      return overflowSafeVariance(`count(${number})`, `count(${safe})`, `${name}(${safe})`);
    },
    partial: (operand) => varianceOf(numberSql(operand), operand.hasOverflow === true, result),
  };
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

/** Absolute values above this may overflow a variance. */
const safeLimit = "1e150";

function isSafeForVariance(number: string): string {
  return `abs(${number}) < ${safeLimit}`;
}

/** The variance of safe values; NaN instead of an engine error if there are others. `all` and `safe` are counts. */
function overflowSafeVariance(all: string, safe: string, variance: string): string {
  return `case when ${all} < 2 then null when ${all} > ${safe} then cast('NaN' as ${double}) else ${variance} end`;
}
