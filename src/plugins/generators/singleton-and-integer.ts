import type { Generator } from "./generator.ts";
import { generatorOption as option, rangeOf, textOf } from "./generator.ts";

/** One fixed workload. */
export const singleton: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "singleton",
  synopsis: "one fixed workload",
  options: [option("value", "text", null, "arguments of the workload")],
  spellings: {},
  needsTree: false,

  async generate(options) {
    const words = textOf(this, options, "value", "input/small.txt");
    return [{ words, title: words, facts: new Map() }];
  },
});

const limit = Number.MAX_SAFE_INTEGER;

/** A range of integers; rows get the number in the column `workload`. */
export const integer: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "integer",
  synopsis: "integers from min-range to max-range",
  options: [
    option("min-range", "integer", null, "first number"),
    option("max-range", "integer", null, "last number, inclusive"),
    option("step", "integer", 1, "difference of consecutive numbers"),
  ],
  spellings: {},
  needsTree: false,

  async generate(options) {
    const numbers = rangeOf(this, options, ["min-range", "max-range", "step"], [-limit, limit]);
    return numbers.map((number) => ({
      words: String(number),
      title: String(number),
      facts: new Map([["workload", number]]),
    }));
  },
});
