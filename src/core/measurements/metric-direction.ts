import { sameDimension, type Unit } from "../values/index.ts";
import { defaultDirection } from "./default-direction.ts";
import { directionOfMetric, namesCost } from "./direction-of-name.ts";
import type { Direction, Subject } from "./series.ts";

/** The direction of a metric, as subjects state it. */
export type MetricDirection = Pick<Subject, "better" | "isDirectionAssumed">;

/** The direction of a metric: `declared`, else by its unit, else by its name, else lower by assumption. */
export function metricDirection(metric: string, unit: Unit | undefined, declared?: Direction): MetricDirection {
  const known = declared ?? directionOfMetric(metric, unit);
  if (known !== undefined) return { better: known };
  const better = defaultDirection(unit);
  return sameDimension(unit, undefined) && !namesCost(metric) ? { better, isDirectionAssumed: true } : { better };
}
