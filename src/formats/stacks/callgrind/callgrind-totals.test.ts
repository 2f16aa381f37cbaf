import { expect, test } from "vitest";
import { readCallgrindTotals } from "./callgrind-graph.ts";

const part = (totals: string): string => `# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 32376
cmd:  true
part: 1

positions: line
events: Ir Dr Dw
summary: 10 5 3

fl=(1) a.c
fn=(1) main
7 9 4 3

totals: ${totals}
`;

test("reads the totals of each event", () => {
  expect([...readCallgrindTotals(part("9 4"), "x")]).toEqual([
    ["Ir", 9],
    ["Dr", 4],
    ["Dw", 0],
  ]);
});

test("sums parts", () => {
  expect(readCallgrindTotals(part("9 4 3") + part("1 1 1"), "x").get("Ir")).toBe(10);
});

test.each([
  ["it has no totals", "events: Ir\n"],
  ["it has no totals", "totals: 12\n"],
  ["'x1' is not a count", part("x1")],
])("refuses that %s", (reason, text) => {
  expect(() => readCallgrindTotals(text, "out.7")).toThrow(`out.7: not a callgrind profile: ${reason}`);
});
