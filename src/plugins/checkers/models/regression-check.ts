import type { Change, ChangeResult } from "../../../core/verdicts/index.ts";
import { modelsOf, type FormulaModel, type Run } from "../../../core/profiles/index.ts";
import type { Values } from "../../../core/values/index.ts";
import { evaluate, nonzeroSteps } from "../../../math/regression/index.ts";
import { sum } from "../../../math/descriptive/index.ts";
import type { Checker } from "../checker.ts";
import { directedCheck } from "./direction.ts";
import { bestBy, bestFormulas } from "./model-choice.ts";
import { overlapOf } from "./overlap.ts";

/** Differences of two models. */
export interface ModelError {
  /** Positions; for Perun those of the baseline's model. */
  readonly x: Float64Array;
  /** The best model of the target minus that of the baseline. */
  readonly best: Float64Array;
  /** Difference of the linear models, or of the best models if there are none. */
  readonly linear: Float64Array;
  readonly models: readonly [baseline: FormulaModel, target: FormulaModel];
  readonly lines: readonly [baseline: FormulaModel, target: FormulaModel] | null;
  readonly isPerun: boolean;
}

/** Classifies the shape of the difference. */
export type Classify = (error: ModelError) => string;

const sampleCount = 1000;
/** Minimum change in percent that is reported as definite. */
const definiteChange = 25;
/** Maximum change in percent that is reported as none. */
const noChange = 5;

/**
 * Compares the best formulas of both sides at 1000 positions in the interval where both were fitted; sign and size are
 * the sum of differences relative to the sum of the baseline. Perun evaluates each formula on its own interval, reports
 * no change if b0 and b1 differ by less than 5 %, and takes the sign from the sum of differences but the size from the
 * mean of ratios.
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

type ChangeData = Pick<Change, "result" | "type" | "rate" | "confidence">;

function changeOf(
  classify: Classify,
  models: ModelError["models"],
  lines: ModelError["lines"],
  isPerun: boolean,
): ChangeData {
  const [from, to] = models;
  const confidence = {
    type: "r_square",
    rate: Math.min(from.rSquared, isPerun && lines ? lines[1].rSquared : to.rSquared),
  };
  const error = errorOf(models, lines, isPerun);
  if (error === null) return { result: "Unknown", type: "", rate: Number.NaN, confidence };
  const rate = isPerun ? meanOfRatios(error) : ratioOfSums(error);
  const result = isUnchanged(error, rate) ? "NoChange" : resultOf(isPerun ? sum(error.best) : rate, rate);
  return { result, type: result === "NoChange" || result === "Unknown" ? "" : classify(error), rate, confidence };
}

function errorOf(models: ModelError["models"], lines: ModelError["lines"], isPerun: boolean): ModelError | null {
  const common = overlapOf(...models);
  if (common === null && !isPerun) return null;
  const at = (model: FormulaModel): Float64Array =>
    nonzeroSteps(
      common === null || isPerun ? model.start : common.start,
      common === null || isPerun ? model.end : common.end,
      sampleCount,
    );
  const difference = ([from, to]: ModelError["models"]): Float64Array => {
    const [before, after] = [from, to].map((model) => at(model).map((x) => evaluate(model, x, isPerun)));
    return (after ?? new Float64Array()).map((value, i) => value - (before?.[i] ?? Number.NaN));
  };
  const best = difference(models);
  return { x: at(models[0]), best, linear: lines && isPerun ? difference(lines) : best, models, lines, isPerun };
}

/** In percent; NaN counts as 0. */
function meanOfRatios({ x, best, models: [from] }: ModelError): number {
  const ratios = best.map((difference, i) => difference / evaluate(from, x[i]!, true));
  return (sum(ratios.map((ratio) => (Number.isNaN(ratio) ? 0 : ratio))) / sampleCount) * 100;
}

/** In percent of the baseline. */
function ratioOfSums({ x, best, models: [from] }: ModelError): number {
  const [difference, all] = [sum(best), sum(x.map((each) => Math.abs(evaluate(from, each, false))))];
  return difference === 0 ? 0 : (difference / all) * 100;
}

function isUnchanged({ models: [from, to], isPerun }: ModelError, rate: number): boolean {
  if (!isPerun) return Math.abs(rate) <= noChange;
  return [0, 1].every((at) => {
    const [before, after] = [from.coefficients[at] ?? 0, to.coefficients[at] ?? 0];
    return Math.abs(after - before) <= Math.abs(before) * (noChange / 100);
  });
}

function resultOf(total: number, rate: number): ChangeResult {
  if (Number.isNaN(rate)) return "Unknown";
  if (total > 0) return rate > definiteChange ? "Degradation" : "MaybeDegradation";
  return rate < -definiteChange ? "Optimization" : "MaybeOptimization";
}
