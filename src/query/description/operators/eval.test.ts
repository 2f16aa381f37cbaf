import { describe, expect, test } from "vitest";
import { constantTerm, headedRows, operatorElement, variableTerm, vectorOf } from "../../../../test/fakes/vectors.ts";
import type { OperatorElement, Term } from "../../../core/experiments/query-description.ts";
import type { OperatorContext } from "./operator.ts";
import { applyOperator } from "./operators.ts";
import { failureText } from "../../../../test/contracts/failure-text.ts";

describe("eval", () => {
  const input = vectorOf(
    "p[Byte]:integer *x[ms] *y[s]",
    [
      [8, 2, 1],
      [16, null, 1],
      [0, 4, 0],
    ],
    { origin: "in~p~1" },
  );
  const evaluated = (
    term: Term,
    more: Partial<OperatorElement["terms"][number]> = {},
    inputs = [input],
    surroundings?: OperatorContext,
  ) =>
    headedRows(applyOperator(operatorElement("eval", { terms: [{ id: "f", term, ...more }] }), inputs, surroundings));
  const x = variableTerm("x", "in");
  const y = variableTerm("y", "in");

  test("computes by rows; missing if undefined", () => {
    const term: Term = { kind: "fraction", of: [constantTerm("1"), x] };
    expect(evaluated(term)).toEqual([
      ["p[Byte]", "f(x)[1/ms]"],
      [8, 0.5],
      [16, null],
      [0, 0.25],
    ]);
    expect(evaluated({ kind: "fraction", of: [x, y] }).slice(1)).toEqual([
      [8, 2],
      [16, null],
      [0, null],
    ]);
  });

  test("tracks units, converts equal dimensions in sums, applies the declared unit", () => {
    expect(evaluated({ kind: "sum", of: [x, y] })).toEqual([
      ["p[Byte]", "f(x,y)[ms]"],
      [8, 1002],
      [16, null],
      [0, 4],
    ]);
    expect(evaluated({ kind: "fraction", of: [variableTerm("p", "in"), x] })[0]).toEqual([
      "p[Byte]",
      "f(p,x)[Byte/ms]",
    ]);
    expect(evaluated({ kind: "power", of: [x, constantTerm("2")] })[0]).toEqual(["p[Byte]", "f(x)[ms^2]"]);
    expect(evaluated({ kind: "function", name: "sqrt", of: [x] }, { unit: "s" })[0]).toEqual(["p[Byte]", "f(x)[s]"]);
    expect(evaluated({ kind: "sum", of: [x, y] }, {}, [input], { compat: "perfbase" })).toEqual(
      [
        ["p[Byte]", "f(y,x)[]"],
        [8, 3],
        [16, null],
        [0, 4],
      ].map((row, at) => (at === 0 ? [row[0], expect.stringMatching(/^f\([xy],[xy]\)\[\]$/)] : row)),
    );
  });

  test("combines a scalar with every row", () => {
    const scalar = vectorOf("q *s", [[5, 10]], { origin: "one" });
    const term: Term = { kind: "product", of: [x, variableTerm("s", "one", "scalar")] };
    expect(evaluated(term, {}, [input, scalar])).toEqual([
      ["p[Byte]", "f(x)[ms]"],
      [8, 20],
      [16, null],
      [0, 40],
    ]);
  });

  test.each<[Term, string]>([
    [{ kind: "sum", of: [x, variableTerm("p", "in")] }, "'x' (ms) and 'p' (Byte) measure different things"],
    [{ kind: "sum", of: [x, { kind: "product", of: [y, constantTerm("2")] }] }, "combined with constants"],
    [variableTerm("z", "in"), "there is no column 'z'"],
    [variableTerm("x", "out"), "'out', of which its term wants 'x', is no input"],
    [variableTerm("x", "in", "scalar"), "'in' has 3 rows, a scalar has one"],
    [{ kind: "function", name: "sqr", of: [x] }, "there is no function 'sqr', did you mean sqrt?"],
    [{ kind: "function", name: "pow", of: [x] }, "pow takes 2 arguments, not 1"],
    [{ kind: "sum", of: [x, constantTerm("two")] }, "constant 'two' of its term"],
  ])("rejects %j", (term, message) => {
    expect(failureText(() => applyOperator(operatorElement("eval", { terms: [{ term }] }), [input]))).toContain(
      message,
    );
  });
});
