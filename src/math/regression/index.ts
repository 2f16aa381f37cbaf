// Least squares, regression models and their formulas, growth classes, Theil-Sen slopes, R².
// Used by postprocessors, checkers and queries.
// Never selects rows or names locations.

export { evaluate, integrate, nonzeroSteps, steps } from "./formulas.ts";
export { growthClasses, growthOf } from "./growth-class.ts";
export { determination, fitLine, likeness, polynomialDegree } from "./least-squares.ts";
export { type NoModel, type NormalForm, type NormalFormModel, fitNormalForm, mostParameters } from "./normal-form.ts";
export { termText } from "./normal-form-terms.ts";
export { type Fitted, type ModelName, bestOf, fitModel, fitModels, modelNames } from "./regression-models.ts";
export { type Trend, theilSen } from "./theil-sen.ts";
