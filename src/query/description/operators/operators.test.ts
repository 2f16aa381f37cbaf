import { describe, expect, test } from "vitest";
import { headedRows, headingsOf, operatorElement, vectorOf } from "../../../../test/fakes/vectors.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Value } from "../../../core/values/value.ts";
import type { Vector } from "../vector.ts";
import { applyOperator } from "./operators.ts";
import { failureText } from "../../../../test/contracts/failure-text.ts";

/* Known answers of every operator, worked out by hand; the other modes of aggregates are in evaluate.test.ts. */

const times = vectorOf("size[Byte]:integer *t[us]", [
  [1, 4, 1],
  [2, 5, 1],
  [1, 2, 2],
  [2, 8, 2],
  [4, null, 2],
]);
const chosen: Vector = { ...times, from: "operator" };

describe("one input", () => {
  test.each<[string, Partial<OperatorElement>, Vector, (string[] | Value[])[]]>([
    [
      "median",
      {},
      times,
      [
        ["size[Byte]", "median(t)[us]"],
        [1, 2],
        [2, 5],
        [4, null],
      ],
    ],
    [
      "median",
      { variant: "upper" },
      times,
      [
        ["size[Byte]", "median(t)[us]"],
        [1, 4],
        [2, 8],
        [4, null],
      ],
    ],
    ["median", {}, chosen, [["median(t)[us]"], [4]]],
    ["median", { scope: "run" }, times, [["median(t)[us]"], [4], [2]]],
    ["quantile", { value: "75" }, chosen, [["quantile(t)[us]"], [5]]],
    ["quantile", { value: "76" }, chosen, [["quantile(t)[us]"], [8]]],
    ["quantile", { value: "0" }, chosen, [["quantile(t)[us]"], [2]]],
    ["quantile", { value: "75", variant: "upper" }, chosen, [["quantile(t)[us]"], [4]]],
    ["variance", {}, chosen, [["variance(t)[us^2]"], [6.25]]],
    ["avg", { option: "integer" }, chosen, [["avg(t)[us]"], [4]]],
    [
      "scale",
      { value: "Kilo" },
      chosen,
      [
        ["size[Byte]", "t*1000.0[ns]"],
        [1, 4000],
        [2, 5000],
        [1, 2000],
        [2, 8000],
        [4, null],
      ],
    ],
    ["scale", { value: "1/Ki" }, vectorOf("*b[Byte]:integer", [[2048]]), [["b*0.0009765625[KiByte]"], [2]]],
    ["scale", { value: "milli" }, vectorOf("*r[1/s]", [[5000]]), [["r*0.001[1/ms]"], [5]]],
    ["scale", { value: "Kilo" }, vectorOf("*n", [[5]]), [["n*1000.0[]"], [5000]]],
    ["modulo", { value: "3" }, vectorOf("*n:integer", [[7], [-7]]), [["n%3.0[]"], [1], [-1]]],
    [
      "modulo",
      { value: "10" },
      vectorOf("*n:integer", [[9_223_372_036_854_775_007n], [null]]),
      [["n%10.0[]"], [7], [null]],
    ],
    [
      "scale",
      { value: "1000" },
      vectorOf("*n:integer", [[2 ** 53 - 1]]),
      [["n*1000.0[]"], [9_007_199_254_740_991_000n]],
    ],
    ["offset", { value: "-5" }, vectorOf("*n:integer", [[2n ** 53n]]), [["n+-5.0[]"], [2 ** 53 - 5]]],
    [
      "round",
      { value: "-1" },
      vectorOf("*n:integer", [[9_223_372_036_854_775_005n], [-15]]),
      [["round(n)[]"], [9_223_372_036_854_775_010n], [-20]],
    ],
    [
      "round",
      { value: "1" },
      vectorOf("*n[s]", [[0.25], [-0.25], [0.05], [1e300]]),
      [["round(n)[s]"], [0.3], [-0.3], [0.1], [1e300]],
    ],
    ["round", {}, vectorOf("*n", [[1.23456]]), [["round(n)[]"], [1.235]]],
    ["round", { value: "-2" }, vectorOf("*n:integer", [[1250], [-1249]]), [["round(n)[]"], [1300], [-1200]]],
    ["normalize", {}, vectorOf("*n[s]:integer", [[4], [2], [null]]), [["n normalized to 1.0[s]"], [1], [0.5], [null]]],
    [
      "normalize",
      { variant: "offset", value: "10" },
      vectorOf("*n:integer", [[null], [4], [1]]),
      [["n shifted to 10.0[]"], [null], [10], [7]],
    ],
    [
      "normalize",
      { value: "100", scope: "run" },
      times,
      [
        ["size[Byte]", "t normalized to 100.0[us]"],
        [1, 100],
        [2, 125],
        [1, 100],
        [2, 400],
        [4, null],
      ],
    ],
    [
      "limit",
      { variant: "greater", value: "4" },
      times,
      [
        ["size[Byte]", "t,t>4 [us]"],
        [2, 5],
        [2, 8],
      ],
    ],
    [
      "limit",
      { variant: "lessequal", value: "1", option: "size" },
      times,
      [
        ["size[Byte]", "t,size<=1 [us]"],
        [1, 4],
        [1, 2],
      ],
    ],
    ["limit", { variant: "equal", value: "b" }, vectorOf("*w:string", [["a"], ["b"]]), [["w,w=b []"], ["b"]]],
    ["limit", { variant: "true" }, vectorOf("*f:boolean", [[1], [0], [null]]), [["f,f=true []"], [true]]],
    ["limit", { variant: "greater", value: "1.5" }, vectorOf("*n:integer", [[1], [2]]), [["n,n>1.5 []"], [2]]],
    ["limit", { variant: "greaterequal", value: "0" }, vectorOf("*n", [[Number.NaN], [0]]), [["n,n>=0 []"], [0]]],
    [
      "abslimit",
      { variant: "greaterequal", value: "2" },
      vectorOf("*n", [[-2], [1], [3]]),
      [["n,|n|>=2 []"], [-2], [3]],
    ],
    [
      "distrib",
      { value: "2" },
      vectorOf("*n[s]", [[1], [2], [2.5], [7]]),
      [
        ["n[s]", "samples(n)[]"],
        [0, 2],
        [2, 1],
        [4, 0],
        [6, 1],
      ],
    ],
    [
      "distrib",
      { value: "2", variant: "normalized" },
      vectorOf("*n", [[1], [2], [2.5], [3]]),
      [
        ["n[]", "samples(n)[%]"],
        [0, 50],
        [2, 50],
      ],
    ],
    [
      "distrib",
      { value: "2", variant: "cumulative" },
      vectorOf("*n", [[1], [2], [2.5], [3]]),
      [
        ["n[]", "samples(n)[%]"],
        [0, 50],
        [2, 100],
      ],
    ],
    [
      "distrib",
      { variant: "nonzero" },
      vectorOf("*n:integer", [[3], [1], [3]]),
      [
        ["n[]", "samples(n)[]"],
        [1, 1],
        [3, 2],
      ],
    ],
    [
      "distrib",
      {},
      vectorOf("*n", [[3], [3]]),
      [
        ["n[]", "samples(n)[]"],
        [3, 2],
      ],
    ],
    [
      "frequency",
      {},
      vectorOf("t[s] *v", [
        [0, 1],
        [0.5, 1],
        [2.5, 1],
      ]),
      [
        ["t[s]", "freq(v)[Hz]"],
        [0, 0],
        [0, 2],
        [1, 0],
        [2, 1],
        [3, 1],
        [4, 0],
      ],
    ],
    [
      "frequency",
      { value: "2" },
      vectorOf("t[ms] *v[Byte]", [
        [4, 1],
        [5, 1],
      ]),
      [
        ["t[ms]", "freq(v)[KHz]"],
        [4, 0],
        [4, 1],
        [6, 1],
        [8, 0],
      ],
    ],
    [
      "frequency",
      {},
      vectorOf("n[Byte] *v", [[0, 1]]),
      [
        ["n[Byte]", "freq(v)[1/Byte]"],
        [0, 0],
        [0, 1],
        [1, 1],
        [2, 0],
      ],
    ],
    [
      "slice",
      { value: "[0:1]" },
      times,
      [
        ["size[Byte]", "slice(t)[us]"],
        [1, 4],
        [2, 5],
      ],
    ],
    ["slice", { value: "[:]" }, vectorOf("*t", [[1, 7]]), [["slice(t)[]"], [1]]],
    ["slice", { value: "[3:2]" }, times, [["size[Byte]", "slice(t)[us]"]]],
    [
      "latest",
      {},
      times,
      [
        ["size[Byte]", "latest(t)[us]"],
        [1, 2],
        [2, 8],
        [4, null],
      ],
    ],
    [
      "oldest",
      {},
      { ...times, chronology: [9, 2, 1] },
      [
        ["size[Byte]", "oldest(t)[us]"],
        [1, 2],
        [2, 8],
        [4, null],
      ],
    ],
    [
      "runindex",
      {},
      times,
      [
        ["size[Byte]", "runindex(t)[]"],
        [1, 1],
        [2, 1],
        [1, 2],
        [2, 2],
        [4, 2],
      ],
    ],
  ])("%s %j", (type, more, input, answer) => {
    expect(headedRows(applyOperator(operatorElement(type, more), [input]))).toEqual(answer);
  });
});

