import type { Change, ChangeResult } from "../../core/verdicts/index.ts";
import { modelsOf, type Model, type Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { directedCheck } from "./models/direction.ts";
import { bestFormulas } from "./models/model-choice.ts";

const method = "best_model_order_equality";
/** Minimum R² of both models. */
const minRSquared = 0.9;

/** By growth. Powers are ordered by exponent (`growth`); Perun orders all powers after the parabola. */
const orders = ["constant", "logarithmic", "linear", "quadratic", "power", "exponential"] as const;

/** Compares the growth of cost: from O(n) to O(n²) is a degradation even if the amounts are still small. */
export const bestModelOrder = Object.freeze<Checker>({
  kind: "checker",
  name: "best-model-order",
  aliases: ["best_model_order_equality", "bmoe"],
  synopsis: "growth of the best formula, compared with the baseline",
  options: [compatOption],
  method,
  types: ["model"],
  check: directedCheck(changesOf),
});

function changesOf(baseline: Run, target: Run, values: Values): readonly Change[] {
  const isPerun = values.get("compat") === "perun";
  const [before, after] = [baseline, target].map((run) =>
    bestFormulas(isPerun ? modelsOf(run) : simplified(modelsOf(run))),
  );
  if (!before) return [];
  return [...before.keys()].sort().flatMap((location) => {
    const [from, to] = [before.get(location), after?.get(location)];
    if (!from || !to) return [];
    const confidence = Math.min(from.rSquared, to.rSquared);
    const order = isPerun ? (model: typeof from): number => orders.indexOf(model.name) : growth;
    const distance = confidence >= minRSquared && from.name !== to.name ? order(to) - order(from) : 0;
    return [
      {
        location,
        result: resultOf(isPerun || Math.abs(distance) >= minStep ? distance : 0),
        type: "model",
        from: from.name,
        to: to.name,
        rate: distance,
        relativeRate: 0,
        confidence: { type: "r_square", rate: confidence },
        method,
      },
    ];
  });
}

/**
 * Drops formulas that are not better than a simpler one of the same location: a parabola always fits at least as well
 * as a line.
 */
function simplified(models: readonly Model[]): readonly Model[] {
  const formulas = models.filter((model) => model.kind === "formula");
  const best = bestFormulas(formulas);
  return formulas.filter(({ uid, name, rSquared }) => {
    const similar = formulas.filter(
      (other) => other.uid === uid && other.rSquared >= (best.get(uid)?.rSquared ?? 0) - minGain,
    );
    return (
      similar.every((other) => orders.indexOf(other.name) >= orders.indexOf(name)) &&
      similar.some((other) => other.rSquared === rSquared)
    );
  });
}

/** Minimum gain of R² for a formula of faster growth. */
const minGain = 0.005;

/** Minimum difference of exponents: x^1.98 counts as x². */
const minStep = 0.25;

/**
 * Rank in `orders`; powers are interpolated by exponent: x^0.5 between logarithmic and linear, x^1 linear, x^2
 * quadratic.
 */
function growth({
  name,
  coefficients: [, exponent = 0],
}: {
  name: (typeof orders)[number];
  coefficients: readonly number[];
}): number {
  if (name !== "power") return orders.indexOf(name);
  const [line, beyond] = [orders.indexOf("linear"), orders.indexOf("exponential")];
  if (exponent <= 0) return 0;
  return exponent < 1 ? line * exponent : Math.min(beyond - minStep, line + exponent - 1);
}

function resultOf(distance: number): ChangeResult {
  return distance === 0 ? "NoChange" : distance > 0 ? "Degradation" : "Optimization";
}
