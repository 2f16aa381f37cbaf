import { resultOfShare, type Change } from "../../core/verdicts/change.ts";
import { modelsOf, type Model } from "../../core/profiles/model.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { integrate, steps } from "../../math/regression/formulas.ts";
import { roundToEven } from "../../math/numerics/rounding.ts";
import { simpson } from "../../math/numerics/simpson.ts";
import { compatOption, type Checker } from "./checker.ts";
import { directedCheck } from "./models/direction.ts";
import { overlapOf, type Interval } from "./models/overlap.ts";
import { modelsTypeOption, pairsOf, type ModelPair } from "./models/model-choice.ts";
import { valueAt } from "./models/model-value.ts";
import { leastSure, sameBuckets, sureness } from "./models/same-buckets.ts";

const method = "integral_comparison";
/** What Perun takes for an integral of zero, so that there is a share. */
const almostZero = 1e-6;

/** Compares the area under two models: all of the cost over the sizes that were measured. */
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
    const sure = sureness(pair, roundToEven);
    if (!(sure >= leastSure)) return [];
    const share = shareOf(...areasOf(pair, target, isPerun), isPerun);
    return [
      {
        location: pair.baseline.uid,
        result: resultOfShare(share),
        type: "-",
        from: pair.baseline.name,
        to: pair.target.name,
        rate: isPerun ? roundToEven(share, 2) : share,
        relativeRate: 0,
        confidence: { type: "r_square", rate: sure },
        method,
      },
    ];
  });
}

/**
 * Of both sides. Perun integrates each formula over its own interval and the values of both sampled models over that of
 * the baseline; by default both are integrated where both were fitted. NaN where no such place is.
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

const places = 1001;

function areaOf(model: Model, { start, end }: Interval, isPerun: boolean): number {
  if (model.kind === "formula") {
    if (start < end) return integrate(model, start, end, isPerun);
    return isPerun ? 0 : valueAt(model, start);
  }
  if (isPerun) return simpson(model.values, steps(start, end, model.values.length));
  if (start === end) return valueAt(model, start);
  const x = steps(start, end, places);
  return simpson(
    x.map((each) => valueAt(model, each)),
    x,
  );
}

/**
 * The change as a share of the baseline. From nothing to nothing nothing changed; Perun divides by a small number where
 * the baseline is nothing.
 */
function shareOf(before: number, after: number, isPerun: boolean): number {
  if (!isPerun) return before === after ? 0 : (after - before) / Math.abs(before);
  const share = (after - before) / (before === 0 ? almostZero : before);
  return Number.isFinite(share) ? share : 0;
}
