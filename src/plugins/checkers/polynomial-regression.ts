import { polynomialDegree } from "../../math/regression/least-squares.ts";
import { compatOption, type Checker } from "./checker.ts";
import { regressionCheck, type ModelError } from "./models/regression-check.ts";

const method = "polynomial_regression";
const names = ["constant", "linear", "quadratic"] as const;

/** Perun goes on until less than this remains, whatever the unit. */
const perunResidue = 1e8;
/** The share of the squared difference that a polynomial may leave. */
const residue = 0.01;

/** Says by how much the best formulas differ, and by a polynomial of what degree. */
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
 * Perun looks at the straight lines, whose difference is one as well: it can find no parabola, which it spells with a
 * blank behind.
 */
function classify({ x, linear, isPerun }: ModelError): string {
  const allowed = isPerun ? perunResidue : residue * linear.reduce((total, each) => total + each * each, 0);
  const degree = polynomialDegree(x, linear, 3, allowed);
  return isPerun && degree === 2 ? "quadratic " : (names[degree] ?? "unknown");
}
