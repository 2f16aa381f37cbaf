import { Failure } from "../../core/failures/failure.ts";
import type { Axis } from "../../core/figures/figure.ts";
import type { AxisOptions } from "../../core/experiments/plot-description.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { parseBound } from "../plan/parse-value.ts";

/**
 * The requested ends of an axis, as numbers of the variable times `factor`. Fails with `unusable-combination` if the
 * range is empty.
 */
export function rangeOf(
  { from, to, scale }: AxisOptions,
  variable: Variable,
  factor: number,
): Pick<Axis, "from" | "to"> {
  const end = (text: string): number => Number(parseBound(text, variable)) * factor;
  const [low, high] = [from, to].map((text) => (text === undefined ? undefined : end(text)));
  const isLog = scale === "log" || scale === "log2";
  const bad = [low, high].some((value) => value !== undefined && (!Number.isFinite(value) || (isLog && value <= 0)));
  if (bad || (low !== undefined && high !== undefined && low >= high)) {
    throw new Failure("unusable-combination", {
      what: `an axis from ${from ?? "its smallest value"} to ${to ?? "its largest"} has no room`,
      instead: isLog ? "name two positive ends, the lower one first" : "name the lower end first",
    });
  }
  return { ...(low === undefined ? {} : { from: low }), ...(high === undefined ? {} : { to: high }) };
}
