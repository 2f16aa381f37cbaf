import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, integrate, steps, nonzeroSteps, type Formula } from "./formulas.ts";
import { modelNames } from "./regression-models.ts";
import { simpson } from "../numerics/simpson.ts";

describe("formulas", () => {
  it("integrates as a fine sum does", () => {
    const coefficient = fc.double({ min: 0.2, max: 3, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...modelNames),
        fc.tuple(coefficient, coefficient, coefficient),
        (name, coefficients) => {
          const formula: Formula = { name, coefficients };
          const x = steps(1, 3, 2001);
          const sum = simpson(
            x.map((each) => evaluate(formula, each, false)),
            x,
          );
          expect(integrate(formula, 1, 3, false) / sum).toBeCloseTo(1, 6);
        },
      ),
    );
  });

  it("knows the integral of 1/x, and of a power of 1", () => {
    expect(integrate({ name: "power", coefficients: [2, -1] }, 1, Math.E, false)).toBeCloseTo(2, 12);
    expect(integrate({ name: "exponential", coefficients: [2, 1] }, 0, 3, false)).toBe(6);
    expect(integrate({ name: "logarithmic", coefficients: [0, 1] }, 0, 1, false)).toBe(-1);
  });

  it("has Perun's two confusions where they are wanted", () => {
    expect(evaluate({ name: "power", coefficients: [2, 3] }, 100, true)).toBe(16);
    expect(evaluate({ name: "power", coefficients: [2, 3] }, 10, false)).toBe(2000);
    expect(integrate({ name: "logarithmic", coefficients: [1, 2] }, 0, 2, true)).toBe(6);
  });

  it("steps from end to end, and off zero", () => {
    expect([...steps(0, 1, 5)]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...steps(2, 2, 1)]).toEqual([2]);
    expect([...nonzeroSteps(-1, 1, 3)]).toEqual([-1, 1e-6, 1]);
  });
});
