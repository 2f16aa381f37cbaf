import { seededRandom } from "../../math/sampling/index.ts";
import type { Generator } from "./generator.ts";
import { generatorOption as option, integerOf, rangeOf } from "./generator.ts";

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
