import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { groupWords, longOnly } from "./command-group.ts";

const options = [
  { flags: "-c, --crawl", synopsis: "s" },
  { flags: "-m, --minor <rev>", synopsis: "s", repeat: true, also: ["-mv"] },
  { flags: "--args <words>", synopsis: "s", words: 2 as const, also: ["-oa"] },
];
const taken = (words: readonly string[], operands = 1): unknown => {
  try {
    const { options: own, operands: found, rest } = groupWords(words, options, operands, "perun x");
    return [own, found, rest];
  } catch (error) {
    if (isFailure(error, "bad-usage")) return error.message;
    throw error;
  }
};

test.each([
  [
    ["job", "-c", "time"],
    [[], ["job"], ["-c", "time"]],
  ],
  [
    ["-c", "job", "-c"],
    [["--crawl"], ["job"], ["-c"]],
  ],
  [
    ["-m", "A", "-mB", "--minor=C", "-mv", "D", "job"],
    [["--minor", "A", "--minor", "B", "--minor", "C", "--minor", "D"], ["job"], []],
  ],
  [
    ["-mv=E", "-m=F", "job"],
    [["--minor", "E", "--minor", "=F"], ["job"], []],
  ],
  [
    ["-oa", "k", "v", "job"],
    [["--args", "k", "v"], ["job"], []],
  ],
  [
    ["-m", "job"],
    [["--minor", "job"], [], []],
  ],
  [
    ["--help", "job"],
    [[], [], ["--help", "job"]],
  ],
  [
    ["-", "job"],
    [[], ["-"], ["job"]],
  ],
  [["-m"], "-m requires a value"],
  [["-oa", "k"], "-oa requires a value"],
  [["--crawl=1", "job"], "unknown option --crawl=1"],
  [["-x", "job"], "unknown option -x"],
  [["--min", "A"], "unknown option --min"],
])("splits %j", (words, expected) => {
  expect(taken(words)).toEqual(expected);
});

test("splits off two operands and the options between them", () => {
  expect(taken(["prof", "-m", "A", "bars", "-c"], 2)).toEqual([["--minor", "A"], ["prof", "bars"], ["-c"]]);
});

test("neither loses nor invents words", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("-c", "-m", "--minor", "--", "-", "-oa", "job"));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const found = taken(words);
      if (typeof found === "string") return;
      const [own, operands, rest] = found as string[][];
      expect(words.slice(words.length - (rest ?? []).length)).toEqual(rest);
      for (const each of operands ?? []) expect(words).toContain(each);
      expect((own ?? []).every((each) => each.startsWith("--") || words.some((given) => given.includes(each)))).toBe(
        true,
      );
    }),
  );
});

test("drops the short flags of group options", () => {
  expect(longOnly(options).map(({ flags }) => flags)).toEqual(["--crawl", "--minor <rev>", "--args <words>"]);
});
