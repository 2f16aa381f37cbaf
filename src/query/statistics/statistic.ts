import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import {
  nameOfStatistic,
  type NamedStatistic,
  statisticNamed,
  statisticNames,
  type Variable,
} from "../../core/variables/index.ts";
import { power, type DataType } from "../../core/values/index.ts";
import { geometricMean, mean, median, moments, quantile, sum } from "../../math/descriptive/index.ts";

/**
 * A statistic of the values of one result in one group. Missing values are ignored; without values only the counts are
 * defined. median and quantile interpolate linearly (type 7); stddev and variance are those of a sample (n - 1),
 * missing for a single value, and NaN if a value is not finite; distinct is the number of different values; mode is the
 * most frequent value, the least of several; geomean is missing unless all values are positive; mad is the median of
 * the absolute differences from the median, not scaled; a trimmed mean omits ⌊n·at⌋ values at each end.
 */
export type Statistic = NamedStatistic;

/**
 * What a database computes for one column of a group. `rows`: the number of rows; `rank`: of n ordered values the
 * ⌈n·fraction⌉th, at least the first; `interpolated`: the quantile of type 7. NaN is above all numbers.
 */
export type SummaryAggregate =
  | { readonly [K in PlainAggregate]: { readonly kind: K } }[PlainAggregate]
  | { readonly kind: "rank"; readonly fraction: number; readonly upper: boolean }
  | { readonly kind: "interpolated" | "trimmed"; readonly at: number };

type PlainAggregate =
  | "rows"
  | "avg"
  | "stddev"
  | "variance"
  | "count"
  | "distinct"
  | "min"
  | "max"
  | "sum"
  | "mode"
  | "geomean"
  | "mad";

/** Numeric types; a boolean counts as 0 or 1. */
export const numericTypes: readonly DataType[] = ["integer", "float", "duration", "timeofday", "boolean"];

/** Ordered types. */
export const orderedTypes: readonly DataType[] = [...numericTypes, "string", "text", "date", "timestamp", "version"];

/** All that is particular to one statistic. */
interface StatisticRecord {
  /** Supported types; absent: all. */
  readonly of?: readonly DataType[];
  /** The smallest number of values for which it is defined; default 1. */
  readonly fewest?: number;
  /** The type of the result for a type of values; default: float, and duration for durations. */
  readonly type?: (type: DataType) => DataType;
  /** The exponent of the unit: 0 for numbers without unit, default 1. */
  readonly exponent?: number;
  /** Of at least `fewest` present values. null: undefined for them. */
  compute(values: Float64Array, at: number): number | null;
  /** The aggregate in databases. */
  aggregate(at: number): SummaryAggregate;
}

const sameType = (type: DataType): DataType => (type === "boolean" ? "integer" : type);
const whole = { fewest: 0, type: (): DataType => "integer", exponent: 0 };

const records: Readonly<Record<Statistic["kind"], StatisticRecord>> = {
  min: {
    of: orderedTypes,
    type: sameType,
    compute: (values) => moments(values).minimum,
    aggregate: () => ({ kind: "min" }),
  },
  max: {
    of: orderedTypes,
    type: sameType,
    compute: (values) => moments(values).maximum,
    aggregate: () => ({ kind: "max" }),
  },
  mean: { of: numericTypes, compute: (values) => mean(values), aggregate: () => ({ kind: "avg" }) },
  median: { of: numericTypes, compute: median, aggregate: () => ({ kind: "interpolated", at: 0.5 }) },
  quantile: { of: numericTypes, compute: quantile, aggregate: (at) => ({ kind: "interpolated", at }) },
  trimmed: { of: numericTypes, compute: trimmedMean, aggregate: (at) => ({ kind: "trimmed", at }) },
  mode: { of: orderedTypes, type: sameType, compute: mode, aggregate: () => ({ kind: "mode" }) },
  geomean: { of: numericTypes, compute: positiveMean, aggregate: () => ({ kind: "geomean" }) },
  stddev: {
    of: numericTypes,
    fewest: 2,
    compute: (values) => Math.sqrt(moments(values).variance),
    aggregate: () => ({ kind: "stddev" }),
  },
  variance: {
    of: numericTypes,
    fewest: 2,
    type: () => "float",
    exponent: 2,
    compute: (values) => moments(values).variance,
    aggregate: () => ({ kind: "variance" }),
  },
  mad: { of: numericTypes, compute: medianDeviation, aggregate: () => ({ kind: "mad" }) },
  sum: {
    of: numericTypes,
    type: (type) => (type === "duration" ? type : type === "integer" || type === "boolean" ? "integer" : "float"),
    compute: (values) => sum(values),
    aggregate: () => ({ kind: "sum" }),
  },
  count: { ...whole, compute: (values) => values.length, aggregate: () => ({ kind: "count" }) },
  distinct: { ...whole, compute: (values) => new Set(values).size, aggregate: () => ({ kind: "distinct" }) },
};

