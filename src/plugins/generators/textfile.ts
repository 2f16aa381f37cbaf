import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { seededRandom } from "../../math/sampling/index.ts";
import type { Generator } from "./generator.ts";
import { generatorOption as option, integerOf, rangeOf } from "./generator.ts";

/** Maximum total bytes of the files of one generator. */
const maxBytes = 2 ** 31;

const vocabulary =
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore "
    .concat("magna aliqua enim ad minim veniam quis nostrud")
    .split(" ");

/** Text files of increasing length, removed after the run; rows get the number of lines in the column `lines`. */
export const textfile: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "textfile",
  synopsis: "text files of increasing length",
  options: [
    option("min-lines", "integer", null, "lines of the first file"),
    option("max-lines", "integer", null, "lines of the last file, inclusive"),
    option("step", "integer", 1, "increase of the lines per file"),
    option("min-rows", "integer", 5, "characters of the shortest line"),
    option("max-rows", "integer", 80, "characters of the longest line"),
    option("randomize-rows", "boolean", true, "random line lengths; otherwise all lines have max-rows characters"),
    option("seed", "integer", 1, "seed of the random text"),
  ],
  spellings: { "min-chars": "min-rows", "max-chars": "max-rows" },
  needsTree: false,

  async generate(options, world) {
    const counts = rangeOf(this, options, ["min-lines", "max-lines", "step"], [0, 1e9]);
    const longest = integerOf(this, options, "max-rows", 1, 1e6);
    const shortest =
      options.get("randomize-rows") === false ? longest : integerOf(this, options, "min-rows", 0, longest);
    const random = seededRandom(integerOf(this, options, "seed", 0, 2 ** 32 - 1));
    const bytes = counts.reduce((sum, lines) => sum + lines * (longest + 1), 0);
    if (bytes > maxBytes) throw tooLarge(String(options.get("max-lines")));
    return counts.map((lines) => {
      const path = world.write(`${lines}-lines.txt`, text(lines, [shortest, longest], random));
      return { words: quoteCommand([path]), title: String(lines), facts: new Map([["lines", lines]]) };
    });
  },
});

function* text(lines: number, [shortest, longest]: readonly [number, number], random: () => number): Iterable<string> {
  for (let line = 0; line < lines; line++)
    yield `${lineOf(shortest + Math.floor(random() * (longest - shortest + 1)), random)}\n`;
}

/** Random words, truncated to the length of the line. */
function lineOf(length: number, random: () => number): string {
  let line = "";
  while (line.length < length) line += `${vocabulary[Math.floor(random() * vocabulary.length)]} `;
  const cut = line.slice(0, length);
  return cut.endsWith(" ") ? `${cut.slice(0, -1)}.` : cut;
}

function tooLarge(value: string): Failure {
  const expected = "a number of lines for at most 2 GiB in total";
  return new Failure("bad-collector-option", {
    plugin: "textfile",
    option: "max-lines",
    value,
    expected,
    example: "10000",
  });
}
