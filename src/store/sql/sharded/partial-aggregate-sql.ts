import type { DataType } from "../../../core/values/value.ts";
import type { SummaryAggregate } from "../../../query/plan/row-summary.ts";
import { aggregateSql } from "../aggregate-sql.ts";
import { double } from "../bind-value.ts";
import { guardedVariance, isTame } from "../overflow-safe-variance.ts";
import { interpolated, ownQuantiles, ranked, type SplitQuantile } from "./sharded-quantiles.ts";

/** An aggregate of rows that lie in parts. Texts of parts sort by code point of their own accord. */
export interface PartialAggregate {
  /** What each part says of a group. */
  readonly parts: readonly string[];
  /** The mean of the whole group from columns of parts, where `whole` needs it beside each of them. */
  readonly mean?: (columns: readonly string[], sum: (sql: string) => string) => string;
  /**
   * What comes of it for the whole group, from the columns of all parts; `beside` is what was asked for besides: the
   * mean, or one of those below.
   */
  readonly whole: (columns: readonly string[], beside: string) => string;
  /** What takes a second question to the parts. */
  readonly second?: { readonly quantile: SplitQuantile } | { readonly distinct: string };
  /** What is known of the run r: then parts tell groups by run. */
  readonly ofRun?: string;
}

/**
 * `wild`: some contents are so large that a variance overflows. Undefined where an aggregate of the whole cannot be
 * told from those of the parts.
 */
export function partialAggregate(
  aggregate: SummaryAggregate,
  content: string,
  type: DataType,
  wild: boolean,
): PartialAggregate | undefined {
  const whole = type === "boolean" ? `cast(${content} as integer)` : content;
  const number = type === "float" || type === "duration" ? content : `cast(${whole} as ${double})`;
  switch (aggregate.kind) {
    case "count":
      return partialCount(content);
    case "sum":
      return { parts: [`sum(${whole})`], whole: ([sum]) => `sum(${sum})` };
    case "min":
    case "max":
      return extreme(aggregate.kind, whole);
    case "rank":
      if (aggregate.fraction === 0) return extreme(aggregate.upper ? "max" : "min", whole);
      return quantileOf(ranked(aggregate.fraction, aggregate.upper, whole, type));
    case "avg":
      return {
        parts: [`sum(${number})`, `count(${number})`],
        whole: ([sum, count]) => meanOf(`sum(${sum})`, `sum(${count})`),
      };
    case "variance":
      return varianceOf(number, wild, (variance) => variance);
    case "stddev":
      return varianceOf(number, wild, (variance) => `sqrt(${variance})`);
    case "interpolated":
      return quantileOf(interpolated(aggregate.at, number));
    case "distinct":
      return { parts: [], second: { distinct: whole }, whole: (_, distinct) => `max(${distinct})` };
  }
}

/** Of what is known of the run r; undefined where it matters how many rows a run has. */
export function aggregateOfRun(
  aggregate: SummaryAggregate,
  content: string,
  type: DataType,
): PartialAggregate | undefined {
  switch (aggregate.kind) {
    case "count":
      return {
        parts: ["count(*)"],
        ofRun: content,
        whole: ([count], known) => `cast(coalesce(sum(${count}) filter (where ${known} is not null), 0) as bigint)`,
      };
    case "min":
    case "max":
    case "distinct":
      return { parts: [], ofRun: content, whole: (_, known) => aggregateSql(aggregate, known, type) };
    default:
      return undefined;
  }
}

/** `content` may be `*`. */
export function partialCount(content: string): PartialAggregate {
  return { parts: [`count(${content})`], whole: ([count]) => `cast(coalesce(sum(${count}), 0) as bigint)` };
}

function extreme(kind: "min" | "max", content: string): PartialAggregate {
  return { parts: [`${kind}(${content})`], whole: ([extremes]) => `${kind}(${extremes})` };
}

function quantileOf(quantile: SplitQuantile): PartialAggregate {
  return { parts: ownQuantiles(quantile.content), second: { quantile }, whole: (_, found) => `max(${found})` };
}

function meanOf(sum: string, count: string): string {
  return `${sum} / cast(nullif(${count}, 0) as ${double})`;
}

/**
 * Sums of squares of distances from the mean of each part, and of these means from that of all (Chan, Golub, LeVeque
 * 1979): nothing is lost where contents are far from zero. Squares too small for a float are nothing.
 */
function varianceOf(content: string, wild: boolean, result: (variance: string) => string): PartialAggregate {
  const number = wild ? `case when ${isTame(content)} then ${content} end` : content;
  const whole = ([own, count, squares]: readonly string[], mean: string): string => {
    const distance = `(${own} - ${mean})`;
    const apart = `case when abs(${distance}) < 1e-150 then 0 else ${count} * ${distance} * ${distance} end`;
    return `case when sum(${count}) > 1 then ${result(`((sum(${squares}) + sum(${apart})) / cast(sum(${count}) - 1 as ${double}))`)} end`;
  };
  return {
    // The mean comes of what is added up for the variance anyway.
    parts: [
      `avg(${number})`,
      `count(${number})`,
      `var_pop(${number}) * count(${number})`,
      ...(wild ? [`count(${content})`] : []),
    ],
    mean: ([own, count], sum) => meanOf(sum(`${own} * ${count}`), sum(count ?? "")),
    whole: (columns, mean) => {
      const [, tame = "", , all = ""] = columns;
      return wild ? guardedVariance(`sum(${all})`, `sum(${tame})`, whole(columns, mean)) : whole(columns, mean);
    },
  };
}
