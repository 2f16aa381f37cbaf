import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { inclusiveCosts, readCallGraph, readCallgrindTotals } from "./callgrind-graph.ts";

/** Output of callgrind 3.19 with compressed names. */
const text = `# callgrind format
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir

ob=(1) /project/work
fl=(1) work.c
fn=(1) main
10 5
cfn=(2) even
calls=1 20
11 90
cob=(2) /lib/libc.so
cfi=(3) stdio.c
cfn=(3) puts
calls=2 0
12 30

fn=(2)
20 10
cfn=(4) odd
calls=5 30
+1 60

fn=(4)
30 12
cfn=(2)
calls=4 20
* 40
cfn=(5) leaf
calls=3 40
31 21

fn=(5)
fi=(6) inlined.h
40 20
fe=(1)
41 1

ob=(2)
fl=(3)
fn=(3)
1 30
totals: 78
`;

describe("callgrind graphs", () => {
  test("have the self cost, number of calls and callers of each function", () => {
    const { functions } = readCallGraph(text);
    const called = functions.map(({ name, object, self, calls }) => [name, object, self, calls]);
    expect(called.toSorted()).toEqual([
      ["even", "/project/work", 10, 5],
      ["leaf", "/project/work", 21, 3],
      ["main", "/project/work", 5, 0],
      ["odd", "/project/work", 12, 5],
      ["puts", "/lib/libc.so", 30, 2],
    ]);
    const main = functions.find(({ name }) => name === "main")!;
    expect([...main.callees].map(([at, { calls, cost }]) => [functions[at]!.name, calls, cost])).toEqual([
      ["even", 1, 90],
      ["puts", 2, 30],
    ]);
  });

  test("inclusive costs count nothing twice; of a cycle only calls out of it count", () => {
    const graph = readCallGraph(text);
    const costs = Object.fromEntries(
      inclusiveCosts(graph).map(({ cost, cycle }, at) => [graph.functions[at]!.name, [cost, cycle]]),
    );
    expect(costs).toEqual({ main: [125, null], even: [10, 1], odd: [33, 1], leaf: [21, null], puts: [30, null] });
  });

  test("self-recursion is not a cycle", () => {
    const graph = readCallGraph(
      "positions: line\nevents: Ir\nfn=f\n1 7\ncfn=f\ncalls=9 1\n1 63\ncfn=g\ncalls=3 1\n1 30\nfn=g\n1 30\n",
    );
    expect(inclusiveCosts(graph)).toEqual([
      { cost: 37, cycle: null },
      { cost: 30, cycle: null },
    ]);
    expect(graph.functions[0]!.calls).toBe(9);
  });

  test("parts of one file are summed; other columns are ignored", () => {
    const part = "positions: instr line\nevents: Ir Dr\nfn=(1) f\n0x1 3 10 7\n";
    expect(readCallGraph(part + part).functions[0]!.self).toBe(20);
  });

  test("deep call chains do not overflow the stack", () => {
    const deep = Array.from({ length: 50_000 }, (_, at) => `fn=f${at}\n1 1\ncfn=f${at + 1}\ncalls=1 1\n1 1\n`).join("");
    expect(inclusiveCosts(readCallGraph(`positions: line\n${deep}`)).every(({ cycle }) => cycle === null)).toBe(true);
    const ring = `${deep}fn=f50000\n1 1\ncfn=f0\ncalls=1 1\n1 1\n`;
    expect(inclusiveCosts(readCallGraph(`positions: line\n${ring}`)).every(({ cycle }) => cycle === 1)).toBe(true);
  });

  test("arbitrary texts only ever throw a Failure", () => {
    const cuts = fc.array(fc.tuple(fc.nat({ max: text.length }), fc.string({ maxLength: 4 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(cuts, (all) => {
        let changed = text;
        for (const [at, more] of all) changed = changed.slice(0, at) + more + changed.slice(at + 2);
        try {
          inclusiveCosts(readCallGraph(changed));
        } catch (error) {
          expect(isFailure(error, "call-graph-damaged")).toBe(true);
        }
      }),
    );
  });
});

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
