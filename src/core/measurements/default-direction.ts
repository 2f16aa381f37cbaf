import type { Direction } from "./series.ts";
import { power, sameDimension, parseUnit, type Unit } from "../values/index.ts";

const time = parseUnit("s");

/** The default direction of a unit: rates (per second, Hz) are better when higher, all others when lower. */
export function defaultDirection(unit: Unit | undefined): Direction {
  if (unit === undefined) return "lower";
  const perTime = unit.factors.some((factor) => factor.exponent < 0 && sameDimension(one(factor.base), time));
  const isFrequency = unit.factors.some(
    (factor) => factor.exponent > 0 && sameDimension(one(factor.base), power(time, -1)),
  );
  return perTime || isFrequency ? "higher" : "lower";
}

function one(base: string): Unit {
  return { factors: [{ base, prefix: "", exponent: 1 }] };
}
