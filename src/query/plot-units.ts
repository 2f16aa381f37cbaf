import { Failure } from "../core/errors.ts";
import type { Axis } from "../core/figure.ts";
import { convertFactor, formatUnit, parseUnit, sameDimension, type Unit } from "../core/unit.ts";
import { scaleFor } from "../core/unit-display.ts";
import type { Variable } from "../core/variable.ts";
import type { ResultPoints } from "./plot-points.ts";
import type { Plot } from "./plot.ts";

/** The unit of a variable's numbers; durations are in seconds. */
export function unitOf(variable: Variable): Unit | undefined {
  return variable.unit ?? (variable.type === "duration" ? parseUnit("s") : undefined);
}

/** The unit in which the largest of the numbers reads well, and the factor that takes them there. */
export function readableScale(values: readonly Float64Array[], unit: Unit | undefined): { unit: Unit | undefined; factor: number } {
  let largest = 0;
  for (const list of values) for (const value of list) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  if (unit === undefined || largest === 0) return { unit, factor: 1 };
  const readable = scaleFor(largest, unit);
  return { unit: readable, factor: convertFactor(unit, readable) };
}

/** The y axes of a plot, the axis of each result, and the factor that its numbers take to the unit of that axis. */
export interface ValueAxes {
  readonly axes: readonly [Axis] | readonly [Axis, Axis];
  axisOf(result: number): 0 | 1;
  factorOf(result: number): number;
}

/** Results of one dimension share an axis; there is room for two. Fails with `unusable-combination` when there are more. */
export function valueAxes(results: readonly ResultPoints[], plot: Plot): ValueAxes {
  const kinds: ResultPoints[][] = [];
  for (const result of results) {
    const kind = kinds.find(([first]) => sameDimension(unitOf(first?.variable ?? result.variable), unitOf(result.variable)));
    if (kind === undefined) kinds.push([result]);
    else kind.push(result);
  }
  const axes = kinds.map((kind) => axisOfKind(kind, plot));
  const [first, second] = axes;
  if (first === undefined || axes.length > 2) throw tooMany(results);
  const indexOf = (result: number): 0 | 1 => (kinds[0]?.includes(results[result] as ResultPoints) === true ? 0 : 1);
  return {
    axes: second === undefined ? [first] : [first, second],
    axisOf: indexOf,
    factorOf: (result) => convertFactor(unitOf((results[result] as ResultPoints).variable), axes[indexOf(result)]?.unit),
  };
}

function axisOfKind(kind: readonly ResultPoints[], plot: Plot): Axis {
  const own = unitOf((kind[0] as ResultPoints).variable);
  const { unit } = readableScale(
    kind.map((result) => allOf(result, own)),
    own,
  );
  const names = kind.map((result) => (plot.statistic === undefined ? result.name : `${plot.statistic} ${result.name}`));
  const label = names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")}, …`;
  return { label, ...(unit === undefined ? {} : { unit }), scale: plot.logY ? "log" : "linear" };
}

/** The numbers of a result, error bars included, in the unit `to`. */
function allOf(result: ResultPoints, to: Unit | undefined): Float64Array {
  const factor = convertFactor(unitOf(result.variable), to);
  const ends = [result.center, ...(result.low === undefined ? [] : [result.low]), ...(result.high === undefined ? [] : [result.high])];
  return Float64Array.from(
    { length: result.length * ends.length },
    (_, i) => (ends[i % ends.length]?.(Math.floor(i / ends.length)) ?? Number.NaN) * factor,
  );
}

function tooMany(results: readonly ResultPoints[]): Failure {
  const units = results.map((result) => `${result.name} [${formatUnit(unitOf(result.variable)) || "1"}]`);
  return new Failure("unusable-combination", {
    what: results.length === 0 ? "there is no result to draw" : `a picture has two y axes, but these need more: ${units.join(", ")}`,
    instead: "plot fewer results at a time",
  });
}
