import type { Generator } from "./generator.ts";
import { seededRandom } from "../../math/sampling/index.ts";
import { generatorOption as option, integerOf, rangeOf, textOf } from "./generator.ts";

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

/** Maximum length of a command-line argument without terminator (MAX_ARG_STRLEN of Linux). */
const maxLength = 131_071;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random words of letters and digits with increasing length; rows get the length in the column `length`. */
export const string: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "string",
  synopsis: "random words of increasing length",
  options: [
    option("min-len", "integer", null, "length of the first word"),
    option("max-len", "integer", null, "length of the last word, inclusive"),
    option("step-len", "integer", 1, "increase of the length per word"),
    option("seed", "integer", 1, "seed of the random words"),
  ],
  spellings: { step: "step-len" },
  needsTree: false,

  async generate(options) {
    const random = seededRandom(integerOf(this, options, "seed", 0, 2 ** 32 - 1));
    const lengths = rangeOf(this, options, ["min-len", "max-len", "step-len"], [1, maxLength]);
    return lengths.map((length) => ({
      words: word(length, random),
      title: String(length),
      facts: new Map([["length", length]]),
    }));
  },
});

function word(length: number, random: () => number): string {
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");
}
