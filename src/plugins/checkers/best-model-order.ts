import type { Change, ChangeResult } from "../../core/verdicts/change.ts";
import { modelsOf, type Model } from "../../core/profiles/model.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { compatOption, type Checker } from "./checker.ts";
import { directedCheck } from "./models/direction.ts";
import { bestFormulas } from "./models/model-choice.ts";

const method = "best_model_order_equality";
/** R² that both models must have: a formula that explains less says nothing of growth. */
const sure = 0.9;

/** By growth. The growth of a power is that of its exponent; Perun has every power behind the parabola. */
const orders = ["constant", "logarithmic", "linear", "quadratic", "power", "exponential"] as const;

/** Compares how cost grows: O(n) turned O(n²) is a degradation, however small the numbers still are. */
export const bestModelOrder = Object.freeze<Checker>({
  kind: "checker",
  name: "best-model-order",
  aliases: ["best_model_order_equality", "bmoe"],
  synopsis: "whether the best formula grows faster or slower than before",
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
    const distance = confidence >= sure && from.name !== to.name ? order(to) - order(from) : 0;
    return [
      {
        location,
        result: resultOf(isPerun || Math.abs(distance) >= leastStep ? distance : 0),
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
 * Without what explains no more than a simpler formula of the same location does: a parabola is never behind the line
 * that it contains.
 */
function simplified(models: readonly Model[]): readonly Model[] {
  const formulas = models.filter((model) => model.kind === "formula");
  const best = bestFormulas(formulas);
  return formulas.filter(({ uid, name, rSquared }) => {
    const near = formulas.filter(
      (other) => other.uid === uid && other.rSquared >= (best.get(uid)?.rSquared ?? 0) - noBetter,
    );
    return (
      near.every((other) => orders.indexOf(other.name) >= orders.indexOf(name)) &&
      near.some((other) => other.rSquared === rSquared)
    );
  });
}

/** R² that a formula of faster growth must explain beyond a simpler one. */
const noBetter = 0.005;

/** Exponents this near are one growth: x^1.98 is a parabola as good as x². */
const leastStep = 0.25;

/**
 * The place in `orders`; a power where its exponent is: x^0.5 between logarithm and line, x^1 with the line, x^2 with
 * the parabola.
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
  return exponent < 1 ? line * exponent : Math.min(beyond - leastStep, line + exponent - 1);
}

function resultOf(distance: number): ChangeResult {
  return distance === 0 ? "NoChange" : distance > 0 ? "Degradation" : "Optimization";
}
