import { parseUnit, sameDimension } from "../values/index.ts";
import type { Subject } from "./series.ts";

/** Smallest counts that are not equal by chance or rounding. */
const leastCount = 10_000;

const [time, event] = ["s", "event"].map(parseUnit);

/** Whether a subject may be a count of events: of a unit other than time, and fewer are better. */
export function mayCountEvents({ better, unit }: Pick<Subject, "better" | "unit">): boolean {
  return better === "lower" && !sameDimension(unit, time);
}

/**
 * Whether all values are counts of events: integers of a unit other than time, of which fewer are better, large enough,
 * and not rounded to blocks, that a repeated one is no coincidence.
 */
export function areEventCounts(subject: Pick<Subject, "better" | "unit">, values: Float64Array): boolean {
  if (!mayCountEvents(subject)) return false;
  if (!values.every((value) => Number.isSafeInteger(value) && value >= leastCount)) return false;
  if (values.length > 0 && sameDimension(subject.unit, event)) return true;
  return [2, 10].every((base) => {
    const step = commonPower(values, base);
    return values.every((value) => value / step >= leastCount);
  });
}

/** The greatest power of the base that divides all values. */
function commonPower(values: Float64Array, base: number): number {
  let step = 1;
  while (step < Number.MAX_SAFE_INTEGER / base && values.every((value) => value % (step * base) === 0)) step *= base;
  return step;
}

const steady = /^(?:ir|calls?|branches|.*instr(?:uctions?)?.*)$/i;

/** Whether counts of the event, by its name, hardly depend on other activity of the machine. */
export function isSteadyEvent(name: string): boolean {
  return steady.test(name);
}

/**
 * Noise that is assumed of steady counts as long as it was not measured, as standard deviations of logarithms: between
 * two measurements of a program, and of a measurement that is a single value.
 */
export const steadyCountNoise = { between: 0.01, single: 0.01 } as const;
