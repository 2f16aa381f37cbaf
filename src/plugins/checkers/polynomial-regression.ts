import { polynomialDegree } from "../../math/regression/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { regressionCheck, type ModelError } from "./models/regression-check.ts";

const method = "polynomial_regression";
const names = ["constant", "linear", "quadratic"] as const;

/** Perun's maximum residue, in any unit. */
const perunResidue = 1e8;
/** Maximum residue as a fraction of the squared difference. */
const residue = 0.01;

/** Reports the difference of the best formulas, and the degree of the polynomial that describes it. */
export const polynomialRegression = Object.freeze<Checker>({
  kind: "checker",
  name: "polynomial-regression",
  aliases: ["preg"],
  synopsis: "difference of fitted formulas, and the degree of the polynomial that describes it",
  options: [compatOption],
  method,
  types: [...names, "quadratic ", "unknown"],
  check: regressionCheck(method, classify),
});

/**
 * Perun uses the linear models, whose difference is linear, so that it never reports a parabola; it writes that with a
 * trailing space.
 */
function classify({ x, linear, isPerun }: ModelError): string {
  const allowed = isPerun ? perunResidue : residue * linear.reduce((total, each) => total + each * each, 0);
  const degree = polynomialDegree(x, linear, 3, allowed);
  return isPerun && degree === 2 ? "quadratic " : (names[degree] ?? "unknown");
}
