import { modelNames } from "../../math/regression/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { bestShape } from "./models/fitted-shape.ts";
import { regressionCheck, type ModelError } from "./models/regression-check.ts";

const method = "fast_check";

/** Reports the difference of the best formulas, and the formula that describes it. */
export const fastCheck = Object.freeze<Checker>({
  kind: "checker",
  name: "fast-check",
  aliases: ["fast"],
  synopsis: "difference of fitted formulas, and the formula that describes it",
  options: [compatOption],
  method,
  types: [...modelNames, ...modelNames.map((name) => name.toUpperCase())],
  check: regressionCheck(method, classify),
});

/** Perun writes the name in upper case. */
function classify({ x, best, isPerun }: ModelError): string {
  const name = bestShape(x, best, isPerun) ?? "constant";
  return isPerun ? name.toUpperCase() : name;
}
