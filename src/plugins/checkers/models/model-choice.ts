import type { FormulaModel, Model } from "../../../core/profiles/index.ts";
import { option } from "../../plugin.ts";

/** Models to compare per location: the best of a group, or all with the same name. */
const strategies = {
  "best-model": [["best", "model"]],
  "best-param": [["best", "param"]],
  "best-nonparam": [["best", "nonparam"]],
  "all-param": [["all", "param"]],
  "all-nonparam": [["all", "nonparam"]],
  "all-models": [
    ["all", "param"],
    ["all", "nonparam"],
  ],
  "best-both": [
    ["best", "param"],
    ["best", "nonparam"],
  ],
} as const;

export const modelsTypeOption = option(
  "models-type",
  "string",
  "best-model",
  "models to compare per location: the best, or all with the same name; formulas (param), sampled (nonparam), or both",
  Object.keys(strategies),
);

export interface ModelPair {
  readonly baseline: Model;
  readonly target: Model;
}

/** The pairs of a strategy, sorted by location, then by the name of the baseline's model. */
export function pairsOf(baseline: readonly Model[], target: readonly Model[], strategy: string): ModelPair[] {
  const parts = Object.entries(strategies).find(([name]) => name === strategy)?.[1] ?? strategies["best-model"];
  const pairs = parts.flatMap(([which, group]) => {
    const key =
      which === "best"
        ? (model: Model): string => model.uid
        : (model: Model): string => JSON.stringify([model.uid, model.name]);
    const [before, after] = [baseline, target].map((models) => bestBy(key, models.filter(isIn(group))));
    return [...(before ?? [])].flatMap(([name, model]) => {
      const other = after?.get(name);
      return other === undefined ? [] : [{ baseline: model, target: other }];
    });
  });
  const sortKey = ({ baseline: { uid, name } }: ModelPair): [string, string] => [uid, name];
  return pairs.sort((a, b) => compared(sortKey(a), sortKey(b)));
}

/** The formula with the highest R² of each location. */
export function bestFormulas(models: readonly Model[]): ReadonlyMap<string, FormulaModel> {
  return bestBy(
    (model) => model.uid,
    models.filter((model) => model.kind === "formula"),
  );
}

/** The model with the highest positive R² of each key; the first of equal ones. */
export function bestBy<M extends Model>(key: (model: M) => string, models: readonly M[]): ReadonlyMap<string, M> {
  const best = new Map<string, M>();
  for (const model of models) {
    if (model.rSquared > (best.get(key(model))?.rSquared ?? 0)) best.set(key(model), model);
  }
  return best;
}

function isIn(group: "param" | "nonparam" | "model"): (model: Model) => boolean {
  return ({ kind }) => group === "model" || (kind === "formula") === (group === "param");
}

function compared(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
