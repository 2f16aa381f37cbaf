import { expect, test } from "vitest";
import { operatorElement, vectorOf } from "../../../../test/fakes/vectors.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Vector } from "../vector.ts";
import { applyOperator } from "./operators.ts";
import { failureText } from "../../../../test/contracts/failure-text.ts";

/* What operators cannot do is refused by name. */

const times = vectorOf("size[Byte]:integer *t[us]", [
  [1, 4, 1],
  [2, 5, 1],
  [1, 2, 2],
  [2, 8, 2],
  [4, null, 2],
]);
const numbers = vectorOf("p *n", [[1, 1]]);
test.each<[string, Partial<OperatorElement>, Vector[], string]>([
  [
    "diff",
    {},
    [vectorOf("*x[s]", [[1]]), vectorOf("*y[Byte]", [[1]])],
    "'x' (s) and 'y' (Byte) measure different things",
  ],
  ["sum", {}, [vectorOf("*x[s]", [[1]]), vectorOf("*y", [[1]])], "'x' (s) and 'y' (no unit) measure different things"],
  [
    "null",
    {},
    [vectorOf("*x[s]", [[1]]), vectorOf("*y[Byte]", [[1]])],
    "'x' (s) and 'y' (Byte) measure different things",
  ],
  [
    "percentof",
    {},
    [vectorOf("*x[s]", [[1]]), vectorOf("*y[A]", [[1]])],
    "'x' (s) and 'y' (A) measure different things",
  ],
  ["diff", {}, [numbers], "diff takes two inputs, not 1"],
  ["diff", {}, [numbers, vectorOf("*a *b", [[1, 2]])], "different numbers of results"],
  [
    "diff",
    {},
    [
      vectorOf("p *x", [
        [1, 1],
        [2, 2],
      ]),
      vectorOf("q *y", [
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
    ],
    "no parameter in common, and 2 and 3 rows",
  ],
  ["diff", { scope: "run" }, [numbers, numbers], 'diff takes no scope="run"'],
  ["median", { variant: "middle" }, [numbers], "no variant 'middle' of median"],
  ["quantile", {}, [numbers], "quantile needs a value"],
  ["quantile", { value: "101" }, [numbers], "no quantile of 101 %"],
  ["normalize", {}, [vectorOf("*n", [[0], [1]])], "the first value of 'n' is 0"],
  ["modulo", { value: "0" }, [numbers], "modulo of 0"],
  ["scale", { value: "Giga" }, [vectorOf("*t[ns]", [[1]])], "no prefix makes 1000000000 of one ns"],
  ["scale", { value: "Kylo" }, [numbers], "the value 'Kylo' of scale is no number"],
  ["min", { option: "float" }, [vectorOf("*w:string", [["a"]])], "a string does not become a float"],
  ["limit", { variant: "greater" }, [numbers], "limit needs a value"],
  ["limit", { value: "1" }, [numbers], "limit needs a variant"],
  ["limit", { variant: "greater", value: "x" }, [numbers], "the value 'x' is no float"],
  ["limit", { variant: "greater", value: "1", option: "m" }, [numbers], "there is no column 'm'"],
  ["limit", { variant: "true" }, [numbers], "'n' is a float, neither true nor false"],
  ["abslimit", { variant: "less", value: "a" }, [vectorOf("*w:string", [["a"]])], "without a distance from zero"],
  ["distrib", {}, [vectorOf("*a *b", [[1, 2]])], "distrib takes one result, not 2"],
  ["distrib", { value: "-1" }, [numbers], "bins cannot be -1 wide"],
  ["distrib", { value: "1e-300" }, [vectorOf("*n", [[1], [2]])], "are too many"],
  ["distrib", {}, [vectorOf("*n", [[Number.NaN]])], "values that are not finite"],
  ["frequency", {}, [vectorOf("*n", [[1]])], "needs an input with a parameter and a result"],
  ["frequency", { value: "0" }, [numbers], "intervals cannot be 0 wide"],
  [
    "frequency",
    { value: "1e-9" },
    [
      vectorOf("p *n", [
        [0, 1],
        [1e6, 1],
      ]),
    ],
    "are too many",
  ],
  ["slice", { value: "1:2]" }, [times], "'1:2]' is no slice"],
  ["latest", {}, [vectorOf("*t", [[1]])], "come from no single run"],
  ["runindex", {}, [times, times], "runindex takes one input, not 2"],
  ["eval", {}, [numbers], "eval takes one term, not 0"],
])("rejects %s %j", (type, more, inputs, message) => {
  expect(failureText(() => applyOperator(operatorElement(type, more), inputs))).toContain(message);
});
