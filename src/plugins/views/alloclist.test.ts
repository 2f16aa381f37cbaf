import { describe, expect, it } from "vitest";
import { heapRun, heapRunOf } from "../../../test/contracts/heap-run.ts";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { TableBlock } from "../../core/figures/figure.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { alloclist } from "./alloclist.ts";

const options = (given: Readonly<Record<string, Value>>): Values => new Map(Object.entries(given));
const small = (rows?: number) => heapRun(Math.min(rows ?? 12, 2000));

viewContract(
  alloclist,
  {
    top: new Map(),
    sum: options({ mode: "sum" }),
    all: options({ mode: "all" }),
    func: options({ mode: "func", function: "main" }),
  },
  small,
);

const run = heapRunOf([
  { call: "malloc", by: "grow(int)", bytes: 100, at: 0x1000, snapshot: 0 },
  { call: "calloc", bytes: 60, at: 0x2000, snapshot: 1 },
  { call: "malloc", by: "grow(int)", bytes: 40, at: 0x3000, snapshot: 2 },
  { call: "free", at: 0x1000, snapshot: 2 },
]);

const table = (given: Readonly<Record<string, Value>>): TableBlock =>
  alloclist.draw(run, options(given)).blocks[0] as TableBlock;
const words = (given: Readonly<Record<string, Value>>): string[] => table(given).rows.map((row) => row.join(" | "));

describe("alloclist", () => {
  it("lists the largest with their call stacks, and whether they were freed", () => {
    expect(words({ top: 2 })).toEqual([
      "100 | malloc | 0 | yes | a.c:grow(int):4 | grow(int) a.c:4 < main a.c:9",
      "60 | calloc | 1 | no | a.c:main:9 | main a.c:9",
    ]);
    expect(table({ top: 2 }).caption).toBe("2 of 3 allocations");
    expect(words({ mode: "all" }).map((row) => row.slice(0, 3).trim())).toEqual(["100", "60", "40"]);
  });

  it("sums by location cover all allocations", () => {
    expect(words({ mode: "sum" })).toEqual([
      "140 | 70.0 % | 2 | 40 | a.c:grow(int):4",
      "60 | 30.0 % | 1 | 60 | a.c:main:9",
    ]);
    expect(table({ mode: "sum" }).caption).toBe("200 bytes by 3 allocations");
    expect(words({ mode: "sum", subtype: "calloc" })).toHaveLength(1);
  });

  it("lists those of a function, with or without parameters, and of its callees", () => {
    expect(words({ mode: "func", function: "grow" })).toEqual([
      "140 | 100.0 % | 2 | 40 | grow(int) a.c:4 < main a.c:9",
    ]);
    expect(words({ mode: "func", function: "main" })).toHaveLength(1);
    expect(words({ mode: "func", function: "main", through: true })).toHaveLength(2);
  });

  it("shows lines of available sources", () => {
    expect(alloclist.sources?.(run, new Map())).toEqual(["a.c"]);
    expect(alloclist.sources?.(run, options({ listing: false }))).toEqual([]);
    const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n");
    const listing = alloclist.draw(run, new Map(), new Map([["a.c", text]])).blocks[1] as TableBlock;
    const lines =
      "2,,,line 2 3,,,line 3 4,140,2,line 4 5,,,line 5 6,,,line 6 7,,,line 7 8,,,line 8 " +
      "9,60,1,line 9 10,,,line 10 11,,,line 11";
    expect(listing.rows.map((row) => row.join(",")).join(" ")).toBe(lines);
  });

  it.each([
    [{ mode: "func" }, "nothing-to-draw"],
    [{ function: "unknown" }, "nothing-to-draw"],
    [{ subtype: "mmap" }, "no-such-subtype"],
    [{ where: "amount>1000" }, "nothing-to-draw"],
  ])("refuses %j with %s", (given, code) => {
    expect(() => table(given as Record<string, Value>)).toThrowError(expect.objectContaining({ code }));
  });

  it("reports what to collect without memory data", () => {
    expect(() => alloclist.draw(sampleRun(), new Map())).toThrowError(
      expect.objectContaining({ code: "nothing-to-draw", remedy: expect.stringContaining("memory") }),
    );
  });
});
