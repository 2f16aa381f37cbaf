import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import {
  quantileName,
  quantilePercent,
  statisticAliases,
  statisticNames,
  type Variable,
} from "../../core/variables/index.ts";
import { power, type DataType } from "../../core/values/index.ts";

/**
 * A statistic of the values of one result in one group. Missing values are ignored; without values only the count is
 * defined. median and quantile interpolate linearly (type 7); stddev and variance are those of a sample (n - 1),
 * missing for a single value, and NaN if a value is not finite; distinct is the number of different values.
 */
export type Statistic =
  | { readonly kind: "min" | "max" | "mean" | "median" | "stddev" | "variance" | "sum" | "count" | "distinct" }
  | { readonly kind: "quantile"; /** 0..1 */ readonly at: number };

/** `mean`, the 95 % quantile as `q95`, `p95` or `quantile=0.95`, …; fails with `unknown-statistic`. */
export function parseStatistic(word: string): Statistic {
  const name = word.toLowerCase();
  const spelled = Object.hasOwn(statisticAliases, name) ? statisticAliases[name] : undefined;
  const kind = spelled ?? statisticNames.find((each) => each === name);
  if (kind !== undefined) return { kind };
  const percent = quantilePercent(name);
  if (percent !== undefined) return { kind: "quantile", at: percent / 100 };
  throw new Failure("unknown-statistic", { statistic: word, near: nearest(name, statisticNames).join(", ") });
}

/** Its name in column names: `mean`, `q95`. */
export function statisticName(statistic: Statistic): string {
  return statistic.kind === "quantile" ? quantileName(statistic.at * 100) : statistic.kind;
}

/** Numeric types; a boolean counts as 0 or 1. */
const numeric: readonly DataType[] = ["integer", "float", "duration", "timeofday", "boolean"];

/** Ordered types, for min and max. */
const ordered: readonly DataType[] = [...numeric, "string", "text", "date", "timestamp", "version"];

/** The variable that holds `statistic` of `of`: its name, type and unit. Fails with `statistic-not-possible`. */
export function statisticOf(statistic: Statistic, of: Variable): Variable {
  const allowed = statistic.kind === "min" || statistic.kind === "max" ? ordered : numeric;
  if (!counts(statistic) && !allowed.includes(of.type)) {
    throw new Failure("statistic-not-possible", {
      statistic: statisticName(statistic),
      variable: of.name,
      type: of.type,
    });
  }
  const unit = unitOf(statistic, of);
  return {
    name: `${of.name}.${statisticName(statistic)}`,
    role: "result",
    occurrence: "multiple",
    type: typeOf(statistic, of.type),
    ...(unit === undefined ? {} : { unit }),
    ...(of.better === undefined ? {} : { better: of.better }),
  };
}

/** Counts are integers without unit, for values of any type. */
function counts({ kind }: Statistic): boolean {
  return kind === "count" || kind === "distinct";
}

/** Whether min and max are defined for values of this type. */
export function hasOrder({ type }: Pick<Variable, "type">): boolean {
  return ordered.includes(type);
}

function typeOf(statistic: Statistic, type: DataType): DataType {
  if (counts(statistic)) return "integer";
  if (statistic.kind === "min" || statistic.kind === "max") return type === "boolean" ? "integer" : type;
  if (statistic.kind === "sum" && (type === "integer" || type === "boolean")) return "integer";
  return type === "duration" && statistic.kind !== "variance" ? "duration" : "float";
}

function unitOf(statistic: Statistic, of: Variable): Variable["unit"] {
  if (counts(statistic) || of.unit === undefined) return undefined;
  return statistic.kind === "variance" ? power(of.unit, 2) : of.unit;
}
