import type { Direction } from "./series.ts";
import { power, sameDimension, parseUnit, type Unit } from "../values/unit.ts";

const time = parseUnit("s");

/**
 * Which values of a unit are the better ones where nobody says: rates (so much in a second, Hz) are to be high, all
 * else low.
 */
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
