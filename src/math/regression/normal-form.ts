import { median } from "../descriptive/index.ts";
import { studentQuantile } from "../distributions/index.ts";
import { fitLinearModel, type LinearFit } from "./least-squares.ts";
import {
  combinations,
  complexity,
  extensions,
  factorsOf,
  termValues,
  type Factor,
  type Term,
} from "./normal-form-terms.ts";

/** Distinct values of each parameter that a model needs, as in Extra-P. */
const fewestValues = 5;

/** Parameters of a model; the combinations of more take too long. */
export const mostParameters = 4;

/** A hypothesis fitted to the points: f(x) = c0 + Σ ck · term k. */
export interface NormalForm {
  readonly terms: readonly Term[];
  /** c0, c1, …, with their 95 % confidence intervals. */
  readonly coefficients: readonly Interval[];
  /** Mean symmetric relative error in percent of each point, predicted by a fit to all others. */
  readonly smape: number;
  /** Sum of squared residuals, and the share of the variance that is explained; NaN for constant values. */
  readonly rss: number;
  readonly rSquared: number;
}

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The value of the model at a point, with 95 % intervals. */
export interface Prediction extends Interval {
  /** Of a single measurement; `low` and `high` are of the model itself. */
  readonly lowest: number;
  readonly highest: number;
  /** True outside of the measured values of any parameter. */
  readonly isExtrapolated: boolean;
}

export interface NormalFormModel extends NormalForm {
  /** Number of points: combinations of values of the parameters. */
  readonly points: number;
  /** Other hypotheses that the points do not distinguish from this one, the best first. */
  readonly alternatives: readonly NormalForm[];
  /** The intervals cover those of the alternatives. */
  predict(at: readonly number[]): Prediction;
}

/** Why there is no model. */
export type NoModel =
  | { readonly reason: "too-few-values"; readonly parameter: number; readonly values: number; readonly needed: number }
  | { readonly reason: "not-positive"; readonly parameter: number }
  | { readonly reason: "no-series"; readonly parameter: number; readonly needed: number }
  | { readonly reason: "no-fit" };

/** Points with different coordinates, the median of the values at each, and their weights. */
interface Data {
  readonly x: readonly Float64Array[];
  readonly y: Float64Array;
  /** 1 / y, so that deviations count relative to the value; the same for all if a value is not positive. */
  readonly weights: Float64Array;
  readonly isRelative: boolean;
}

interface Hypothesis {
  readonly terms: readonly Term[];
  readonly fit: LinearFit;
  /** Mean of the squared weighted errors of cross-validation. */
  readonly error: number;
}

/**
 * Fits the performance model normal form f(x) = c0 + Σ ck Π xl^ikl log2(xl)^jkl (Calotoiu et al., "Using automated
 * performance modeling to find scalability bugs in complex codes", SC 2013) to values `y` over parameters `x`, an array
 * each. As in "Fast multi-parameter performance modeling" (CLUSTER 2016), the best hypotheses of each single parameter
 * are searched on the points that differ only in it, then combined by sums and products. Hypotheses are compared by
 * leave-one-out cross-validation; a longer one has to be better by more than its length.
 */
export function fitNormalForm(x: readonly Float64Array[], y: Float64Array): NormalFormModel | NoModel {
  const problem = problemOf(x);
  if (problem !== undefined) return problem;
  const data = distinctPoints(x, y);
  const candidates: (readonly Factor[])[] = [];
  for (const parameter of x.keys()) {
    const series = seriesOf(data, parameter);
    if (series.length === 0) return { reason: "no-series", parameter, needed: fewestValues };
    candidates.push(bestFactors(series, parameter, x.length));
  }
  const ranked = rank([[], ...combinations(candidates)], data);
  if (ranked.length === 0) return { reason: "no-fit" };
  const bestOfLength = [1, 2].flatMap((length) => ranked.find(({ terms }) => terms.length === length) ?? []);
  const extended = x.length === 1 ? [] : bestOfLength.flatMap(({ terms }) => extensions(terms, x.length));
  return modelOf(ranked.concat(rank(extended, data)).toSorted(byScore(data)), data);
}

function rank(hypotheses: readonly (readonly Term[])[], data: Data): Hypothesis[] {
  return hypotheses.flatMap((terms) => hypothesis(terms, data) ?? []).toSorted(byScore(data));
}