describe("run values", () => {
  const lookup = {
    variable: { name: "host", role: "parameter", occurrence: "once", type: "string" } as const,
    values: new Map([
      [1, "a"],
      [2, null],
    ]),
  };
  const runs = vectorOf("p *r:integer", [
    [0, 1],
    [1, 2],
  ]);

  test("param returns the parameter of the run", () => {
    expect(headedRows(applyOperator(operatorElement("param", { value: "host" }), [runs], { lookup }))).toEqual([
      ["p[]", "host[]"],
      [0, "a"],
      [1, null],
    ]);
  });

  test("rejects an unknown run", () => {
    expect(
      failureText(() =>
        applyOperator(operatorElement("param", { value: "host" }), [vectorOf("*r:integer", [[-1]])], { lookup }),
      ),
    ).toContain("no single run (-1)");
    expect(
      failureText(() =>
        applyOperator(operatorElement("param", { value: "host" }), [vectorOf("*r:integer", [[7]])], { lookup }),
      ),
    ).toContain("'7' is not a run number");
  });
});

test('option samples of distrib labels the number of values; an edge with label="ignore" keeps names', () => {
  const counted = applyOperator(operatorElement("distrib", { option: "samples" }), [vectorOf("*n", [[1], [null]])]);
  expect(counted.labels).toEqual([{ text: "N_samples = 1", titleOnly: false }]);
  const silent = operatorElement("limit", {
    variant: "less",
    value: "9",
    inputs: [{ id: "src", attributes: new Map([["label", "ignore"]]) }],
  });
  expect(headingsOf(applyOperator(silent, [times]))).toEqual(["size[Byte]", "t[us]"]);
});
