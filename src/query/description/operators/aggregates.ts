import { power, compareValues, type DataType, type Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { rankFraction, type SummaryAggregate } from "../../plan/index.ts";
import { computeStatistic, numericTypes, orderedTypes, summaryOf } from "../../statistics/index.ts";
import { valueOf, type VectorColumn } from "../vector.ts";

/** Reduces many values to one. Ignores missing values; without values the result is missing, except the count 0. */
export interface Aggregate {
  readonly name: string;
  /** The aggregate in databases; absent: unsupported. */
  readonly summary?: SummaryAggregate;
  /** Supported types. */
  readonly of: readonly DataType[];
  /** The row of the value, for aggregates that select one. */
  row?(column: VectorColumn, rows: ArrayLike<number>): number | undefined;
  compute(column: VectorColumn, rows: ArrayLike<number>): Value;
  /** The resulting type and unit. */
  variable(variable: Variable): Variable;
}

const all: readonly DataType[] = [...orderedTypes, "binary"];

/** The present values. */
export function numbersAt({ column }: VectorColumn, rows: ArrayLike<number>): Float64Array {
  if (column.kind !== "number") return new Float64Array();
  const { values, missing } = column;
  const found = new Float64Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    if (missing?.[row] === 1) continue;
    found[count++] = values[row] ?? Number.NaN;
  }
  return found.subarray(0, count);
}

function asFloat(variable: Variable): Variable {
  return { ...variable, type: variable.type === "duration" || variable.type === "timeofday" ? "duration" : "float" };
}

/** An aggregate of floats. */
function ofFloats(name: string, kind: "mean" | "stddev" | "variance", variable = asFloat): Aggregate {
  return {
    name,
    summary: summaryOf({ kind }),
    of: numericTypes,
    compute: (column, rows) => computeStatistic({ kind }, numbersAt(column, rows)),
    variable,
  };
}

function squared({ unit, ...variable }: Variable): Variable {
  return { ...variable, type: "float", ...(unit === undefined ? {} : { unit: power(unit, 2) }) };
}

const sum: Aggregate = {
  name: "sum",
  summary: { kind: "sum" },
  of: numericTypes,
  compute(column, rows) {
    const values = numbersAt(column, rows);
    if (column.variable.type !== "integer" && column.variable.type !== "boolean")
      return computeStatistic({ kind: "sum" }, values);
    return values.length === 0 ? null : wholeSum(column, rows);
  },
  variable: (variable) => (variable.type === "boolean" ? { ...variable, type: "integer" } : variable),
};

/** Sums integers exactly. */
function wholeSum(column: VectorColumn, rows: ArrayLike<number>): Value {
  let total = 0n;
  let near = 0;
  for (let at = 0; at < rows.length; at++) {
    const value = valueOf(column, rows[at] ?? -1);
    const number = typeof value === "bigint" ? value : Number(value ?? 0);
    if (typeof number === "number" && Number.isSafeInteger(near + number)) near += number;
    else total += BigInt(number);
  }
  const exact = total + BigInt(near);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

const prod: Aggregate = {
  name: "prod",
  of: ["integer", "float", "boolean"],
  compute(column, rows) {
    const values = numbersAt(column, rows);
    return values.length === 0 ? null : values.reduce((product, value) => product * value, 1);
  },
  /** Without unit, which would depend on the number of factors. */
  variable: ({ unit: _, ...variable }) => asFloat(variable),
};

function extreme(name: "min" | "max", sign: 1 | -1): Aggregate {
  const row = (column: VectorColumn, rows: ArrayLike<number>): number | undefined => {
    let best: number | undefined;
    for (let at = 0; at < rows.length; at++) {
      const candidate = rows[at] ?? -1;
      if (valueOf(column, candidate) === null) continue;
      if (best === undefined || isBefore(column, candidate, best, sign)) best = candidate;
    }
    return best;
  };
  return {
    name,
    summary: { kind: name },
    of: orderedTypes,
    row,
    compute(column, rows) {
      const found = row(column, rows);
      return found === undefined ? null : valueOf(column, found);
    },
    variable: (variable) => variable,
  };
}

/** The first of equal values wins. */
function isBefore(column: VectorColumn, a: number, b: number, sign: 1 | -1): boolean {
  return sign * compareValues(valueOf(column, a), valueOf(column, b), column.variable.type) < 0;
}

const count: Aggregate = {
  name: "count",
  summary: { kind: "count" },
  of: all,
  compute(column, rows) {
    let found = 0;
    for (let at = 0; at < rows.length; at++) if (valueOf(column, rows[at] ?? -1) !== null) found += 1;
    return found;
  },
  variable: ({ unit: _, ...variable }) => ({ ...variable, type: "integer" }),
};

/**
 * The value below which `percent` of the values are, without interpolation: of n values in ascending order the
 * ⌈n·percent/100⌉th (perfbase's rule). `upper` counts from the greatest.
 */
export function quantileAggregate(name: string, percent: number, upper: boolean): Aggregate {
  return {
    name,
    summary: { kind: "rank", fraction: rankFraction(percent), upper },
    of: orderedTypes,
    compute(column, rows) {
      const { type } = column.variable;
      const found = Array.from(rows, (row) => valueOf(column, row)).filter((value) => value !== null);
      found.sort((a, b) => compareValues(a, b, type));
      const position = Math.max(0, Math.ceil(found.length * rankFraction(percent)) - 1);
      return found.at(upper ? -1 - position : position) ?? null;
    },
    variable: (variable) => variable,
  };
}

export const acrossAggregates: readonly Aggregate[] = [sum, prod, extreme("min", 1), extreme("max", -1)];
export const singleAggregates: readonly Aggregate[] = [
  ofFloats("avg", "mean"),
  ofFloats("stddev", "stddev"),
  ofFloats("variance", "variance", squared),
  count,
];
