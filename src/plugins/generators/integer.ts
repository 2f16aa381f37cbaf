import type { Generator } from "./generator.ts";
import { generatorOption as option, rangeOf } from "./generator.ts";

const farthest = Number.MAX_SAFE_INTEGER;

/** Whole numbers from one to another; rows get the number in the column `workload`. */
export const integer: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "integer",
  synopsis: "whole numbers from min-range to max-range",
  options: [
    option("min-range", "integer", null, "the first number"),
    option("max-range", "integer", null, "the last number, included"),
    option("step", "integer", 1, "distance of two numbers"),
  ],
  spellings: {},
  needsTree: false,

  async generate(options) {
    const numbers = rangeOf(this, options, ["min-range", "max-range", "step"], [-farthest, farthest]);
    return numbers.map((number) => ({
      words: String(number),
      title: String(number),
      facts: new Map([["workload", number]]),
    }));
  },
});
