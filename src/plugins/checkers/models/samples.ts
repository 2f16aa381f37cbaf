import type { FormulaModel, Model } from "../../../core/model.ts";
import type { Run } from "../../../core/run.ts";
import { evaluate, steps, stepsOffZero } from "../../../math/formulas.ts";
import { overlapOf } from "./overlap.ts";
import type { ModelPair } from "./model-choice.ts";
import { valueAt } from "./model-value.ts";
import { sameBuckets } from "./same-buckets.ts";

/** Two models side by side. */
export interface Samples {
  /** What is integrated over. */
  readonly x: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** What tells where a part lies. */
  readonly places: Float64Array;
}

const places = 1000;

/** The values of both models where both were fitted; null where no such place is, or only one (`isPerun`: where Perun looks). */
export function samplesOf(pair: ModelPair, target: Run, isPerun: boolean): Samples | null {
  if (isPerun) return samplesOfPerun(pair, target);
  const common = overlapOf(pair.baseline, pair.target);
  if (common === null) return null;
  const count = placesOf(pair);
  const [x, at] = [steps(common.start, common.end, count), stepsOffZero(common.start, common.end, count)];
  const [before, after] = [pair.baseline, pair.target].map((model) => at.map((each) => valueAt(model, each)));
  return { x, before: before ?? x, after: after ?? x, places: x };
}

/** Of sampled models no more than they have. */
function placesOf({ baseline, target }: ModelPair): number {
  const counts = [baseline, target].map((model) => (model.kind === "sampled" ? model.values.length : places));
  return Math.max(2, Math.min(...counts));
}

/** Perun confuses x and y of formulas: it takes the statistics of x, and integrates it over the baseline's y, which names the parts too. */
function samplesOfPerun({ baseline, target: other }: ModelPair, target: Run): Samples {
  if (baseline.kind === "sampled" && other.kind === "sampled") {
    const [before, after] = sameBuckets(baseline, other, target);
    const x = steps(baseline.start, baseline.end, before.length);
    return { x, before, after, places: x };
  }
  const [x, before, after] = [ordinatesOf(baseline), abscissaeOf(baseline), abscissaeOf(other)];
  const count = Math.min(before.length, after.length);
  const own = x.subarray(0, count);
  return { x: own, before: before.subarray(0, count), after: after.subarray(0, count), places: own };
}

function abscissaeOf(model: Model): Float64Array {
  return model.kind === "formula" ? formulaPlaces(model) : model.values;
}

function ordinatesOf(model: Model): Float64Array {
  if (model.kind === "sampled") return steps(model.start, model.end, model.values.length);
  return formulaPlaces(model).map((x) => evaluate(model, x, true));
}

function formulaPlaces({ start, end }: FormulaModel): Float64Array {
  return stepsOffZero(start, end, places);
}
