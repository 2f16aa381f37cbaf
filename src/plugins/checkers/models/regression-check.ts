import type { Change, ChangeResult } from "../../../core/verdicts/change.ts";
import { modelsOf, type FormulaModel } from "../../../core/profiles/model.ts";
import type { Run } from "../../../core/profiles/run.ts";
import type { Values } from "../../../core/values/value.ts";
import { evaluate, nonzeroSteps } from "../../../math/regression/formulas.ts";
import { sum } from "../../../math/descriptive/summary-statistics.ts";
import type { Checker } from "../checker.ts";
import { directedCheck } from "./direction.ts";
import { bestBy, bestFormulas } from "./model-choice.ts";
import { overlapOf } from "./overlap.ts";

/** How far apart two models are. */
export interface ModelError {
  /** Places, those of the baseline's model for Perun. */
  readonly x: Float64Array;
  /** The best model of the target minus that of the baseline. */
  readonly best: Float64Array;
  /** The same of the straight lines; of the best models where there are none. */
  readonly linear: Float64Array;
  readonly models: readonly [baseline: FormulaModel, target: FormulaModel];
  readonly lines: readonly [baseline: FormulaModel, target: FormulaModel] | null;
  readonly isPerun: boolean;
}

/** Names the way in which the difference grows. */
export type Classify = (error: ModelError) => string;

const places = 1000;
/** Percent: beyond it a change is one for certain. */
const certain = 25;
/** Percent: within it nothing changed. */
const nothing = 5;

/**
 * The best formulas of both sides, compared at 1000 places. Perun evaluates each on its own interval, sees no change
 * where b0 and b1 differ by less than 5 % whatever the formula, and takes the sign from the sum of differences but the
 * size from the mean of ratios. By default both are evaluated where both were fitted, and sign and size come from the
 * sum of differences over the sum of the baseline.
 */
export function regressionCheck(method: string, classify: Classify): Checker["check"] {
  return directedCheck((baseline, target, values) => changesOf(method, classify, baseline, target, values));
}

function changesOf(method: string, classify: Classify, baseline: Run, target: Run, values: Values): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const [before, after] = [modelsOf(baseline), modelsOf(target)];
  const [best, others] = [bestFormulas(before), bestFormulas(after)];
  const [lines, otherLines] = [before, after].map((models) =>
    bestBy(
      (model) => model.uid,
      models.filter((model) => model.kind === "formula").filter((model) => model.name === "linear"),
    ),
  );
  return [...best.keys()].sort().flatMap((uid): Change[] => {
    const [from, to, line, otherLine] = [best.get(uid), others.get(uid), lines?.get(uid), otherLines?.get(uid)];
    if (!from || !to || (isPerun && (!line || !otherLine))) return [];
    const pair = line && otherLine ? ([line, otherLine] as const) : null;
    const change = changeOf(classify, [from, to], pair, isPerun);
    return [{ ...change, location: uid, from: from.name, to: to.name, relativeRate: 0, method }];
  });
}

type Found = Pick<Change, "result" | "type" | "rate" | "confidence">;

function changeOf(
  classify: Classify,
  models: ModelError["models"],
  lines: ModelError["lines"],
  isPerun: boolean,
): Found {
  const [from, to] = models;
  const sure = { type: "r_square", rate: Math.min(from.rSquared, isPerun && lines ? lines[1].rSquared : to.rSquared) };
  const error = errorOf(models, lines, isPerun);
  if (error === null) return { result: "Unknown", type: "", rate: Number.NaN, confidence: sure };
  const rate = isPerun ? meanOfRatios(error) : ratioOfSums(error);
  const result = isUnchanged(error, rate) ? "NoChange" : resultOf(isPerun ? sum(error.best) : rate, rate);
  return { result, type: result === "NoChange" || result === "Unknown" ? "" : classify(error), rate, confidence: sure };
}

function errorOf(models: ModelError["models"], lines: ModelError["lines"], isPerun: boolean): ModelError | null {
  const common = overlapOf(...models);
  if (common === null && !isPerun) return null;
  const at = (model: FormulaModel): Float64Array =>
    nonzeroSteps(
      common === null || isPerun ? model.start : common.start,
      common === null || isPerun ? model.end : common.end,
      places,
    );
  const difference = ([from, to]: ModelError["models"]): Float64Array => {
    const [before, after] = [from, to].map((model) => at(model).map((x) => evaluate(model, x, isPerun)));
    return (after ?? new Float64Array()).map((value, i) => value - (before?.[i] ?? Number.NaN));
  };
  const best = difference(models);
  return { x: at(models[0]), best, linear: lines && isPerun ? difference(lines) : best, models, lines, isPerun };
}

/** In percent. What is no number counts as no difference. */
function meanOfRatios({ x, best, models: [from] }: ModelError): number {
  const ratios = best.map((difference, i) => difference / evaluate(from, x[i]!, true));
  return (sum(ratios.map((ratio) => (Number.isNaN(ratio) ? 0 : ratio))) / places) * 100;
}

/** In percent of what the baseline has. */
function ratioOfSums({ x, best, models: [from] }: ModelError): number {
  const [difference, all] = [sum(best), sum(x.map((each) => Math.abs(evaluate(from, each, false))))];
  return difference === 0 ? 0 : (difference / all) * 100;
}

function isUnchanged({ models: [from, to], isPerun }: ModelError, rate: number): boolean {
  if (!isPerun) return Math.abs(rate) <= nothing;
  return [0, 1].every((at) => {
    const [before, after] = [from.coefficients[at] ?? 0, to.coefficients[at] ?? 0];
    return Math.abs(after - before) <= Math.abs(before) * (nothing / 100);
  });
}

function resultOf(total: number, rate: number): ChangeResult {
  if (Number.isNaN(rate)) return "Unknown";
  if (total > 0) return rate > certain ? "Degradation" : "MaybeDegradation";
  return rate < -certain ? "Optimization" : "MaybeOptimization";
}
