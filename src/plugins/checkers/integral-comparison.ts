import type { Change } from "../../core/verdicts/index.ts";
import { modelsOf, type Model, type Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import { integrate, steps } from "../../math/regression/index.ts";
import { roundToEven, simpson } from "../../math/numerics/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { directedCheck } from "./models/direction.ts";
import { overlapOf, type Interval } from "./models/overlap.ts";
import { modelsTypeOption, pairsOf, type ModelPair } from "./models/model-choice.ts";
import { valueAt } from "./models/model-value.ts";
import { shareChange } from "./models/share-change.ts";
import { minRSquared, sameBuckets, commonRSquared } from "./models/same-buckets.ts";

const method = "integral_comparison";
/** Perun's substitute for an integral of zero, which makes the ratio finite. */
const almostZero = 1e-6;

/** Compares the area under two models: the total cost over the measured sizes. */
export const integralComparison = Object.freeze<Checker>({
  kind: "checker",
  name: "integral-comparison",
  aliases: ["int"],
  synopsis: "difference of the areas under models",
  options: [modelsTypeOption, compatOption],
  method,
  types: ["-"],
  check: directedCheck(changesOf),
});

function changesOf(baseline: Run, target: Run, values: Values): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const pairs = pairsOf(modelsOf(baseline), modelsOf(target), String(values.get("models-type") ?? ""));
  return pairs.flatMap((pair) => {
    const rSquared = commonRSquared(pair, roundToEven);
    if (!(rSquared >= minRSquared)) return [];
    const share = shareOf(...areasOf(pair, target, isPerun), isPerun);
    return [shareChange(pair, share, { method, rSquared, isPerun })];
  });
}

/**
 * The areas of both sides over the interval in which both were fitted; NaN if there is none. Perun integrates each
 * formula over its own interval, and sampled models over that of the baseline.
 */
function areasOf(pair: ModelPair, target: Run, isPerun: boolean): readonly [number, number] {
  const { baseline, target: other } = pair;
  const common = isPerun ? null : overlapOf(baseline, other);
  if (!isPerun && common === null) return [Number.NaN, Number.NaN];
  if (baseline.kind === "sampled" && other.kind === "sampled" && isPerun) {
    const [before, after] = sameBuckets(baseline, other, target);
    const x = steps(baseline.start, baseline.end, before.length);
    return [simpson(before, x), simpson(after, x)];
  }
  return [areaOf(baseline, common ?? baseline, isPerun), areaOf(other, common ?? other, isPerun)];
}

const sampleCount = 1001;

function areaOf(model: Model, { start, end }: Interval, isPerun: boolean): number {
  if (model.kind === "formula") {
    if (start < end) return integrate(model, start, end, isPerun);
    return isPerun ? 0 : valueAt(model, start);
  }
  if (isPerun) return simpson(model.values, steps(start, end, model.values.length));
  if (start === end) return valueAt(model, start);
  const x = steps(start, end, sampleCount);
  return simpson(
    x.map((each) => valueAt(model, each)),
    x,
  );
}

/**
 * The change relative to the baseline; 0 if both are 0. Perun divides by a small number if the baseline is 0.
 */
function shareOf(before: number, after: number, isPerun: boolean): number {
  if (!isPerun) return before === after ? 0 : (after - before) / Math.abs(before);
  const share = (after - before) / (before === 0 ? almostZero : before);
  return Number.isFinite(share) ? share : 0;
}
