import { seededRandom } from "../../math/sampling/seeded-random.ts";
import type { Generator } from "./generator.ts";
import { generatorOption as option, integerOf, rangeOf } from "./generator.ts";

/** What the kernel takes as one word of a command line, without its end (MAX_ARG_STRLEN of Linux). */
const longestWord = 131_071;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random words of growing length, of letters and digits; rows get the length in the column `length`. */
export const string: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "string",
  synopsis: "random words of growing length",
  options: [
    option("min-len", "integer", null, "length of the first word"),
    option("max-len", "integer", null, "length of the last word, included"),
    option("step-len", "integer", 1, "by how much a word is longer than the one before"),
    option("seed", "integer", 1, "other words of the same lengths"),
  ],
  spellings: { step: "step-len" },
  needsTree: false,

  async generate(options) {
    const random = seededRandom(integerOf(this, options, "seed", 0, 2 ** 32 - 1));
    const lengths = rangeOf(this, options, ["min-len", "max-len", "step-len"], [1, longestWord]);
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
