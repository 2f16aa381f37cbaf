import { describe, expect, test } from "vitest";
import { headedRows, operatorElement, rowsOfVector, vectorOf } from "../../../../test/fakes/vectors.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Value } from "../../../core/values/value.ts";
import type { Vector } from "../vector.ts";
import type { OperatorContext } from "./operator.ts";
import { applyOperator } from "./operators.ts";

/* Known answers of operators over two inputs. */

describe("two inputs", () => {
  const a = vectorOf("p:integer *x[ms]:integer", [
    [1, 10],
    [2, 7],
    [3, 5],
  ]);
  const b = vectorOf("p:integer *y[s]:integer", [
    [3, 2],
    [1, 4],
    [4, 1],
  ]);
  const plain = vectorOf("p:integer *y:integer", [
    [2, 2],
    [1, 0],
    [3, 0],
  ]);
  const bare = vectorOf("p:integer *x:integer", [
    [1, 10],
    [2, 7],
    [3, 5],
  ]);

  test.each<[string, Partial<OperatorElement>, Vector[], (string[] | Value[])[], OperatorContext?]>([
    [
      "diff",
      {},
      [a, b],
      [
        ["p[]", "x-y[ms]"],
        [1, -3990],
        [3, -1995],
      ],
    ],
    [
      "diff",
      {},
      [b, a],
      [
        ["p[]", "y-x[s]"],
        [3, 1.995],
        [1, 3.99],
      ],
    ],
    [
      "diff",
      { match: "index" },
      [bare, plain],
      [
        ["p[]", "x-y[]"],
        [1, 8],
        [2, 7],
        [3, 5],
      ],
    ],
    ["diff", {}, [vectorOf("*n:integer", [[2n ** 60n + 1n]]), vectorOf("*m:integer", [[2n ** 60n]])], [["n-m[]"], [1]]],
    ["diff", {}, [vectorOf("*n:duration", [[90]]), vectorOf("*m:duration", [[30]])], [["n-m[]"], [60]]],
    ["diff", {}, [vectorOf("*n[ms]", [[500]]), vectorOf("*m:duration", [[1]])], [["n-m[ms]"], [-500]]],
    [
      "div",
      {},
      [bare, plain],
      [
        ["p[]", "x/y[]"],
        [2, 3.5],
      ],
    ],
    [
      "div",
      {},
      [bare, plain],
      [
        ["p[]", "x/y[]"],
        [2, 3],
      ],
      { compat: "perfbase" },
    ],
    ["div", {}, [vectorOf("*x[MByte]", [[6]]), vectorOf("*y[s]", [[2]])], [["x/y[MByte/s]"], [3]]],
    ["div", {}, [vectorOf("*x[ms]", [[500]]), vectorOf("*y[s]", [[2]])], [["x/y[]"], [0.25]]],
    [
      "percentof",
      {},
      [a, b],
      [
        ["p[]", "[x % of y][%]"],
        [1, 0.25],
        [3, 0.25],
      ],
    ],
    [
      "above",
      {},
      [bare, plain],
      [
        ["p[]", "[x % more than y][%]"],
        [2, 250],
      ],
    ],
    [
      "below",
      {},
      [plain, bare],
      [
        ["p[]", "[y % less than x][%]"],
        [2, 100 - 200 / 7],
        [1, 100],
        [3, 100],
      ],
    ],
    [
      "sum",
      {},
      [a, b],
      [
        ["p[]", "sum(x,y)[ms]"],
        [1, 4010],
        [3, 2005],
      ],
    ],
    [
      "sum",
      {},
      [b, a],
      [
        ["p[]", "sum(y,x)[s]"],
        [3, 2.005],
        [1, 4.01],
      ],
    ],
    [
      "max",
      { match: "modulo" },
      [bare, vectorOf("*y:integer", [[6]])],
      [
        ["p[]", "max(x,y)[]"],
        [1, 10],
        [2, 7],
        [3, 6],
      ],
    ],
    ["min", {}, [vectorOf("*x:string", [["b"]]), vectorOf("*y:string", [["a"]])], [["min(x,y)[]"], ["a"]]],
    ["prod", {}, [vectorOf("*x[A]", [[2]]), vectorOf("*y[s]", [[3]])], [["prod(x,y)[A*s]"], [6]]],
    [
      "null",
      {},
      [a, b],
      [
        ["p[]", "x[ms]"],
        [1, 10],
        [2, 7],
        [3, 5],
        [3, 2000],
        [1, 4000],
        [4, 1000],
      ],
    ],
    [
      "null",
      {},
      [b, a],
      [
        ["p[]", "y[s]"],
        [3, 2],
        [1, 4],
        [4, 1],
        [1, 0.01],
        [2, 0.007],
        [3, 0.005],
      ],
    ],
  ])("%s %j", (type, more, inputs, answer, surroundings) => {
    expect(headedRows(applyOperator(operatorElement(type, more), inputs, surroundings))).toEqual(answer);
  });

  test("matches rows by common parameters, and a scalar with every row", () => {
    const wide = vectorOf("p:integer net:string *x", [
      [1, "a", 5],
      [1, "b", 6],
      [2, "a", 7],
    ]);
    const narrow = vectorOf("p:integer *y", [
      [1, 1],
      [2, 2],
    ]);
    expect(headedRows(applyOperator(operatorElement("diff"), [narrow, wide]))).toEqual([
      ["p[]", "net[]", "y-x[]"],
      [1, "a", -4],
      [1, "b", -5],
      [2, "a", -5],
    ]);
    const texts = vectorOf("net:string *y", [
      ["b", 1],
      ["c", 2],
    ]);
    expect(rowsOfVector(applyOperator(operatorElement("diff"), [wide, texts]))).toEqual([[1, "b", 5]]);
    const scalar = vectorOf("*y", [[5]], { from: "operator" });
    expect(rowsOfVector(applyOperator(operatorElement("diff"), [narrow, scalar]))).toEqual([
      [1, -4],
      [2, -3],
    ]);
    expect(rowsOfVector(applyOperator(operatorElement("diff"), [scalar, narrow]))).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });

  test("keeps run and labels that both inputs share", () => {
    const said = (text: string) => ({
      labels: [
        { text: "v = 1", titleOnly: false },
        { text, titleOnly: false },
      ],
    });
    const one = vectorOf(
      "p *x",
      [
        [1, 1, 4],
        [2, 2, 4],
      ],
      said("n = 1"),
    );
    const two = vectorOf(
      "p *y",
      [
        [1, 1, 4],
        [2, 2, 5],
      ],
      said("n = 2"),
    );
    const both = applyOperator(operatorElement("diff"), [one, two]);
    expect([...both.runs]).toEqual([4, -1]);
    expect(both.labels.map(({ text }) => text)).toEqual(["v = 1"]);
  });
});
