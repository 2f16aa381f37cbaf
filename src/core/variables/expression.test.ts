import { describe, expect, test } from "vitest";
import {
  erfc,
  argumentProblem,
  depthOf,
  evaluate,
  expressionFunctions,
  functionNamed,
  variablesIn,
  type Expression,
} from "./expression.ts";

const a: Expression = { kind: "variable", name: "a" };
const b: Expression = { kind: "variable", name: "B" };

function constant(value: number): Expression {
  return { kind: "constant", value };
}

function lookup(values: Readonly<Record<string, number | null>>): (name: string) => number | null {
  return (name) => values[name] ?? null;
}

function of(name: string, ...values: readonly number[]): number | null {
  const found = functionNamed(name);
  if (!found) throw new Error(name);
  return evaluate({ kind: "function", name: found, of: values.map(constant) }, () => null);
}

describe("evaluate", () => {
  const values = lookup({ a: 7, B: 2 });

  test.each<[Expression, number]>([
    [{ kind: "fraction", left: a, right: b }, 3.5],
    [{ kind: "difference", left: a, right: b }, 5],
    [{ kind: "modulo", left: { kind: "negative", of: a }, right: b }, -1],
    [{ kind: "power", left: a, right: b }, 49],
    [{ kind: "sum", of: [a, b, constant(1)] }, 10],
    [{ kind: "product", of: [a, b, constant(10)] }, 140],
  ])("computes with floats: %j", (expression, value) => {
    expect(evaluate(expression, values)).toBe(value);
  });

  test("returns null for missing values and undefined results", () => {
    const nothing = lookup({ a: 7, B: 0, huge: 1e308 });
    expect(evaluate({ kind: "sum", of: [a, { kind: "variable", name: "c" }] }, nothing)).toBeNull();
    expect(evaluate({ kind: "fraction", left: a, right: b }, nothing)).toBeNull();
    expect(evaluate({ kind: "modulo", left: a, right: b }, nothing)).toBeNull();
    expect(evaluate({ kind: "product", of: [{ kind: "variable", name: "huge" }, constant(10)] }, nothing)).toBeNull();
    expect(of("log", -1)).toBeNull();
    expect(of("sqrt", -1)).toBeNull();
  });

  test.each<[string, readonly number[], number]>([
    ["abs", [-2.5], 2.5],
    ["fabs", [-2.5], 2.5],
    ["ceil", [-2.5], -2],
    ["floor", [-2.5], -3],
    ["exp", [1], Math.E],
    ["log", [Math.E], 1],
    ["log10", [1000], 3],
    ["sqrt", [2], Math.SQRT2],
    ["sin", [Math.PI / 6], 0.5],
    ["cos", [Math.PI / 3], 0.5],
    ["tan", [Math.PI / 4], 1],
    ["asin", [0.5], Math.PI / 6],
    ["acos", [0.5], Math.PI / 3],
    ["atan", [1], Math.PI / 4],
    ["sinh", [1], 1.175_201_193_643_801_5],
    ["cosh", [1], 1.543_080_634_815_243_7],
    ["tanh", [1], 0.761_594_155_955_764_9],
    ["asinh", [1.175_201_193_643_801_5], 1],
    ["acosh", [1.543_080_634_815_243_7], 1],
    ["atanh", [0.761_594_155_955_764_9], 1],
    ["atan2", [1, -1], (3 * Math.PI) / 4],
    ["fmod", [-7, 3], -1],
    ["hypot", [3, 4], 5],
    ["ldexp", [0.75, 4], 12],
    ["ldexp", [2 ** -1000, 1100], 2 ** 100],
    ["pow", [2, 0.5], Math.SQRT2],
    ["max", [1, 3, 2], 3],
    ["min", [2, 1, 3], 1],
    ["erfc", [0], 1],
  ])("knows %s%j", (name, values, value) => {
    expect(of(name, ...values)).toBeCloseTo(value, 12);
  });

  test("evaluates every function", () => {
    for (const [name, count] of Object.entries(expressionFunctions)) {
      expect(of(name, ...[1, 1].slice(0, count)), name).toEqual(name === "atanh" ? null : expect.any(Number));
    }
    expect(functionNamed("constructor")).toBeUndefined();
  });
});

// Known answers: tables of the complementary error function to 16 digits.
test.each<[number, number]>([
  [-2, 1.995_322_265_018_952_7],
  [-0.5, 1.520_499_877_813_046_5],
  [0.5, 0.479_500_122_186_953_46],
  [1, 0.157_299_207_050_285_13],
  [2, 0.004_677_734_981_047_266],
  [5, 1.537_459_794_428_034_8e-12],
  [10, 2.088_487_583_762_544_8e-45],
  [20, 5.395_865_611_607_901e-176],
])("erfc(%d)", (x, value) => {
  expect(Math.abs(erfc(x) / value - 1)).toBeLessThan(1e-13);
});

test("erfc at the ends", () => {
  expect([erfc(30), erfc(Infinity), erfc(-Infinity), erfc(Number.NaN)]).toEqual([0, 0, 2, Number.NaN]);
});

test("lists distinct variables", () => {
  const twice: Expression = {
    kind: "sum",
    of: [a, { kind: "function", name: "max", of: [b, { kind: "variable", name: "A" }] }],
  };
  expect(variablesIn(twice)).toEqual(["a", "B"]);
  expect(depthOf(twice)).toBe(3);
});

test("counts arguments", () => {
  expect(argumentProblem("fmod", 2)).toBeUndefined();
  expect(argumentProblem("sinh", 2)).toBe("sinh takes 1 argument, not 2");
  expect(argumentProblem("max", 1)).toBe("max takes 2 or more arguments, not 1");
  expect(argumentProblem("min", 5)).toBeUndefined();
});
