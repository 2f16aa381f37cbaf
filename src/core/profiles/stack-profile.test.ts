import { expect, test } from "vitest";
import { plainName, StackSamples } from "./stack-profile.ts";

test("merges rows with equal stacks and labels in any order", () => {
  const samples = new StackSamples(2);
  const [a, b] = [
    samples.labels(
      new Map([
        ["x", ["1"]],
        ["y", [{ value: 2, unit: "bytes" }]],
      ]),
    ),
    samples.labels(
      new Map([
        ["y", [{ value: 2, unit: "bytes" }]],
        ["x", ["1"]],
      ]),
    ),
  ];
  samples.add(7, [1, 10], a);
  samples.add(7, [2, 20], b);
  samples.add(7, [4, 40]);
  expect([
    samples.length,
    samples.valueOf(0, 0),
    samples.valueOf(0, 1),
    samples.valueOf(1, 1),
    samples.stackOf(1),
  ]).toEqual([2, 3, 30, 40, 7]);
  expect([samples.labelsOf(0).get("x"), samples.labelsOf(1).size]).toEqual([["1"], 0]);
});

test("many rows keep their values", () => {
  const samples = new StackSamples(3);
  for (let stack = 0; stack < 3000; stack++) samples.add(stack, [stack, 2 * stack, 3 * stack]);
  expect([samples.length, samples.valueOf(2999, 2), samples.valueOf(17, 1)]).toEqual([3000, 8997, 34]);
});

test("names a frame by the best known name", () => {
  const module = { path: "/usr/lib/libc.so.6" };
  expect([
    plainName({ function: "f", plain: "g" }),
    plainName({ function: "f" }),
    plainName({ function: "", systemName: "_f", address: 1n }),
    plainName({ function: "", address: 0x42n, module }),
    plainName({ function: "", module }),
    plainName({ function: "", module: { path: "[vdso]" } }),
    plainName({ function: "" }),
  ]).toEqual(["g", "f", "_f", "0x42", "[libc.so.6]", "[vdso]", "[unknown]"]);
});
