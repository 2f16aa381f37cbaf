import { expect, test } from "vitest";
import { groupedWords } from "./option-groups.ts";

const head = { flags: "-d, --description <file>", synopsis: "", also: ["-i"] };
const options = [
  head,
  { flags: "-f, --fixed <name>", synopsis: "" },
  { flags: "-t, --dry-run", synopsis: "" },
  { flags: "--force", synopsis: "" },
];

const grouped = (line: string): unknown[] =>
  groupedWords(line.split(" "), options, [head]).map(({ option, operands }) => [option?.value, ...operands]);

test("assigns operands to the preceding head option and skips values of other options", () => {
  expect(grouped("x -d a f1 -f n=1 f2 --force -d b -t f3 -")).toEqual([
    [undefined, "x"],
    ["a", "f1", "f2"],
    ["b", "f3", "-"],
  ]);
});

test("accepts every spelling of a value", () => {
  expect(grouped("--description=a f1 -db f2 -td c f3 -i e f4 --fixed=x f5 -fy f6")).toEqual([
    [undefined],
    ["a", "f1"],
    ["b", "f2"],
    ["c", "f3"],
    ["e", "f4", "f5", "f6"],
  ]);
});

test("treats words after -- as operands", () => {
  expect(grouped("-d a -- -d b")).toEqual([[undefined], ["a", "-d", "b"]]);
});
