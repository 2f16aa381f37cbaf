/*
 * Two expansions of Abramowitz & Stegun: near zero 7.1.6, a series without cancellation, elsewhere the continued
 * fraction 7.1.14, since 1 - erf(x) would cancel.
 */
const border = 1;
const fractionSteps = 400;

/** The complementary error function, with a relative error below 1e-13 for normal numbers. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < -border) return 2 - erfc(-x);
  return x < border ? 1 - erfBySeries(x) : erfcByFraction(x);
}

function erfBySeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * Number.EPSILON * 0.1; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function erfcByFraction(x: number): number {
  if (x === Infinity) return 0;
  let tail = x;
  for (let n = fractionSteps; n >= 1; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}

/**
 * Functions of terms with their numbers of arguments. `log` is the natural logarithm, `pow(x, y)` x to the power of y;
 * `fmod` has the sign of its first argument.
 */
export const expressionFunctions = {
  abs: 1,
  fabs: 1,
  ceil: 1,
  floor: 1,
  exp: 1,
  log: 1,
  log10: 1,
  sqrt: 1,
  erfc: 1,
  sin: 1,
  cos: 1,
  tan: 1,
  asin: 1,
  acos: 1,
  atan: 1,
  sinh: 1,
  cosh: 1,
  tanh: 1,
  asinh: 1,
  acosh: 1,
  atanh: 1,
  atan2: 2,
  fmod: 2,
  hypot: 2,
  ldexp: 2,
  pow: 2,
  max: 2,
  min: 2,
} as const;

export type ExpressionFunction = keyof typeof expressionFunctions;

/**
 * Arithmetic over variables, as a tree with at most `mostNodes` nodes and the depth `deepestNode`. Sums and products
 * have two or more operands.
 */
export type Expression =
  | {
      readonly kind: "constant";
      readonly value: number;
      /** Of `e` and `pi`. */ readonly name?: "e" | "pi";
    }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "negative"; readonly of: Expression }
  | { readonly kind: "sum" | "product"; readonly of: readonly Expression[] }
  | {
      readonly kind: "difference" | "fraction" | "modulo" | "power";
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "function"; readonly name: ExpressionFunction; readonly of: readonly Expression[] };

export const mostNodes = 1000;
export const deepestNode = 30;

/** Why a function cannot have `count` arguments; max and min take two or more. */
export function argumentProblem(name: ExpressionFunction, count: number): string | undefined {
  const wanted = expressionFunctions[name];
  const more = name === "max" || name === "min";
  if (count === wanted || (more && count > wanted)) return undefined;
  return `${name} takes ${wanted}${more ? " or more" : ""} argument${wanted === 1 ? "" : "s"}, not ${count}`;
}

/** The function of that name, if there is one. */
export function functionNamed(name: string): ExpressionFunction | undefined {
  return Object.hasOwn(expressionFunctions, name) ? (name as ExpressionFunction) : undefined;
}

function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "variable":
      return [];
    case "negative":
      return [expression.of];
    case "sum":
    case "product":
    case "function":
      return expression.of;
    default:
      return [expression.left, expression.right];
  }
}

export function depthOf(expression: Expression): number {
  return 1 + Math.max(0, ...operandsOf(expression).map(depthOf));
}

/** The distinct names in the expression, as first written; compared case-insensitively. */
export function variablesIn(expression: Expression): string[] {
  const found = new Map<string, string>();
  const visit = (each: Expression): void => {
    const name = each.kind === "variable" ? each.name : undefined;
    if (name !== undefined && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
    operandsOf(each).forEach(visit);
  };
  visit(expression);
  return [...found.values()];
}

/**
 * Evaluates the expression in floating point (7/2 is 3.5); `lookup` returns the values of variables. null if a value is
 * missing or the result is not a finite number: division by zero, logarithm of a negative number, overflow.
 */
export function evaluate(expression: Expression, lookup: (name: string) => number | null): number | null {
  if (expression.kind === "constant") return expression.value;
  if (expression.kind === "variable") return lookup(expression.name);
  const operands: number[] = [];
  for (const each of operandsOf(expression)) {
    const value = evaluate(each, lookup);
    if (value === null) return null;
    operands.push(value);
  }
  const result = apply(expression, operands);
  return Number.isFinite(result) ? result + 0 : null;
}

function apply(
  expression: Exclude<Expression, { kind: "constant" | "variable" }>,
  operands: readonly number[],
): number {
  const [first = Number.NaN, second = Number.NaN] = operands;
  switch (expression.kind) {
    case "negative":
      return -first;
    case "sum":
      return operands.reduce((sum, each) => sum + each);
    case "product":
      return operands.reduce((product, each) => product * each);
    case "difference":
      return first - second;
    case "fraction":
      return first / second;
    case "modulo":
      return first % second;
    case "power":
      return first ** second;
    default:
      return call(expression.name, first, second, operands);
  }
}

function call(name: ExpressionFunction, first: number, second: number, all: readonly number[]): number {
  switch (name) {
    case "fabs":
      return Math.abs(first);
    case "erfc":
      return erfc(first);
    case "atan2":
      return Math.atan2(first, second);
    case "hypot":
      return Math.hypot(first, second);
    case "pow":
      return first ** second;
    case "fmod":
      return first % second;
    case "ldexp":
      return scaledByTwo(first, Math.trunc(second));
    case "max":
      return Math.max(...all);
    case "min":
      return Math.min(...all);
    default:
      return Math[name](first);
  }
}

/** In two steps: 2 to the power of 1100 overflows, 1e-300 times it does not. */
function scaledByTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