function byScore(data: Data): (a: Hypothesis, b: Hypothesis) => number {
  return (a, b) => score(a, data) - score(b, data);
}

function problemOf(x: readonly Float64Array[]): NoModel | undefined {
  for (const [parameter, values] of x.entries()) {
    if (values.some((value) => !(value > 0))) return { reason: "not-positive", parameter };
    const count = new Set(values).size;
    if (count < fewestValues) return { reason: "too-few-values", parameter, values: count, needed: fewestValues };
  }
  return undefined;
}

function distinctPoints(x: readonly Float64Array[], y: Float64Array): Data {
  const found = new Map<string, { at: number[]; values: number[] }>();
  for (const [row, value] of y.entries()) {
    const at = x.map((column) => column[row]!);
    const point = found.get(at.join()) ?? { at, values: [] };
    found.set(at.join(), point);
    point.values.push(value);
  }
  const points = [...found.values()];
  const values = Float64Array.from(points, (point) => median(Float64Array.from(point.values)));
  return weighted(
    x.map((_, parameter) => Float64Array.from(points, ({ at }) => at[parameter]!)),
    values,
  );
}

function weighted(x: readonly Float64Array[], y: Float64Array): Data {
  const isRelative = y.every((value) => value > 0);
  const scale = y.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return { x, y, weights: y.map((value) => 1 / (isRelative ? value : scale)), isRelative };
}

/** The points that differ only in one parameter, for each combination of the others with enough values. */
function seriesOf({ x, y }: Data, parameter: number): Data[] {
  const groups = new Map<string, number[]>();
  for (const row of y.keys()) {
    const others = x.flatMap((column, at) => (at === parameter ? [] : [column[row]!])).join();
    groups.set(others, [...(groups.get(others) ?? []), row]);
  }
  return [...groups.values()]
    .filter((rows) => rows.length >= fewestValues)
    .map((rows) =>
      weighted(
        x.map((column) => Float64Array.from(rows, (row) => column[row]!)),
        Float64Array.from(rows, (row) => y[row]!),
      ),
    );
}

/** The factors that describe the series best, each with its own coefficients. */
function bestFactors(series: readonly Data[], parameter: number, parameters: number): Factor[] {
  const kept = parameters === 1 ? Infinity : parameters === 2 ? 6 : parameters === 3 ? 3 : 2;
  const length = series.reduce((sum, { y }) => sum + y.length, 0);
  const scored = factorsOf(parameter, isFalling(series, parameter)).map((factor) => {
    const error = series.reduce((sum, data) => {
      const found = hypothesis([[factor]], data);
      return sum + (found === null ? Infinity : found.error * data.y.length);
    }, 0);
    return { factor, score: length * Math.log(Math.max(error / length, leastError)) + complexity([factor]) };
  });
  return scored
    .filter((each) => each.score < Infinity)
    .toSorted((a, b) => a.score - b.score)
    .slice(0, kept)
    .map(({ factor }) => factor);
}

/** True if most series end lower than they begin. */
function isFalling(series: readonly Data[], parameter: number): boolean {
  const falling = series.filter(({ x, y }) => {
    const own = x[parameter]!;
    const [first, last] = [own.indexOf(Math.min(...own)), own.indexOf(Math.max(...own))];
    return y[last]! < y[first]!;
  });
  return falling.length * 2 > series.length;
}

/** Squared relative errors below this are rounding errors. */
const leastError = 1e-20;

function hypothesis(terms: readonly Term[], { x, y, weights }: Data): Hypothesis | null {
  if (y.length < terms.length + 3) return null;
  const one = new Float64Array(y.length).fill(1);
  const fit = fitLinearModel([one, ...terms.map((term) => termValues(term, x, y.length))], y, weights);
  if (fit === null) return null;
  const error = fit.residuals.reduce((sum, value, i) => sum + (value / (1 - fit.leverages[i]!)) ** 2, 0) / y.length;
  return Number.isFinite(error) ? { terms, fit, error } : null;
}

/**
 * Twice the length in nats of the description of terms: the choice among all hypotheses, of which there are more with
 * each term. Whole exponents are simpler than fractions.
 */