function levelOf(statistic: Statistic): number {
  return "at" in statistic ? statistic.at : 0;
}

/** A statistic of present values, defined as in databases; null: undefined for these values. */
export function computeStatistic(statistic: Statistic, values: Float64Array): number | null {
  const { fewest = 1, compute } = records[statistic.kind];
  return values.length < fewest ? null : compute(values, levelOf(statistic));
}

/** The database aggregate of a statistic. */
export function summaryOf(statistic: Statistic): SummaryAggregate {
  return records[statistic.kind].aggregate(levelOf(statistic));
}

/** Typed arrays sort NaN last. */
function trimmedMean(values: Float64Array, share: number): number {
  const cut = Math.floor(share * values.length);
  return mean(values.toSorted().subarray(cut, values.length - cut));
}

function mode(values: Float64Array): number {
  const sorted = values.toSorted();
  let [best, most] = [sorted[0] as number, 0];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    // NaN equals itself, and -0 equals 0, as in databases.
    const isSame = (value: number | undefined): boolean => value === sorted[from] || Object.is(value, sorted[from]);
    while (to < sorted.length && isSame(sorted[to])) to += 1;
    if (to - from > most) [best, most] = [sorted[from] as number, to - from];
  }
  return best + 0;
}

/** Databases sort NaN above all numbers: it is no reason for a missing result. */
function positiveMean(values: Float64Array): number | null {
  return values.some((value) => value <= 0) ? null : geometricMean(values);
}

function medianDeviation(values: Float64Array): number {
  const middle = databaseQuantile(values.toSorted(), 0.5);
  return databaseQuantile(values.map((value) => Math.abs(value - middle)).sort(), 0.5);
}

/**
 * A quantile as in databases: NaN is above all numbers, and affects adjacent values only. `sorted`: at least one
 * number, as typed arrays sort them.
 */
export function databaseQuantile(sorted: Float64Array, level: number): number {
  const position = (sorted.length - 1) * level;
  const below = Math.floor(position);
  const [left = Number.NaN, right = left] = sorted.subarray(below, below + 2);
  const weight = position - below;
  if (left === right || weight === 0) return left;
  return Number.isFinite(right - left) ? left + (right - left) * weight : left * (1 - weight) + right * weight;
}

/** `mean`, the 95 % quantile as `q95`, `p95` or `quantile=0.95`, `trim10`, …; fails with `unknown-statistic`. */
export function parseStatistic(word: string): Statistic {
  const found = statisticNamed(word);
  if (found !== undefined) return found;
  throw new Failure("unknown-statistic", {
    statistic: word,
    near: nearest(word.toLowerCase(), statisticNames).join(", "),
  });
}

/** The variable that holds `statistic` of `of`: its name, type and unit. Fails with `statistic-not-possible`. */
export function statisticOf(statistic: Statistic, of: Variable): Variable {
  const name = nameOfStatistic(statistic);
  const { of: allowed, type = plainType, exponent = 1 } = records[statistic.kind];
  if (allowed?.includes(of.type) === false)
    throw new Failure("statistic-not-possible", { statistic: name, variable: of.name, type: of.type });
  const unit = of.unit === undefined || exponent === 0 ? undefined : power(of.unit, exponent);
  return {
    name: `${of.name}.${name}`,
    role: "result",
    occurrence: "multiple",
    type: type(of.type),
    ...(unit === undefined ? {} : { unit }),
    ...(of.better === undefined ? {} : { better: of.better }),
  };
}

function plainType(type: DataType): DataType {
  return type === "duration" ? "duration" : "float";
}

/** Whether min and max are defined for values of this type. */
export function hasOrder({ type }: Pick<Variable, "type">): boolean {
  return orderedTypes.includes(type);
}
