// Tails and quantiles of the normal, chi-square, Student's t and beta distributions.
// Used by hypothesis tests, detectors and queries.
// Never approximates below the precision stated in its comments.

export { binomialTail, incompleteBeta } from "./incomplete-beta.ts";
export { chiSquareTail, chiSquareUpper, normalQuantile, normalTail } from "./normal-and-chi-square.ts";
export { studentQuantile, studentTail } from "./student-t.ts";
