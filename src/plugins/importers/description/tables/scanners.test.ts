import fc from "fast-check";
import { expect, test } from "vitest";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import { CharacterScanner, GapScanner, LabelScanner } from "./entry-scanners.ts";
import { GridScanner } from "./entry-splitter.ts";

function entries(scanner: Scanner, line: string): string[] {
  const bytes = new TextEncoder().encode(`first line\n${line}\nlast line\n`);
  expect(bytes[scanner.scan(bytes, 11)]).toBe(10);
  return Array.from({ length: scanner.count }, (_, at) =>
    new TextDecoder().decode(bytes.subarray(scanner.starts[at], scanner.ends[at])),
  );
}

test.each([
  ["| a b |  5.5 | |", ["a b", "5.5", ""]],
  ["a | b", ["a", "b"]],
  ["a | b |  ", ["a", "b", ""]],
  ["| a | b", ["a", "b"]],
  ["Other   |            | 0.01458    |            |       |  0.01", ["Other", "", "0.01458", "", "", "0.01"]],
  ["  │ name │ 3 │", ["name", "3"]],
  ["║a┃b║\r", ["a", "b"]],
  ["| - | -1 |", ["-", "-1"]],
  [String.raw`| a \| b | 2 |`, [String.raw`a \| b`, "2"]],
  ["| only |", ["only"]],
  ["no bars here", []],
  ["", []],
])("cells of %j", (line, expected) => {
  const scanner = new GridScanner();
  expect(entries(scanner, line)).toEqual(expected);
  expect(scanner.isRule).toBe(false);
});

test.each(["|---|:--:|--:|", "+----+----+", "------+----", "┍━━━━┯━━┑", "| == | == |", "-----", "├──┼──┤\r"])(
  "%j is a rule",
  (line) => {
    const scanner = new GridScanner();
    expect(entries(scanner, line)).toEqual([]);
    expect(scanner.isRule).toBe(true);
  },
);

test.each([
  [2, "Fault tolerance   12  3.5", ["Fault tolerance", "12", "3.5"]],
  [3, "a  b   c", ["a  b", "c"]],
  [2, "a b\tc d\t\te ", ["a b", "c d", "e"]],
  [2, "  a\r", ["a"]],
  [2, "   ", []],
])("entries with gaps of %i in %j", (least, line, expected) => {
  expect(entries(new GapScanner(least), line)).toEqual(expected);
});

test.each([
  ["node 17  12.5   x", ["node 17", "12.5", "x"]],
  ["node 1", ["node 1", "", ""]],
  ["                 ", []],
  ["nöde \u{1f600}7  12.5   x y", ["nöde \u{1f600}7", "12.5", "x y"]],
])("characters 1-8, 9-14, 16- of %j", (line, expected) => {
  const scanner = new CharacterScanner([{ first: 1, last: 8 }, { first: 9, last: 14 }, { first: 16 }]);
  expect(entries(scanner, line)).toEqual(expected);
});

test.each([
  ["12345678", false],
  ["123 5678", false],
  ["1234 678 x", false],
  [" 23456789", true],
])("a word of %j is cut at the end of the last range: %s", (line, cuts) => {
  const scanner = new CharacterScanner([
    { first: 1, last: 4 },
    { first: 5, last: 8 },
  ]);
  entries(scanner, line);
  expect(scanner.cutsWord).toBe(cuts);
});

test("bytes that are not UTF-8 are characters", () => {
  const bytes = new Uint8Array([0xb5, 0x73, 0x20, 0xe9, 0x20, 0x37, 10]);
  const scanner = new CharacterScanner([{ first: 5, last: 6 }]);
  scanner.scan(bytes, 0);
  expect([scanner.starts[0], scanner.ends[0]]).toEqual([5, 6]);
});

test.each([
  ["all reduce sum 4 1.5", ["all reduce sum", "4", "1.5"]],
  ["barrier 4 1.5", ["barrier", "4", "1.5"]],
  ["4 1.5", ["4", "1.5"]],
])("a label of several words in %j", (line, expected) => {
  expect(entries(new LabelScanner(new RowScanner(""), 0, 3), line)).toEqual(expected);
});

test("a label may stand between other columns", () => {
  expect(entries(new LabelScanner(new RowScanner(""), 1, 3), "7 a b c 9")).toEqual(["7", "a b c", "9"]);
});

test("any cells between bars are read back", () => {
  const cell = fc.stringMatching(/^(?:[a-z0-9.]{1,6}(?: [a-z0-9.]{1,4})?)?$/);
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 2, maxLength: 6 }),
      fc.constantFrom("|", "│", "┃", "║"),
      fc.boolean(),
      (cells, bar, framed) => {
        fc.pre(cells[0] !== "" && cells.at(-1) !== "");
        const inner = cells.map((text) => ` ${text} `).join(bar);
        expect(entries(new GridScanner(), framed ? bar + inner + bar : inner)).toEqual(cells);
      },
    ),
  );
});
