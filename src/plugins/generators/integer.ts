import type { Generator } from "./generator.ts";
import { generatorOption as option, rangeOf } from "./generator.ts";

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
