/** Functions that terms may use. `log` is the natural logarithm, `pow(x, y)` x to the power of y, `fmod` has the sign of its first argument. */
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
  asinh: 1,
  acosh: 1,
  atanh: 1,
  sinh: 1,
  cosh: 1,
  tanh: 1,
  atan2: 2,
  fmod: 2,
  hypot: 2,
  ldexp: 2,
  pow: 2,
  max: 2,
  min: 2,
} as const;

export type ExpressionFunction = keyof typeof expressionFunctions;

/** Arithmetic over named contents, as a tree. Never more than `mostNodes` nodes. */
export type Expression =
  | { readonly kind: "constant"; readonly value: number; /** `e` and `pi` are remembered by name. */ readonly name?: "e" | "pi" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "negative"; readonly of: Expression }
  | { readonly kind: "sum" | "product"; readonly of: readonly Expression[] }
  | { readonly kind: "difference" | "fraction" | "modulo" | "power"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "function"; readonly name: ExpressionFunction; readonly of: readonly Expression[] };

export const mostNodes = 1000;