function lengthOf(terms: readonly Term[]): number {
  return terms.reduce((sum, term, at) => sum + (at === 0 ? 8 : 14) + 2 * complexity(term), 0);
}

/** Lower is better: the error of cross-validation and the length of the hypothesis. */
function score({ terms, error }: Hypothesis, { y }: Data): number {
  return y.length * Math.log(Math.max(error, leastError)) + lengthOf(terms);
}

/** Hypotheses with scores up to this much above the best one are as good. */
const asGood = 4;

const mostAlternatives = 5;

function modelOf(ranked: readonly Hypothesis[], data: Data): NormalFormModel {
  const [best, ...others] = ranked as readonly [Hypothesis, ...Hypothesis[]];
  const limit = score(best, data) + asGood;
  const equal = others.filter((other) => score(other, data) <= limit).slice(0, mostAlternatives);
  return {
    ...normalForm(best, data),
    points: data.y.length,
    alternatives: equal.map((other) => normalForm(other, data)),
    predict: (at) => prediction(at, [best, ...equal], data),
  };
}

function freedomOf({ terms }: Hypothesis, { y }: Data): number {
  return y.length - terms.length - 1;
}

function normalForm(found: Hypothesis, data: Data): NormalForm {
  const { terms, fit } = found;
  const { y, weights } = data;
  const freedom = freedomOf(found, data);
  const deviation = Math.sqrt(fit.squares / freedom);
  const quantile = studentQuantile(0.975, freedom);
  const coefficients = fit.coefficients.map((value, at) => {
    const half = quantile * deviation * Math.sqrt(fit.inverse[at]![at]!);
    return { value, low: value - half, high: value + half };
  });
  const centre = y.reduce((sum, value) => sum + value / y.length, 0);
  const total = y.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const rss = y.reduce((sum, _, i) => sum + (fit.residuals[i]! / weights[i]!) ** 2, 0);
  return { terms, coefficients, smape: smapeOf(fit, data), rss, rSquared: total > 0 ? 1 - rss / total : Number.NaN };
}

function smapeOf({ residuals, leverages }: LinearFit, { y, weights }: Data): number {
  const errors = y.map((value, i) => {
    const error = residuals[i]! / (1 - leverages[i]!) / weights[i]!;
    const size = Math.abs(value) + Math.abs(value - error);
    return size === 0 ? 0 : (200 * Math.abs(error)) / size;
  });
  return errors.reduce((sum, error) => sum + error / y.length, 0);
}

function prediction(at: readonly number[], hypotheses: readonly Hypothesis[], data: Data): Prediction {
  const all = hypotheses.map((found) => intervalsAt(at, found, data));
  const isExtrapolated = data.x.some((values, parameter) => {
    const value = at[parameter]!;
    return value < values.reduce((a, b) => Math.min(a, b)) || value > values.reduce((a, b) => Math.max(a, b));
  });
  return {
    value: all[0]!.value,
    low: Math.min(...all.map(({ low }) => low)),
    high: Math.max(...all.map(({ high }) => high)),
    lowest: Math.min(...all.map(({ lowest }) => lowest)),
    highest: Math.max(...all.map(({ highest }) => highest)),
    isExtrapolated,
  };
}

function intervalsAt(at: readonly number[], found: Hypothesis, data: Data): Omit<Prediction, "isExtrapolated"> {
  const { terms, fit } = found;
  const freedom = freedomOf(found, data);
  const point = at.map((value) => Float64Array.of(value));
  const row = [1, ...terms.map((term) => termValues(term, point, 1)[0]!)];
  const value = row.reduce((sum, each, k) => sum + each * fit.coefficients[k]!, 0);
  const variance = fit.squares / freedom;
  const share = row.reduce(
    (sum, each, k) => sum + each * row.reduce((inner, other, l) => inner + other * fit.inverse[k]![l]!, 0),
    0,
  );
  const quantile = studentQuantile(0.975, freedom);
  const half = quantile * Math.sqrt(variance * Math.max(0, share));
  const most =
    quantile * Math.sqrt(variance * (Math.max(0, share) + (data.isRelative ? value ** 2 : 1 / data.weights[0]! ** 2)));
  return { value, low: value - half, high: value + half, lowest: value - most, highest: value + most };
}
